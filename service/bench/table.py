"""`hidalgo bench table`: how fast a move is seen by the others, and how heavy and how quick the page of a table is."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import click

from events.store import open_store
from events.table.commands import Join, Start
from events.table.time_control import TimeControl
from rules.catalogue import DEFAULT
from service.bench.figures import Figure, report
from service.bench.servers import OURS, percentile, serving
from service.bench.studio import WINDOW
from service.bench.viewer import A_DAY, chromium
from service.services import services
from service.settings import Settings

PLAYERS = 4
READY = "[data-table][data-ready][data-history]"
SECONDS = 30

WATCHED = """() => {
  const table = document.querySelector("[data-table]"), now = () => performance.timeOrigin + performance.now();
  window.seen = {};
  new MutationObserver(() => {
    const { version } = table.dataset, channel = new MessageChannel();
    channel.port1.onmessage = () => (window.seen[version] ??= now());
    requestAnimationFrame(() => channel.port2.postMessage(0));
  }).observe(table, { attributeFilter: ["data-version"] });
}"""
"""When each version was painted."""

PRESSED = """() => {
  const root = document.querySelector("#prompt");
  if (root.hidden || root.getAttribute("aria-busy") === "true") return null;
  const commit = root.querySelector(".commit:enabled"), offered = [
    ...root.querySelectorAll('.answer:enabled,[role="radio"]:not([aria-disabled]):not([aria-checked="true"])'),
    ...document.querySelectorAll('.prompt-targets [role="button"].legal'),
    ...root.querySelectorAll(".acts button:enabled:not(.icononly)")];
  const at = performance.timeOrigin + performance.now();
  const pressed = commit ?? offered[Math.floor(Math.random() * offered.length)];
  pressed.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  return at;
}"""
"""Presses what leads on, and says when."""


@click.command("table")
@click.option("--moves", type=click.IntRange(5), default=60, show_default=True, help="That are made and seen.")
@click.option("--loads", type=click.IntRange(1), default=6, show_default=True, help="Pages that are opened anew.")
@click.option("--no-limits", is_flag=True, help="Print the figures, and never fail.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def bench_table(ctx: click.Context, moves: int, loads: int, no_limits: bool, as_json: bool) -> None:
    """Measure the table in headless Chromium: four browsers play a game against a real service.

    Fails with exit code 1 if a figure misses its limit, or if a request leaves the machine.
    """
    with ExitStack() as ending:
        browser = ending.enter_context(chromium())
        url, game, sessions = ending.enter_context(served())
        pages = [ending.enter_context(seated(browser, url, game, session)) for session in sessions]
        seen = made(pages, moves)
        loaded = [load(browser, url, game, sessions[0]) for _ in range(loads)]
    figures = [
        Figure(
            "a move, from the press to the painted frame of the three others: 95 %",
            percentile(seen, 95),
            "ms",
            at_most=150,
        ),
        Figure("the same: median", median(seen), "ms"),
        Figure("first paint of the table: the slowest", max(each.paint for each in loaded), "ms", at_most=1000),
        Figure("scripts, compressed", max(each.scripts for each in loaded) / 1000, "kB", at_most=150),
        Figure("the whole page, with fonts", max(each.whole for each in loaded) / 1000, "kB"),
        Figure("requests that leave the machine", sum(len(each.foreign) for each in loaded), "requests"),
    ]
    code = report(figures, as_json=as_json, limits=not no_limits)
    ctx.exit(code or int(any(each.foreign for each in loaded) and not no_limits))


@contextmanager
def served() -> Iterator[tuple[str, str, list[str]]]:
    """A service with a game of four guests that has just begun, and their sessions."""
    with tempfile.TemporaryDirectory(prefix="hidalgo-bench-") as folder, ExitStack() as ending:
        store, close = open_store(None, Path(folder, "data"))
        ending.callback(close)
        wired = services(store, Settings())
        ending.callback(wired.close)
        guests = [wired.accounts.make_guest().id for _ in range(PLAYERS)]
        game = str(wired.games.create(DEFAULT, PLAYERS, owner=guests[0], time=TimeControl(bank_ms=A_DAY)).id)
        for guest in guests:
            wired.games.submit(game, Join(guest))
        wired.games.submit(game, Start(guests[0]))
        sessions = [wired.accounts.sessions.open(guest).secret for guest in guests]
        settings = Settings(store_url=store.url, limits=dict.fromkeys(Settings().limits))
        server = ending.enter_context(serving(OURS, settings))
        yield server.url.rstrip("/"), game, sessions


@contextmanager
def seated(browser: Any, url: str, game: str, session: str) -> Iterator[Any]:
    with context_of(browser, url, session) as context:
        page = context.new_page()
        page.goto(f"{url}/games/{game}")
        page.wait_for_selector(READY)
        page.evaluate(WATCHED)
        yield page


@contextmanager
def context_of(browser: Any, url: str, session: str) -> Iterator[Any]:
    context = browser.new_context(viewport=WINDOW)
    context.set_default_timeout(SECONDS * 1000)
    context.add_cookies([{"name": "hidalgo_session", "value": session, "url": url}])
    yield context
    context.close()


def version(page: Any) -> int:
    return int(page.locator("[data-table]").get_attribute("data-version"))


def made(pages: Sequence[Any], moves: int) -> list[float]:
    """Milliseconds until each of the others has seen a move, move by move."""
    found: list[float] = []
    for _ in range(moves):
        rest(pages)
        before = version(pages[0])
        by, sent = pressed(pages, before)
        found += [seen_at(page, before) - sent for page in pages if page is not by]
    return found


def rest(pages: Sequence[Any]) -> None:
    """Nothing moves any more: people look at what has happened before they answer."""
    for page in pages:
        page.evaluate("Promise.allSettled(document.getAnimations().map((each) => each.finished))")
        page.wait_for_timeout(100)


def pressed(pages: Sequence[Any], before: int) -> tuple[Any, float]:
    """Presses until a move was made: by whom, and when the last press was."""
    until = monotonic() + SECONDS
    while monotonic() < until:
        for page in pages:
            if (sent := page.evaluate(PRESSED)) is not None and has_moved(page, before):
                return page, float(sent)
        pages[0].wait_for_timeout(10)
    raise click.ClickException("no page offers anything that leads on")


def has_moved(page: Any, before: int) -> bool:
    """Whether the last press here has made a move. When that was taken, the question goes away, or is another one."""
    page.wait_for_selector('#prompt[aria-busy="false"], #prompt[hidden]', state="attached")
    if page.locator("#prompt").is_hidden():
        page.wait_for_selector(f'[data-table]:not([data-version="{before}"])')
    return version(page) > before


def seen_at(page: Any, before: int) -> float:
    """When the first version after this one was painted."""
    until = monotonic() + SECONDS
    while monotonic() < until:
        if later := [at for number, at in page.evaluate("window.seen").items() if int(number) > before]:
            return float(min(later))
        page.wait_for_timeout(10)
    raise click.ClickException("a page does not show a move")


class Loaded(NamedTuple):
    paint: float
    scripts: int
    whole: int
    foreign: list[str]


def load(browser: Any, url: str, game: str, session: str) -> Loaded:
    """A page of a browser that knows nothing yet."""
    addresses, kinds, sizes = dict[str, str](), dict[str, str](), dict[str, int]()
    with context_of(browser, url, session) as context:
        page = context.new_page()
        network = context.new_cdp_session(page)
        network.send("Network.enable")
        network.on("Network.requestWillBeSent", lambda e: addresses.update({e["requestId"]: e["request"]["url"]}))
        network.on("Network.responseReceived", lambda e: kinds.update({e["requestId"]: e["type"]}))
        network.on("Network.loadingFinished", lambda e: sizes.update({e["requestId"]: int(e["encodedDataLength"])}))
        page.goto(f"{url}/games/{game}")
        page.wait_for_selector(READY)
        paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    scripts = sum(size for request, size in sizes.items() if kinds.get(request) == "Script")
    foreign = [address for address in addresses.values() if urlsplit(address).netloc != urlsplit(url).netloc]
    return Loaded(float(paint), scripts, sum(sizes.values()), foreign)
