"""Clocks in a real service: time runs out without a request, and an outage costs no player anything."""

import os
import signal
import sysconfig
import time
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from service.client import Hidalgo, Problem
from tests.events.servers import eventually
from tests.running import Service, running

HIDALGO = str(Path(sysconfig.get_path("scripts"), "hidalgo"))


def table(service: Service, **control: object) -> tuple[Hidalgo, Hidalgo, str]:
    """Two people at a table with clocks, and the game."""
    ana, ben = Hidalgo(service.url).guest(), Hidalgo(service.url).guest()
    game = ana.create_game(players=2, options={"game_length": "short"}, time=control)
    ben.join(game)
    ana.start(game)
    return ana, ben, game.id


def facts(person: Hidalgo, game: str) -> list[str]:
    return [fact["fact"] for event in person.events(game) for fact in event.facts]


def test_time_runs_out_by_itself_until_a_seat_is_forfeited(tmp_path):
    with hurried(tmp_path) as service:
        ana, _, game = table(service, limit_ms=300, strikes=2, policy="forfeit")
        eventually(lambda: ana.game(game).status == "over", seconds=30)
        over = ana.game(game)
        [left] = [seat.seat for seat in over.seats if seat.forfeited == "time"]
        assert over.places == {seat.seat: 2 if seat.seat == left else 1 for seat in over.seats}
        assert facts(ana, game).count("time_ran_out") >= 2
        assert game in [found.id for found in ana.games(status="over")]


def test_a_player_who_answers_too_late_learns_it(tmp_path):
    with hurried(tmp_path) as service:
        ana, ben, game = table(service, limit_ms=400, strikes=0)
        asked = next(person for person in (ana, ben) if person.decisions(game).decisions)
        [decision] = asked.decisions(game).decisions
        eventually(lambda: "time_ran_out" in facts(ana, game), seconds=30)
        with pytest.raises(Problem) as refused:
            asked.move(game, **decision.example)
        assert (refused.value.status, refused.value.code) == (409, "time_is_up")


AWAY_FOR = 4
"""Seconds; longer than what counts as a hiccup."""

LIMIT = 3_000
"""Milliseconds for a decision: they end while the service is away."""


def test_no_player_loses_time_while_the_service_is_away(tmp_path, data):
    with kept(data, tmp_path) as service:
        ana, ben, game = table(service, bank_ms=60_000, strikes=1, policy="forfeit")
        asked = next(person for person in (ana, ben) if person.decisions(game).decisions)
        mine, before = asked.game(game).mine, asked.game(game).clock
        service.stop(signal.SIGKILL)
    time.sleep(AWAY_FOR)
    with kept(data, tmp_path) as service, Hidalgo(service.url, token=asked.token) as back:
        [decision] = back.decisions(game).decisions
        moved = back.move(game, **decision.example)
        [credit] = [fact for fact in moved.facts if fact["fact"] == "clock_credited"]
        asked_at = before["seats"][mine]["deadline_at"] - 60_000
        given = credit["until"] - max(credit["since"], asked_at)
        used = list(back.events(game))[-1].at - asked_at
        assert given >= AWAY_FOR * 1000
        assert back.game(game).clock["seats"][mine]["bank_ms"] == 60_000 - (used - given)


def test_a_deadline_that_fell_into_an_outage_is_put_off(tmp_path, data):
    with kept(data, tmp_path) as service:
        ana, _, game = table(service, limit_ms=LIMIT, strikes=1, policy="forfeit")
        first = ana.game(game)
        service.stop(signal.SIGKILL)
    time.sleep(AWAY_FOR)
    with kept(data, tmp_path) as service, Hidalgo(service.url, token=ana.token) as back:
        eventually(lambda: "clock_credited" in facts(back, game), seconds=30)
        eventually(lambda: back.game(game).status == "over", seconds=30)
        record = [(event.at, fact["fact"]) for event in back.events(game) for fact in event.facts]
        [credit] = [fact for event in back.events(game) for fact in event.facts if fact["fact"] == "clock_credited"]
        ran_out = next(at for at, fact in record if fact == "time_ran_out")
        [deadline] = {seat["deadline_at"] for seat in first.clock["seats"].values() if seat["deadline_at"]}
        # The outage is counted from the last sign of life, which may be older than the decision.
        assert ran_out >= deadline + credit["until"] - max(credit["since"], deadline - LIMIT)


def kept(data: Path, place: Path) -> AbstractContextManager[Service]:
    """A service whose games stay when it goes."""
    return hurried(place, HIDALGO_DATA=str(data))


def hurried(place: Path, **settings: str) -> AbstractContextManager[Service]:
    """A service in which deadlines may come after a fraction of a second."""
    return running([HIDALGO, "serve"], cwd=place, env=os.environ | {"HIDALGO_SHORTEST_DECISION": "0.1"} | settings)
