"""The store is away, full, read-only, slow or restarted: clear errors, nothing half-written, and on it goes."""

from collections.abc import Iterator

import pytest

from events.audit.verify import verify_stored
from events.errors import StoreError, StoreFull, StoreReadOnly, StoreUnavailable
from events.games import Games
from events.log.redis import RedisLog
from events.store import connect
from events.store.embedded import find_binary
from events.submission import Submission
from events.table.commands import Play, Start
from events.table.game import Game
from rules.codec import codec_for
from rules.kernel import Answer, options, waiting
from tests.events.servers import Server, debian_binary, frozen, proxy, server


class Played:
    """A running game on a server that can be hurt."""

    def __init__(self, running: Server, url: str = "") -> None:
        self.server = running
        self.store = connect(url or running.url)
        self.games = Games(RedisLog(self.store))
        self.id = self.games.create("el_grande", 3).id
        self.games.submit(self.id, Start())
        self.moves = 0

    @property
    def now(self) -> Game:
        return self.games.load(self.id)

    def next_answer(self) -> Answer:
        state = self.now.state
        player = waiting(state)[0]
        return codec_for("el_grande").answer(player, options(state, player)[0].example())

    def move(self, answer: Answer | None = None, command: str = "") -> int:
        self.moves += 1
        return self.games.submit(self.id, Play(answer or self.next_answer()), Submission(key=command)).after.version

    def fails(self, kind: type[StoreError], answer: Answer, command: str) -> StoreError:
        with pytest.raises(kind) as trouble:
            self.move(answer, command)
        assert trouble.value.sentence
        assert trouble.value.retry_after > 0
        return trouble.value

    def goes_on(self, answer: Answer, command: str, version: int) -> None:
        """The same command succeeds when the trouble is over, as the next version or as the one it made already."""
        assert self.move(answer, command) == version + 1
        assert self.move() == version + 2
        assert verify_stored(self.games, self.id).commits == version + 2


@pytest.fixture(params=["embedded", "debian"])
def played(request) -> Iterator[Played]:
    binary = debian_binary() if request.param == "debian" else find_binary()
    with server(binary) as running:
        table = Played(running)
        yield table
        table.store.close()


def test_a_store_that_is_gone_says_so_and_comes_back_without_us(played: Played):
    answer, version = played.next_answer(), played.now.version
    played.server.kill()
    played.fails(StoreUnavailable, answer, "during the outage")
    played.server.start()
    played.goes_on(answer, "during the outage", version)


def test_a_store_that_is_restarted_between_two_moves_is_not_even_noticed(played: Played):
    version = played.now.version
    for move in range(5):
        played.server.restart()
        assert played.move() == version + move + 1


def test_a_store_that_hangs_is_given_up_in_time_and_the_move_is_never_doubled(played: Played):
    """The hanging store may have taken the command or not; sent again, it counts once."""
    answer, version = played.next_answer(), played.now.version
    with frozen(played.server.pid):
        played.fails(StoreUnavailable, answer, "while it hung")
    played.goes_on(answer, "while it hung", version)


def test_a_full_store_takes_nothing_and_loses_nothing(played: Played):
    answer, version = played.next_answer(), played.now.version
    with played.server.client() as operator:
        used = int(operator.info("memory")["used_memory"])
        operator.config_set("maxmemory", used // 2)
        played.fails(StoreFull, answer, "when it was full")
        assert played.now.version == version
        operator.config_set("maxmemory", 0)
    played.goes_on(answer, "when it was full", version)


def test_a_store_that_takes_no_writes_says_so(played: Played):
    answer, version = played.next_answer(), played.now.version
    with played.server.client() as operator:
        operator.config_set("min-replicas-to-write", 1)
        played.fails(StoreReadOnly, answer, "when the store took no writes")
        operator.config_set("min-replicas-to-write", 0)
    played.goes_on(answer, "when the store took no writes", version)


def test_scripts_that_the_store_has_forgotten_are_sent_again(played: Played):
    version = played.now.version
    with played.server.client() as operator:
        operator.script_flush()
    assert played.move() == version + 1


def test_a_slow_store_is_only_slow(played: Played):
    with proxy(played.server) as between:
        slow = Played(played.server, between.url)
        between.delay = 0.05
        assert slow.move() == 3
        slow.store.close()


def test_a_connection_cut_in_mid_answer_never_doubles_a_move(played: Played):
    with proxy(played.server) as between:
        torn = Played(played.server, between.url)
        answer, version = torn.next_answer(), torn.now.version
        between.is_black_hole = True
        torn.fails(StoreUnavailable, answer, "into the hole")
        between.is_black_hole = False
        between.cut()
        torn.goes_on(answer, "into the hole", version)
        torn.store.close()
