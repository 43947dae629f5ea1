"""Many at once: one winner for every version, one commit for every command."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from events.errors import Conflict
from events.games import Games
from events.log import Log
from events.log.redis import RedisLog
from events.store import Store
from events.submission import Submission
from events.table.commands import Play, Start
from rules.codec import codec_for
from rules.kernel import Answer, options, waiting
from tests.faults.scoring import game_at_a_general_scoring

WRITERS = 100
ATTEMPTS = 20_000


def test_a_hundred_writers_on_one_game_have_one_winner_for_every_version(store: Store):
    """All try for every version; one wins, and the others learn that they lost."""
    log: Log = RedisLog(store)

    def write(writer: int) -> list[int]:
        won = []
        for version in range(ATTEMPTS // WRITERS):
            with suppress(Conflict):
                log.append("g", version, b"by %d" % writer, command=f"{writer}/{version}")
                won.append(version + 1)
        return won

    with ThreadPoolExecutor(WRITERS) as pool:
        wins = Counter(version for won in pool.map(write, range(WRITERS)) for version in won)
    entries = log.read("g")
    assert set(wins.values()) <= {1}
    assert sorted(wins) == list(range(1, len(entries) + 1))


def test_a_thousand_duplicates_of_one_command_are_one_commit_and_a_thousand_equal_answers(store: Store):
    games = Games(RedisLog(store))
    game = games.create("el_grande", 3).id
    state = games.submit(game, Start()).after.state
    player = waiting(state)[0]
    [decision] = options(state, player)
    answer = codec_for("el_grande").answer(player, decision.example())
    assert isinstance(answer, Answer)
    others = [Games(RedisLog(store)) for _ in range(10)]

    def send(number: int) -> tuple[str, int]:
        accepted = others[number % 10].submit(game, Play(answer), Submission(key="the same"))
        return accepted.commit.hash, accepted.after.version

    with ThreadPoolExecutor(WRITERS) as pool:
        answers = set(pool.map(send, range(1000)))
    assert len(answers) == 1
    assert games.load(game).version == 3


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_players_who_decide_secretly_at_the_same_time_all_get_through(store: Store):
    """General scoring asks all players at once; none has to look again because another was faster."""
    games = Games(RedisLog(store))
    game, state = game_at_a_general_scoring(games)
    asked = waiting(state)
    answers = [codec_for("el_grande").answer(player, options(state, player)[0].example()) for player in asked]
    with ThreadPoolExecutor(len(asked)) as pool:
        commits = list(pool.map(lambda answer: Games(RedisLog(store)).submit(game, Play(answer)).commit, answers))
    assert len({commit.header.version for commit in commits}) == len(asked) == 5
