"""Whole games as text: what the players say, and the story that follows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rules.catalogue import game_named, rules_named
from rules.el_grande.board import space_of
from rules.el_grande.extension import RULES
from rules.el_grande.names import PLACES
from rules.errors import Refused
from rules.fairness import Chance
from rules.kernel import Answer, Fact, State, StepTaken, TimeUp, decision_id, play
from rules.narration import sentence
from rules.texts import ENGLISH
from tests.rules.random_games import Turn, random_turns

WIDEST = RULES[rules_named("el_grande+grand_inquisitor_and_colonies+anniversary").name]
BY_NAME = {key: name for key, name in WIDEST.names.items() if space_of(key) in {*PLACES, *WIDEST.regions}}
"""Places go by their names; cards by their ids, which tell copies apart."""

SAID = "> "
TIME_UP = "time_up"


class Heading(NamedTuple):
    """The first line of a playthrough: `el_grande, 3 players, short, castillo hidden, seed 7`."""

    variant: str
    players: int
    agreed: dict[str, str]
    seed: int

    @classmethod
    def parse(cls, line: str) -> Heading:
        variant, players, *agreed, seed = line.split(", ")
        return cls(variant, int(players.split()[0]), dict(_agreed(variant, agreed)), int(seed.split()[1]))

    def begin(self) -> tuple[tuple[Fact, ...], State]:
        followed = rules_named(self.variant)
        return game_named(self.variant).start(followed, self.players, self.seed.to_bytes(8, "big"), **self.agreed)


def _agreed(variant: str, parts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """What was agreed: the last word of each part is the value of an option."""
    for part in parts:
        value = part.split()[-1]
        yield next(name for name, values in game_named(variant).options.items() if value in values), value


def narrated(lines: list[str]) -> list[str]:
    """The playthrough with this first line and these moves, told anew."""
    heading = Heading.parse(lines[0])
    facts, state = heading.begin()
    text = [lines[0], "", *_sentences(state, facts)]
    for turn in _turns(state, lines, Chance(heading.seed.to_bytes(9, "big"))):
        text += [_said(turn), *_sentences(turn.before, turn.facts)]
        state = turn.after
    return [*text, "", *game_named(heading.variant).notation.position(state.board).split("; ")]


def _turns(state: State, lines: Iterable[str], chance: Chance) -> Iterator[Turn]:
    """The moves of a text as far as they are legal; then it goes on at random."""
    for line in lines:
        if not line.startswith(SAID):
            continue
        answer = _answer(state, line.removeprefix(SAID))
        try:
            facts, after = play(state, answer)
        except Refused:
            break
        yield Turn(state, answer, facts, after)
        state = after
    yield from random_turns(state, chance)


def _answer(state: State, said: str) -> Answer | TimeUp:
    player, _, text = said.partition(" ")
    decision = decision_id(state, player)
    if text == TIME_UP:
        return TimeUp(player, decision)
    notation = game_named(state.board.variant).notation
    return Answer(player, decision, notation.parse_move(text, state.board.rules))


def _said(turn: Turn) -> str:
    notation = game_named(turn.before.board.variant).notation
    text = notation.move(turn.answer.command) if isinstance(turn.answer, Answer) else TIME_UP
    return f"{SAID}{turn.answer.player} {text}"


def _sentences(state: State, facts: Iterable[Fact]) -> list[str]:
    rules = state.board.rules
    return [
        f"    {sentence(rules, fact).rendered(ENGLISH, BY_NAME.get)}"
        for fact in facts
        if not isinstance(fact, StepTaken)
    ]
