"""Works on finished games until it is killed: `python -m tests.faults.packing_worker ROLE URL SEED FILE`.

| role | work |
|---|---|
| pack | packs games, and unpacks some of them again, so that there is always something to pack |
| archive | archives packed games; `pack` brings some of them back |
| read | reads, exports and repeats commands; ends with a sentence if a game is not what FILE says |
| rule | adds entries to games of its own, packed or not, and says which: each line is a promise |
"""

import random
import sys
from itertools import count
from pathlib import Path

import msgspec
from msgspec import Struct

from events.archive.directory import Directory
from events.audit.export import export
from events.audit.verify import verify_chain
from events.buckets import USUAL
from events.errors import Conflict, Packed
from events.games import Games
from events.log import FINISHED, Appended, StoredGame, packing
from events.log.redis import RedisLog
from events.repository import now_ms
from events.store import connect
from events.workers.archiver import Archiver, When
from events.workers.packer import Packer
from rules.kernel import SPECTATOR
from tests.faults.writer import patiently


class Expected(Struct):
    """A finished game as it was before the first fault, and stays for ever."""

    stored: StoredGame
    exported: bytes


RULED = [f"ruled {number}" for number in range(4)]
"""Games that go on: their entries are of any kind, and only the log looks at them."""


def main(role: str, url: str, seed: str, file: str) -> None:
    archived = Directory(Path(file).parent / "archive")
    log, chance = RedisLog(patiently(lambda: connect(url, archived))), random.Random(seed)
    expected = msgspec.msgpack.decode(Path(file).read_bytes(), type=dict[str, Expected])
    for number in count():
        match role:
            case "pack":
                pack(log, chance, list(expected))
            case "archive":
                archive(log)
            case "read":
                read(log, chance, expected)
            case "rule":
                rule(log, chance.choice(RULED), f"{seed}-{number}")


def pack(log: RedisLog, chance: random.Random, games: list[str]) -> None:
    done = patiently(lambda: Packer(log, now_ms, verify_chain).attend(USUAL.all, seconds=0.1))
    ruled = chance.choice(RULED)
    if (stored := patiently(lambda: log.stored(ruled))).entries:
        form = packing.pack(stored.entries, stored.commands)
        done += patiently(lambda: log.pack(ruled, form))
    print(done, flush=True)
    for game in chance.sample(games, 2):
        patiently(lambda game=game: log.unpack(game))
    patiently(lambda: log.recall(chance.choice(games)))


def archive(log: RedisLog) -> None:
    archiver = Archiver(log, now_ms, verify_chain, When(0))
    print(patiently(lambda: archiver.attend(USUAL.all, seconds=0.1)).archived, flush=True)


def read(log: RedisLog, chance: random.Random, expected: dict[str, Expected]) -> None:
    game = chance.choice(list(expected))
    stored, exported = expected[game].stored, expected[game].exported
    last = len(stored.entries)
    version, made = chance.randrange(last + 1), 1 + chance.randrange(last)
    command = stored.commands[made - 1]
    observed = {
        "whole": patiently(lambda: log.stored(game)) == stored,
        "entries": patiently(lambda: log.read(game, version)) == stored.entries[version:],
        "part": patiently(lambda: log.read(game, version, last - 1)) == stored.entries[version : last - 1],
        "version": patiently(lambda: log.version(game)) == last,
        "export": patiently(lambda: export(Games(log), game, SPECTATOR)) == exported,
        "command": patiently(lambda: log.command_version(game, command)) == made,
        "repetition": patiently(lambda: log.append(game, version, b"again", command=command)) == Appended(made, True),
        "late append": patiently(lambda: refusal(log, game, version)) == (last, stored.entries[version:]),
    }
    if wrong := [what for what, is_right in observed.items() if not is_right]:
        raise SystemExit(f"game {game} was read wrongly: {', '.join(wrong)}")
    print(game, flush=True)


def refusal(log: RedisLog, game: str, version: int) -> tuple[int, list[bytes]]:
    """The answer to a new command on top of an older version."""
    try:
        log.append(game, version - 1 if version else 0, b"late", command="late")
    except Conflict as conflict:
        missed = list(conflict.entries)
        return conflict.version, missed[1:] if version else missed
    raise SystemExit(f"game {game} was changed")


def rule(log: RedisLog, game: str, command: str) -> None:
    """Adds an entry, whatever others do to the game meanwhile."""
    while True:
        version = patiently(lambda: log.version(game))
        try:
            made = patiently(
                lambda version=version: log.append(game, version, command.encode(), command=command, deadline=FINISHED)
            )
        except Conflict:
            continue
        except Packed:
            patiently(lambda: log.unpack(game))
            continue
        print(game, made.version, command, sep="\t", flush=True)
        return


if __name__ == "__main__":
    main(*sys.argv[1:])
