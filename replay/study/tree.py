"""The tried moves of a chapter as a tree: where each stands, and by which label people speak of it.

The variations of a step are A, B, C…; all moves of a line have its label. What branches off A is A1, A2…, in the order
in which it branches off; what branches off A1 is A1a, A1b…, and so on.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from replay.study.study import Chapter, TriedMove, is_step

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

MANY = 300
"""A chapter with more tried moves is told in parts: around the step that somebody reads."""
NEAR = 8
"""So many steps before it, and after it."""


class Node(Struct, frozen=True):
    move: TriedMove
    index: int
    """Among the variations of its parent."""
    label: str


def nodes(chapter: Chapter, steps: range | None = None) -> Iterator[Node]:
    """All tried moves, or those in variations of these steps; parents first."""
    begun = (step for step in chapter.variations if is_step(step) and (steps is None or int(step) in steps))
    for step in sorted(begun, key=int):
        for index, move in enumerate(chapter.variations[step]):
            yield from _lines(chapter, Node(move, index, letters(index)))


def node(chapter: Chapter, id: str) -> Node:
    """One of them."""
    return next(found for found in nodes(chapter) if found.move.id == id)


def near(chapter: Chapter, node: str) -> range | None:
    """The steps around a node, in a chapter with many tried moves; of another one, none is too far away."""
    if sum(map(len, chapter.variations.values())) <= MANY:
        return None
    step = chapter.step(node)
    here = int(step) if is_step(step) else 0
    return range(max(here - NEAR, 0), here + NEAR + 1)


def _lines(chapter: Chapter, first: Node) -> Iterator[Node]:
    """A line, and all that branches off it."""
    beginnings = [first]
    for beginning in beginnings:
        node, branches = beginning, 0
        while True:
            yield node
            main, *others = chapter.variations.get(node.move.id, ()) or (None,)
            for index, other in enumerate(others, start=1):
                assert other, "only what is tried branches off"
                beginnings.append(Node(other, index, branch(node.label, branches)))
                branches += 1
            if main is None:
                break
            node = Node(main, 0, node.label)


def branch(label: str, index: int) -> str:
    """
    >>> branch("A", 0), branch("A1", 1), branch("A1b", 2)
    ('A1', 'A1b', 'A1b3')
    """
    return label + (letters(index).lower() if label[-1].isdigit() else str(index + 1))


def letters(index: int) -> str:
    """
    >>> letters(0), letters(25), letters(26), letters(701)
    ('A', 'Z', 'AA', 'ZZ')
    """
    more, last = divmod(index, len(LETTERS))
    return (letters(more - 1) if more else "") + LETTERS[last]
