"""Every account that a commit concerns gets its notices, once."""

from random import Random
from threading import Thread
from time import monotonic

import pytest

from events.buckets import USUAL
from events.games import Games
from events.table import stored
from events.table.commands import Abort, AnswerOverdue, Join, Leave, Pause, RemovePlayer, Resign, Start
from events.table.game import Game
from events.table.time_control import TimeControl
from rules.kernel import decision_id, waiting
from service.bench.notices import round_trips
from service.notifications import inbox, notifier
from service.notifications.notices import concerned, notices
from service.notifications.notifier import SECONDS_BETWEEN_LOOKS
from service.notifications.transitions import TransitionReader
from tests.events.servers import KINDS
from tests.service.notifications.harness import Harness


def asked(game: Game) -> tuple[str, str]:
    """The account that is asked, and the one that is not."""
    [seat] = waiting(game.state)
    [other] = {*game.players} - {seat}
    return game.seats[seat], game.seats[other]


@pytest.mark.parametrize("harness", KINDS, indirect=True)
def test_players_get_notices_of_seats_taken_and_left_and_of_the_start(harness: Harness):
    ana, ben, cai = harness.people(3)
    game = harness.table(ana, ben)
    harness.games.submit(game, Leave(ben))
    harness.games.submit(game, Join(cai))
    harness.games.submit(game, Start(ana))
    harness.notify()
    assert harness.kinds(ana)[:5] == ["seat_taken", "seat_taken", "seat_left", "seat_taken", "game_started"]
    assert harness.kinds(ben) == ["seat_taken", "seat_left"]
    assert harness.kinds(cai)[:2] == ["seat_taken", "game_started"]


def test_a_removed_player_gets_a_notice(harness: Harness):
    ana, ben = harness.people(2)
    game = harness.table(ana, ben)
    harness.games.submit(game, RemovePlayer(ana, ben))
    harness.notify()
    assert harness.kinds(ben) == ["seat_taken", "player_removed"]
    assert harness.kinds(ana)[-1] == "player_removed"


def test_a_notice_has_the_game_the_version_the_seat_the_time_and_a_text(harness: Harness):
    ana, ben = harness.people(2)
    game = harness.table(ana, players=3)
    harness.games.submit(game, Join(ben))
    harness.notify()
    taken = harness.notices(ana)[-1]
    assert (taken.id, taken.game, taken.version, taken.seat) == (2, game, 3, "blue")
    assert taken.text == "a player has taken the seat blue; one seat is free"
    assert taken.at == harness.games.commits(game, 2)[0].header.at
    assert harness.notices(ben)[-1].text == "you have taken the seat blue; one seat is free"


def test_an_owner_without_a_seat_gets_notices_too(harness: Harness):
    ana, ben = harness.people(2)
    game = harness.games.create("el_grande", 2, owner=ana).id
    harness.games.submit(game, Join(ben))
    harness.games.submit(game, Abort(ana))
    harness.notify()
    assert harness.kinds(ana) == harness.kinds(ben) == ["seat_taken", "game_aborted"]


def test_only_the_player_who_is_asked_gets_a_notice_of_the_turn(harness: Harness):
    game = harness.games.load(harness.begun(*harness.people(2)))
    harness.notify()
    first, second = asked(game)
    [turn] = [notice for notice in harness.notices(first) if notice.kind == "your_turn"]
    assert turn.text == f"it is your turn as {turn.seat}: Which power card do you play?"
    assert "your_turn" not in harness.kinds(second)


def test_every_decision_gives_one_notice_and_so_does_the_end(harness: Harness):
    people = harness.people(3)
    game = harness.begun(*people)
    harness.play(game)
    harness.notify()
    over = harness.games.load(game)
    for seat, account in over.seats.items():
        received = harness.notices(account)
        turns = [notice for notice in received if notice.kind == "your_turn"]
        assert len(turns) == len(decisions(harness, game, seat)) > 10
        assert {notice.seat for notice in turns} == {seat}
        place, points = over.state.board.places[seat], over.state.board.scores[seat]
        assert received[-1].text == f"the game is over; you have {points} points, which is place {place} of 3"


def decisions(harness: Harness, game: str, seat: str) -> set[str]:
    """All decisions that ever waited for a seat."""
    past = [harness.games.load(game, version) for version in range(1, harness.games.load(game).version + 1)]
    return {decision_id(game.state, seat) for game in past if game.started and seat in waiting(game.state)}


def test_a_late_player_gets_notices_until_the_seat_is_played_automatically(harness: Harness):
    now = [1_800_000_000_000]
    games, people = Games(harness.log, now=lambda: now[0]), harness.people(2)
    game = harness.table(*people, time=TimeControl(limit_ms=1000, strikes=2))
    games.submit(game, Start(people[0]))
    for _ in range(10):
        if not games.load(game).unattended:
            now[0] += 1001
            assert games.submit(game, AnswerOverdue())
    [seat] = games.load(game).unattended
    late = games.load(game).seats[seat]
    [other] = {*people} - {late}
    harness.notify()
    kinds = harness.kinds(late)
    assert (kinds.count("time_ran_out"), kinds.count("seat_automated")) == (2, 1)
    assert "seat_automated" not in harness.kinds(other)
    before = kinds.count("your_turn")
    for _ in range(20):
        now[0] += 1001
        games.submit(game, AnswerOverdue())
    harness.notify()
    assert harness.kinds(late).count("your_turn") == before


def test_all_players_get_notices_of_forfeits_and_the_others_of_a_wanted_pause(harness: Harness):
    ana, ben, cai = harness.people(3)
    game = harness.begun(ana, ben, cai, time=TimeControl(limit_ms=1000))
    harness.games.submit(game, Pause(ana))
    harness.games.submit(game, Resign(ben))
    harness.games.submit(game, Resign(cai))
    harness.notify()
    received = {
        account: [kind for kind in harness.kinds(account) if kind != "your_turn"][-4:] for account in (ana, ben)
    }
    assert received[ana][1:] == ["seat_forfeited", "seat_forfeited", "game_over"]
    assert received[ben] == ["pause_wanted", "seat_forfeited", "seat_forfeited", "game_over"]
    assert harness.notices(ana)[-1].text.endswith("which is place 1 of 3")


def test_a_player_who_has_left_gets_no_more_notices(harness: Harness):
    ana, ben, cai = harness.people(3)
    game = harness.table(ana, ben, visibility="private")
    harness.games.submit(game, Leave(ben))
    harness.games.submit(game, Join(cai, invited=True))
    harness.games.submit(game, Start(ana))
    harness.play(game)
    harness.notify()
    assert [notice.version for notice in harness.notices(ben)] == [3, 4]


def test_players_without_an_account_and_deleted_accounts_are_skipped(harness: Harness):
    ana, ben = harness.people(2)
    game = harness.table(ana, ben, "a passer-by")
    harness.accounts.delete(ben)
    harness.notify()
    assert harness.kinds(ana)
    assert harness.notices(ben) == harness.notices("a passer-by") == []
    assert [key for key in harness.store.commands.keys("*") if ben.encode() in key] == [
        f"hidalgo:{{{ben}}}:account".encode()
    ]
    assert harness.games.load(game).version == 4


def test_the_mailbox_of_an_account_is_deleted_with_it(harness: Harness, bot):
    ana, ben = harness.people(2)
    harness.hook(ana, bot.url, "commit")
    game = harness.begun(ana, ben)
    harness.notify()
    assert len(harness.store.commands.keys(f"hidalgo:{{{ana}}}:*")) == 6
    harness.accounts.delete(ana)
    harness.play(game)
    harness.notify()
    assert harness.store.commands.keys(f"hidalgo:{{{ana}}}:*") == [f"hidalgo:{{{ana}}}:account".encode()]
    assert harness.delivery_worker().attend([USUAL.of(ana)]) == 0


def test_the_mailbox_of_a_guest_is_deleted_with_the_guest(harness: Harness, bot):
    ana, ben = harness.people(2)
    harness.hook(ana, bot.url, "commit")
    harness.begun(ana, ben)
    harness.notify()
    seen = harness.mailboxes.redis.hget(f"hidalgo:{{{ana}}}:account", "seen")
    assert harness.accounts.forget_guest(ana, seen.decode())
    assert harness.store.commands.keys(f"hidalgo:{{{ana}}}:*") == []
    harness.begun(ben, ana)
    harness.notify()
    assert harness.store.commands.keys(f"hidalgo:{{{ana}}}:*") == []


def test_the_last_notices_are_kept(harness: Harness, monkeypatch):
    monkeypatch.setattr(inbox, "MOST_NOTICES", 5)
    ana, ben = harness.people(2)
    for _ in range(4):
        harness.begun(ana, ben)
    harness.notify()
    received = harness.notices(ana)
    assert len(received) == 5
    assert received[-1].id == harness.mailboxes.read(ana).last_notice > 5
    assert [notice.id for notice in received] == list(range(received[0].id, received[0].id + 5))


def test_coming_and_going_at_a_table_pushes_out_no_other_notice(harness: Harness, monkeypatch):
    """One player could fill the whole inbox of the owner of an open table."""
    monkeypatch.setattr(inbox, "MOST_NOTICES", 20)
    ana, ben = harness.people(2)
    begun, other = harness.begun(ana, ben), harness.table(ana, players=3)
    harness.notify()
    before = [notice for notice in harness.notices(ana) if notice.game == begun]
    for number in range(30):
        harness.games.submit(other, (Join, Leave)[number % 2](ben))
        if number % 4 == 0:
            harness.notify()
    harness.notify()
    after = harness.notices(ana)
    assert [notice for notice in after if notice.game == begun] == before
    told = [notice for notice in after if notice.game == other]
    assert [notice.kind for notice in told] == ["seat_taken", *("seat_taken", "seat_left") * 5]
    assert [notice.values["yours"] for notice in told] == [True, *[False] * 10]
    last = harness.mailboxes.read(ana).last_notice
    assert [notice.id for notice in told[1:]] == list(range(last - 9, last + 1))
    assert len(harness.notices(ben)) == 20


def test_tables_at_which_nothing_happens_any_more_are_forgotten(harness: Harness, monkeypatch):
    monkeypatch.setattr(inbox, "MOST_TABLES", 2)
    ana, ben = harness.people(2)
    tables = [harness.table(ana, players=3) for _ in range(3)]
    for table in tables:
        harness.games.submit(table, Join(ben))
        harness.notify()
    assert list(harness.mailboxes.read(ana).comings) == tables[1:]


# Once


@pytest.mark.parametrize("harness", ["embedded", "cluster"], indirect=True)
def test_a_commit_that_is_read_twice_gives_its_notices_once(harness: Harness, monkeypatch):
    """As if the notifier were killed each time before it could save its checkpoint."""
    people = harness.people(2)
    game = harness.begun(*people)
    harness.play(game, moves=20)
    with monkeypatch.context() as forgetful:
        forgetful.setattr(type(harness.log), "set_checkpoints", lambda *_: None)
        for _ in range(3):
            harness.notifier().attend([USUAL.of(game)])
    before = [harness.notices(account) for account in people]
    assert harness.notify() == harness.games.load(game).version
    assert [harness.notices(account) for account in people] == before
    assert all(len({(notice.version, notice.kind) for notice in received}) == len(received) for received in before)


def side_by_side(count: int) -> list[str]:
    """Names of games in one bucket."""
    return [f"g{number}" for number in range(100_000) if USUAL.of(f"g{number}") == 7][:count]


def test_a_busy_game_holds_back_no_other_of_its_bucket(harness: Harness, monkeypatch):
    monkeypatch.setattr(notifier, "COMMITS_A_LOOK", 20)
    busy, quiet = side_by_side(2)
    ana, ben, cai = harness.people(3)
    harness.begun(ana, ben, game=busy)
    harness.play(busy, moves=90)
    harness.table(cai, game=quiet)
    notifying = harness.notifier()
    assert notifying.attend([7]) == 20
    assert harness.kinds(cai) == ["seat_taken"]
    read = harness.notices(ana)[-1].version
    assert read is not None
    assert read <= 20


@pytest.mark.parametrize("harness", ["embedded", "cluster"], indirect=True)
@pytest.mark.parametrize("seed", range(3))
def test_notifiers_that_end_between_any_two_looks_give_every_notice_once(harness: Harness, monkeypatch, seed: int):
    """Games of the same players in one bucket take turns; some looks end before the checkpoint is saved."""
    chance = Random(seed)
    monkeypatch.setattr(notifier, "COMMITS_A_LOOK", 9)
    people, games = harness.people(3), side_by_side(4)
    for number, game in enumerate(games):
        harness.begun(*people, game=game)
        harness.play(game, moves=[50, 5, 20, 1][number])
    expected = expected_notices(harness, people, games)
    save = type(harness.log).set_checkpoints
    monkeypatch.setattr(
        type(harness.log), "set_checkpoints", lambda *args: save(*args) if chance.random() < 0.7 else None
    )
    notifying = harness.notifier()
    for _ in range(40):
        if chance.random() < 0.4:
            notifying = harness.notifier()
        notifying.attend([7])
    harness.notify()
    for account in people:
        received = harness.notices(account)
        assert [notice.id for notice in received] == list(range(1, len(received) + 1))
        found = {game: [(each.version, each.kind) for each in received if each.game == game] for game in games}
        assert found == {game: expected[account, game] for game in games}
        assert len(received) > 10
    last = harness.log.feed(7, limit=1000)[-1].position
    assert harness.log.checkpoint(7, notifier.CONSUMER) == last


def test_positions_of_single_games_are_forgotten_when_the_bucket_has_caught_up(harness: Harness, monkeypatch):
    monkeypatch.setattr(notifier, "COMMITS_A_LOOK", 10)
    busy, quiet = side_by_side(2)
    ana, ben = harness.people(2)
    harness.begun(ana, ben, game=busy)
    harness.play(busy, moves=40)
    harness.table(ana, game=quiet)
    notifying = harness.notifier()
    notifying.attend([7])
    assert f"ahead:7:{quiet}" in harness.mailboxes.read(ana).fields
    while notifying.attend([7]):
        pass
    harness.games.submit(quiet, Abort(ana))
    assert notifying.attend([7]) == 1
    assert not [name for name in harness.mailboxes.read(ana).fields if name.startswith("ahead:")]
    assert harness.kinds(ana)[-1] == "game_aborted"


def test_a_hint_that_comes_at_a_bad_time_is_remembered(harness: Harness):
    """While deadlines are late, the notifier has no buckets to attend to."""
    ana, ben = harness.people(2)
    notifying = harness.notifier()
    while notifying._changed or not notifying._backlogs:
        notifying.attend_changed(USUAL.all)
    harness.table(ana, ben)
    for _ in range(3):
        notifying.attend_changed(())
    notifying.attend_changed(USUAL.all)
    assert harness.kinds(ben) == ["seat_taken"]


def test_commits_that_come_one_after_the_other_are_gathered(harness: Harness):
    ana, ben, eve = harness.people(3)
    notifying = harness.notifier()
    while notifying._changed or not notifying._backlogs:
        notifying.attend_changed(USUAL.all)
    began = monotonic()
    for player in (ben, eve):
        harness.table(ana, player)
        while "seat_taken" not in harness.kinds(player):
            notifying.attend_changed(USUAL.all)
    assert monotonic() - began >= SECONDS_BETWEEN_LOOKS


def test_a_batch_of_commits_shares_its_round_trips(harness: Harness):
    people = harness.people(40)
    for ana, ben in zip(people[::2], people[1::2], strict=True):
        harness.play(harness.begun(ana, ben), moves=15)
    with round_trips() as trips:
        commits = harness.notify()
    assert commits == 20 * 19
    assert trips.total() <= 20, "most of them are needed for any number of commits"


def test_a_mailbox_that_holds_something_else_holds_back_no_other(harness: Harness, caplog):
    ana, ben = harness.people(2)
    harness.store.commands.set(f"hidalgo:{{{ana}}}:inbox", "not a stream")
    game = harness.table(ana, ben)
    harness.notify()
    assert harness.kinds(ben) == ["seat_taken"]
    assert "a mailbox cannot be written" in caplog.text
    assert harness.log.checkpoint(USUAL.of(game), notifier.CONSUMER) == harness.log.feed(USUAL.of(game))[-1].position


def test_several_notifiers_at_once_give_every_notice_once(harness: Harness):
    people = harness.people(3)
    games = [harness.begun(*people) for _ in range(4)]
    for game in games:
        harness.play(game, moves=25)
    expected = expected_notices(harness, people, games)
    threads = [Thread(target=harness.notify) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=100)
    for account in people:
        received = harness.notices(account)
        assert [notice.id for notice in received] == list(range(1, len(received) + 1))
        for game in games:
            assert [(notice.version, notice.kind) for notice in received if notice.game == game] == expected[
                account, game
            ]


def expected_notices(
    harness: Harness, people: list[str], games: list[str]
) -> dict[tuple[str, str], list[tuple[int, str]]]:
    """The notices that each account is to get of each game."""
    transitions = TransitionReader(harness.log)
    received: dict[tuple[str, str], list[tuple[int, str]]] = {
        (account, game): [] for account in people for game in games
    }
    for game in games:
        for version in range(1, harness.games.load(game).version + 1):
            for account in people:
                found = notices(transitions.read(game, version), account)
                if account in concerned(transitions.read(game, version)):
                    received[account, game] += [(version, notice.kind) for notice in found]
    return received


def test_a_game_that_cannot_be_read_holds_back_no_other(harness: Harness, monkeypatch, caplog):
    ana, ben = harness.people(2)
    broken, whole = (
        harness.table(account, game=game) for account, game in zip((ana, ben), side_by_side(2), strict=True)
    )
    read = stored.read_creation

    def read_creation(entry):
        commit = read(entry)
        assert commit.header.game != broken, "what is stored was changed"
        return commit

    monkeypatch.setattr(stored, "read_creation", read_creation)
    harness.notify()
    assert harness.kinds(ana) == []
    assert [notice.game for notice in harness.notices(ben)] == [whole]
    assert "the notifier skips a commit" in caplog.text


def test_a_game_that_was_archived_is_skipped(harness: Harness):
    ana, ben = harness.people(2)
    game = harness.table(ana)
    harness.log.remove(game)
    harness.table(ben)
    harness.notify()
    assert (harness.kinds(ana), harness.kinds(ben)) == ([], ["seat_taken"])
