"""A whole game as a few bytes: how the log keeps a game that is over.

Half of a game's bytes are hashes, which no compression makes smaller than they are: written as hexadecimal digits they
take twice their size, and each is written twice, in its own commit and in the one after. So runs of such digits are
taken out of the text first, each once, as plain bytes. The rest is compressed (xz). It does not matter what the
entries hold: any bytes come back as they were.

>>> entries = [b'{"hash":"%064x"}' % number for number in range(200)]
>>> packed = pack(entries, [f"command {number}" for number in range(200)])
>>> len(packed.value) < packed.size / 2
True
>>> unpack(packed.value).entries == entries
True
"""

from __future__ import annotations

import lzma
import re
from io import BytesIO

import msgspec
from msgspec import Struct

from events.errors import Conflict, Damaged, Packed
from events.log import Appended, PackedGame
from rules.texts import say

COMPRESSION = [
    {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 20, "pb": 0},
]
"""As small as it gets; a game takes 50 ms, and half a millisecond to be read. Every value names its own."""

TAKEN_OUT = re.compile(rb"(?:[0-9a-f]{2}){12,127}|\0")
"""A fingerprint is the shortest that is worth it. The mark itself is marked, too."""

MARK = re.compile(rb"\0(.)", re.DOTALL)
"""The byte after a zero says what stood there: 0: a zero. Up to 127: the next so many bytes, as digits. Above 127: the
same as the last run that was taken out, the last but one, and so on."""

MOST_BACK = 128


class UnpackedGame(Struct, frozen=True):
    """The contents of a packed game."""

    entries: list[bytes]
    commands: list[str]
    """The command that made each entry."""

    def answer(self, game: str, version: int, *commands: str) -> Appended:
        """The answer to an append: nothing is added to a packed game."""
        for command in commands:
            if command in self.commands:
                return Appended(self.commands.index(command) + 1, repeated=True)
        if version != len(self.entries):
            raise Conflict(game, version, len(self.entries), self.entries[version:])
        raise Packed(say("the game is over, and packed"))


def pack(entries: list[bytes], commands: list[str]) -> PackedGame:
    """These entries and the commands that made them, packed; verified to come back as they are."""
    rows = list(zip(commands, entries, strict=True))
    text, runs = _take_out(msgspec.msgpack.encode(rows))
    compressed = lzma.compress(text, check=lzma.CHECK_CRC32, filters=COMPRESSION)
    value = msgspec.msgpack.encode((compressed, runs))
    if unpack(value) != UnpackedGame(entries, commands):
        raise Damaged("a game does not come back from its packed form")
    size = sum(len(command.encode()) + len(entry) for command, entry in rows)
    return PackedGame(len(entries), entries[-1], value, size)


def unpack(value: bytes) -> UnpackedGame:
    """The entries of a packed game, each as it was appended."""
    try:
        compressed, runs = msgspec.msgpack.decode(value, type=tuple[bytes, bytes])
        rows = msgspec.msgpack.decode(_put_back(lzma.decompress(compressed), runs), type=list[tuple[str, bytes]])
    except (msgspec.MsgspecError, lzma.LZMAError, EOFError, IndexError) as problem:
        raise Damaged(f"a packed game cannot be read: {problem}") from None
    return UnpackedGame([entry for _, entry in rows], [command for command, _ in rows])


def _take_out(text: bytes) -> tuple[bytes, bytes]:
    """The text with marks in the place of runs, and the runs."""
    taken: list[bytes] = []
    places: dict[bytes, int] = {}

    def mark(found: re.Match[bytes]) -> bytes:
        run = found[0]
        if run == b"\0":
            return b"\0\0"
        if run in places and (back := len(taken) - places[run]) <= MOST_BACK:
            return bytes((0, 127 + back))
        places[run] = len(taken)
        taken.append(run)
        return bytes((0, len(run) // 2))

    return TAKEN_OUT.sub(mark, text), bytes.fromhex(b"".join(taken).decode())


def _put_back(text: bytes, runs: bytes) -> bytes:
    left = BytesIO(runs)
    taken: list[bytes] = []

    def run(found: re.Match[bytes]) -> bytes:
        mark = found[1][0]
        if mark == 0:
            return b"\0"
        if mark > 127:
            return taken[127 - mark]
        taken.append(left.read(mark).hex().encode())
        return taken[-1]

    return MARK.sub(run, text)
