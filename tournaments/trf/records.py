"""The lines of a tournament report file. What is read is written again byte by byte.

>>> report = parse_trf("012 Weekend\\nXXR 5\\n")
>>> report.tag("012"), report.tag("XXR"), trf(report) == "012 Weekend\\nXXR 5\\n"
('Weekend', '5', True)
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from rules.errors import Unreadable
from rules.texts import say

FIRST_ROUND, ROUND_WIDTH = 91, 10
MOST_CHARACTERS = 4_000_000
RESULTS = "-+1=0WDLHFUZ "


class Game(Struct, frozen=True):
    """A round of a player, as the file has it."""

    opponent: int
    """0: none."""
    colour: str
    """w, b, or - for none."""
    result: str

    @property
    def text(self) -> str:
        opponent = f"{self.opponent:4}" if self.opponent else "0000"
        return f"{opponent} {self.colour} {self.result}"


class PlayerLine(Struct, frozen=True):
    """A record 001."""

    number: int
    name: str
    rating: int = 0
    points: str = "0.0"
    rank: int = 0
    sex: str = ""
    title: str = ""
    federation: str = ""
    fide_id: str = ""
    birth: str = ""
    games: tuple[Game, ...] = ()
    line: str = ""
    """As it was read, if it was written in another way than ours."""

    @property
    def text(self) -> str:
        if self.line:
            return self.line
        rating, rank = self.rating or "", self.rank or ""
        head = (
            f"001 {self.number:4} {self.sex:1}{self.title:>3} {self.name[:33]:33} {rating:>4} {self.federation:3} "
            f"{self.fide_id:>11} {self.birth:10} {self.points:>4} {rank:>4}"
        )
        return head + "".join(f"  {game.text}" for game in self.games)


class Line(Struct, frozen=True):
    """Any other record: its code, and what follows it."""

    code: str
    value: str

    @property
    def text(self) -> str:
        return f"{self.code}{self.value}"


class Report(Struct, frozen=True):
    lines: tuple[PlayerLine | Line, ...]
    line_end: str = "\n"
    is_ended: bool = True
    """Whether the last line has its end, too."""

    @property
    def players(self) -> tuple[PlayerLine, ...]:
        return tuple(line for line in self.lines if isinstance(line, PlayerLine))

    def tags(self, *codes: str) -> Iterator[str]:
        """What follows these codes, line by line."""
        return (line.value[1:] for line in self.lines if isinstance(line, Line) and line.code in codes)

    def tag(self, *codes: str) -> str:
        return next((value.strip() for value in self.tags(*codes)), "")


def trf(report: Report) -> str:
    """The file."""
    text = report.line_end.join(line.text for line in report.lines)
    return text + report.line_end if report.is_ended and report.lines else text


def parse_trf(text: str) -> Report:
    """A file, or `Unreadable`."""
    if len(text) > MOST_CHARACTERS:
        raise Unreadable(say("the file is too long"))
    end = "\r\n" if "\r\n" in text else "\r" if "\r" in text else "\n"
    is_ended = text.endswith(end)
    lines = text.removesuffix(end).split(end) if text else []
    return Report(tuple(_line(number, line) for number, line in enumerate(lines, start=1)), end, is_ended)


def _line(number: int, line: str) -> PlayerLine | Line:
    if not line.startswith("001"):
        return Line(line[:3], line[3:])
    try:
        read = _player(line)
    except ValueError:
        raise Unreadable(say("line {line} of the file is no record of a player", line=number)) from None
    return read if read.text == line else replace(read, line=line)


def _player(line: str) -> PlayerLine:
    """By columns."""
    games = tuple(_game(line[start : start + 8]) for start in range(FIRST_ROUND, len(line.rstrip()), ROUND_WIDTH))
    return PlayerLine(
        number=int(line[4:8]),
        name=line[14:47].strip(),
        rating=int(line[48:52].strip() or 0),
        points=line[80:84].strip(),
        rank=int(line[85:89].strip() or 0),
        sex=line[9:10].strip(),
        title=line[10:13].strip(),
        federation=line[53:56].strip(),
        fide_id=line[57:68].strip(),
        birth=line[69:79].strip(),
        games=games,
    )


def _game(text: str) -> Game:
    opponent, colour, result = int(text[:4].strip() or 0), text[5:6].strip() or "-", text[7:8].upper() or " "
    if result not in RESULTS or colour not in "wb-":
        raise ValueError(f"{text} is no result")
    return Game(opponent, colour, result)
