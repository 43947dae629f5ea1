"""The compose file, without containers: what it names is there, what it starts runs, and its Redis keeps its word."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import yaml

from events.errors import StoreUnavailable
from events.store import Store, connect
from events.store.durability import durability_warnings
from service.cli import COMMANDS, ImportedWhenRun
from service.operations.serving import SECONDS_TO_STOP
from tests.events.servers import Server, debian_binary, eventually, free_port, server
from tests.repository.checkout import ROOT, files
from tests.running import end, running

COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if "build" in service}


def test_there_is_a_web_server_a_scheduler_and_a_store():
    assert SERVICES.keys() == {"web", "scheduler", "redis"}
    assert all(service["depends_on"] == {"redis": {"condition": "service_healthy"}} for service in OURS.values())


@pytest.mark.parametrize("name", OURS)
def test_its_commands_and_options_are_those_of_hidalgo(name):
    script, command, *options = OURS[name]["command"]
    assert script == "./hidalgo"
    loaded = ImportedWhenRun(command, *COMMANDS[command]).load()
    assert loaded.make_context(command, options)


@pytest.mark.parametrize("name", OURS)
def test_its_settings_are_ones_that_the_code_reads(name):
    code = "\n".join((ROOT / file).read_text() for file in files() if file.suffix == ".py" and file.parts[0] != "tests")
    assert [setting for setting in OURS[name]["environment"] if f'"{setting}"' not in code] == []


def test_nothing_but_the_web_server_can_be_reached_from_outside():
    assert {name for name, service in SERVICES.items() if "ports" in service} == {"web"}
    assert SERVICES["web"]["ports"] == ["127.0.0.1:8000:8000"]


@pytest.mark.parametrize("name", SERVICES)
def test_it_waits_longer_for_an_end_than_the_service_does(name):
    assert int(SERVICES[name]["stop_grace_period"].removesuffix("s")) > SECONDS_TO_STOP


def test_its_volumes_are_declared_and_hold_what_redis_writes():
    [volume] = SERVICES["redis"]["volumes"]
    assert volume.split(":") == [*COMPOSE["volumes"], "/data"]


def test_its_redis_keeps_what_we_promise(tmp_path):
    """Started with the very arguments, by the Redis of this machine."""
    program, *arguments = SERVICES["redis"]["command"]
    assert program == "redis-server"
    port = free_port()
    place = ["--port", str(port), "--bind", "127.0.0.1", "--dir", str(tmp_path)]
    with subprocess.Popen([debian_binary(), *arguments, *place], stdout=subprocess.DEVNULL) as redis:
        try:
            store = connect(f"redis://127.0.0.1:{port}")
            eventually(lambda: answers(store))
            assert durability_warnings(store) == []
            store.close()
        finally:
            redis.terminate()


def answers(store: Store) -> bool:
    try:
        store.ping()
    except StoreUnavailable:
        return False
    return True


def test_web_server_and_scheduler_run_on_a_store_elsewhere_as_it_starts_them(tmp_path):
    with server() as redis:
        settings = {**os.environ, "REDIS_URL": redis.url}
        command = [*SERVICES["web"]["command"], "--host", "127.0.0.1"]
        with running(command, ROOT, settings) as service, scheduler_on(redis) as scheduler:
            assert subprocess.run(health_check(service.url), timeout=20).returncode == 0
            assert scheduler.stdout
            found = re.search(r"The scheduler runs at (http://\S+)/ ", scheduler.stdout.readline())
            assert found
            assert subprocess.run(health_check(found[1], "scheduler"), timeout=20).returncode == 0
            scheduler.send_signal(signal.SIGTERM)
            assert scheduler.wait(timeout=20) == 0
            assert service.stop(signal.SIGTERM) == 0
            assert subprocess.run(health_check(service.url), stderr=subprocess.DEVNULL, timeout=20).returncode != 0


@contextmanager
def scheduler_on(redis: Server) -> Iterator[subprocess.Popen]:
    command = SERVICES["scheduler"]["command"]
    settings = {**os.environ, "REDIS_URL": redis.url, "HIDALGO_HEALTH_PORT": "0"}
    with subprocess.Popen(command, cwd=ROOT, env=settings, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            end(process)


def health_check(url: str, name: str = "web") -> list[str]:
    """The one of the file, at another address."""
    kind, python, *program = SERVICES[name]["healthcheck"]["test"]
    assert (kind, python) == ("CMD", ".venv/bin/python")
    return [sys.executable, *(re.sub(r"http://127.0.0.1:800[01]", url, word) for word in program)]
