"""`hidalgo bench studies`: what an edit of a study costs the store, in bytes, and how long it takes."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click

from events.store import Store
from events.submission import Submission, new_id
from replay.study.commands import AddChapter, Draw, SetGlyph, StudyCommand, WriteComment
from replay.study.variations import decisions, tried
from service.bench.figures import Figure, report
from service.bench.packing import finished_game, memory, started
from service.services import Services, services
from service.settings import Settings

EDITS = 300
MOST_BYTES_IN_MEMORY = 3000
"""For an edit with its part of the index, but for a tried move, which keeps what followed from it."""
OWNER, STEP = "a_owner", 40
COMMENT = (
    "Takes the sting out of the best region before the scoring, and leaves the king where nobody wants him ({word})."
)

Edit = Callable[[int], StudyCommand]


@click.command("studies")
@click.option("--edits", type=click.IntRange(10), default=EDITS, show_default=True, help="Edits of each kind.")
@click.option("--no-limits", is_flag=True, help="Print the figures, and never fail.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def bench_studies(ctx: click.Context, edits: int, no_limits: bool, as_json: bool) -> None:
    """Measure edits of studies in an embedded store of their own."""
    with tempfile.TemporaryDirectory(prefix="hidalgo-") as folder:
        figures = list(study_figures(Path(folder, "data"), edits))
    ctx.exit(report(figures, as_json=as_json, limits=not no_limits))


def study_figures(data: Path, edits: int) -> Iterator[Figure]:
    with started(data) as store:
        wired = services(store, Settings())
        game = finished_game(1)
        wired.games.log.restore(game.id, game.stored)
        for name, edit in kinds(wired, game.id).items():
            yield from measured(wired, game.id, name, [edit(number) for number in range(edits)])


def kinds(wired: Services, game: str) -> dict[str, Edit]:
    """What members do most, each as the n-th edit of its kind."""
    before = wired.games.load(game, STEP)
    decision = decisions(before.state)[0]
    move, _ = tried(OWNER, "k1", str(STEP), before.rules, before.state, decision.player, decision.example())
    return {
        "a comment": lambda n: WriteComment(OWNER, "k1", str(2 + n // 40), COMMENT.format(word=f"w{n}")),
        "a glyph": lambda n: SetGlyph(OWNER, "k1", str(2 + n), "!"),
        "an arrow": lambda n: Draw(OWNER, "k1", str(2 + n // 40), "arrow", "granada", "sevilla"),
        "a tried move": lambda n: move,
    }


def measured(wired: Services, game: str, name: str, edits: Sequence[StudyCommand]) -> Iterator[Figure]:
    """A new study and these edits of it."""
    service = wired.study_service
    study = service.create(OWNER, "Vetoes", "public", Submission()).id
    service.submit(service.look(study, OWNER), AddChapter(OWNER, "One", game, "everything"), Submission())
    before, began = sizes(wired.store), time.perf_counter()
    for edit in edits:
        service.submit(service.look(study, OWNER), edit, Submission(OWNER, new_id()))
    seconds, count = time.perf_counter() - began, len(edits)
    in_memory, on_disk = (now - then for now, then in zip(sizes(wired.store), before, strict=True))
    written = sum(map(len, wired.studies.log.read(study, 2)))
    most = None if name == "a tried move" else MOST_BYTES_IN_MEMORY
    yield Figure(f"{name}, as written", written / count, "bytes")
    yield Figure(f"{name}, in the store's memory", in_memory / count, "bytes", at_most=most)
    yield Figure(f"{name}, in the store's file", on_disk / count, "bytes")
    yield Figure(f"{name}, time", 1000 * seconds / count, "ms")


def sizes(store: Store) -> tuple[int, int]:
    """Of the memory and the file of the store."""
    return memory(store), int(store.commands.info("persistence")["aof_current_size"])
