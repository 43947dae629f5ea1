"""People are told what happens in their tournament: once each, and nobody else."""

import time

import pytest

from events.errors import NotPermitted
from events.submission import Submission
from events.table.commands import Resign
from service.notifications.notice_names import names_of
from service.tournaments import notice_worker
from service.tournaments.notice_worker import NoticeWorker
from tests.service.tournaments.hall import ALL, Hall, bots, by_hand
from tournaments.commands import (
    SERVICE,
    AcceptSeat,
    Adjudicate,
    AdjustPoints,
    Announce,
    AnswerCall,
    CallArbiter,
    CancelTournament,
    DeclineSeat,
    Penalise,
    ProposeRound,
    PublishRound,
    Register,
    ReverseRuling,
    SetStaff,
    StartRound,
    StartTournament,
    Substitute,
    Withdraw,
)
from tournaments.options import Schedule, Stage
from tournaments.results import Result

MINUTE = 60_000


@pytest.fixture(name="hall")
def with_staff(hall: Hall) -> Hall:
    """Whose organiser has an account."""
    hall.organiser = hall.accounts.make_guest().id
    return hall


def texts(hall: Hall, account: str) -> list[str]:
    found = hall.told(account)
    return [notice.text_with(names_of(hall.accounts.profiles, [notice])) for notice in found]


def kinds(hall: Hall, account: str) -> list[str]:
    return [notice.kind for notice in hall.told(account)]


def attend_all(hall: Hall) -> None:
    for _ in range(8):
        hall.attend()


def test_a_player_hears_of_the_start_the_round_and_the_table(hall):
    ana, ben = hall.people(2)
    id = hall.started(ana, ben, schedule=Schedule(notice_ms=10 * MINUTE))
    attend_all(hall)
    other = hall.accounts.living(ben).handle
    assert texts(hall, ana) == [
        "Club evening begins with 2 players",
        f"round 1 of Club evening is drawn; you play at table 1 with {other}; it begins at 2027-01-15 08:10 UTC",
    ]
    hall.wait(10 * MINUTE)
    attend_all(hall)
    [game] = hall.games_of(id).values()
    told = hall.told(ana, "pairing")[0]
    assert (told.game, told.seat, told.tournament) == (game.id, game.seat_of(ana), id)
    assert kinds(hall, ana) == ["tournament_started", "round_published", "pairing"]
    assert kinds(hall, hall.organiser) == []


def test_a_player_whom_staff_enters_is_asked_and_hears_nothing_else_before_agreeing(hall):
    ana, ben = hall.people(2)
    id = hall.open(ben, "bot:greedy:1")
    hall.service.submit(id, Register(hall.organiser, ana), Submission(hall.organiser))
    hall.do(id, Announce(hall.organiser, "coffee is ready"))
    hall.do(id, StartTournament(hall.organiser))
    attend_all(hall)
    assert texts(hall, ana) == [f"{hall.accounts.living(hall.organiser).handle} invites you to Club evening"]


def test_nobody_is_invited_by_an_account_that_they_have_muted(hall):
    ana, ben = hall.people(2)
    id = hall.open()
    hall.service.mutes.mute(ana, hall.organiser)
    with pytest.raises(NotPermitted):
        hall.do(id, Register(hall.organiser, ana))
    hall.do(id, Register(ana))
    hall.do(id, Register(hall.organiser, ben))
    found = hall.look(id)
    assert (set(found.participants), set(found.invited)) == ({ana}, {ben})


def test_nobody_is_asked_to_substitute_by_an_account_that_they_have_muted(hall):
    ana, ben, eve = hall.people(3)
    id = hall.started(ana, ben)
    hall.service.mutes.mute(eve, hall.organiser)
    with pytest.raises(NotPermitted):
        hall.do(id, Substitute(hall.organiser, "ana is ill", ana, eve))
    assert not hall.look(id).asked


def test_a_former_player_who_has_muted_the_organiser_is_not_asked_back(hall):
    ana, ben, eve = hall.people(3)
    id = hall.started(ana, ben)
    [*_, ruling] = hall.do(id, Substitute(hall.organiser, "ana is ill", ana, eve)).rulings
    hall.do(id, AcceptSeat(eve))
    hall.service.mutes.mute(ana, hall.organiser)
    with pytest.raises(NotPermitted):
        hall.do(id, ReverseRuling(hall.organiser, ruling, "ana is well again"))


def test_a_player_who_sits_out_hears_that(hall):
    people = hall.people(3)
    hall.started(*people, sizes=())
    attend_all(hall)
    out = [text for account in people for text in texts(hall, account) if "you sit out" in text]
    assert len(out) == 1


def test_nothing_is_told_twice_by_two_workers_or_after_a_kill(hall, monkeypatch):
    """A worker that dies after writing and before it remembers that is followed by another."""
    people = hall.people(4)
    id = hall.started(*people)
    hall.attend()
    other = NoticeWorker(hall.store, hall.tournaments, hall.games, hall.postings, hall.now)
    hall.do(id, Announce(hall.organiser, "coffee is ready"))
    hall.feed.attend(ALL)
    with monkeypatch.context() as killed:
        killed.setattr(hall.notices._outbox, "remember", dies)
        with pytest.raises(KeyboardInterrupt):
            hall.notices.attend(ALL)
    assert any("announcement" in kinds(hall, account) for account in people)
    other.attend(ALL)
    hall.notices.attend(ALL)
    for account in people:
        assert kinds(hall, account).count("announcement") == 1


def dies(*_):
    raise KeyboardInterrupt


def test_a_large_round_is_told_in_batches_and_holds_back_no_other(hall, monkeypatch):
    monkeypatch.setattr(notice_worker, "BATCH", 5)
    monkeypatch.setattr(notice_worker, "SECONDS_AT_A_TIME", 0.0)
    crowd, few = hall.people(40), hall.people(2)
    large = hall.open(*crowd)
    small = hall.open(*few)
    for id in (large, small):
        hall.do(id, Announce(hall.organiser, "welcome"))
    while hall.feed.attend(ALL):
        pass
    ticks = iter([0.0, -1.0, -1.0, -1.0, 1.0])
    monkeypatch.setattr(notice_worker, "monotonic", lambda: next(ticks))
    hall.notices.attend(ALL)
    assert [kinds(hall, account) for account in few] == [["announcement"]] * 2
    assert sum(kinds(hall, account) == ["announcement"] for account in crowd) == 5
    monkeypatch.undo()
    hall.notices.attend(ALL)
    assert [kinds(hall, account) for account in crowd] == [["announcement"]] * 40


def test_a_ruling_is_told_with_its_reason_and_so_is_its_reversal(hall):
    people = hall.people(4)
    id = hall.started(*people, schedule=by_hand())
    for command in (ProposeRound, PublishRound, StartRound):
        hall.do(id, command(hall.organiser))
    hall.attend()
    table = hall.look(id).rounds[0].round.tables[0].players
    ruling = Adjudicate(hall.organiser, "the board fell", 1, 0, Result((1, 2)))
    [made] = hall.do(id, ruling).rulings
    hall.do(id, ReverseRuling(hall.organiser, made, "it was table 2"))
    attend_all(hall)
    about = "about table 1 in round 1 of Club evening"
    for account in people:
        expected = [f"ruling {about}: the board fell", f"a ruling {about} holds no more: it was table 2"]
        assert texts(hall, account)[-2:] == expected if account in table else "ruling" not in kinds(hall, account)


@pytest.mark.parametrize(
    ("ruling", "concerned"),
    [
        (lambda by, player: Penalise(by, "late", player, "warning"), 1),
        (lambda by, player: Penalise(by, "late", player, "exclusion"), 1),
        (lambda by, player: AdjustPoints(by, "late", player, -60), 1),
    ],
    ids=["warning", "exclusion", "points"],
)
def test_a_ruling_about_a_player_is_told_to_that_player(hall, ruling, concerned):
    ana, ben = hall.people(2)
    id = hall.started(ana, ben, stages=(Stage(rounds=2),), schedule=by_hand())
    for command in (ProposeRound, PublishRound, StartRound):
        hall.do(id, command(hall.organiser))
    hall.do(id, Adjudicate(hall.organiser, "both agree", 1, 0, Result((1, 2))))
    hall.attend()
    hall.attend()
    hall.do(id, ruling(hall.organiser, ana))
    attend_all(hall)
    assert [notice.text for notice in hall.told(ana)].count("ruling about you in Club evening: late") == concerned
    assert "ruling about you in Club evening: late" not in texts(hall, ben)
    assert "withdrawn" not in kinds(hall, ana)


def test_a_substitute_and_the_player_hear_of_it(hall):
    ana, ben, eve = hall.people(3)
    id = hall.started(ana, ben)
    hall.attend()
    hall.do(id, Substitute(hall.organiser, "ana is ill", ana, eve))
    attend_all(hall)
    assert "ruling about you in Club evening: ana is ill" in texts(hall, ana)
    assert kinds(hall, eve) == ["substitute_asked"]
    hall.do(id, AcceptSeat(eve))
    attend_all(hall)
    assert kinds(hall, ana)[-1] == "substituted"


@pytest.mark.parametrize("answer", ["declined", "silent"])
def test_the_staff_hears_that_a_substitute_does_not_come(hall, answer):
    ana, ben, eve, arbiter = hall.people(4)
    id = hall.started(ana, ben)
    hall.do(id, SetStaff(hall.organiser, arbiter, "arbiter"))
    hall.attend()
    hall.do(id, Substitute(hall.organiser, "ana is ill", ana, eve, answer_ms=60_000))
    if answer == "declined":
        hall.do(id, DeclineSeat(eve))
    hall.wait(60_000)
    attend_all(hall)
    attend_all(hall)
    [told] = hall.told(arbiter, "staff_needed")
    names = names_of(hall.accounts.profiles, [told])
    sentence = {"declined": "does not want to play", "silent": "has not said whether they play"}[answer]
    assert told.text_with(names) == f"Club evening: {names[eve]} {sentence} for {names[ana]}"
    assert "substituted" not in kinds(hall, ana)


def test_a_substitute_who_is_not_needed_any_more_hears_of_it(hall):
    ana, ben, eve = hall.people(3)
    id = hall.started(ana, ben)
    hall.attend()
    [*_, ruling] = hall.do(id, Substitute(hall.organiser, "ana is ill", ana, eve)).rulings
    hall.do(id, ReverseRuling(hall.organiser, ruling, "ana is well"))
    attend_all(hall)
    assert texts(hall, eve) == ["a ruling about you in Club evening holds no more: ana is well"]


def test_players_of_open_tables_and_staff_are_reminded_once_before_the_limit(hall):
    people = hall.people(4)
    arbiter = hall.accounts.make_guest().id
    id = hall.started(*people, schedule=Schedule(limit_ms=60 * MINUTE, remind_ms=10 * MINUTE))
    hall.do(id, SetStaff(hall.organiser, arbiter, "arbiter"))
    attend_all(hall)
    done, open_table = hall.games_of(id).values()
    left = hall.games.submit(done.id, Resign(next(iter(done.seats.values())))).after
    hall.ended.note({left.id: left})
    hall.wait(50 * MINUTE)
    attend_all(hall)
    hall.wait(MINUTE)
    attend_all(hall)
    for account in open_table.seats.values():
        assert [notice.text for notice in hall.told(account, "round_ending")] == [
            f"10 min left in round 1 of Club evening: table {1 + table_of(hall, id, account)} is not done"
        ]
    for account in done.seats.values():
        assert hall.told(account, "round_ending") == []
    for account in (arbiter, hall.organiser):
        [alert] = hall.told(account, "staff_needed")
        assert alert.text == "Club evening, round 1: 1 table is not done, and 10 min is left"


def table_of(hall: Hall, id: str, account: str) -> int:
    tables = hall.look(id).rounds[0].round.tables
    return next(number for number, table in enumerate(tables) if account in table.players)


def test_the_end_is_told_with_the_own_place(hall):
    ana, ben = hall.people(2)
    id = hall.started(ana, ben, stages=(Stage(rounds=1),))
    hall.attend()
    [game] = hall.games_of(id).values()
    over = hall.games.submit(game.id, Resign(ben)).after
    hall.ended.note({over.id: over})
    attend_all(hall)
    assert texts(hall, ana)[-1] == "Club evening is over: you have place 1 of 2"
    assert texts(hall, ben)[-1] == "Club evening is over: you have place 2 of 2"


def test_a_cancellation_is_told_with_its_reason(hall):
    ana, ben = hall.people(2)
    id = hall.open(ana, ben)
    hall.do(id, CancelTournament(SERVICE, "too few players"))
    attend_all(hall)
    for account in (ana, ben, hall.organiser):
        assert texts(hall, account) == ["Club evening is cancelled: too few players"]


def test_a_player_whom_staff_withdraws_is_told_and_one_who_leaves_is_not(hall):
    ana, ben, cid, dan = hall.people(4)
    id = hall.started(ana, ben, cid, dan)
    attend_all(hall)
    hall.do(id, Withdraw(hall.organiser, ana))
    hall.do(id, Withdraw(ben))
    attend_all(hall)
    assert texts(hall, ana)[-1] == "you are withdrawn from Club evening by its staff"
    assert "withdrawn" not in kinds(hall, ben)


def test_staff_hears_of_a_round_that_cannot_be_drawn(hall):
    ana, ben, cid = hall.people(3)
    id = hall.started(ana, ben, cid, size=3, stages=(Stage(rounds=3),))
    hall.attend()
    hall.do(id, Withdraw(ana))
    hall.do(id, Adjudicate(hall.organiser, "all go home", 1, 0, Result((1, 2, 3))))
    attend_all(hall)
    hall.another_worker().attend(ALL)
    [alert] = hall.told(hall.organiser, "staff_needed")
    assert "Club evening: round 2 cannot be drawn: " in alert.text


def test_staff_hears_of_a_call_and_the_table_of_the_answer(hall):
    ana, ben, cid, dan, ari = hall.people(5)
    id = hall.started(ana, ben, cid, dan)
    hall.do(id, SetStaff(hall.organiser, ari, "arbiter"))
    hall.attend()
    at_table = hall.look(id).round(1).round.tables[0].players
    hall.service.submit(id, CallArbiter(at_table[0], text="My clock jumped"), Submission(at_table[0]))
    attend_all(hall)
    for account in (hall.organiser, ari):
        [call] = hall.told(account, "staff_needed")
        assert call.text == "Club evening, round 1, table 1: a player asks for a ruling"
    hall.service.submit(id, AnswerCall(ari, 1, 0, "It did not"), Submission(ari))
    attend_all(hall)
    told = [account for account in (ana, ben, cid, dan, ari) if hall.told(account, "ruling")]
    assert sorted(told) == sorted(at_table)
    assert "It did not" in hall.told(at_table[1], "ruling")[0].text


def test_a_tournament_of_bots_tells_nobody(hall):
    hall.run(hall.started(*bots(4)))
    assert hall.told(hall.organiser) == []
    assert hall.notices._outbox.waiting(ALL) == []


@pytest.mark.long
def test_five_thousand_players_are_told_within_seconds_and_others_at_once(hall):
    crowd = [hall.accounts.make_guest().id for _ in range(5000)]
    large = hall.open(*crowd)
    hall.do(large, Announce(hall.organiser, "welcome"))
    while hall.feed.attend(ALL):
        pass
    few = hall.people(2)
    small = hall.open(*few)
    hall.do(small, Announce(hall.organiser, "hello"))
    hall.feed.attend(ALL)
    begin = time.monotonic()
    hall.notices.attend(ALL)
    assert time.monotonic() - begin < 1.5
    assert [kinds(hall, account) for account in few] == [["announcement"]] * 2
    while hall.notices._outbox.waiting(ALL):
        hall.notices.attend(ALL)
    print(f"5,000 players are told within {time.monotonic() - begin:.1f} s")
    assert all(kinds(hall, account) == ["announcement"] for account in crowd)
