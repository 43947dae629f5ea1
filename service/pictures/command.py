"""`hidalgo pictures`: the pictures of our pages in `docs/pictures`, made anew."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import click

from events.log.service_secret import ServiceSecretSection
from events.store import open_store
from service.bench.servers import WHOLE_SERVICE, serving
from service.pictures import event
from service.pictures.album import PICTURES, shots
from service.pictures.event import secret_of
from service.pictures.stage import set_up
from service.services import services
from service.settings import Settings


@click.command(epilog="\b\nExamples:\n  hidalgo pictures\n  hidalgo pictures home watch --into /tmp")
@click.argument("names", nargs=-1, type=click.Choice([picture.name for picture in PICTURES]))
@click.option("--into", type=click.Path(path_type=Path), default=Path("docs/pictures"), show_default=True)
def pictures(names: tuple[str, ...], into: Path) -> None:
    """Make pictures of all pages, or of some, at 1280 and 390 pixels, light and dark. For developers.

    A service of its own is started, with made-up people whose games are played by the rules with fixed seeds.
    """
    chromium = shutil.which("chromium")
    if not chromium:
        raise click.ClickException("chromium is not installed")
    try:
        from service.pictures.camera import camera, photograph
    except ModuleNotFoundError as missing:
        raise click.ClickException(f"{missing.name} is not installed: use ./hidalgo pictures in a checkout") from None
    into.mkdir(parents=True, exist_ok=True)
    wanted = list(shots(lambda name: not names or name in names))
    with staged_service() as staged, camera(staged.url, staged.words, chromium) as held:
        with_store = photograph(held, [shot for shot in wanted if not shot.picture.is_without_store], into)
        without = photograph(held, [shot for shot in wanted if shot.picture.is_without_store], into)
        for file in chain(with_store, then(staged.stop_store, without)):
            click.echo(f"{file} {file.stat().st_size // 1024} kB")


def then(act: Callable[[], None], files: Iterable[Path]) -> Iterator[Path]:
    """The files, after an act."""
    act()
    yield from files


class Staged(NamedTuple):
    """A service in which games are played and were played."""

    url: str
    words: dict[str, str]
    """What addresses of its pages are filled in with."""
    stop_store: Callable[[], None]


@contextmanager
def staged_service() -> Iterator[Staged]:
    with tempfile.TemporaryDirectory(prefix="hidalgo-pictures-") as folder, ExitStack() as ending:
        store, close = open_store(None, Path(folder, "data"))
        stopping = ending.enter_context(ExitStack())
        stopping.callback(close)
        ServiceSecretSection(store).put_back("service", {"secret": secret_of("service").hex()})
        # Before a scheduler looks after games whose moves were made days ago.
        words = set_up(services(store, Settings()))
        event.set_up(store)
        server = ending.enter_context(serving(WHOLE_SERVICE, Settings(store_url=store.url)))
        yield Staged(server.url.rstrip("/"), words, stopping.close)
