"""Creating, loading and moving, on a log in memory: what `Games` adds to any log."""

import pytest

from events.errors import AnotherRequest, Busy, Conflict, Damaged, NoSuchGame, NotNow, NotPermitted, VersionChanged
from events.games import Games
from events.history import fold
from events.log import chain
from events.log.memory import MemoryLog
from events.submission import Submission
from events.table.commands import Abort, AddNonce, Join, Leave, Move, Play, RemovePlayer, Start
from events.table.decider import GAME
from events.table.facts import GameCreated, GameStarted, NonceAdded, SecretRevealed
from events.table.game import OPEN, OVER, RUNNING, redact
from rules.codec import codec_for
from rules.el_grande.facts import StacksShuffled
from rules.errors import NotYourDecision, RuleBroken, Unreadable
from rules.kernel import SPECTATOR, Answer, TimeUp, decision_id, options, waiting
from tests.events.played import finished, play, tables


@pytest.fixture
def games() -> Games:
    return tables()


def first_answer(games: Games, game: str) -> Answer:
    state = games.load(game).state
    player = waiting(state)[0]
    return codec_for("el_grande").answer(player, options(state, player)[0].example())


def test_a_table_is_open_until_it_starts_and_over_when_the_game_is(games):
    game = games.create("el_grande", 2).id
    assert games.load(game).status == OPEN
    games.submit(game, Start())
    assert games.load(game).status == RUNNING
    played, name = finished()
    assert played.load(name).status == OVER


def test_the_first_commit_fixes_the_secret_without_telling_it(games):
    game = games.create("el_grande", 2).id
    [commit] = games.commits(game)
    [created] = commit.facts
    assert isinstance(created, GameCreated)
    assert created.commitment == chain.commitment(games.log.secret(game))
    assert games.log.secret(game).hex() not in repr(commit)


def test_the_last_commit_reveals_the_secret():
    games, game = finished()
    last = games.commits(game)[-1].facts[-1]
    assert last == SecretRevealed(games.log.secret(game).hex())


def test_what_players_add_changes_the_shuffle():
    without = shuffled({})
    with_one = shuffled({"blue": "anything"})
    assert with_one == shuffled({"blue": "anything"})
    assert all(with_one != other for other in (without, shuffled({"blue": "other"}), shuffled({"red": "anything"})))


def shuffled(nonces: dict[str, str]) -> StacksShuffled:
    """The stacks of a game whose secret is always the same."""
    games = Games(MemoryLog(), draw=bytes)
    game = games.create("el_grande", 2).id
    for player, nonce in nonces.items():
        games.submit(game, AddNonce(player, nonce))
    started = games.submit(game, Start())
    [stacks] = [fact for fact in started.commit.facts if isinstance(fact, StacksShuffled)]
    return stacks


def test_no_nonce_is_added_twice_late_or_from_outside(games):
    game = games.create("el_grande", 2).id
    games.submit(game, AddNonce("blue", "first"))
    with pytest.raises(NotNow):
        games.submit(game, AddNonce("blue", "second"), Submission(key="again"))
    with pytest.raises(Unreadable):
        games.submit(game, AddNonce("green", "from outside"))
    games.submit(game, Start())
    with pytest.raises(NotNow):
        games.submit(game, AddNonce("red", "late"))


def test_a_player_who_takes_a_seat_that_was_left_adds_to_the_chance(games):
    """The word of the player before counts only as long as the seat has no other."""
    game = games.create("el_grande", 2).id
    games.submit(game, Join("ana", nonce="of Ana"))
    left = games.submit(game, Leave("ana")).after
    assert (left.nonces, left.own_nonces) == ({"red": "of Ana"}, ())
    without = games.submit(game, Join("ben")).after
    assert (without.nonces, without.own_nonces) == ({"red": "of Ana"}, ())
    games.submit(game, Leave("ben"))
    cleo = games.submit(game, Join("cleo", nonce="of Cleo")).after
    assert (cleo.nonces, cleo.own_nonces) == ({"red": "of Cleo"}, ("red",))


def test_an_open_game_takes_no_moves_and_a_running_one_no_second_start(games):
    game = games.create("el_grande", 2).id
    with pytest.raises(NotNow):
        games.submit(game, Play(TimeUp("red", "0-red")))
    games.submit(game, Start())
    with pytest.raises(NotNow):
        games.submit(game, Start(), Submission(key="again"))


def test_starting_twice_with_one_command_starts_once(games):
    game = games.create("el_grande", 2).id
    once = Submission(key="once")
    assert games.submit(game, Start(), once).commit == games.submit(game, Start(), once).commit
    assert games.load(game).version == 2


@pytest.mark.parametrize(
    ("rules", "players", "options"),
    [
        ("chess", 2, {}),
        ("el_grande", 6, {}),
        ("el_grande", 2, {"game_length": "endless"}),
        ("el_grande", 2, {"x": "y"}),
    ],
    ids=["unknown game", "too many players", "unknown length", "unknown option"],
)
def test_a_table_that_cannot_be_played_is_not_created(games, rules, players, options):
    with pytest.raises(Unreadable):
        games.create(rules, players, options)


def test_a_game_that_is_not_there_is_not_found(games):
    with pytest.raises(NoSuchGame):
        games.load("nothing")
    with pytest.raises(NoSuchGame):
        games.submit("nothing", Play(TimeUp("red", "0-red")))


def test_every_version_can_be_looked_at_again(games):
    game = play(games, moves=30)
    for version in (1, 2, 3, 17, 30):
        assert games.load(game, version) == fold(GAME, games.log.read(game, until=version))
    for version in (0, -1, 10_000):
        with pytest.raises(NoSuchGame):
            games.load(game, version)


def test_another_process_sees_the_same_game(games):
    game = play(games, moves=30)
    assert Games(games.log).load(game) == games.load(game)


def test_a_name_that_was_given_to_another_request_is_refused(games):
    game = games.create("el_grande", 2).id
    first = games.submit(game, Join("ana"), Submission(key="once", fingerprint=b"sit down"))
    assert games.submit(game, Join("ana"), Submission(key="once", fingerprint=b"sit down")).commit == first.commit
    for elsewhere in (games, Games(games.log)):
        with pytest.raises(AnotherRequest):
            elsewhere.submit(game, Join("ben"), Submission(key="once", fingerprint=b"sit down elsewhere"))
        with pytest.raises(AnotherRequest):
            elsewhere.submit(game, Leave("ana"), Submission(key="once", fingerprint=b"stand up"))
    assert games.load(game).version == 2


def test_a_table_made_by_a_name_is_not_made_again_by_another_request(games):
    made = games.create("el_grande", 2, game="g1", submission=Submission(key="once", fingerprint=b"two players"))
    assert (
        games.create("el_grande", 2, game="g1", submission=Submission(key="once", fingerprint=b"two players")) == made
    )
    with pytest.raises(AnotherRequest):
        games.create("el_grande", 3, game="g1", submission=Submission(key="once", fingerprint=b"three players"))


def test_a_command_of_which_only_the_name_was_kept_is_answered_by_its_name(games):
    """Games that were stored before requests had fingerprints."""
    game = games.create("el_grande", 2).id
    first = games.submit(game, Join("ana"), Submission(key="once"))
    assert first.commit.header.command == "once"
    assert games.submit(game, Join("ana"), Submission(key="once", fingerprint=b"sit down")).commit == first.commit


def test_two_games_tell_different_fingerprints_of_the_same_request(games):
    """So that a reader who knows the request of one cannot look for it in another."""
    commands = {
        games.submit(
            games.create("el_grande", 2).id, Join("ana"), Submission(key="c", fingerprint=b"sit")
        ).commit.header.command
    }
    commands |= {
        games.submit(
            games.create("el_grande", 2).id, Join("ana"), Submission(key="c", fingerprint=b"sit")
        ).commit.header.command
    }
    assert len(commands) == 2
    assert {command.partition(" #")[0] for command in commands} == {"c"}


def test_a_repeated_command_gets_the_answer_of_the_first_time(games):
    game = play(games, moves=5)
    answer = first_answer(games, game)
    first = games.submit(game, Play(answer), Submission(key="once"))
    games.submit(game, Play(first_answer(games, game)))
    again = Games(games.log).submit(game, Play(answer), Submission(key="once"))
    assert (again.commit, again.after, again.repeated) == (first.commit, first.after, True)


def test_a_refused_command_leaves_the_game_as_it_was(games):
    game = play(games, moves=5)
    before = games.load(game)
    answer = first_answer(games, game)
    with pytest.raises(NotYourDecision):
        games.submit(game, Play(Answer(answer.player, "99-red", answer.command)))
    with pytest.raises(RuleBroken):
        games.submit(
            game, Play(Answer(answer.player, answer.decision, codec_for("el_grande").command({"kind": "stop"})))
        )
    assert games.load(game) == before


def test_a_process_that_is_behind_decides_on_the_newest_position(games):
    game = play(games, moves=5)
    other = Games(games.log)
    other.load(game)
    games.submit(game, Play(first_answer(games, game)))
    assert other.submit(game, Play(first_answer(games, game))).after.version == games.load(game).version


class AlwaysFaster(MemoryLog):
    """Another command always gets in between."""

    def append(self, game, version, entry, **also):
        if version > 1:
            raise Conflict(game, version, version, [])
        return super().append(game, version, entry, **also)


def test_a_game_that_changes_too_fast_is_busy():
    games = Games(AlwaysFaster())
    game = games.create("el_grande", 2).id
    state = games.submit(game, Start()).after.state
    player = waiting(state)[0]
    with pytest.raises(Busy):
        games.submit(game, Play(TimeUp(player, decision_id(state, player))))


def test_a_secret_that_does_not_fit_is_noticed_at_once(games):
    game = play(games, moves=5)
    games.log._games[game].secret = b"another"
    with pytest.raises(Damaged):
        Games(games.log).load(game)


def test_an_entry_that_is_not_a_commit_is_damage(games):
    game = play(games, moves=5)
    games.log._games[game].entries[3] = b'{"header":'
    with pytest.raises(Damaged):
        Games(games.log).load(game)


def test_a_viewer_gets_the_facts_of_a_commit_masked(games):
    game = games.create("el_grande", 2).id
    started = games.submit(game, Start()).commit
    assert isinstance(started.facts[0], GameStarted)
    assert StacksShuffled(()) in redact(started, SPECTATOR)
    assert StacksShuffled(()) not in started.facts


def test_the_nonce_is_a_fact_of_its_player(games):
    game = games.create("el_grande", 2).id
    accepted = games.submit(game, AddNonce("red", "7"))
    assert (accepted.commit.header.by, accepted.commit.facts) == ("red", (NonceAdded("red", "7"),))


@pytest.fixture
def seated(games) -> str:
    """A running game of Ana (red) and Ben (blue)."""
    game = games.create("el_grande", 2).id
    games.submit(game, Join("ana"))
    games.submit(game, Join("ben"))
    games.submit(game, Start())
    return game


def asked_account(games: Games, game: str) -> tuple[str, dict]:
    """The account that is asked, and an answer."""
    loaded = games.load(game)
    player = waiting(loaded.state)[0]
    return loaded.seats[player], options(loaded.state, player)[0].example()


def test_the_account_on_a_seat_speaks_for_it(games, seated):
    account, answer = asked_account(games, seated)
    accepted = games.submit(seated, Move(account, answer))
    assert accepted.after.seats[accepted.commit.header.by] == account
    assert accepted.commit.header.decision == answer["decision"]
    with pytest.raises(NotNow):
        games.submit(seated, Move("eve", answer))


def test_a_process_that_is_behind_permits_by_the_newest_game(games, seated):
    game = games.create("el_grande", 2, owner="ana", visibility="private").id
    other = Games(games.log)
    other.load(game)
    games.submit(game, Join("ben", invited=True))
    assert other.submit(game, Leave("ben")).after.seats == {}


def test_a_command_without_permission_leaves_the_game_as_it_was(games):
    game = games.create("el_grande", 2, owner="ana", visibility="private").id
    for command in (Join("eve"), Leave("eve"), Start("eve"), Abort("eve"), RemovePlayer("eve", "ana")):
        with pytest.raises(NoSuchGame):
            games.submit(game, command)
    games.submit(game, Join("ben", invited=True))
    for command in (Start("ben"), Abort("ben"), RemovePlayer("ben", "ben")):
        with pytest.raises(NotPermitted):
            games.submit(game, command)
    assert games.load(game).version == 2


def test_permission_is_refused_before_the_version_is_shown(games):
    game = games.create("el_grande", 2, owner="ana", visibility="private").id
    stale = Submission(by="eve", key="k", expected=frozenset({7}))
    with pytest.raises(NoSuchGame):
        games.submit(game, Join("eve"), stale)
    with pytest.raises(VersionChanged):
        games.submit(game, Join("ana"), stale)


def test_a_table_made_twice_by_one_command_is_answered_as_it_was_made(games):
    made = games.create("el_grande", 2, game="mine", submission=Submission(key="once"))
    games.submit("mine", Join("ana"))
    assert games.create("el_grande", 2, game="mine", submission=Submission(key="once")) == made
