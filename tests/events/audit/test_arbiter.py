"""A game whose clocks were changed, or in which a player was late, left or paused who could not, is found out."""

import pytest
from msgspec.structs import replace

from events.audit.export import export
from events.audit.verify import OLDER, TIME, NotGenuine, verify, verify_entries, verify_stored
from events.log import codec
from events.table import stored as stored_games
from events.table.calendar import DAY, Calendar
from events.table.facts import (
    AutopilotAnswered,
    ClockCredited,
    ClockSet,
    ClocksPaused,
    ClocksResumed,
    GameCreated,
    GameDecided,
    Hand,
    MoveTakenBack,
    PauseWanted,
    PlayerRemoved,
    SeatAutomated,
    SeatForfeited,
    SeatLeft,
    SeatTakenBack,
    SecretRevealed,
    TakeBackWanted,
    TimeRanOut,
    VacationTaken,
)
from events.table.time_control import TimeControl
from rules.kernel import SPECTATOR, AnsweredForPlayer, AnswerSealed
from tests.events.audit.test_verify import by_node, correct_a_rule, needs_node
from tests.events.forging import rewritten
from tests.events.played import tables, with_a_removed_player
from tests.events.timed import HOUR, MINUTE, SECOND, Timed, decided, eventful

CLOCKS = "the clocks are not what follows"
CREDIT = "clock_credited gives back"


def exported(table: Timed) -> bytes:
    return export(table.games, table.id, SPECTATOR)


def forged(table: Timed, change) -> tuple[NotGenuine, int]:
    """What is wrong with a game that was written anew, and which commit is the first that was changed."""
    first = []

    def changing(pages):
        before = list(pages)
        after = change(list(pages))
        same = [old == new for old, new in zip(before, after, strict=False)]
        first.append(1 + (same.index(False) if False in same else min(len(before), len(after))))
        return after

    data = rewritten(table.games, table.id, changing)
    with pytest.raises(NotGenuine) as problem:
        verify(data)
    return problem.value, first[0]


def test_an_eventful_game_has_everything_in_it():
    """Otherwise the forgeries below would prove nothing."""
    kinds = {type(fact) for commit in eventful().games.commits(eventful().id) for fact in commit.facts}
    assert kinds >= {
        ClockCredited,
        ClocksPaused,
        ClocksResumed,
        PauseWanted,
        SeatAutomated,
        SeatForfeited,
        SeatTakenBack,
        AutopilotAnswered,
        MoveTakenBack,
        TakeBackWanted,
        TimeRanOut,
        VacationTaken,
    }


@pytest.mark.parametrize("table", [eventful, decided])
def test_timed_games_are_genuine(table):
    verified = verify(exported(table()))
    assert (verified.finished, verified.places, verified.checked[-1]) == (True, table().game.places, TIME)
    assert verify_stored(table().games, table().id) == verified


def test_a_timed_game_is_genuine_after_every_version():
    table = eventful()
    entries, secret = table.log.read(table.id), table.log.secret(table.id)
    for version in range(1, len(entries) + 1, 7):
        assert verify_entries(table.id, entries[:version], secret).commits == version


@needs_node
def test_a_program_in_another_language_finds_timed_and_decided_games_genuine(tmp_path):
    running = Timed(TimeControl(bank_ms=MINUTE), 3)
    running.run_out()
    files = [exported(eventful()), exported(decided()), exported(running)]
    assert by_node(tmp_path, files) == [None, None, None]


def test_time_that_was_kept_by_an_older_program_is_not_judged(monkeypatch):
    correct_a_rule(monkeypatch)
    checked = verify(exported(eventful())).checked
    assert OLDER in checked
    assert TIME not in checked


# Forgeries. `of` finds the first commit that tells a kind of fact; the others change it.


def of(kind, change, number=0):
    """Change the facts of a commit that has such a fact."""

    def changed(pages):
        found = [index for index, (_, facts) in enumerate(pages) if any(isinstance(fact, kind) for fact in facts)]
        index = found[number]
        header, facts = pages[index]
        pages[index] = change(header, facts)
        return pages

    return changed


def each(kind, **fields):
    """Such facts with other fields, in the first commit that has one."""
    return of(
        kind,
        lambda header, facts: (
            header,
            [replace(fact, **fields) if isinstance(fact, kind) else fact for fact in facts],
        ),
    )


def without(kind, number=0):
    return of(
        kind, lambda header, facts: (header, [fact for fact in facts if not isinstance(fact, kind)]), number=number
    )


def hands(**changed):
    """A clock that was set otherwise."""

    def change(header, facts):
        return header, [
            ClockSet({player: replace(hand, **changed) for player, hand in fact.hands.items()})
            if isinstance(fact, ClockSet)
            else fact
            for fact in facts
        ]

    return of(ClockSet, change, number=5)


def moved(kind, milliseconds):
    """A commit that was made at another time."""
    return of(kind, lambda header, facts: (replace(header, at=header.at + milliseconds), facts))


def added(*facts, number=20, by="ana", decision=""):
    """A commit that was never made, after so many others."""

    def change(pages):
        header, _ = pages[number - 1]
        return [*pages[:number], (replace(header, by=by, decision=decision), list(facts)), *pages[number:]]

    return change


def header_of_a_move(**fields):
    def change(pages):
        index = next(index for index, (header, _) in enumerate(pages) if header.decision and index > 40)
        header, facts = pages[index]
        changed = {name: change(getattr(header, name)) for name, change in fields.items()}
        pages[index] = replace(header, **changed), facts
        return pages

    return change


def credited_twice(header, facts):
    outage, given, *others = facts
    return header, [outage, given, outage, given, *others]


def in_two_halves(header, facts):
    outage, given, *others = facts
    middle = (outage.since + outage.until) // 2
    return header, [ClockCredited(outage.since, middle), given, ClockCredited(middle, outage.until), given, *others]


def answered_by_hand(header, facts):
    """The time-out of a seat, as if the player had answered."""
    late = next(fact for fact in facts if isinstance(fact, TimeRanOut))
    without_time_out = [fact for fact in facts if not isinstance(fact, TimeRanOut)]
    return replace(header, by=late.player, decision=late.decision), without_time_out


EVENTFUL = {
    "a bank with more in it": (hands(bank_ms=HOUR), CLOCKS),
    "another deadline": (hands(deadline=1), CLOCKS),
    "time that began later": (hands(since=1), CLOCKS),
    "a strike less or more": (hands(strikes=7), CLOCKS),
    "clocks that were not set": (without(ClockSet, number=5), CLOCKS),
    "clocks of another table": (
        of(ClockSet, lambda header, facts: (header, [*facts, ClockSet({"red": Hand(1)})]), 5),
        CLOCKS,
    ),
    "another time control": (each(GameCreated, time=TimeControl(bank_ms=HOUR)), CLOCKS),
    "a control that cannot be played by": (each(GameCreated, time=TimeControl(bank_ms=-5)), "cannot be played"),
    "a calendar of nowhere": (
        each(GameCreated, time=TimeControl(bank_ms=5, calendar=Calendar("nowhere"))),
        "cannot be played",
    ),
    "no time control": (each(GameCreated, time=None), CLOCKS),
    "a move at another time": (header_of_a_move(at=lambda at: at + 1), CLOCKS),
    "a move before the one before it": (header_of_a_move(at=lambda at: 5), "before the commit before it"),
    "a move of another player": (
        header_of_a_move(by=lambda by: "red" if by != "red" else "blue"),
        "cannot happen here",
    ),
    "an answer to another decision": (header_of_a_move(decision=lambda decision: "9" + decision), "cannot happen here"),
    "a time-out in time": (moved(TimeRanOut, -SECOND), "time_ran_out"),
    "a time-out written as an answer": (of(TimeRanOut, answered_by_hand), "this answer cannot happen"),
    "a secret answer written as a default": (each(AnswerSealed, because="time_up"), "this answer cannot happen"),
    "a time-out without a strike": (without(TimeRanOut), "cannot happen here"),
    "a time-out of another player": (each(TimeRanOut, player="blue"), "cannot happen here"),
    "a seat that was not given to the bot": (without(SeatAutomated), "cannot happen here"),
    "a seat that was automated otherwise": (each(SeatAutomated, how="defaults"), "cannot happen here"),
    "an autopilot that is not shown": (without(AutopilotAnswered), "cannot happen here"),
    "a default in place of the bot": (
        of(AutopilotAnswered, lambda header, facts: (header, [facts[0], AnsweredForPlayer("red", "power", "time_up")])),
        "cannot happen here",
    ),
    "a credit given twice": (of(ClockCredited, credited_twice), CREDIT),
    "a credit in two halves": (of(ClockCredited, in_two_halves), CLOCKS),
    "a longer credit": (
        of(
            ClockCredited,
            lambda header, facts: (header, [replace(facts[0], since=facts[0].since - MINUTE), *facts[1:]]),
        ),
        CLOCKS,
    ),
    "a credit of the future": (each(ClockCredited, until=4_000_000_000_000), CREDIT),
    "a credit of nothing": (each(ClockCredited, since=1, until=2), CREDIT),
    "a credit kept back": (
        of(ClockCredited, lambda header, facts: (header, facts[2:])),
        CLOCKS,
    ),
    "a pause that not all agreed on": (
        of(PauseWanted, lambda header, facts: (header, [facts[0], ClocksPaused("agreement")])),
        "clocks_paused",
    ),
    "a pause that one player took alone": (added(ClocksPaused("agreement")), "clocks_paused cannot happen"),
    "a pause of a stranger": (added(PauseWanted("brown")), "pause_wanted cannot happen"),
    "a pause that did not begin": (without(ClocksPaused), "pause_wanted cannot happen"),
    "an end of no pause": (added(ClocksResumed(), number=8), "clocks_resumed cannot happen"),
    "a longer vacation": (
        of(
            VacationTaken,
            lambda header, facts: (header, [replace(facts[0], until=facts[0].until + 9 * DAY), *facts[1:]]),
        ),
        "vacation_taken cannot happen",
    ),
    "a vacation that began earlier": (each(VacationTaken, since=5), "vacation_taken cannot happen"),
    "a return of a player who is there": (added(SeatTakenBack("blue")), "seat_taken_back cannot happen"),
    "a return that was left out": (without(SeatTakenBack, number=1), "cannot happen here"),
    "a seat forfeited for no reason": (added(SeatForfeited("blue", "time")), "seat_forfeited cannot happen"),
    "a seat forfeited that does not exist": (added(SeatForfeited("brown", "resigned")), "seat_forfeited cannot happen"),
    "a seat resigned where that is not allowed": (each(GameCreated, may_resign=False), "seat_forfeited cannot happen"),
    "a game decided for no reason": (
        added(SeatForfeited("blue", "resigned"), GameDecided()),
        "game_decided",
    ),
    "a move of another player taken back": (each(MoveTakenBack, player="brown"), "move_taken_back cannot happen"),
    "an older move taken back": (each(MoveTakenBack, version=6), "cannot happen here"),
    "a move taken back by a stranger": (
        of(MoveTakenBack, lambda header, facts: (replace(header, by="eve"), facts)),
        "move_taken_back cannot happen",
    ),
    "a move taken back before all agreed": (
        of(TakeBackWanted, lambda header, facts: (header, [*facts, MoveTakenBack(facts[0].of, header.version - 1)])),
        "move_taken_back",
    ),
    "an agreement that was not asked for": (
        added(TakeBackWanted("blue", "red"), by="ben"),
        "take_back_wanted cannot happen",
    ),
    "a commit of nothing": (added(), "nothing happened"),
    "a clock that was set for nothing": (added(ClockSet({"red": Hand(1)})), "nothing happened"),
}


REMOVED = {
    "removed by a player": of(PlayerRemoved, lambda header, facts: (replace(header, by="ben"), facts)),
    "removed by a player in the name of the table": of(
        PlayerRemoved, lambda header, facts: (replace(header, by="table"), facts)
    ),
    "the owner removed": of(PlayerRemoved, lambda header, facts: (header, [PlayerRemoved("red", "ana")])),
    "another account removed": each(PlayerRemoved, who="ben"),
    "another seat": each(PlayerRemoved, player="red"),
    "a stranger removed": each(PlayerRemoved, who="zoe"),
    "two removed at once": of(PlayerRemoved, lambda header, facts: (header, [*facts, PlayerRemoved("red", "ana")])),
    "not removed but left": of(PlayerRemoved, lambda header, facts: (header, [SeatLeft("blue", "eve")])),
}


@pytest.mark.parametrize("name", REMOVED)
def test_a_player_who_was_not_removed_like_that_is_found_out(name):
    games = tables()
    game = with_a_removed_player(games)
    assert verify(export(games, game, SPECTATOR)) == verify_stored(games, game)
    with pytest.raises(NotGenuine) as problem:
        verify(rewritten(games, game, REMOVED[name]))
    assert (problem.value.commit, "cannot happen here" in problem.value.reason) == (4, True)


def test_a_player_who_is_removed_after_the_start_is_found_out():
    games = tables()
    game = with_a_removed_player(games)

    def late(pages):
        return [*pages[:9], (pages[3][0], [PlayerRemoved("blue", "ben")]), *pages[9:]]

    with pytest.raises(NotGenuine, match="comes after the start"):
        verify(rewritten(games, game, late))


@pytest.mark.parametrize("name", EVENTFUL)
def test_time_that_was_not_kept_is_found_out(name):
    change, reason = EVENTFUL[name]
    problem, first = forged(eventful(), change)
    assert reason in problem.reason
    # What was agreed at the creation shows where it was not kept.
    assert problem.commit == first or first == 1


def another_left(header, facts):
    left = next(fact.player for fact in facts if isinstance(fact, SeatForfeited))
    other = SeatForfeited("red" if left != "red" else "blue", "time")
    return header, [other if isinstance(fact, SeatForfeited) else fact for fact in facts]


DECIDED = {
    "not decided": (without(GameDecided), "cannot happen here"),
    "another who left": (of(SeatForfeited, another_left), "cannot happen here"),
    "a secret that is kept": (without(SecretRevealed), "no place at this table"),
    "a player who left twice": (
        lambda pages: [*pages[:-2], (pages[-2][0], [SeatForfeited("red", "resigned")]), *pages[-1:]],
        "cannot happen here",
    ),
    "a game that goes on": (lambda pages: [*pages, pages[-2]], "before the end"),
    "decided with two left": (
        lambda pages: [*pages[:7], (pages[-1][0], [GameDecided(), pages[-1][1][-1]])],
        "game_decided",
    ),
    "revealed with two left": (lambda pages: [*pages[:7], (pages[-1][0], pages[-1][1][-1:])], "secret_revealed"),
}


@pytest.mark.parametrize("name", DECIDED)
def test_a_game_is_decided_only_when_no_opponent_is_left(name):
    change, reason = DECIDED[name]
    problem, _ = forged(decided(), change)
    assert reason in problem.reason


def test_a_player_who_has_left_does_not_move():
    """A resignation that an operator has put before a move."""
    table = Timed(None, 3)
    [first] = table.asked
    table.move()
    secret = table.log.secret(table.id)
    *entries, last = (stored_games.read(entry, "el_grande") for entry in table.log.read(table.id))
    resigned = replace(last.header, by=table.account_on(first), decision=""), [SeatForfeited(first, "resigned")]
    moved = replace(last.header, version=last.header.version + 1), list(last.facts)
    written, previous = [], entries[-1].hash
    for header, facts in (resigned, moved):
        entry, commit = codec.write(replace(header, previous=previous), facts, secret)
        written.append(entry)
        previous = commit.hash
    with pytest.raises(NotGenuine, match="this answer cannot happen here") as problem:
        verify_entries(table.id, [*table.log.read(table.id)[:-1], *written], secret)
    assert problem.value.commit == last.header.version + 1
