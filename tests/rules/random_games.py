"""Whole games by a player who takes any legal answer, told by a seed: the same seed is the same game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rules.catalogue import GAMES
from rules.codec import codec_for
from rules.fairness import Chance
from rules.kernel import Answer, Fact, State, TimeUp, options, play, waiting

TIME_UP_ONE_IN = 30
LEAVE_UNDONE_ONE_IN = 5


class Turn(NamedTuple):
    """A state in which somebody is asked, what was answered, what followed."""

    before: State
    answer: Answer | TimeUp
    facts: tuple[Fact, ...]
    after: State


class RandomGame(NamedTuple):
    table: State
    """The empty table, to which all facts can be applied."""
    opening: tuple[Fact, ...]
    turns: tuple[Turn, ...]

    @property
    def facts(self) -> tuple[Fact, ...]:
        return self.opening + tuple(fact for turn in self.turns for fact in turn.facts)

    @property
    def state(self) -> State:
        return self.turns[-1].after


def random_game(
    players: int, seed: int, expansions: tuple[str, ...] = (), name: str = "el_grande", **agreed: str
) -> RandomGame:
    """The whole game of this seed."""
    game = GAMES[name]
    followed = game.rules(expansions)
    opening, state = game.start(followed, players, seed.to_bytes(8, "big"), **agreed)
    table = State(game.empty_table(followed, players, **agreed))
    return RandomGame(table, opening, tuple(random_turns(state, Chance(seed.to_bytes(9, "big")))))


def random_turns(state: State, chance: Chance) -> Iterator[Turn]:
    while asked := waiting(state):
        answer = random_answer(state, asked[chance.below(len(asked))], chance)
        facts, after = play(state, answer)
        yield Turn(state, answer, facts, after)
        state = after


def random_answer(state: State, player: str, chance: Chance) -> Answer | TimeUp:
    """Any legal answer; some let the time run out, few leave something undone."""
    [decision] = options(state, player)
    if not chance.below(TIME_UP_ONE_IN):
        return TimeUp(player, decision.id)
    undoing = (*state.board.rules.finishing, *state.board.rules.rare)
    forms = [form for form in decision.forms if form.kind not in undoing]
    if not forms or not chance.below(LEAVE_UNDONE_ONE_IN):
        forms = list(decision.forms)
    said = forms[chance.below(len(forms))].sample(chance.below)
    return Answer(player, decision.id, codec_for(state.board.variant).stored_command(said))
