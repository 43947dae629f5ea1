"""FIDE pairings of large fields by another program that an operator has named, such as bbpPairings.

This is the one module here that is not pure: the service calls it, and hands its pairs to `ProposeRound`.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from events.errors import NotNow
from rules.texts import say

SECONDS = 60
MOST = 1000


def pairs_by_program(program: str, trf: str, seconds: float = SECONDS) -> tuple[tuple[int, int], ...]:
    """Pairs of starting numbers, white first; 0 stands for nobody. The file holds all rounds so far."""
    with tempfile.TemporaryDirectory(prefix="hidalgo-pairing-") as folder:
        given, answer = Path(folder, "tournament.trf"), Path(folder, "pairs.txt")
        given.write_text(trf, newline="")
        command = [program, "--dutch", str(given), "-p", str(answer)]
        try:
            ended = subprocess.run(command, timeout=seconds, capture_output=True, check=False)
        except (OSError, subprocess.TimeoutExpired):
            raise NotNow(say("the program for FIDE pairings does not answer")) from None
        if ended.returncode or not answer.exists():
            raise NotNow(say("the program for FIDE pairings found no pairing"))
        return parsed_pairs(answer.read_text())


def parsed_pairs(text: str) -> tuple[tuple[int, int], ...]:
    """
    >>> parsed_pairs("2\\n1 4\\n3 0\\n")
    ((1, 4), (3, 0))
    """
    count, *lines = text.split("\n")
    pairs = tuple((int(one), int(other)) for one, other in (line.split() for line in lines if line.strip()))
    if not count.strip().isdigit() or len(pairs) != int(count):
        raise NotNow(say("the program for FIDE pairings answers in another form"))
    return pairs
