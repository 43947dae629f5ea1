"""A simulated tournament is the same on every machine."""

from service.cli.tournaments.simulation import bots, simulated
from service.settings import Settings
from service.tournaments import round_worker
from tournaments.audit import export
from tournaments.options import Options, Stage


def exported() -> bytes:
    options = Options("Simulation", "el_grande", {"game_length": "short"}, stages=(Stage(rounds=2),))
    with simulated("seed", Settings()) as simulation:
        over = simulation.play(simulation.create(options, bots(["random"], 16)))
        log = simulation.wired.tournaments.log
        return export(log.read(over.id), log.secret(over.id))


def test_a_slow_machine_simulates_the_same_tournament_byte_by_byte(monkeypatch):
    usual = exported()
    monkeypatch.setattr(round_worker, "SECONDS_AT_A_TIME", 0.0005)
    assert exported() == usual
