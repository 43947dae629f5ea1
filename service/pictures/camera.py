"""The camera: a browser that opens pages of a running service, and keeps what it shows as small files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from service.pictures.album import SIZES, Guest, Shot
from service.pictures.stage import PASSWORD

COLOURS = 256
SECONDS = 60

SITE = "http://hidalgo.localhost"
"""The address that pages show: the same every time, and safe enough for a browser to check games there."""


class Camera:
    """A browser, the sessions of all who have looked through it, and what addresses are filled in with."""

    def __init__(self, browser: Browser, words: Mapping[str, str]) -> None:
        self.browser, self.words, self.known = browser, words, dict[str, Any]()

    def cookies(self, visitor: str) -> Any:
        if visitor and visitor not in self.known:
            self.known[visitor] = signed_in(self.browser, visitor)
        return self.known.get(visitor, [])

    def address(self, path: str) -> str:
        return SITE + path.format(**self.words)


@contextmanager
def camera(url: str, words: Mapping[str, str], chromium: str) -> Iterator[Camera]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=[called(url)])
        yield Camera(browser, words)
        browser.close()


def photograph(camera: Camera, shots: Iterable[Shot], folder: Path) -> Iterator[Path]:
    """A file of each shot, one after the other."""
    for picture, taken_of_it in groupby(shots, lambda shot: shot.picture):
        guests = [invited(camera, guest) for guest in picture.company]
        for shot in taken_of_it:
            for guest, page in zip(picture.company, guests, strict=True):
                press(page, guest.keys)  # Whoever writes nothing for a while does not write.
            file = folder / shot.file
            file.write_bytes(small(taken(camera, shot)))
            yield file
        for page in guests:
            page.context.close()


def invited(camera: Camera, guest: Guest) -> Page:
    """The page that somebody has opened."""
    page = opened(camera, guest.visitor).new_page()
    page.goto(camera.address(guest.path))
    page.wait_for_selector("[data-ready]")
    return page


def called(url: str) -> str:
    """The service, wherever it is, under that address."""
    return f"--host-resolver-rules=MAP {urlsplit(SITE).hostname}:80 {urlsplit(url).netloc}"


def signed_in(browser: Browser, visitor: str) -> Any:
    """The cookies of a visitor who has read all notices."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{SITE}/sign-in")
    page.locator("[name=handle]").fill(visitor)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("form.enter button").click()
    page.wait_for_url(f"{SITE}/")
    page.goto(f"{SITE}/inbox")
    cookies = context.cookies()
    context.close()
    return cookies


def opened(camera: Camera, visitor: str, **options: Any) -> BrowserContext:
    """A browser of a visitor, with everything the same every time: language, zone, the name of the request."""
    context = camera.browser.new_context(
        reduced_motion="reduce",
        bypass_csp=True,
        locale="en",
        timezone_id="UTC",
        extra_http_headers={"X-Request-Id": "picture"},
        **options,
    )
    context.set_default_timeout(SECONDS * 1000)
    context.add_cookies(camera.cookies(visitor))
    return context


def taken(camera: Camera, shot: Shot) -> bytes:
    picture, window = shot.picture, {"width": shot.width, "height": SIZES[shot.width]}
    context = opened(camera, picture.visitor, viewport=window, color_scheme=shot.scheme)
    page = context.new_page()
    page.goto(camera.address(picture.path))
    page.wait_for_function(picture.until)
    for field, text in picture.filled:
        page.locator(field).fill(text)
    press(page, picture.keys)
    page.wait_for_function(picture.then)
    page.evaluate("document.fonts.ready")
    pictured = page.locator(picture.part) if picture.part else page
    shown = pictured.screenshot(animations="disabled")
    context.close()
    return shown


def press(page: Page, keys: Iterable[str]) -> None:
    for key in keys:
        page.keyboard.press(key)


def small(picture: bytes) -> bytes:
    """The same in so many colours: a quarter of the size. Rare colours stay, and no pixel is far from what it was."""
    with Image.open(BytesIO(picture)) as opened:
        whole = opened.convert("RGB")
        reduced = whole.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    written = BytesIO()
    reduced.save(written, "PNG", optimize=True)
    return written.getvalue()
