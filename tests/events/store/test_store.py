"""Speaking to the store: where it is, what its troubles are called, how long they take, what it keeps."""

import socket
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context

import pytest
from redis import exceptions
from redis.exceptions import ResponseError

from events.errors import StoreError, StoreFull, StoreReadOnly, StoreRefused, StoreUnavailable
from events.store import Store, clients, connect, direct, open_store, store_error, store_errors
from events.store.durability import about_version, durability_warnings
from tests.events.servers import (
    Server,
    cluster_url,
    debian_binary,
    eventually,
    free_port,
    frozen,
    proxy,
    server,
    three_node_cluster,
)

APPEND = "return redis.call('XADD', KEYS[1], '*', 'c', ARGV[1])"


@contextmanager
def connected(url: str):
    store = connect(url)
    try:
        yield store
    finally:
        store.close()


@contextmanager
def within(seconds: float):
    begun = time.monotonic()
    yield
    assert time.monotonic() - begun < seconds


def write(store: Store, value: str = "x") -> None:
    with store_errors():
        store.commands.set("{game}", value)


def append(store: Store, value: str = "x") -> None:
    with store_errors():
        store.commands.register_script(APPEND)(keys=["{game}:log"], args=[value])


# Every kind of store


def test_every_kind_of_store_answers_and_writes(store):
    store.ping()
    append(store)
    assert store.commands.xlen("{game}:log") == 1


def test_a_script_that_the_store_has_forgotten_is_sent_again(store):
    append(store)
    for primary in store.primaries().values():
        primary.script_flush()
    append(store)
    assert store.commands.xlen("{game}:log") == 2


def test_games_are_spread_over_all_primaries(store):
    for number in range(64):
        store.commands.set(f"{{{number}}}", "x")
    assert all(primary.dbsize() for primary in store.primaries().values())


def test_a_blocking_read_may_wait_longer_than_a_command(store, monkeypatch):
    monkeypatch.setattr(clients, "SECONDS_TO_ANSWER", 0.3)
    with connected(store.url) as impatient:
        assert not impatient.blocking.xread({"{game}:log": "0"}, block=500)
        with pytest.raises(StoreUnavailable, match="in time"), store_errors():
            impatient.commands.xread({"{game}:log": "0"}, block=2000)


def test_a_wrong_command_is_our_mistake_and_no_trouble_of_the_store(store):
    write(store)
    with pytest.raises(ResponseError, match="WRONGTYPE"), store_errors():
        store.commands.xlen("{game}")


def test_a_crowd_that_asks_at_once_is_answered(store):
    with ThreadPoolExecutor(150) as crowd:
        reads = crowd.map(lambda _: store.blocking.xread({"{game}:nothing": "0"}, block=1000), range(150))
        assert list(reads) == [[]] * 150


# The direct way


def test_the_direct_way_gives_the_same_answers(store):
    say = direct.direct(store.commands)
    assert say("SET", "{game}", "x") in (b"OK", True)
    assert say("GET", "{game}") == b"x"
    with pytest.raises(ResponseError, match="WRONGTYPE"):
        say("XLEN", "{game}")
    assert say("GET", "{game}") == b"x"


@pytest.mark.parametrize("store", ["embedded", "debian"], indirect=True)
def test_a_connection_that_was_cut_is_not_noticed_on_the_direct_way(store):
    say = direct.direct(store.commands)
    number = say("CLIENT", "ID")
    store.commands.client_kill_filter(_id=number)
    assert say("CLIENT", "ID") != number


def test_a_silent_server_is_away_within_seconds_on_the_direct_way_and_back_at_once():
    with server() as running, connected(running.url) as store:
        say = direct.direct(store.commands)
        say("SET", "{game}", "x")
        with (
            frozen(running.pid),
            within(clients.SECONDS_TO_ANSWER + 1),
            pytest.raises(exceptions.TimeoutError, match="silent"),
        ):
            say("GET", "{game}")
        assert say("GET", "{game}") == b"x"


@pytest.mark.parametrize("store", ["embedded", "debian"], indirect=True)
def test_the_system_watches_the_time_of_the_direct_way(store):
    """Were it Python, each word would be two system calls, and two waits for the interpreter."""
    say = direct.Direct(store.commands)
    say("PING")
    [connection] = say._idle
    assert connection.socket.gettimeout() is None


def test_words_of_any_length_go_the_direct_way(store):
    """More than the system takes at once, and more than is read at once."""
    say = direct.direct(store.commands)
    long = b"x" * 5_000_000
    say("SET", "{game}", long)
    assert say("GET", "{game}") == long


@pytest.mark.parametrize("store", ["embedded", "debian"], indirect=True)
def test_a_forked_process_leaves_the_direct_connections_of_its_parent_alone(store):
    say = direct.direct(store.commands)
    ours = say("CLIENT", "ID")
    answers = get_context("fork").SimpleQueue()
    child = get_context("fork").Process(target=lambda: answers.put(say("CLIENT", "ID")))
    child.start()
    assert answers.get() != ours
    child.join(timeout=20)
    assert say("CLIENT", "ID") == ours


def test_a_store_elsewhere_is_opened_and_closed_but_not_stopped(store):
    opened, close = open_store(store.url)
    opened.ping()
    close()
    store.ping()


# Addresses


@pytest.mark.parametrize("url", ["http://localhost", "localhost:6379", "memcached://x", ""])
def test_an_address_of_something_else_is_refused(url):
    with pytest.raises(ValueError, match="must begin with redis://"):
        connect(url)


def test_a_cluster_has_one_database():
    with pytest.raises(ValueError, match="one database only"):
        connect("redis+cluster://localhost:7000/3")


def test_a_cluster_is_found_by_any_of_its_nodes():
    url = "rediss+cluster://juan:p%40ss@one:7000,two:7001,[::1]:7002/?ssl_ca_certs=ca.pem"
    assert clients.cluster_nodes(url) == [("one", 7000), ("two", 7001), ("::1", 7002)]
    assert clients.options(url) == {"username": "juan", "password": "p@ss", "ssl": True, "ssl_ca_certs": "ca.pem"}


def test_a_store_shows_its_place_but_not_its_password():
    with connected("redis://juan:secreto@localhost:6380/2?socket_timeout=1") as store:
        assert store.address == "redis://localhost:6380/2"
        assert "secreto" not in repr(store)


def test_user_and_password_are_in_the_address():
    with server(user="juan on >secreto ~* &* +@all") as guarded:
        with guarded.client() as redis:
            redis.acl_setuser("default", enabled=False)
        url_of_juan = guarded.url.replace("redis://", "redis://juan:secreto@")
        with connected(url_of_juan) as store:
            write(store)
        for url in [guarded.url, url_of_juan.replace("secreto", "falso")]:
            with connected(url) as store, pytest.raises(StoreRefused, match="the store refuses us"):
                write(store)


def test_a_forbidden_command_is_refused():
    with server(user="lector on nopass ~* &* +@all -set") as guarded:
        url = guarded.url.replace("redis://", "redis://lector:x@")
        with connected(url) as store, pytest.raises(StoreRefused, match="no permissions to run the 'set' command"):
            write(store)


def test_tls_is_checked_against_the_authority_in_the_address(tmp_path):
    binary = debian_binary()
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject]
    subprocess.run([*make, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    port = free_port()
    files = {"tls_cert_file": certificate, "tls_key_file": key, "tls_ca_cert_file": certificate}
    with server(binary, tls_port=port, tls_auth_clients="no", **files):
        with connected(f"rediss://127.0.0.1:{port}?ssl_ca_certs={certificate}") as store:
            write(store)
        with connected(f"rediss://127.0.0.1:{port}") as store, pytest.raises(StoreUnavailable, match="certificate"):
            write(store)


# Outages


def test_a_silent_server_is_away_within_seconds_and_back_at_once():
    with server() as running, connected(running.url) as store:
        write(store)
        with (
            frozen(running.pid),
            within(clients.SECONDS_TO_ANSWER + 1),
            pytest.raises(StoreUnavailable, match="in time"),
        ):
            write(store)
        write(store)


def test_a_restarted_server_is_found_without_help():
    with server() as running, connected(running.url) as store:
        append(store)
        running.restart()
        append(store)
        assert store.commands.xlen("{game}:log") == 2


def test_a_server_that_is_gone_is_away_at_once():
    with server() as running, connected(running.url) as store:
        append(store)
        running.kill()
        with within(2), pytest.raises(StoreUnavailable, match="cannot be reached"):
            append(store)
        running.start()
        append(store)


def test_a_cut_connection_is_not_noticed():
    with server() as running, proxy(running) as between, connected(between.url) as store:
        write(store)
        between.cut()
        write(store)


def test_a_slow_network_is_borne():
    with server() as running, proxy(running) as between, connected(between.url) as store:
        between.delay = 0.1
        begun = time.monotonic()
        write(store)
        assert time.monotonic() - begun > 0.2


def test_a_network_that_swallows_everything_is_away_within_seconds():
    with server() as running, proxy(running) as between, connected(between.url) as store:
        write(store)
        between.is_black_hole = True
        with within(clients.SECONDS_TO_ANSWER + 1), pytest.raises(StoreUnavailable):
            write(store)
        between.is_black_hole = False
        between.cut()
        write(store)


def test_a_cluster_without_one_of_its_primaries_is_away_until_it_returns():
    with three_node_cluster() as nodes, connected(cluster_url(nodes)) as store:
        write(store)
        slot = store.commands.keyslot("{game}")
        [lost] = [node for node in nodes if serves(node, slot)]
        lost.kill()
        with within(10), pytest.raises(StoreUnavailable):
            write(store)
        lost.start()
        eventually(lambda: answers(store))
        write(store)


def serves(node: Server, slot: int) -> bool:
    with node.client() as client:
        [own] = [about for about in client.execute_command("CLUSTER NODES").values() if "myself" in about["flags"]]
    return any(int(first) <= slot <= int(last) for first, last in own["slots"])


def answers(store: Store) -> bool:
    try:
        write(store)
    except StoreError:
        return False
    return True


@pytest.mark.long
def test_a_frozen_primary_of_a_cluster_is_away_within_seconds():
    with three_node_cluster() as nodes, connected(cluster_url(nodes)) as store:
        write(store)
        [silent] = [node for node in nodes if serves(node, store.commands.keyslot("{game}"))]
        with frozen(silent.pid), within(4 * clients.SECONDS_TO_ANSWER), pytest.raises(StoreUnavailable):
            write(store)
        eventually(lambda: answers(store))


def test_a_cluster_that_is_not_there_is_away():
    with within(5), pytest.raises(StoreUnavailable):
        connect(f"redis+cluster://127.0.0.1:{free_port()}")


# Refused writes


@pytest.mark.parametrize("writing", [write, append], ids=["command", "script"])
def test_a_store_without_memory_is_full_but_readable(writing):
    with server(maxmemory="3mb", maxmemory_policy="noeviction") as small, connected(small.url) as store:
        with small.client() as client:
            client.setrange("ballast", 4_000_000, "x")
        with pytest.raises(StoreFull, match="memory is full") as full:
            writing(store)
        assert full.value.retry_after == 30
        assert store.commands.strlen("ballast") == 4_000_001


@pytest.mark.parametrize("writing", [write, append], ids=["command", "script"])
def test_a_replica_is_read_only(writing):
    with replicated() as (_, replica), connected(replica.url) as store:
        with pytest.raises(StoreReadOnly, match="takes no writes"):
            writing(store)
        assert any("it is a replica" in sentence for sentence in durability_warnings(store))


@contextmanager
def replicated():
    with server(repl_diskless_sync_delay=0) as primary, server(replicaof=f"127.0.0.1 {primary.port}") as replica:
        yield primary, replica


def test_a_primary_that_misses_its_replicas_is_read_only():
    with (
        server(min_replicas_to_write=1) as lonely,
        connected(lonely.url) as store,
        pytest.raises(StoreReadOnly, match="replicas are missing"),
    ):
        append(store)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (exceptions.BusyLoadingError("loading the dataset in memory"), StoreUnavailable),
        (exceptions.MaxConnectionsError("Too many connections"), StoreUnavailable),
        (exceptions.ClusterDownError("The cluster is down"), StoreUnavailable),
        (exceptions.MasterDownError("Link with MASTER is down"), StoreUnavailable),
        (exceptions.SlotNotCoveredError("Slot 5 not covered"), StoreUnavailable),
        (exceptions.TryAgainError("TRYAGAIN Multiple keys request during rehashing of slot"), StoreUnavailable),
        (exceptions.NoScriptError("No matching script. Please use EVAL."), StoreUnavailable),
        (exceptions.InvalidResponse('Protocol error, got "H" as reply type byte'), StoreUnavailable),
        (ResponseError("BUSY Redis is busy running a script."), StoreUnavailable),
        (ResponseError("MISCONF Errors writing to the AOF file: No space left on device"), StoreFull),
        (ResponseError("ERR Error running script: @user_script:1: -OOM command not allowed when used"), StoreFull),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else value.__name__,
)
def test_an_error_of_the_store_has_a_code_a_sentence_and_a_time(error, kind):
    found = store_error(error)
    assert isinstance(found, kind)
    assert found.sentence[0].islower()
    assert found.retry_after > 0


def test_a_database_that_the_server_does_not_have_is_told():
    with server() as running, connected(f"{running.url}?db=99") as store, pytest.raises(StoreRefused, match="number"):
        store.ping()


def test_a_server_that_is_no_store_is_told():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        threading.Thread(target=answer_in_http, args=(listener,), daemon=True).start()
        with connected(f"redis://127.0.0.1:{port}/0") as store, pytest.raises(StoreUnavailable, match="is no store"):
            store.ping()


def answer_in_http(listener: socket.socket) -> None:
    connection, _ = listener.accept()
    with connection:
        connection.recv(1000)
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


@pytest.mark.parametrize("error", [ResponseError("ERR syntax error"), exceptions.DataError("Invalid input")])
def test_nonsense_of_ours_has_no_such_name(error):
    assert store_error(error) is None


# Durability


@pytest.mark.parametrize("store", ["embedded", "debian", "cluster"], indirect=True)
def test_a_store_that_keeps_what_we_promise_is_silent(store):
    assert durability_warnings(store) == []


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"appendonly": "no"}, "accepted moves are not written to disk at once; set appendonly to yes"),
        (
            {"appendfsync": "everysec"},
            "accepted moves may be lost when the machine stops, because appendfsync is everysec, not always",
        ),
        (
            {"maxmemory-policy": "allkeys-lru"},
            "games may be thrown away when memory runs out, because maxmemory-policy is allkeys-lru, not noeviction",
        ),
        (
            {"rename-command": 'CONFIG ""'},
            "whether accepted moves are on disk is not told; appendfsync should be always",
        ),
    ],
    ids=["no log", "every second", "evicting", "silent about it"],
)
def test_a_setting_weaker_than_promised_is_reported(settings, sentence):
    with server(**settings) as running, connected(running.url) as store:
        assert durability_warnings(store) == [f"{store.address}: {sentence}"]


def test_replicas_that_no_write_waits_for_are_reported():
    with replicated() as (primary, _), connected(primary.url) as store:
        eventually(lambda: bool(durability_warnings(store)))
        [sentence] = durability_warnings(store)
    assert sentence.endswith("may be lost in a failover, because min-replicas-to-write is 0")


@pytest.mark.parametrize(
    ("version", "is_cluster", "count"),
    [("6.0.16", False, 1), ("6.2.14", False, 0), ("6.2.14", True, 1), ("7.0.15", True, 0), ("10.1.0", True, 0)],
)
def test_versions_that_are_too_old_are_reported(version, is_cluster, count):
    assert len(list(about_version({"redis_version": version}, is_cluster))) == count
