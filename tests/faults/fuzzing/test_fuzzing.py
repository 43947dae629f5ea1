"""Schemathesis asks a real service everything that its description allows, and much that it does not.

The service's own log says how many requests came, and that none of them broke anything.
"""

import json
import os
import re
import subprocess
import sysconfig
from collections import Counter
from pathlib import Path

import pytest

from service.client import Hidalgo
from service.live.streams import FORMS
from service.settings import LIMITS, limit_variable
from tests.running import Service, running
from tests.service.streaming import listen

SCRIPTS = Path(sysconfig.get_path("scripts"))
HERE = Path(__file__).parent
ROOT = HERE.parents[2]
UNLIMITED = {limit_variable(name): "off" for name in LIMITS}
MOST_ROUNDS = 20


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    """Without limits, which would refuse most of what is asked."""
    env = {**os.environ, **UNLIMITED, "HIDALGO_WORKERS": "1", "HIDALGO_ACCESS_LOG": "on"}
    with running([str(SCRIPTS / "hidalgo"), "serve"], tmp_path_factory.mktemp("service"), env) as service:
        yield service


EXAMPLES, BOUNDARIES, AT_RANDOM, CHAINS = "examples", "coverage", "fuzzing", "stateful"
"""What schemathesis calls the phases of a round. Chains of requests follow the links of the description."""


LARGE_BODIES = "/(guess|preview|import|edits|actions|moves|tournaments)$"
"""Operations whose bodies have a thousand boundaries each: those are for long runs."""


def ask_everything(
    service: Service, seed: int, examples: int, *phases: str, without: str = "^$"
) -> Counter[tuple[str, str, int]]:
    """One round, or some of its phases, and what was answered in it."""
    before = answers(service)
    options: list[str | Path] = [
        "--config-file",
        HERE / "schemathesis.toml",
        "run",
        f"--seed={seed}",
        f"--max-examples={examples}",
        f"--exclude-path-regex={without}",
        *([f"--phases={','.join(phases)}"] if phases else []),
    ]
    done = subprocess.run(
        [SCRIPTS / "schemathesis", *options, f"{service.url}/api/v1/openapi.json"],
        cwd=service.folder,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "HIDALGO_FUZZ_URL": service.url,
            "HIDALGO_FUZZ_SEED": str(seed),
        },
        capture_output=True,
        text=True,
        timeout=1200,
    )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-2000:]
    return answers(service) - before


def answers(service: Service) -> Counter[tuple[str, str, int]]:
    """What was asked and answered: method, path without names, status. Nothing may have broken."""
    lines = [json.loads(line) for line in service.error_output().splitlines() if line.startswith("{")]
    assert [line for line in lines if line["event"] != "request"] == []
    found = Counter((line["method"], without_names(line["path"]), line["status"]) for line in lines)
    assert {row: count for row, count in found.items() if row[2] >= 500} == {}
    return found


def without_names(path: str) -> str:
    """
    >>> without_names("/api/v1/games/g1/seats/mine")
    '/api/v1/games/{}/seats/mine'
    """
    return re.sub(r"/(games|players|rules|tokens)/[^/]+", r"/\1/{}", path)


def report(found: Counter[tuple[str, str, int]]) -> int:
    total = found.total()
    accepted = sum(count for (_, _, status), count in found.items() if status < 300)
    moves = found["POST", "/api/v1/games/{}/moves", 201]
    print(f"{total} requests, {accepted} of them accepted, {moves} moves; 0 server errors")
    return total


@pytest.mark.parametrize(
    ("phases", "examples", "requests"),
    [((EXAMPLES, AT_RANDOM), 2, 300), ((BOUNDARIES,), 4, 1000), ((CHAINS,), 12, 400)],
    ids=["examples and at random", "boundaries", "chains"],
)
def test_no_request_breaks_the_service_and_every_answer_is_as_described(service, phases, examples, requests):
    """Ids are drawn anew in every run, and chains take other ways with them: few chains may never come to a move."""
    found = ask_everything(service, 1, examples, *phases, without=LARGE_BODIES if BOUNDARIES in phases else "^$")
    assert report(found) > requests
    if CHAINS in phases:
        assert found["POST", "/api/v1/games/{}/moves", 201] > 0, "no game came so far"


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_twenty_thousand_requests_break_nothing(service, capsys):
    found: Counter[tuple[str, str, int]] = Counter()
    for seed in range(2, 2 + MOST_ROUNDS):
        found += ask_everything(service, seed, 250)
        if found.total() >= 20_000:
            break
    with capsys.disabled():
        assert report(found) >= 20_000


# Streams have no end, so they are only begun


STREAMS = {
    "from the beginning": ("", {}, 200),
    "after a version": ("?after=1", {}, 200),
    "after what is not there yet": ("?after=1000000000", {}, 200),
    "coming back": ("", {"Last-Event-ID": "1"}, 200),
    "as lines": ("", {"Accept": "application/x-ndjson"}, 200),
    "in a form that does not exist": ("", {"Accept": "image/png"}, 200),
    "after a negative version": ("?after=-1", {}, 422),
    "after too large a version": ("?after=1000000001", {}, 422),
    "after no version": ("?after=one", {}, 422),
    "twice after": ("?after=1&after=2", {}, 200),
    "with a field that does not exist": ("?before=1", {}, 422),
    "through no eyes": ("?viewer=", {}, 422),
    "through a stranger's eyes": ("?viewer=purple", {}, 400),
    "through all eyes": ("?viewer=everything", {}, 409),
    "coming back from nowhere": ("", {"Last-Event-ID": "x"}, 422),
    "coming back from before": ("", {"Last-Event-ID": "-1"}, 422),
}


@pytest.mark.parametrize(("query", "headers", "status"), STREAMS.values(), ids=STREAMS)
def test_a_stream_begins_or_is_refused(service, a_table, query, headers, status):
    stream = listen(service.url, a_table, query=query, **headers)
    try:
        assert stream.response.status == status
        kind = stream.response.headers.get_content_type()
        assert kind in (("application/problem+json",) if status >= 400 else FORMS)
        assert stream.response.read1(10)
    finally:
        stream.cut()
    assert json.loads(service.get("/readyz")) == {"status": "ready"}


@pytest.fixture(scope="module")
def a_table(service) -> str:
    with Hidalgo(service.url) as hidalgo:
        return hidalgo.guest().create_game(players=2).id
