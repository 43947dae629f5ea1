"""Lines: positions after moves that were tried, and more moves from there, all by the rules of the game.

A line begins at a step of a game that is over: everything is open then, and what was hidden lies as it lay. While a
game runs, nothing is tried in it: a study must not help those who play.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from events.errors import NotNow
from events.log.codec import SCHEMA
from events.table import stored
from events.table.game import OVER, Game
from replay.story import Sentence, sentences, single
from replay.study.commands import TryMove
from replay.study.study import TriedMove
from replay.timeline import Moment, landmarks, round_after
from rules.assumptions import SEALED, Assumption, assumed, offered, sentence
from rules.catalogue import game_named
from rules.codec import codec_for, encode, seen_by
from rules.kernel import AnswersOpened, Decision, Fact, Player, State, Viewer, fold, options, play, waiting
from rules.texts import ENGLISH, Catalogue, say


def check_open(game: Game) -> None:
    """Refuses a game in which nothing may be tried yet. `game` is the game as it is now."""
    if game.status != OVER:
        raise NotNow(say("moves can be tried when the game is over: until then they would help the players"))


def position(game: Game, line: Iterable[TriedMove]) -> State:
    """The state after a line that begins at this game, as it was after some step."""
    state = game.state
    for move in line:
        state = fold(state, facts_of(game.rules, move))
    return state


def facts_of(rules: str, move: TriedMove) -> tuple[Fact, ...]:
    """What followed from a tried move."""
    return stored.reader(rules).read_facts([encode(fact) for fact in move.facts], move.schema)


def after_facts(moment: Moment, facts: Sequence[Fact], state: State | None = None) -> Moment:
    """The position after some facts; `state`, if it is known already."""
    game = replace(moment.game, state=state or fold(moment.game.state, facts), decided=False)
    return Moment(game, round_after(moment.round, landmarks(game, facts)))


# Assumptions


def assumptions(rules: str, state: State) -> tuple[Assumption, ...]:
    """What can be taken for granted in a position."""
    return offered(game_named(rules).assumptions, state)


def assumed_facts(game: Game, state: State, id: str, value: Any) -> tuple[Fact, ...]:
    """What follows when something is taken for granted in a position of this game; a refusal, if it cannot be."""
    read = codec_for(game.rules).command
    return assumed(game_named(game.rules).assumptions, state, id, value, read, game.options)


def assumption(id: str, value: Any) -> dict[str, Any]:
    """What is kept of an assumption in the place of a move."""
    return {"assumption": id, "value": value}


def assumed_values(line: Iterable[TriedMove]) -> dict[str, Any]:
    """What a line takes for granted at its end. When secret answers are opened, nothing is assumed of them any more."""
    values: dict[str, Any] = {}
    for move in line:
        if not move.seat:
            values[move.move["assumption"]] = move.move["value"]
        elif any(fact.get("fact") == OPENED for fact in move.facts):
            values = {id: value for id, value in values.items() if not id.startswith(SEALED)}
    return values


OPENED = str(AnswersOpened.__struct_config__.tag)

# Telling


def story(
    rules: str, move: TriedMove, viewer: Viewer, players: Mapping[Player, str], catalogue: Catalogue = ENGLISH
) -> tuple[Sentence, ...]:
    """What followed from a tried move, as the viewer may know it. What is assumed is told to everybody."""
    if not move.seat:
        text = sentence(game_named(rules).assumptions, move.move["assumption"], move.move["value"])
        return (single(rules, "assumption", text, players, catalogue),)
    return tuple(sentences(rules, seen_by(facts_of(rules, move), viewer), players, catalogue))


# Trying


def decisions(state: State) -> tuple[Decision, ...]:
    """What can be tried: the decisions of all who are asked."""
    return tuple(decision for seat in waiting(state) for decision in options(state, seat))


def tried(
    account: str, chapter: str, parent: str, rules: str, state: State, seat: str, move: Mapping[str, Any]
) -> tuple[TryMove, State]:
    """The command that adds a move to a line, and the state after it; a refusal, if the rules do not allow it."""
    facts, after = play(state, codec_for(rules).answer(seat, move))
    return trial(account, chapter, parent, seat, move, facts), after


def trial(
    account: str, chapter: str, parent: str, seat: str, move: Mapping[str, Any], facts: Sequence[Fact]
) -> TryMove:
    """The command that adds a move whose facts are known."""
    plain = tuple(msgspec.json.decode(encode(fact)) for fact in facts)
    return TryMove(account, chapter, parent, seat, dict(move), plain, SCHEMA)
