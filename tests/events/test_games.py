"""Creating, loading and moving, on a log in memory: what `Games` adds to any log."""

import pytest

from events.errors import AnotherRequest, Busy, Conflict, Damaged, NoSuchGame, NotNow
from events.games import OPEN, OVER, RUNNING, Games, fold_entries, redact
from events.log import chain
from events.log.memory import MemoryLog
from events.table.facts import GameCreated, GameStarted, NonceAdded, SecretRevealed
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
    games.start(game)
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


def test_what_players_add_changes_the_shuffle(games):
    game = games.create("el_grande", 2).id
    games.add_nonce(game, "blue", "anything")
    assert games.load(game).nonces == {"blue": "anything"}
    secret = games.log.secret(game)
    assert chain.seed(secret, {"blue": "anything"}) != chain.seed(secret, {})


def test_nobody_adds_to_the_chance_twice_late_or_from_outside(games):
    game = games.create("el_grande", 2).id
    games.add_nonce(game, "blue", "first")
    with pytest.raises(NotNow):
        games.add_nonce(game, "blue", "second", command="again")
    with pytest.raises(Unreadable):
        games.add_nonce(game, "green", "from outside")
    games.start(game)
    with pytest.raises(NotNow):
        games.add_nonce(game, "red", "late")


def test_an_open_game_takes_no_moves_and_a_running_one_no_second_start(games):
    game = games.create("el_grande", 2).id
    with pytest.raises(NotNow):
        games.play(game, TimeUp("red", "0-red"))
    games.start(game)
    with pytest.raises(NotNow):
        games.start(game, command="again")


def test_starting_twice_with_one_command_starts_once(games):
    game = games.create("el_grande", 2).id
    assert games.start(game).commit == games.start(game).commit
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
        games.play("nothing", TimeUp("red", "0-red"))


def test_every_version_can_be_looked_at_again(games):
    game = play(games, moves=30)
    for version in (1, 2, 3, 17, 30):
        assert games.load(game, version) == fold_entries(games.log.read(game, until=version))
    for version in (0, -1, 10_000):
        with pytest.raises(NoSuchGame):
            games.load(game, version)


def test_another_process_sees_the_same_game(games):
    game = play(games, moves=30)
    assert Games(games.log).load(game) == games.load(game)


def test_a_name_that_was_given_to_another_request_is_refused(games):
    game = games.create("el_grande", 2).id
    first = games.join(game, "ana", command="once", request=b"sit down")
    assert games.join(game, "ana", command="once", request=b"sit down").commit == first.commit
    for elsewhere in (games, Games(games.log)):
        with pytest.raises(AnotherRequest):
            elsewhere.join(game, "ben", command="once", request=b"sit down elsewhere")
        with pytest.raises(AnotherRequest):
            elsewhere.leave(game, "ana", command="once", request=b"stand up")
    assert games.load(game).version == 2


def test_a_table_made_by_a_name_is_not_made_again_by_another_request(games):
    made = games.create("el_grande", 2, game="g1", command="once", request=b"two players")
    assert games.create("el_grande", 2, game="g1", command="once", request=b"two players") == made
    with pytest.raises(AnotherRequest):
        games.create("el_grande", 3, game="g1", command="once", request=b"three players")


def test_a_command_of_which_only_the_name_was_kept_is_answered_by_its_name(games):
    """Games that were stored before requests were told apart."""
    game = games.create("el_grande", 2).id
    first = games.join(game, "ana", command="once")
    assert first.commit.header.command == "once"
    assert games.join(game, "ana", command="once", request=b"sit down").commit == first.commit


def test_two_games_tell_different_fingerprints_of_the_same_request(games):
    """So that nobody who knows the request of one can look for it in another."""
    told = {games.join(games.create("el_grande", 2).id, "ana", command="c", request=b"sit").commit.header.command}
    told |= {games.join(games.create("el_grande", 2).id, "ana", command="c", request=b"sit").commit.header.command}
    assert len(told) == 2
    assert {command.partition(" #")[0] for command in told} == {"c"}


def test_a_repeated_command_gets_the_answer_of_the_first_time(games):
    game = play(games, moves=5)
    answer = first_answer(games, game)
    first = games.play(game, answer, command="once")
    games.play(game, first_answer(games, game))
    again = Games(games.log).play(game, answer, command="once")
    assert (again.commit, again.game, again.repeated) == (first.commit, first.game, True)


def test_a_refused_command_leaves_the_game_as_it_was(games):
    game = play(games, moves=5)
    before = games.load(game)
    answer = first_answer(games, game)
    with pytest.raises(NotYourDecision):
        games.play(game, Answer(answer.player, "99-red", answer.command))
    with pytest.raises(RuleBroken):
        games.play(game, Answer(answer.player, answer.decision, codec_for("el_grande").command({"kind": "stop"})))
    assert games.load(game) == before


def test_a_process_that_is_behind_decides_on_the_newest_position(games):
    game = play(games, moves=5)
    other = Games(games.log)
    other.load(game)
    games.play(game, first_answer(games, game))
    assert other.play(game, first_answer(games, game)).game.version == games.load(game).version


class AlwaysFaster(MemoryLog):
    """Somebody else always gets in between."""

    def append(self, game, version, entry, **also):
        if version > 1:
            raise Conflict(game, version, version, [])
        return super().append(game, version, entry, **also)


def test_a_game_that_changes_too_fast_is_busy():
    games = Games(AlwaysFaster())
    game = games.create("el_grande", 2).id
    state = games.start(game).game.state
    player = waiting(state)[0]
    with pytest.raises(Busy):
        games.play(game, TimeUp(player, decision_id(state, player)))


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
    started = games.start(game).commit
    assert isinstance(started.facts[0], GameStarted)
    assert StacksShuffled(()) in redact(started, SPECTATOR)
    assert StacksShuffled(()) not in started.facts


def test_the_nonce_is_a_fact_of_its_player(games):
    game = games.create("el_grande", 2).id
    accepted = games.add_nonce(game, "red", "7")
    assert (accepted.commit.header.by, accepted.commit.facts) == ("red", (NonceAdded("red", "7"),))


@pytest.fixture
def seated(games) -> str:
    """A running game of Ana (red) and Ben (blue)."""
    game = games.create("el_grande", 2).id
    games.join(game, "ana")
    games.join(game, "ben")
    games.start(game)
    return game


def first_said(games: Games, game: str) -> tuple[str, dict]:
    """Who is asked, and what they could say."""
    known = games.load(game)
    player = waiting(known.state)[0]
    return known.seats[player], options(known.state, player)[0].example()


def test_whoever_sits_there_speaks_for_the_seat(games, seated):
    who, said = first_said(games, seated)
    accepted = games.play_as(seated, who, said)
    assert accepted.game.seats[accepted.commit.header.by] == who
    assert accepted.commit.header.decision == said["decision"]
    with pytest.raises(NotNow):
        games.play_as(seated, "eve", said)


def test_what_forbids_a_command_is_asked_again_on_the_newest_game(games, seated):
    other = Games(games.log)
    before = other.load(seated).version
    games.play_as(seated, *first_said(games, seated))

    def must_be_newer(game):
        if game.version <= before:
            raise NoSuchGame("too early")

    assert other.play_as(seated, *first_said(games, seated), check=must_be_newer).game.version == before + 2


def test_what_is_forbidden_leaves_the_game_as_it_was(games):
    game = games.create("el_grande", 2).id

    def forbid(game):
        raise NotNow("closed")

    for command in (games.abort, games.start):
        with pytest.raises(NotNow, match="closed"):
            command(game, check=forbid)
    with pytest.raises(NotNow, match="closed"):
        games.join(game, "ana", check=forbid)
    assert games.load(game).version == 1


def test_a_table_made_twice_by_one_command_is_told_as_it_was_made(games):
    made = games.create("el_grande", 2, game="mine", command="once")
    games.join("mine", "ana")
    assert games.create("el_grande", 2, game="mine", command="once") == made
