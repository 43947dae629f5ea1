"""Forgeries: ways to change a stored game."""

from functools import cache

import msgspec
from msgspec.structs import replace

from events.audit.export import export_commit, file_of
from events.audit.verify import NotGenuine, verify
from events.log import chain, codec
from events.table import stored
from rules.kernel import EVERYTHING


def changed_bytes(data: bytes, at: int) -> list[bytes]:
    """Everything tempting in place of this byte: another digit, another case, and what JSON treats specially."""
    byte = data[at : at + 1]
    tempting = [b'"', b"}", b" ", b"0", b"f", byte.swapcase()]
    if byte.isdigit():
        tempting.append(b"%d" % ((int(byte) + 1) % 10))
    if byte in b"abcdef":
        tempting.append(bytes([byte[0] ^ 1]) if byte != b"a" else b"b")
    return [data[:at] + other + data[at + 1 :] for other in dict.fromkeys(tempting) if other != byte]


@cache
def spans(data: bytes) -> list[range]:
    """Where each commit of an export lies."""
    commits = msgspec.json.decode(data, type=dict[str, msgspec.Raw])["commits"]
    found, at = [], data.index(b"[") + 1
    for commit in msgspec.json.decode(commits, type=list[msgspec.Raw]):
        found.append(range(at, at + len(commit)))
        at += len(commit) + 1
    return found


def commit_at(data: bytes, at: int) -> int | None:
    """The number of the commit in which a byte lies."""
    return next((number for number, span in enumerate(spans(data), start=1) if at in span), None)


def mutated(data, positions, each=1):
    """Files with one byte changed, and where."""
    for at in positions:
        changed = changed_bytes(data, at)
        yield from ((at, changed[(at + number) % len(changed)]) for number in range(min(each, len(changed))))


def undetected(data, positions, each=1):
    """Where a change was not noticed, or blamed on the wrong commit."""
    missed = []
    for at, changed in mutated(data, positions, each):
        try:
            verify(changed)
            missed.append((at, "not noticed"))
        except NotGenuine as problem:
            if (commit := commit_at(data, at)) and problem.commit != commit:
                missed.append((at, f"commit {commit} was changed, but {problem}"))
    return missed


def rewritten(games, game, change, *, secret=None, viewer=EVERYTHING) -> bytes:
    """The export of a game whose operator changed its commits and hashed everything anew.

    `change` gets and gives a list of (header, facts).
    """
    secret = secret or games.log.secret(game)
    previous, commits = chain.NO_HASH, []
    rules = games.load(game).rules
    pages = [(commit.header, list(commit.facts)) for commit in games.commits(game)]
    for version, (header, facts) in enumerate(change(pages), start=1):
        entry, commit = codec.write(replace(header, version=version, previous=previous), facts, secret)
        previous = commit.hash
        commits.append(export_commit(entry, stored.reader(rules), secret, viewer))
    return file_of(commits, viewer)


def edited(data: bytes, change) -> bytes:
    """An export in which the commits were changed, as plain data, and nothing else."""
    file = msgspec.json.decode(data)
    file["commits"] = change(file["commits"])
    return msgspec.json.encode(file, order="sorted")
