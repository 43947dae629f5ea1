"""One clock for all processes, and every outage written down once, on every kind of store."""

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager

import pytest

from events.decider import Outage
from events.errors import StoreFull, StoreUnavailable
from events.games import Games
from events.log.redis import RedisLog
from events.store import Store, connect
from events.store.rewriting import is_rewriting
from events.table.commands import Join, Start
from events.table.time_control import TimeControl
from events.workers.heartbeat import KEYS, Heartbeat
from tests.events.servers import Server, debian_binary, eventually, frozen, server
from tests.repository.checkout import ROOT

SILENCE = 600.0
"""In seconds: so long that no machine is slow enough to be taken for one that is away."""


A_MINUTE = 60_000


def heartbeat(store: Store, *, serving: bool = True, silence: float = SILENCE, every: float = 0.0) -> Heartbeat:
    """One that asks the store every time it is asked, unless set otherwise."""
    return Heartbeat(store, serving=serving, silence=silence, every=every)


def time_of(store: Store) -> int:
    """In milliseconds, as the server that keeps the heartbeat has it."""
    moment = store.commands.eval("return redis.call('TIME')", 1, KEYS[0])
    return int(moment[0]) * 1000 + int(moment[1]) // 1000


def silent_for(store: Store, seconds: float) -> int:
    """As if no process had served for so long. Gives the moment of the last beat."""
    last = time_of(store) - int(seconds * 1000)
    store.commands.set(KEYS[0], last)
    return last


# The time


def test_all_processes_have_the_time_of_the_store_whatever_their_own_clocks_say(store: Store, monkeypatch):
    for wrong in (0.0, 4e9):
        monkeypatch.setattr("time.time", lambda wrong=wrong: wrong)
        before = time_of(store)
        now = heartbeat(store).now()
        assert before - 1 <= now <= time_of(store)


def test_time_goes_on_between_two_beats(store: Store):
    asking_once = heartbeat(store, every=SILENCE)
    first = asking_once.now()
    eventually(lambda: asking_once.now() > first)
    assert asking_once.now() <= time_of(store)


# Outages


def test_the_first_beat_of_all_ends_no_outage(store: Store):
    assert heartbeat(store).outages() == ()


def test_the_first_beat_after_a_long_silence_writes_down_an_outage(store: Store):
    last = silent_for(store, 700)
    serving = heartbeat(store)
    [outage] = serving.outages()
    assert outage.since == last
    assert last + 700_000 <= outage.until <= time_of(store)
    assert serving.outages() == (outage,)


def test_a_hiccup_is_no_outage(store: Store):
    silent_for(store, 300)
    assert heartbeat(store).outages() == ()


def test_while_any_process_beats_there_is_no_outage(store: Store):
    """Another process has just started and never beaten before."""
    for _ in range(5):
        silent_for(store, 300)
        heartbeat(store).beat()
    assert heartbeat(store).outages() == ()


def test_many_processes_that_beat_at_once_write_an_outage_down_once(store: Store):
    for number in range(1, 6):
        silent_for(store, 700)
        serving = [heartbeat(store) for _ in range(16)]
        with ThreadPoolExecutor(16) as pool:
            recorded = set(pool.map(lambda one: tuple(one.outages()), serving))
        assert len(recorded) == 1
        assert len(recorded.pop()) == number


def test_outages_follow_one_another(store: Store):
    for _ in range(3):
        silent_for(store, 700)
        heartbeat(store).beat()
    # The test turns the time back, a store does not: only the order in the list is checked here.
    outages = heartbeat(store).outages()
    assert list(outages) == sorted(outages)
    assert all(isinstance(outage, Outage) and outage.since < outage.until for outage in outages)


def test_only_the_newest_outages_are_remembered(store: Store, monkeypatch):
    monkeypatch.setattr("events.workers.heartbeat.MOST_OUTAGES", 3)
    moments = []
    for _ in range(5):
        moments.append(silent_for(store, 700))
        heartbeat(store).beat()
    assert [outage.since for outage in heartbeat(store).outages()] == moments[2:]


def test_a_store_that_was_emptied_is_served_again(store: Store):
    silent_for(store, 2 * SILENCE)
    serving = heartbeat(store)
    assert len(serving.outages()) == 1
    store.commands.delete(*KEYS)
    assert serving.outages() == ()


def test_a_process_that_only_looks_never_hides_an_outage(store: Store):
    last = silent_for(store, 700)
    looking = heartbeat(store, serving=False)
    for _ in range(3):
        looking.beat()
        assert (looking.outages(), looking.served_until()) == ((), last)
    serving = heartbeat(store)
    serving.beat()
    assert [outage.since for outage in looking.outages()] == [last]
    assert looking.served_until() > last
    assert looking.outages() == serving.outages()


def test_before_the_first_beat_no_player_is_served(store: Store):
    looking = heartbeat(store, serving=False)
    assert looking.served_until() == 0
    heartbeat(store).beat()
    assert 0 < looking.served_until() <= time_of(store)


# Real processes


@contextmanager
def serving_process(url: str, silence: float) -> Iterator[subprocess.Popen]:
    command = [sys.executable, "-m", "tests.events.beating", url, str(silence)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def ask(process: subprocess.Popen, question: str) -> str:
    assert process.stdin
    assert process.stdout
    process.stdin.write(f"{question}\n")
    process.stdin.flush()
    return process.stdout.readline().strip()


@pytest.mark.parametrize("store", ["embedded", "cluster"], indirect=True)
def test_processes_with_other_clocks_agree_on_the_time_and_on_the_outages(store: Store):
    silent_for(store, 700)
    with ExitStack() as running:
        processes = [running.enter_context(serving_process(store.url, SILENCE)) for _ in range(3)]
        before = time_of(store)
        times = [int(ask(process, "time")) for process in processes]
        # Never from the future; and behind by no more than the answer to a beat was under way.
        assert all(before - A_MINUTE <= moment <= time_of(store) for moment in times)
        assert {ask(process, "outages") for process in processes} == {"1"}


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_a_process_that_was_frozen_notices_before_its_next_commit(store: Store):
    """No other process served meanwhile, so it was an outage, and the move that follows does not pay for it."""
    games = Games(RedisLog(store), now=heartbeat(store, serving=False).now)
    game = games.create("el_grande", 2, time=TimeControl(bank_ms=3_600_000), game="frozen").id
    for account in ("ana", "ben"):
        games.submit(game, Join(account))
    looking = heartbeat(store, serving=False, silence=1.0)
    with serving_process(store.url, 1.0) as process:
        ask(process, "time")
        games.submit(game, Start())
        with frozen(process.pid):
            eventually(lambda: looking.now() - looking.served_until() > 1000)
            unserved = looking.now()
        given, *outages = ask(process, f"move {game}").split()
    assert given == "given"
    spans = [tuple(map(int, outage.split("-"))) for outage in outages]
    assert any(since < unserved <= until for since, until in spans)


def test_a_beat_of_a_clock_that_was_ahead_is_no_service(store: Store):
    """The clock was put back by twenty minutes: until a process beats again it is not known that any serves."""
    looking = heartbeat(store, serving=False)
    silent_for(store, -1200)
    assert looking.served_until() == 0
    serving = heartbeat(store)
    serving.beat()
    assert abs(looking.served_until() - time_of(store)) < A_MINUTE
    assert serving.outages() == ()


# The store is away


SHORT = 0.2
A_SECOND = 1.0
"""In seconds: a silence that a test can wait for."""


def test_without_the_store_there_is_no_time_and_afterwards_an_outage():
    with server() as running:
        store = connect(running.url)
        serving = heartbeat(store, silence=SHORT)
        last = serving.served_until()
        running.kill()
        for ask_it in (serving.now, serving.outages, serving.served_until, serving.beat):
            with pytest.raises(StoreUnavailable):
                ask_it()
        time.sleep(2 * SHORT)
        running.start()
        [outage] = serving.outages()
        assert outage.since == last
        store.close()


def test_a_full_store_has_a_time_but_is_not_served():
    with server() as running, running.client() as operator:
        store = connect(running.url)
        serving = heartbeat(store, silence=SHORT)
        last = serving.served_until()
        operator.config_set("maxmemory", 1)
        assert abs(serving.now() - time_of(store)) < A_MINUTE
        assert serving.served_until() == last
        with pytest.raises(StoreFull):
            serving.beat()
        time.sleep(2 * SHORT)
        operator.config_set("maxmemory", 0)
        [outage] = serving.outages()
        assert outage.since == last
        store.close()


def test_a_heartbeat_goes_on_by_itself_when_the_store_is_back():
    with server() as running:
        store = connect(running.url)
        serving = heartbeat(store, silence=0.2, every=0.01)
        serving.start()
        try:
            eventually(lambda: store.commands.exists(KEYS[0]) == 1)
            running.kill()
            time.sleep(2 * SHORT)
            running.start()
            eventually(lambda: len(serving.outages()) >= 1)
        finally:
            serving.stop()
            store.close()


# What comes to disk


def beats_on_disk(running: Server) -> list[int]:
    """All that were ever written, in order."""
    [file] = running.directory.glob("appendonlydir/*.incr.aof")
    return [int(moment) for moment in re.findall(rb"beat\r\n\$13\r\n(\d{13})\r\n", file.read_bytes())]


def last_beat(store: Store) -> int:
    return int(store.commands.get(KEYS[0]))  # type: ignore[arg-type]


@pytest.fixture(params=["embedded", "debian"])
def running(request) -> Iterator[Server]:
    with server(debian_binary() if request.param == "debian" else None) as running:
        yield running


def test_beats_of_an_idle_process_stay_in_memory(running: Server):
    with closing(connect(running.url)) as store:
        serving = heartbeat(store)
        for _ in range(100):
            serving.beat()
        looking = heartbeat(store, serving=False)
        assert looking.served_until() == last_beat(store)
    assert len(beats_on_disk(running)) == 1


def test_an_idle_process_beats_to_disk_now_and_then(running: Server, monkeypatch):
    monkeypatch.setattr("events.workers.heartbeat.WRITTEN_EVERY", 0.05)
    with closing(connect(running.url)) as store:
        serving = heartbeat(store)
        while len(beats_on_disk(running)) < 4:
            serving.beat()
    first, *_, last = beats_on_disk(running)
    assert last - first >= 3 * 50


def test_while_commands_are_given_every_beat_comes_to_disk(running: Server):
    with closing(connect(running.url)) as store:
        serving = Heartbeat(store, serving=True, silence=SILENCE, every=SILENCE)
        serving.beat()
        for _ in range(10):
            serving.now()
            time.sleep(0.002)
            serving.beat()
            assert beats_on_disk(running)[-1] == serving.served_until()


def test_the_last_beat_of_a_process_that_stops_comes_to_disk(running: Server):
    with closing(connect(running.url)) as store:
        serving = Heartbeat(store, serving=True, silence=SILENCE, every=0.01)
        serving.start()
        eventually(lambda: store.commands.exists(KEYS[0]) == 1)
        serving.stop()
        assert beats_on_disk(running)[-1] == last_beat(store)


def test_a_clock_that_is_put_back_does_not_keep_beats_from_the_disk(running: Server):
    with closing(connect(running.url)) as store:
        store.commands.set(KEYS[2], time_of(store) + 3_600_000)
        serving = heartbeat(store)
        serving.beat()
        assert beats_on_disk(running) == [last_beat(store)]


@pytest.mark.parametrize("knows", ["web server", "scheduler"])
def test_a_store_that_lost_its_memory_is_told_the_last_beat(running: Server, knows: str):
    """The beat on disk is older: the outage is exact all the same."""
    with closing(connect(running.url)) as store:
        serving, looking = heartbeat(store, silence=A_SECOND), heartbeat(store, serving=False, silence=A_SECOND)
        serving.beat()
        time.sleep(0.01)
        serving.beat()
        last = looking.served_until()
        assert beats_on_disk(running)[-1] < last == last_beat(store)
        running.kill()
        time.sleep(1.5 * A_SECOND)
        running.start()
        survivor = serving if knows == "web server" else looking
        survivor.beat(to_disk=True)
        [outage] = heartbeat(store, silence=A_SECOND).outages()
        assert outage.since == last


def test_when_everything_died_together_an_outage_begins_at_the_last_beat_on_disk(running: Server):
    with closing(connect(running.url)) as store:
        serving = heartbeat(store)
        for _ in range(2):
            serving.beat()
        running.kill()
        time.sleep(2 * SHORT)
        running.start()
        [on_disk] = beats_on_disk(running)
        [outage] = heartbeat(store, silence=SHORT).outages()
        assert outage.since == on_disk <= serving._served_at


def test_an_outage_and_the_beat_that_ends_it_come_to_disk_together(running: Server):
    """Otherwise the next one would begin before it, and give the same time back again."""
    with closing(connect(running.url)) as store:
        heartbeat(store).beat()
        first = last_beat(store)
        silent_for(store, 700)
        eventually(lambda: time_of(store) > first)  # or else the next beat would be the one that is on disk already
        heartbeat(store).beat()
        running.restart()
        [outage] = heartbeat(store, serving=False).outages()
        assert last_beat(store) >= outage.until


def test_a_file_that_is_rewritten_keeps_beats_and_outages(running: Server):
    with closing(connect(running.url)) as store, running.client() as operator:
        silent_for(store, 700)
        serving = heartbeat(store)
        serving.beat()
        serving.beat()
        operator.bgrewriteaof()
        eventually(lambda: not is_rewriting(store))
        last, [outage] = serving.served_until(), serving.outages()
        running.restart()
        looking = heartbeat(store, serving=False)
        assert (outage.until <= looking.served_until() <= last, looking.outages()) == (True, (outage,))
