"""Random games of El Caballero, told by a seed, and the situations in them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from msgspec import convert

from rules.el_caballero.base import BASE
from rules.el_caballero.setup import start
from rules.fairness import Chance
from rules.kernel import Answer, Command, Decision, State, TimeUp, options, play, waiting

COMMANDS = {str(kind.__struct_config__.tag): kind for kind in BASE.commands}
LEAVE_UNDONE_ONE_IN = 8
TIME_UP_ONE_IN = 40


def command(said: dict[str, Any]) -> Command:
    return convert(said, COMMANDS[said["kind"]])


def random_game(players: int, mode: str, seed: int) -> Iterator[tuple[State, Decision, Answer | TimeUp]]:
    """Every decision of a game, and how it is answered."""
    _, state = start(BASE, players, seed.to_bytes(8, "big"), mode=mode)
    chance = Chance(b"answers" + seed.to_bytes(8, "big"))
    while asked := waiting(state):
        [decision] = options(state, asked[0])
        answer = _answer(decision, chance)
        yield state, decision, answer
        _, state = play(state, answer)


def _answer(decision: Decision, chance: Chance) -> Answer | TimeUp:
    if not chance.below(TIME_UP_ONE_IN):
        return TimeUp(decision.player, decision.id)
    undoing = (*BASE.finishing, *BASE.rare)
    forms = [form for form in decision.forms if form.kind not in undoing]
    if not forms or not chance.below(LEAVE_UNDONE_ONE_IN):
        forms = list(decision.forms)
    said = forms[chance.below(len(forms))].sample(chance.below)
    return Answer(decision.player, decision.id, command(said))


@lru_cache(maxsize=16)
def turns(players: int, mode: str, seed: int) -> tuple[tuple[State, Decision], ...]:
    """The situations of a game in which a player has a turn."""
    game = random_game(players, mode, seed)
    return tuple((state, decision) for state, decision, _ in game if decision.kind == "turn")
