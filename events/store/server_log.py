"""The log of the embedded server, in words for an operator."""

import re
import shlex
from pathlib import Path

from events.errors import StoreDiskFull, StoreNotStarted

FULL = re.compile(r"No space left on device|File too large|Disk quota exceeded|[Ss]hort write")
DAMAGED = re.compile(r"(?:Bad file format|Unexpected end of file|Unknown command).*?(\S+\.(?:aof|rdb))")
CUT = re.compile(r"Truncating the AOF (\S+) at offset (\d+)")


class Reading:
    """The part of the log that is written from now on, and the files it speaks of as they are now."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.file = data / "redis.log"
        self.start = self.file.stat().st_size if self.file.exists() else 0
        self.sizes = {file.name: file.stat().st_size for file in (data / "appendonlydir").glob("*")}

    def lines(self) -> list[str]:
        with self.file.open("rb") as log:
            log.seek(self.start)
            return log.read().decode(errors="replace").splitlines()

    def cuts(self) -> list[str]:
        """One sentence for each unfinished write that the server dropped when it started."""
        found = [match for line in self.lines() if (match := CUT.search(line))]
        return [
            f"an unfinished write was dropped: the last {self.sizes.get(name, 0) - int(offset)} bytes "
            f"of {self.data / 'appendonlydir' / name}, after {offset}"
            for name, offset in (match.groups() for match in found)
        ]

    def why_it_ended(self, binary: Path) -> StoreNotStarted:
        """The server's own words, and a remedy."""
        lines = [line for line in self.lines() if line.strip()]
        shown = [line for line in lines if " # " in line and "overcommit" not in line] or lines or ["nothing"]
        words = shown[-1].split(" # ")[-1].strip().rstrip(".")
        if damaged := DAMAGED.search("\n".join(lines)):
            return StoreNotStarted(self.how_to_mend(damaged[1], words, binary))
        if FULL.search("\n".join(shown)):
            return StoreDiskFull(f"there is no room left for games in {self.data}; the server says: {words}")
        return StoreNotStarted(f"the store's server does not start in {self.data}; it says: {words} (see {self.file})")

    def how_to_mend(self, name: str, words: str, binary: Path) -> str:
        files = self.data / "appendonlydir"
        tool = "valkey-check-aof" if "valkey" in binary.name else "redis-check-aof"
        # The server's program is also the one that mends, when it is called by that name.
        mend = shlex.join(["exec", "-a", tool, str(binary), "--fix", str(files / "appendonly.aof.manifest")])
        return (
            f"{files / name} is damaged; the server says: {words}\n"
            f"Put back a copy of {self.data} from before, if there is one. Otherwise copy it now, and then cut off "
            f"everything from the damage on:\n    bash -c {shlex.quote(mend)}"
        )
