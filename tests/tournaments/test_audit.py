"""An exported tournament is checked offline: every commit, draw, certificate, ruling and the order at the end."""

import pytest
from msgspec.structs import replace

from events.audit.verify.report import NotGenuine
from events.log import chain, codec
from tests.tournaments.hall import SECRET, Hall
from tournaments import audit
from tournaments.commands import (
    AcceptSeat,
    Adjudicate,
    AdjustPoints,
    CloseRound,
    FinishTournament,
    ProposeRound,
    ReverseRuling,
    Substitute,
)
from tournaments.decider import TOURNAMENT, VERSION
from tournaments.facts import (
    PlayerSubstituted,
    PointsAdjusted,
    RoundProposed,
    SubstituteAsked,
    TournamentFinished,
    TournamentStarted,
)
from tournaments.history import digest
from tournaments.options import Schedule, Stage
from tournaments.pairing import draw, tables
from tournaments.results import Result


@pytest.fixture(scope="module", name="finished")
def finished_hall():
    """Nine players, two rounds, a ruling and its reversal."""
    hall = Hall(9, size=3, stages=(Stage(rounds=2),))
    hall.start()
    hall.play(rounds=2)
    hall.do(FinishTournament("olga"))
    hall.do(Adjudicate("olga", "the wrong card", 1, 0, Result((3, 1, 2))))
    [ruling] = hall.tournament.rulings
    hall.do(ReverseRuling("olga", ruling, "it was the right card"))
    return hall


def entries(hall):
    return hall.log.read("t1")


def exported(hall, **more):
    return audit.export(entries(hall), SECRET, **more)


def forged(hall, change, rules=VERSION):
    """The file of an operator who writes other facts, and binds them anew."""
    written, previous = [], chain.NO_HASH
    for entry in entries(hall):
        commit = TOURNAMENT.read(entry, None)
        facts = [change(fact) for fact in commit.facts]
        header = replace(commit.header, previous=previous, rules=rules)
        entry, commit = codec.write(header, [fact for fact in facts if fact], SECRET)
        previous = commit.hash
        written.append(entry)
    return audit.export(written, SECRET, for_staff=True)


def wrong_with(data):
    with pytest.raises(NotGenuine) as problem:
        audit.verify(data)
    return problem.value.reason


def test_a_finished_tournament_is_genuine_in_every_respect(finished):
    audited = audit.verify(exported(finished))
    assert (audited.status, audited.players, audited.rounds, audited.rulings) == ("finished", 9, 2, 1)
    assert len(audited.checked) == 6
    assert audited.head == finished.tournament.head
    assert audited.hidden == 0


def test_every_changed_byte_is_found(finished):
    data = exported(finished)
    for place in range(5, len(data), len(data) // 150):
        changed = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        assert wrong_with(changed)


def test_a_commit_that_is_left_out_is_found(finished):
    stored = entries(finished)
    assert "version" in wrong_with(audit.export([*stored[:20], *stored[21:]], SECRET))


def test_a_round_that_was_not_drawn_from_the_secret_is_found(finished):
    def other_tables(fact):
        if not isinstance(fact, RoundProposed):
            return fact
        first, *others = fact.round.tables
        tables = (replace(first, players=first.players[::-1]), *others)
        return replace(fact, round=replace(fact.round, tables=tables))

    assert wrong_with(forged(finished, other_tables))


def test_rounds_of_a_former_version_are_named_where_this_one_draws_others(finished, monkeypatch):
    monkeypatch.setattr(draw, "seated", lambda field, *given: tables.seated(field, *given)[::-1])
    assert wrong_with(exported(finished)) == "the round does not follow from the secret"
    monkeypatch.setattr(audit, "DRAWN_ALIKE", 99)
    assert audit.verify(exported(finished)).not_drawn == (1, 2)


def test_a_round_with_a_seed_that_was_chosen_is_found(finished):
    """Also where everything that its certificate claims is true."""

    def chosen(fact):
        if not isinstance(fact, RoundProposed):
            return fact
        unsigned = replace(fact.certificate, seed="00" * 32, digest="")
        return replace(fact, certificate=replace(unsigned, digest=digest((unsigned, fact.round))))

    assert wrong_with(forged(finished, chosen)) == "the round does not follow from the secret"


def test_starting_numbers_that_were_chosen_are_found(finished):
    def chosen(fact):
        return replace(fact, numbers=fact.numbers[::-1]) if isinstance(fact, TournamentStarted) else fact

    assert wrong_with(forged(finished, chosen)) == "the starting numbers do not follow from the secret"


def test_points_without_a_ruling_are_found(finished):
    def gift(fact):
        return PointsAdjusted("r9", "p001", 60, 1) if type(fact).__name__ == "RulingMade" else fact

    assert "it has a change without a ruling: points_adjusted" in wrong_with(forged(finished, gift))


def test_another_order_at_the_end_is_found(finished):
    def other_winner(fact):
        return replace(fact, places=fact.places[::-1]) if isinstance(fact, TournamentFinished) else fact

    assert wrong_with(forged(finished, other_winner)) == "the order at the end does not follow from the results"


def test_another_secret_is_found(finished):
    def other_secret(fact):
        return replace(fact, secret="11" * 32) if isinstance(fact, TournamentFinished) else fact

    assert "the secret is not the one" in wrong_with(forged(finished, other_secret))


def test_a_proposed_round_is_hidden_until_it_is_published():
    hall = Hall(9, size=3, schedule=Schedule(rule="by-hand"))
    hall.start()
    hall.do(ProposeRound("olga"))
    public, for_staff = exported(hall), exported(hall, for_staff=True)
    assert b"round_proposed" not in public
    assert b"round_proposed" in for_staff
    assert audit.verify(public).hidden == 1
    assert audit.verify(for_staff).hidden == 0


def test_the_secret_of_a_tournament_that_goes_on_is_not_in_its_file():
    hall = Hall(9, size=3)
    hall.start()
    hall.play()
    data = exported(hall, for_staff=True)
    assert SECRET.hex().encode() not in data
    assert not any("draws" in what for what in audit.verify(data).checked)
    assert any("draws" in what for what in audit.verify_entries("t1", entries(hall), SECRET).checked)


def test_a_round_by_hand_is_certified_and_named():
    hall = Hall(6, size=3, stages=(Stage(rounds=1),), schedule=Schedule(rule="by-hand"))
    hall.start()
    hall.draw(tables=(("p001", "p002", "p003"), ("p004", "p005", "p006")))
    hall.finish_tables()
    hall.do(CloseRound("olga"))
    hall.do(FinishTournament("olga"))
    assert audit.verify(exported(hall)).not_drawn == (1,)


def test_a_final_and_points_by_ruling_are_genuine():
    hall = Hall(9, size=3, stages=(Stage(rounds=2), Stage("final", 1, players=3)))
    hall.start()
    hall.play()
    hall.do(AdjustPoints("olga", "a slip of the pen", "p004", -60))
    hall.play(rounds=2)
    hall.do(FinishTournament("olga"))
    assert audit.verify(exported(hall)).rounds == 3


@pytest.fixture(scope="module", name="substituted")
def substituted_hall():
    """A substitute is asked, accepts, and the player from before comes back."""
    hall = Hall(6, size=3, stages=(Stage(rounds=1),))
    hall.start()
    ruling = f"r{hall.do(Substitute('olga', 'ill', 'p001', 'sub')).version}"
    hall.do(AcceptSeat("sub"))
    hall.do(ReverseRuling("olga", ruling, "well again"))
    hall.do(AcceptSeat("p001"))
    return hall


def test_a_substitute_who_was_asked_and_agreed_is_genuine(substituted):
    assert audit.verify(exported(substituted)).rulings == 1


def test_a_substitute_who_was_not_asked_is_found(substituted):
    def seated(fact):
        return PlayerSubstituted(fact.player, fact.account) if isinstance(fact, SubstituteAsked) else fact

    assert wrong_with(forged(substituted, seated)) == "it seats a substitute who was not asked"


def test_an_acceptance_for_another_player_is_found(substituted):
    def other(fact):
        return replace(fact, player="p002") if isinstance(fact, PlayerSubstituted) else fact

    assert "without a ruling: player_substituted" in wrong_with(forged(substituted, other))


def test_substitutes_of_former_versions_were_seated_by_the_ruling(substituted):
    """Such logs stay readable and genuine, also where the ruling was reversed."""

    def seated(fact):
        match fact:
            case SubstituteAsked(player, account):
                return PlayerSubstituted(player, account)
            case PlayerSubstituted():
                return None
        return fact

    assert audit.verify(forged(substituted, seated, rules=2)).rulings == 1
