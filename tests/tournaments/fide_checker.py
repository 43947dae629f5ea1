"""An independent opinion: the checker of pairings and tie-breaks by the author of FIDE's own (gacrux), as a program."""

import json
import subprocess
import sys
from pathlib import Path


def checked_rounds(file: Path) -> list[bool]:
    """Whether the checker would have paired each round of a file as it was."""
    answer = _run("gacrux.pairingchecker", file, "-c", "-m", "dutch")
    return [bool(round["check"]) for round in answer["pairingResult"]["roundpairing"]]


def tiebreak_values(file: Path, names: list[str]) -> dict[int, list[str]]:
    """By starting number."""
    answer = _run("gacrux.tiebreakchecker", file, "-t", *names)
    return {
        row["cid"]: [str(value) for value in row["tiebreakScore"]] for row in answer["tiebreakResult"]["competitors"]
    }


def _run(program: str, file: Path, *arguments: str) -> dict:
    command = [sys.executable, "-W", "ignore", "-m", program, "-i", str(file), "-f", "TRF", "-o", "-", *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return json.loads(ended.stdout)
