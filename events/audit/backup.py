"""All games of a log in one file, and back; and beside them whatever else is given, in sections.

The file is gzip over lines of JSON: a head, every game with all that the log keeps of it, how far the consumers of the
feed had come, what is kept in other name spaces (studies), the rows of the sections, and an end with the counts and a
SHA-256 over every line before it. It holds the secrets of running games, so only its owner may read it. It appears
under its name when it is whole and was read back, never before.
"""

from __future__ import annotations

import gzip
import os
import tempfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import IO, Literal, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events.audit.verify import NotGenuine, verify_chain, verify_commits
from events.buckets import USUAL, Buckets
from events.errors import Conflict, Damaged
from events.log import SPACES, GameLog, StoredGame, codec
from rules.codec import encode

Progress = Callable[[str, int], None]
"""Called with the step under way, and the number of games done so far."""


class BadBackup(Exception):
    """The file is not a whole backup: nothing of it is used."""


class Refusal(Exception):
    """A row of a section that cannot be put back, and why."""


class Section(Protocol):
    """Something beside the games that is kept with them, such as accounts: rows of fields."""

    name: str

    def rows(self) -> Iterator[tuple[str, Mapping[str, str]]]:
        """All rows, each with its name."""

    def put_back(self, row: str, fields: Mapping[str, str]) -> bool:
        """Put back a row that is not there; False if it was there, and stays as it is. May raise `Refusal`."""


SCHEMA: Literal[3] = 3
"""1: without sections. 2: without other name spaces."""


class Head(Struct, frozen=True, tag_field="line", tag="head", forbid_unknown_fields=True, omit_defaults=True):
    format: Literal["hidalgo-backup"]
    schema: Literal[1, 2, 3]
    at: int
    """Milliseconds since 1970."""
    buckets: int = USUAL.count
    """So many had the store, which may be put back into one of another number."""


class GameLine(Struct, frozen=True, tag_field="line", tag="game", forbid_unknown_fields=True, omit_defaults=True):
    """A game. Entries are text in which every character stands for one byte (Latin-1), whatever they hold."""

    game: str
    entries: list[str]
    commands: list[str]
    secret: str
    deadline: int
    space: str = ""
    """The name space; a study is kept in another one than games."""

    @property
    def name(self) -> str:
        """As it is named in sentences about games and others."""
        return f"{SPACES.get(self.space, self.space)} {self.game}" if self.space else self.game

    def stored(self) -> StoredGame:
        entries = [entry.encode("latin-1") for entry in self.entries]
        return StoredGame(entries, self.commands, bytes.fromhex(self.secret), self.deadline)


class CheckpointLine(Struct, frozen=True, tag_field="line", tag="checkpoint", forbid_unknown_fields=True):
    """How far a consumer of a bucket's feed had come."""

    bucket: int
    consumer: str
    position: str
    caught_up: bool
    """Whether nothing in the feed was left for it."""


class RowLine(Struct, frozen=True, tag_field="line", tag="row", forbid_unknown_fields=True):
    """A row of a section."""

    section: str
    row: str
    fields: dict[str, str]


class End(Struct, frozen=True, tag_field="line", tag="end", forbid_unknown_fields=True, omit_defaults=True):
    games: int
    commits: int
    checkpoints: int
    sha256: str
    rows: int = 0


Line = Head | GameLine | CheckpointLine | RowLine | End

_LINE = msgspec.json.Decoder(Line)


class Summary(Struct, frozen=True):
    """The contents of a backup, counted."""

    at: int
    games: int
    commits: int
    bad: dict[str, str]
    """Games whose chain does not hold, and why."""
    rows: dict[str, int] = {}
    """How many rows each section has."""


class Restored(Struct):
    """The fate of the games of a backup."""

    restored: int = 0
    same: int = 0
    """There already, just like in the backup."""
    newer: int = 0
    """There already, and further on."""
    refused: dict[str, str] = {}
    """Not restored, and why."""
    rows: dict[str, int] = {}
    """How many rows of each section were restored."""


def backup(
    log: GameLog,
    file: Path,
    now: int,
    progress: Progress = lambda what, games: None,
    sections: Sequence[Section] = (),
) -> Summary:
    """Write all games into `file`. It replaces a file of that name once it is whole and was read back."""
    with _growing_up_to_be(file) as young:
        _write(young, _lines(log, now, progress, sections))
        return inspect(Path(young.name), progress)


def inspect(file: Path, progress: Progress = lambda what, games: None) -> Summary:
    """Read a whole backup and verify the chain of every game; `BadBackup` if the file is not what was written."""
    head, games, commits = Head("hidalgo-backup", SCHEMA, 0), 0, 0
    bad: dict[str, str] = {}
    rows: Counter[str] = Counter()
    for line in read(file):
        if isinstance(line, Head):
            head = line
        elif isinstance(line, GameLine):
            if line.space:
                rows[line.space] += 1
            else:
                games, commits = games + 1, commits + len(line.entries)
            if wrong := _wrong_with(line):
                bad[line.name] = wrong
            progress("verifying", games)
        elif isinstance(line, RowLine):
            rows[line.section] += 1
    return Summary(head.at, games, commits, bad, dict(rows))


def restore(
    log: GameLog, file: Path, progress: Progress = lambda what, games: None, sections: Sequence[Section] = ()
) -> Restored:
    """Put back every game and row that is not there. Verifies the whole file first; can be repeated after a crash."""
    bad = inspect(file, progress).bad
    done = Restored(refused={game: f"its chain does not hold: {wrong}" for game, wrong in bad.items()})
    versions: dict[str, int] = {}
    caught_up = CaughtUp(USUAL)
    for number, line in enumerate(read(file)):
        if isinstance(line, Head):
            caught_up = CaughtUp(Buckets(line.buckets))
        elif isinstance(line, GameLine) and line.space and line.name not in bad:
            _restore_other(log, line, done)
        elif isinstance(line, GameLine) and line.name not in bad:
            _restore_game(log, line, done)
            versions[line.game] = len(line.entries)
            progress("restoring", number)
        elif isinstance(line, CheckpointLine) and line.caught_up:
            caught_up.add(line)
        elif isinstance(line, RowLine):
            _restore_row({section.name: section for section in sections}, line, done)
    caught_up.apply_to(log, versions)
    return done


# Writing


def _lines(log: GameLog, now: int, progress: Progress, sections: Sequence[Section]) -> Iterator[Line]:
    yield Head("hidalgo-backup", SCHEMA if _has_others(log) else 2, now, log.buckets.count)
    written = 0
    for bucket in log.buckets.all:
        for game in log.games(bucket):
            if entries := log.read(game):
                yield _game_line(log, game, entries)
                written += 1
                progress("writing", written)
        for consumer, position in sorted(log.checkpoints(bucket).items()):
            yield CheckpointLine(bucket, consumer, position, not log.feed(bucket, position, 1))
    for space in SPACES:
        yield from _other_lines(log.space(space), space)
    for section in sections:
        for row, fields in section.rows():
            yield RowLine(section.name, row, dict(fields))


def _has_others(log: GameLog) -> bool:
    """Without them, programs from before there were any can read the file."""
    return any(id for space in SPACES for bucket in log.buckets.all for id in log.space(space).games(bucket))


def _other_lines(log: GameLog, space: str) -> Iterator[GameLine]:
    """Consumers of other name spaces read everything anew after a restore."""
    for bucket in log.buckets.all:
        for id in log.games(bucket):
            if entries := log.read(id):
                yield replace(_game_line(log, id, entries), space=space)


def _game_line(log: GameLog, game: str, entries: list[bytes]) -> GameLine:
    commands = [_command(entry, version) for version, entry in enumerate(entries, start=1)]
    texts = [entry.decode("latin-1") for entry in entries]
    return GameLine(game, texts, commands, log.secret(game).hex(), log.deadline(game))


def _command(entry: bytes, version: int) -> str:
    """The command that made an entry. A damaged entry is kept, too: better in a backup than nowhere."""
    try:
        return codec.read_stored(entry).header.name
    except Damaged:
        return f"damaged/{version}"


def _write(file: IO[bytes], lines: Iterator[Line]) -> None:
    games = commits = checkpoints = rows = 0
    digest = sha256()
    with gzip.GzipFile("", "wb", compresslevel=6, fileobj=file, mtime=0) as packed:
        for line in lines:
            text = encode(line) + b"\n"
            digest.update(text)
            packed.write(text)
            games += isinstance(line, GameLine)
            commits += len(line.entries) if isinstance(line, GameLine) else 0
            checkpoints += isinstance(line, CheckpointLine)
            rows += isinstance(line, RowLine)
        packed.write(encode(End(games, commits, checkpoints, digest.hexdigest(), rows)) + b"\n")
    file.flush()
    os.fsync(file.fileno())


@contextmanager
def _growing_up_to_be(file: Path) -> Iterator[IO[bytes]]:
    """A new file beside `file`, readable by its owner alone, that takes its name when all went well."""
    with tempfile.NamedTemporaryFile(dir=file.parent, prefix=f".{file.name}.", suffix=".part", delete=False) as young:
        try:
            yield young
            os.replace(young.name, file)
        except BaseException:
            os.unlink(young.name)
            raise
    directory = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


# Reading


def read(file: Path) -> Iterator[Line]:
    """The lines of a backup. Only after the last line is it certain that the file is whole and unchanged."""
    digest, counts, last = sha256(), {GameLine: 0, CheckpointLine: 0, RowLine: 0, Head: 0}, None
    commits = 0
    for text in _texts(file):
        if isinstance(last, End):
            raise BadBackup("the file goes on after its end")
        last = _line(text, first=last is None)
        if isinstance(last, End):
            seen = End(counts[GameLine], commits, counts[CheckpointLine], digest.hexdigest(), counts[RowLine])
            if last != seen:
                raise BadBackup("the file was changed: its sum is wrong")
        else:
            digest.update(text)
            counts[type(last)] += 1
            commits += len(last.entries) if isinstance(last, GameLine) else 0
        yield last
    if not isinstance(last, End):
        raise BadBackup("the file breaks off")


def _texts(file: Path) -> Iterator[bytes]:
    try:
        with gzip.open(file, "rb") as packed:
            yield from packed
    except gzip.BadGzipFile:
        raise BadBackup("the file is not a backup, or is damaged") from None
    except (zlib.error, EOFError) as problem:
        raise BadBackup(f"the file is damaged: {problem}") from None


def _line(text: bytes, *, first: bool) -> Line:
    try:
        line = _LINE.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise BadBackup(f"a line cannot be read: {problem}") from None
    if first != isinstance(line, Head):
        raise BadBackup("the file is not a backup: it does not begin with its head")
    return line


def _wrong_with(line: GameLine) -> str:
    if line.space and line.space not in SPACES:
        return "this version does not know what it is"
    try:
        stored = line.stored()
        check = verify_commits if line.space else verify_chain
        check(line.game, stored.entries, stored.secret)
    except (NotGenuine, ValueError) as problem:
        return str(problem)
    return "" if len(line.commands) == len(line.entries) else "it does not name a command for every commit"


# Restoring


def _restore_game(log: GameLog, line: GameLine, done: Restored) -> None:
    stored = line.stored()
    try:
        log.restore(line.game, stored)
        done.restored += 1
    except Conflict:
        there = log.read(line.game)
        if there[: len(stored.entries)] != stored.entries or log.secret(line.game) != stored.secret:
            done.refused[line.game] = "another game of this name is there"
        elif len(there) == len(stored.entries):
            done.same += 1
        else:
            done.newer += 1


def _restore_other(log: GameLog, line: GameLine, done: Restored) -> None:
    """Something of another name space."""
    apart = Restored()
    _restore_game(log.space(line.space), line, apart)
    done.rows[line.space] = done.rows.get(line.space, 0) + apart.restored
    if apart.refused:
        done.refused[line.name] = "another one of this name is there"


def _restore_row(sections: Mapping[str, Section], line: RowLine, done: Restored) -> None:
    try:
        if line.section not in sections:
            raise Refusal("this version does not know it")
        is_new = sections[line.section].put_back(line.row, line.fields)
        done.rows[line.section] = done.rows.get(line.section, 0) + is_new
    except Refusal as refusal:
        done.refused[f"{line.section} {line.row}"] = str(refusal)


class CaughtUp:
    """The consumers that had dealt with all that was in a bucket: what is restored is in the feed anew, and they need
    not deal with it again."""

    def __init__(self, buckets: Buckets) -> None:
        """Those of the backup."""
        self._buckets = buckets
        self._of_consumer: dict[str, set[int]] = defaultdict(set)

    def add(self, line: CheckpointLine) -> None:
        self._of_consumer[line.consumer].add(line.bucket)

    def apply_to(self, log: GameLog, versions: Mapping[str, int]) -> None:
        """Put the consumers behind all entries of these games, as far as no other is in between."""
        for consumer, buckets in self._of_consumer.items():
            known = {game: version for game, version in versions.items() if self._buckets.of(game) in buckets}
            for bucket in sorted({log.buckets.of(game) for game in known}):
                _catch_up(log, bucket, consumer, known)


def _catch_up(log: GameLog, bucket: int, consumer: str, versions: Mapping[str, int]) -> None:
    position = log.checkpoint(bucket, consumer)
    while entries := log.feed(bucket, position):
        for entry in entries:
            if versions.get(entry.game, 0) < entry.version:
                return
            position = entry.position
            log.set_checkpoint(bucket, consumer, position)
