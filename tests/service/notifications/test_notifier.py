"""Who is told what of a game, once, whoever tells it."""

from threading import Thread

import pytest

from events.games import Games
from events.log import bucket_of
from events.table import stored
from events.table.commands import Abort, AnswerOverdue, Join, Leave, Pause, Resign, Start
from events.table.game import Game
from events.table.time_control import TimeControl
from rules.kernel import decision_id, waiting
from service.notifications import inbox
from service.notifications.notices import concerned, notices
from service.notifications.transitions import TransitionReader
from tests.events.servers import KINDS
from tests.service.notifications.town import Town


def asked(game: Game) -> tuple[str, str]:
    """Who is asked, and who is not."""
    [seat] = waiting(game.state)
    [other] = {*game.players} - {seat}
    return game.seats[seat], game.seats[other]


@pytest.mark.parametrize("town", KINDS, indirect=True)
def test_everybody_at_the_table_is_told_who_comes_and_goes_and_that_it_begins(town: Town):
    ana, ben, cai = town.people(3)
    game = town.table(ana, ben)
    town.games.submit(game, Leave(ben))
    town.games.submit(game, Join(cai))
    town.games.submit(game, Start(ana))
    town.notify()
    assert town.kinds(ana)[:5] == ["seat_taken", "seat_taken", "seat_left", "seat_taken", "game_started"]
    assert town.kinds(ben) == ["seat_taken", "seat_left"]
    assert town.kinds(cai)[:2] == ["seat_taken", "game_started"]


def test_a_notice_says_where_when_and_in_words(town: Town):
    ana, ben = town.people(2)
    game = town.table(ana, players=3)
    town.games.submit(game, Join(ben))
    town.notify()
    taken = town.notices(ana)[-1]
    assert (taken.id, taken.game, taken.version, taken.seat) == (2, game, 3, "blue")
    assert taken.text == "somebody has taken the seat blue; one seat is free"
    assert taken.at == town.games.commits(game, 2)[0].header.at
    assert town.notices(ben)[-1].text == "you have taken the seat blue; one seat is free"


def test_an_owner_who_does_not_sit_there_is_told_too(town: Town):
    ana, ben = town.people(2)
    game = town.games.create("el_grande", 2, owner=ana).id
    town.games.submit(game, Join(ben))
    town.games.submit(game, Abort(town.games.load(game).owner))
    town.notify()
    assert town.kinds(ana) == town.kinds(ben) == ["seat_taken", "game_aborted"]


def test_only_who_is_asked_is_told_that_it_is_their_turn(town: Town):
    game = town.games.load(town.begun(*town.people(2)))
    town.notify()
    first, second = asked(game)
    [turn] = [notice for notice in town.notices(first) if notice.kind == "your_turn"]
    assert turn.text == f"it is your turn as {turn.seat}: Which power card do you play?"
    assert "your_turn" not in town.kinds(second)


def test_everybody_is_asked_once_for_each_decision_and_told_the_end(town: Town):
    people = town.people(3)
    game = town.begun(*people)
    town.play(game)
    town.notify()
    over = town.games.load(game)
    for seat, who in over.seats.items():
        told = town.notices(who)
        turns = [notice for notice in told if notice.kind == "your_turn"]
        assert len(turns) == len(decisions(town, game, seat)) > 10
        assert {notice.seat for notice in turns} == {seat}
        place, points = over.state.board.places[seat], over.state.board.scores[seat]
        assert told[-1].text == f"the game is over; you have {points} points, which is place {place} of 3"


def decisions(town: Town, game: str, seat: str) -> set[str]:
    """All that ever waited for a seat."""
    past = [town.games.load(game, version) for version in range(1, town.games.load(game).version + 1)]
    return {decision_id(known.state, seat) for known in past if known.started and seat in waiting(known.state)}


def test_who_runs_out_of_time_is_told_and_then_nobody_waits_for_them(town: Town):
    now = [1_800_000_000_000]
    games, people = Games(town.log, now=lambda: now[0]), town.people(2)
    game = town.table(*people, time=TimeControl(limit_ms=1000, strikes=2))
    games.submit(game, Start(people[0]))
    for _ in range(10):
        if not games.load(game).unattended:
            now[0] += 1001
            assert games.submit(game, AnswerOverdue())
    [seat] = games.load(game).unattended
    late = games.load(game).seats[seat]
    [other] = {*people} - {late}
    town.notify()
    kinds = town.kinds(late)
    assert (kinds.count("time_ran_out"), kinds.count("seat_automated")) == (2, 1)
    assert "seat_automated" not in town.kinds(other)
    before = kinds.count("your_turn")
    for _ in range(20):
        now[0] += 1001
        games.submit(game, AnswerOverdue())
    town.notify()
    assert town.kinds(late).count("your_turn") == before


def test_everybody_is_told_who_gives_up_and_others_who_wants_a_pause(town: Town):
    ana, ben, cai = town.people(3)
    game = town.begun(ana, ben, cai, time=TimeControl(limit_ms=1000))
    town.games.submit(game, Pause(ana))
    town.games.submit(game, Resign(ben))
    town.games.submit(game, Resign(cai))
    town.notify()
    told = {who: [kind for kind in town.kinds(who) if kind != "your_turn"][-4:] for who in (ana, ben)}
    assert told[ana][1:] == ["seat_forfeited", "seat_forfeited", "game_over"]
    assert told[ben] == ["pause_wanted", "seat_forfeited", "seat_forfeited", "game_over"]
    assert town.notices(ana)[-1].text.endswith("which is place 1 of 3")


def test_who_has_left_hears_nothing_more(town: Town):
    ana, ben, cai = town.people(3)
    game = town.table(ana, ben, visibility="private")
    town.games.submit(game, Leave(ben))
    town.games.submit(game, Join(cai, invited=True))
    town.games.submit(game, Start(ana))
    town.play(game)
    town.notify()
    assert [notice.version for notice in town.notices(ben)] == [3, 4]


def test_people_without_an_account_and_those_who_are_gone_are_passed_over(town: Town):
    ana, ben = town.people(2)
    game = town.table(ana, ben, "a passer-by")
    town.accounts.delete(ben)
    town.notify()
    assert town.kinds(ana)
    assert town.notices(ben) == town.notices("a passer-by") == []
    assert [key for key in town.store.commands.keys("*") if ben.encode() in key] == [
        f"hidalgo:{{{ben}}}:account".encode()
    ]
    assert town.games.load(game).version == 4


def test_everything_of_an_account_dies_with_it(town: Town, bot):
    ana, ben = town.people(2)
    town.hook(ana, bot.url, "commit")
    game = town.begun(ana, ben)
    town.notify()
    assert len(town.store.commands.keys(f"hidalgo:{{{ana}}}:*")) == 6
    town.accounts.delete(ana)
    town.play(game)
    town.notify()
    assert town.store.commands.keys(f"hidalgo:{{{ana}}}:*") == [f"hidalgo:{{{ana}}}:account".encode()]
    assert town.delivery_worker().attend(bucket_of(ana)) == 0


def test_nothing_is_left_of_a_guest_who_is_forgotten(town: Town, bot):
    ana, ben = town.people(2)
    town.hook(ana, bot.url, "commit")
    town.begun(ana, ben)
    town.notify()
    seen = town.mailboxes.redis.hget(f"hidalgo:{{{ana}}}:account", "seen")
    assert town.accounts.forget_guest(ana, seen.decode())
    assert town.store.commands.keys(f"hidalgo:{{{ana}}}:*") == []
    town.begun(ben, ana)
    town.notify()
    assert town.store.commands.keys(f"hidalgo:{{{ana}}}:*") == []


def test_the_last_notices_are_kept(town: Town, monkeypatch):
    monkeypatch.setattr(inbox, "KEPT", 5)
    ana, ben = town.people(2)
    for _ in range(4):
        town.begun(ana, ben)
    town.notify()
    told = town.notices(ana)
    assert len(told) == 5
    assert told[-1].id == town.mailboxes.read(ana).number("notices") > 5
    assert [notice.id for notice in told] == list(range(told[0].id, told[0].id + 5))


# Once


@pytest.mark.parametrize("town", ["embedded", "cluster"], indirect=True)
def test_what_is_dealt_with_twice_is_told_once(town: Town, monkeypatch):
    """As if the notifier were killed each time before it could write down how far it has come."""
    people = town.people(2)
    game = town.begun(*people)
    town.play(game, moves=20)
    with monkeypatch.context() as forgetful:
        forgetful.setattr(type(town.log), "set_checkpoint", lambda *_: None)
        for _ in range(3):
            town.notifier().attend(bucket_of(game))
    before = [town.notices(who) for who in people]
    assert town.notify() == town.games.load(game).version
    assert [town.notices(who) for who in people] == before
    assert all(len({(notice.version, notice.kind) for notice in told}) == len(told) for told in before)


def test_two_notifiers_at_once_tell_everything_once(town: Town):
    people = town.people(3)
    games = [town.begun(*people) for _ in range(4)]
    for game in games:
        town.play(game, moves=25)
    expected = notified_alone(town, people, games)
    threads = [Thread(target=town.notify) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=100)
    for who in people:
        told = town.notices(who)
        assert [notice.id for notice in told] == list(range(1, len(told) + 1))
        for game in games:
            assert [(notice.version, notice.kind) for notice in told if notice.game == game] == expected[who, game]


def notified_alone(town: Town, people: list[str], games: list[str]) -> dict[tuple[str, str], list[tuple[int, str]]]:
    """What each is to be told of each game, from the games alone."""
    transitions = TransitionReader(town.log)
    told: dict[tuple[str, str], list[tuple[int, str]]] = {(who, game): [] for who in people for game in games}
    for game in games:
        for version in range(1, town.games.load(game).version + 1):
            for who in people:
                found = notices(transitions.read(game, version), who)
                if who in concerned(transitions.read(game, version)):
                    told[who, game] += [(version, notice.kind) for notice in found]
    return told


def test_a_game_that_cannot_be_read_keeps_no_other_waiting(town: Town, monkeypatch, capfd):
    ana, ben = town.people(2)
    beside = [f"g{number}" for number in range(1000) if bucket_of(f"g{number}") == 7]
    broken, whole = town.table(ana, game=beside[0]), town.table(ben, game=beside[1])
    read = stored.read_creation

    def read_creation(entry):
        commit = read(entry)
        assert commit.header.game != broken, "what is stored was changed"
        return commit

    monkeypatch.setattr(stored, "read_creation", read_creation)
    town.notify()
    assert town.kinds(ana) == []
    assert [notice.game for notice in town.notices(ben)] == [whole]
    assert "the notifier skips a commit" in capfd.readouterr().err


def test_a_game_that_was_archived_is_passed_over(town: Town):
    ana, ben = town.people(2)
    game = town.table(ana)
    town.log.remove(game)
    town.table(ben)
    town.notify()
    assert (town.kinds(ana), town.kinds(ben)) == ([], ["seat_taken"])
