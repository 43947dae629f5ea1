"""`hidalgo bench viewer`: how fast the replay viewer is in a browser, and how much it weighs."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import click

from events.games import Games
from events.store import open_store
from events.table.commands import Join, Pause, Play, Resume, Start
from events.table.time_control import TimeControl
from rules.catalogue import DEFAULT
from rules.kernel import Answer
from rules.simulation import random_command, random_decision
from service.bench.figures import Figure, report
from service.bench.servers import OURS, percentile, serving
from service.bench.studio import CHAPTERS, NODES, SESSION, WINDOW, Shelf, Studio, shelf
from service.services import services
from service.settings import Settings

OWNER = "a_bench"
"""Runs the table without a seat at it, and stops the clocks between moves: so a game gets as long as we want."""
A_DAY = 86_400_000
HALF = 0.78
"""Of its commits: a move and two stops each at first, then moves alone."""
READY, VERIFIED = "[data-ready]", '[data-part="badge"][data-state="verified"]'
PROOF = ("/export", "/shuffles/", "/rules/")
"""What a page reads when it can be used already, to prove that the game was fair."""
MISSING = "hidalgo bench viewer needs playwright (pip install playwright) and chromium on the PATH"

MEASURED = """() => {
  window.painted = [];
  document.addEventListener("keydown", ({ timeStamp }) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => window.painted.push(performance.now() - timeStamp);
    requestAnimationFrame(() => channel.port2.postMessage(0));
  }, true);
}"""
"""From the key to the frame after it: what is posted in a frame arrives when it is painted."""


@click.command("viewer")
@click.option("--steps", type=click.IntRange(10), default=120, show_default=True, help="Steps there and back.")
@click.option("--commits", type=click.IntRange(100), default=500, show_default=True, help="Of the long game.")
@click.option("--seeks", type=click.IntRange(1), default=8, show_default=True, help="Pages that jump once.")
@click.option("--branches", type=click.IntRange(1), default=12, show_default=True, help="Moves that are tried.")
@click.option("--openings", type=click.IntRange(1), default=6, show_default=True, help="Of a study with 3,000 moves.")
@click.option("--no-limits", is_flag=True, help="Print the figures, and never fail.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def bench_viewer(
    ctx: click.Context,
    steps: int,
    commits: int,
    seeks: int,
    branches: int,
    openings: int,
    no_limits: bool,
    as_json: bool,
) -> None:
    """Measure the replay viewer and the studio in headless Chromium, against a real service.

    Fails with exit code 1 if a figure misses its limit, or if a request leaves the machine.
    """
    with ExitStack() as ending:
        browser = ending.enter_context(chromium())
        url, game, long_game, length, studies = ending.enter_context(served(commits))
        viewer = Viewer(browser, url)
        stepped, sought = viewer.steps(game, steps), [viewer.seek(long_game) for _ in range(seeks)]
        loaded = viewer.load(f"games/{game}/replay")
        studio = Studio(browser, url, studies)
        tried = [studio.branch(step) for step in studies.steps[:branches]]
        opened, *again = [studio.open() for _ in range(1 + openings)]
        study = viewer.load(f"studies/{studies.small}", studies.session)
    figures = [
        Figure("a step, from the key to the painted frame: 95 %", percentile(stepped, 95), "ms", at_most=50),
        Figure("a step: median", median(stepped), "ms"),
        Figure("a jump in a long game, first of its page: 95 %", percentile(sought, 95), "ms", at_most=200),
        Figure("commits of the long game", float(length), "commits"),
        Figure("a page until it can be used, with fonts", loaded.page / 1000, "kB", at_most=200),
        Figure("what is read afterwards to prove the game", loaded.proof / 1000, "kB"),
        Figure("a move that is tried, from the key to its frame: 95 %", percentile(tried, 95), "ms", at_most=300),
        Figure("a move that is tried: median", median(tried), "ms"),
        Figure(f"opening {CHAPTERS} chapters with {NODES} moves: 95 %", percentile(again, 95), "ms", at_most=1000),
        Figure("the same, the first time in a process", opened, "ms"),
        Figure("a study until it can be used, with fonts", study.page / 1000, "kB", at_most=200),
        Figure("requests that leave the machine", len(loaded.foreign + study.foreign), "requests"),
    ]
    code = report(figures, as_json=as_json, limits=not no_limits)
    ctx.exit(code or int(bool(loaded.foreign + study.foreign) and not no_limits))


@contextmanager
def chromium() -> Iterator[Any]:
    found = shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        found = None
    if not found:
        raise click.ClickException(MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found)
        yield browser
        browser.close()


@contextmanager
def served(commits: int) -> Iterator[tuple[str, str, str, int, Shelf]]:
    """A service with an ordinary game of four, a long one of five, and studies of the first."""
    with tempfile.TemporaryDirectory(prefix="hidalgo-bench-") as folder, ExitStack() as ending:
        store, close = open_store(None, Path(folder, "data"))
        ending.callback(close)
        wired = services(store, Settings())
        ending.callback(wired.close)
        games = played(wired.games, 4), played(wired.games, 5, commits)
        studies = shelf(wired, games[0])
        settings = Settings(store_url=store.url, limits=dict.fromkeys(Settings().limits))
        server = ending.enter_context(serving(OURS, settings))
        yield server.url.rstrip("/"), *games, wired.games.load(games[1]).version, studies


def played(games: Games, players: int, commits: int = 0) -> str:
    """A random game to its end. The clocks stand still after each of its first moves, so that it has more commits."""
    game = str(games.create(DEFAULT, players, owner=OWNER, time=TimeControl(bank_ms=A_DAY)).id)
    for number in range(players):
        games.submit(game, Join(f"{OWNER}_{number}"))
    games.submit(game, Start(OWNER))
    pick = random.Random(players).randrange
    while not (now := games.load(game)).state.is_over:
        decision = random_decision(now.state, pick)
        answer = Answer(decision.player, decision.id, random_command(now.state, decision, pick))
        after = games.submit(game, Play(answer)).after
        if now.version < commits * HALF and not after.state.is_over:
            games.submit(game, Pause(OWNER))
            games.submit(game, Resume(OWNER))
    return game


class Loaded(NamedTuple):
    page: int
    proof: int
    foreign: list[str]


class Viewer:
    """The replay pages of a service, in a browser."""

    def __init__(self, browser: Any, url: str) -> None:
        self.browser, self.url = browser, url

    @contextmanager
    def page(self, session: str = "") -> Iterator[Any]:
        """A page of a browser that knows nothing yet but who looks at it."""
        context = self.browser.new_context(viewport=WINDOW)
        if session:
            context.add_cookies([{"name": SESSION, "value": session, "url": self.url}])
        yield context.new_page()
        context.close()

    def open(self, page: Any, game: str) -> None:
        page.goto(f"{self.url}/games/{game}/replay")
        page.wait_for_selector(READY)

    def steps(self, game: str, count: int) -> list[float]:
        """Milliseconds of steps there and back, once the page has come to rest."""
        with self.page() as page:
            self.open(page, game)
            page.wait_for_selector(VERIFIED)
            page.evaluate(MEASURED)
            for number in range(count):
                page.keyboard.press("ArrowRight" if number < count // 2 else "ArrowLeft")
                page.wait_for_timeout(50)
            return list(page.evaluate("window.painted"))

    def seek(self, game: str) -> float:
        """Milliseconds of the first jump of a page to the end of a game."""
        with self.page() as page:
            self.open(page, game)
            page.evaluate(MEASURED)
            page.keyboard.press("End")
            page.wait_for_timeout(400)
            [taken] = page.evaluate("window.painted")
            return float(taken)

    def load(self, path: str, session: str = "") -> Loaded:
        """Bytes that come over the line, with their headers, and where they come from."""
        addresses, sizes = dict[str, str](), list[tuple[str, int]]()
        with self.page(session) as page:
            network = page.context.new_cdp_session(page)
            network.send("Network.enable")
            network.on("Network.requestWillBeSent", lambda e: addresses.update({e["requestId"]: e["request"]["url"]}))
            network.on(
                "Network.loadingFinished", lambda e: sizes.append((addresses[e["requestId"]], e["encodedDataLength"]))
            )
            page.goto(f"{self.url}/{path}")
            page.wait_for_selector(READY)
            page.evaluate("document.fonts.ready") if session else page.wait_for_selector(VERIFIED)
        proof = sum(int(size) for address, size in sizes if any(part in address for part in PROOF))
        foreign = [address for address in addresses.values() if urlsplit(address).netloc != urlsplit(self.url).netloc]
        return Loaded(sum(int(size) for _, size in sizes) - proof, proof, foreign)
