"""The timeline: what happened, commit by commit, as one viewer may know it.

A pure function of the commits, so that a stored game and an exported file are told alike. It knows no game: landmarks,
majorities and scenes are the game's own.

>>> from events.games import Games
>>> from events.log.memory import MemoryLog
>>> from events.table.commands import Start
>>> games = Games(MemoryLog(), draw=bytes)
>>> game = games.create("el_grande", players=2).id
>>> _ = games.submit(game, Start())
>>> *_, started = steps(games.commits(game), "spectator")
>>> started.version, started.round, started.marks
(2, 1, (Landmark(kind='round', number=1, seat='', space='', points={}, name=''),))
>>> [line.text for line in started.story if line.fact == 'first_bidder_drawn']
['red will bid first']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.history import Transition, replay
from events.log.codec import Commit
from events.table import clock
from events.table.decider import GAME
from events.table.facts import TableFact
from events.table.game import Game, redact
from replay.changes import EMPTY, Change, change
from replay.story import Sentence, sentences
from rules.catalogue import game_named
from rules.kernel import Fact, Player, Viewer
from rules.landmarks import ROUND, Landmark, Lead
from rules.picture import Beat, Scene
from rules.texts import ENGLISH, Catalogue, Text


class Told(Struct, frozen=True):
    """Facts that led from one position to the next, as one viewer may know them."""

    round: int
    marks: tuple[Landmark, ...]
    story: tuple[Sentence, ...]
    scores: Mapping[Player, int]
    leads: tuple[Lead, ...]
    asked: tuple[Player, ...]
    change: Change
    beats: tuple[Beat, ...]


class Step(Told, frozen=True):
    """A commit, and what it changed."""

    version: int
    at: int
    by: str
    """A seat, an account, the table or the clock."""
    decision: str
    thought_ms: int | None
    """How long the player who answered was asked; nothing if no player answered."""
    clocks: Mapping[Player, int]
    """The time that each player has left, if time counts."""


class Moment(Struct, frozen=True):
    """A position on the timeline, whoever looks at it."""

    game: Game
    round: int = 0
    asked_since: Mapping[Player, int] = {}


class Frame(Struct, frozen=True):
    """A moment as a viewer may see it."""

    moment: Moment
    seen: Mapping[str, Any] | None
    """Nothing before the table is set."""
    scene: Scene


def steps(
    commits: Iterable[Commit],
    viewer: Viewer,
    players: Mapping[Player, str] | None = None,
    catalogue: Catalogue = ENGLISH,
    start: Moment | None = None,
) -> Iterator[Step]:
    """Every step after `start`. With `players`, the sentences call them by these names."""
    before = frame(start, viewer) if start else None
    for transition in replay(GAME, commits, start.game if start else None):
        after = frame(moment_after(before.moment if before else None, transition), viewer)
        yield _step(before, transition, after, viewer, players or {}, catalogue)
        before = after


def frame(moment: Moment, viewer: Viewer) -> Frame:
    game = moment.game
    played = game_named(game.rules)
    seen = played.view(game.state, viewer) if game.started else None
    return Frame(moment, seen, played.picture.scene(seen) if seen else EMPTY)


def moment_after(before: Moment | None, transition: Transition[Game]) -> Moment:
    round = round_after(before.round if before else 0, landmarks(transition.after, transition.commit.facts))
    return Moment(transition.after, round, asked_since(before.asked_since if before else {}, transition))


def round_after(round: int, marks: Iterable[Landmark]) -> int:
    """The round after these landmarks."""
    return next((mark.number for mark in reversed(tuple(marks)) if mark.kind == ROUND), round)


def landmarks(game: Game, facts: Iterable[Fact]) -> tuple[Landmark, ...]:
    of = game_named(game.rules).landmarks.of
    return tuple(mark for fact in facts if not isinstance(fact, TableFact) and (mark := of(fact)))


def named(mark: Landmark, catalogue: Catalogue) -> Landmark:
    """A landmark that calls its space by a name in the language of the reader."""
    return replace(mark, name=mark.name.rendered(catalogue)) if isinstance(mark.name, Text) else mark


def asked_since(before: Mapping[Player, int], transition: Transition[Game]) -> dict[Player, int]:
    """Since when each player has been asked. A player who has just answered is asked anew."""
    header = transition.commit.header
    return {
        player: header.at if player == header.by else before.get(player, header.at) for player in transition.after.asked
    }


def _step(
    before: Frame | None,
    transition: Transition[Game],
    after: Frame,
    viewer: Viewer,
    players: Mapping[Player, str],
    catalogue: Catalogue,
) -> Step:
    header, facts = transition.commit.header, redact(transition.commit, viewer)
    told = tell(before, facts, after, players, catalogue)
    return Step(
        **{field: getattr(told, field) for field in told.__struct_fields__},
        version=header.version,
        at=header.at,
        by=header.by,
        decision=header.decision,
        thought_ms=thought(before.moment if before else None, transition),
        clocks=_clocks(transition.after, header.at),
    )


def tell(
    before: Frame | None,
    facts: Sequence[Fact],
    after: Frame,
    players: Mapping[Player, str],
    catalogue: Catalogue = ENGLISH,
) -> Told:
    """What happened between two frames of one viewer; `facts` are those that the viewer may know."""
    game = after.moment.game
    return Told(
        round=after.moment.round,
        marks=tuple(named(mark, catalogue) for mark in landmarks(game, facts)),
        story=tuple(sentences(game.rules, facts, players, catalogue)),
        scores=game.state.board.scores,
        leads=game_named(game.rules).landmarks.leads(game.state, after.seen) if after.seen else (),
        asked=tuple(game.asked),
        change=change(before.scene if before else EMPTY, after.scene),
        beats=tuple(_beats(game, facts, before, after)),
    )


def thought(before: Moment | None, transition: Transition[Game]) -> int | None:
    """How long the player who answered was asked. Where time counts, it is the time that the answer has cost."""
    header = transition.commit.header
    if not before or not header.decision or header.by not in before.asked_since:
        return None
    if running := before.game.clock:
        return clock.used(running, header.by, header.at)
    return header.at - before.asked_since[header.by]


def _clocks(game: Game, at: int) -> dict[Player, int]:
    if not game.clock:
        return {}
    return {player: clock.remaining(game.clock, player, at) for player in game.players}


def _beats(game: Game, facts: Iterable[Fact], before: Frame | None, after: Frame) -> Iterator[Beat]:
    """Nothing is seen to move before the table is set."""
    if not before or not before.seen or not after.seen:
        return
    beats = game_named(game.rules).picture.beats
    for fact in facts:
        if not isinstance(fact, TableFact):
            yield from beats(fact, before.seen, after.seen)
