"""`hidalgo pack`: all games that are over, kept small at once."""

from __future__ import annotations

import time
from collections.abc import Iterator

import click
from msgspec import Struct

from events.audit.backup import Progress
from events.audit.verify import NotGenuine, verify_chain
from events.errors import Damaged
from events.log import GameLog, PackedGame
from events.log.redis import RedisLog
from events.repository import now_ms
from events.store import Store
from events.store.rewriting import is_rewriting, rewrite_bloated
from events.workers.packer import Packer
from service.cli.counting import counted
from service.cli.stored import kept, progress_line, with_store
from service.settings import Settings


class Outcome(Struct):
    """The fate of all games."""

    packed: int = 0
    before: int = 0
    """Bytes of the packed ones, as they were written."""
    after: int = 0
    were_packed: int = 0
    not_over: int = 0
    bad: dict[str, str] = {}
    """Games that stay as they are, and why."""

    def count(self, game: PackedGame | None) -> None:
        if game is None:
            self.not_over += 1
        else:
            self.packed, self.before, self.after = (
                self.packed + 1,
                self.before + game.size,
                self.after + len(game.value),
            )


@click.command()
@click.option("--dry-run", is_flag=True, help="Say how many games would be packed, and change nothing.")
@with_store
@click.pass_context
def pack(ctx: click.Context, dry_run: bool, settings: Settings) -> None:
    """Pack every game that is over, while the service runs or not.

    A scheduler does so by itself, an hour after the end of a game and a few games a second. A packed game can be read,
    exported and verified as before.
    """
    with kept(settings) as store, progress_line() as progress:
        outcome = pack_all(RedisLog(store), progress, dry_run=dry_run)
        if not dry_run:
            rewrite_file(store)
    verb = "would be packed" if dry_run else "packed"
    click.echo(
        f"{counted(outcome.packed, 'games')} {verb}, {outcome.before:,} bytes into {outcome.after:,}; "
        f"{outcome.were_packed:,} were packed before, {outcome.not_over:,} are not over"
    )
    for game, why in outcome.bad.items():
        click.echo(f"game {game} cannot be packed: {why}", err=True)
    ctx.exit(bool(outcome.bad))


def pack_all(log: GameLog, progress: Progress, *, dry_run: bool) -> Outcome:
    packer, outcome = Packer(log, now_ms, verify_chain), Outcome()
    pack_one = packer.packed_form if dry_run else packer.pack
    for number, game in enumerate(_all_games(log), start=1):
        progress("packing", number)
        if log.is_packed(game):
            outcome.were_packed += 1
            continue
        try:
            outcome.count(pack_one(game))
        except (Damaged, NotGenuine) as problem:
            outcome.bad[game] = str(problem)
    return outcome


def rewrite_file(store: Store) -> None:
    """Wait until the store's file is as small as the games: a store that stops meanwhile would not finish it."""
    if rewrite_bloated(store):
        while is_rewriting(store):
            time.sleep(0.1)


def _all_games(log: GameLog) -> Iterator[str]:
    return (game for bucket in log.buckets.all for game in log.games(bucket))
