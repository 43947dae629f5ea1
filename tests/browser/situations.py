"""Every way to answer every decision, each in a game that comes to it: looked for in memory, then played for real."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from events.games import Games
from events.log.memory import MemoryLog
from rules.forms import Form, Number
from rules.kernel import Answer, Decision, Player, State, TimeUp, options, play, waiting
from rules.simulation import random_answer, random_decision
from tests.browser.asking import SHORT, Table, chance, set_up
from tests.running import Service

BASE, ANNIVERSARY, INTRIGUE = "el_grande", "el_grande+anniversary", "el_grande+king_and_intrigue"
RULES = (BASE, INTRIGUE, ANNIVERSARY)
GAMES_LOOKED_AT = 200

Fields = tuple[tuple[str, str], ...]


class Way(NamedTuple):
    """A way to answer: the kinds of the decision and of the answer, and what its fields ask for."""

    decision: str
    answer: str
    fields: Fields = ()

    def __str__(self) -> str:
        return "-".join((self.decision, self.answer, *(f"{name}:{of}" for name, of in self.fields)))


def way(decision: Decision, form: Form) -> Way:
    return Way(decision.kind, form.kind, tuple((name, field.of) for name, field in form.fields.items()))


MENU = "menu", "special"
WAYS = (
    Way("power", "play_power_card", (("value", "power_card"),)),
    Way("draw", "draw", (("from_province", "province"),)),
    Way("draw", "draw", (("from_province", "province"), ("from_regions", "own_piece"))),
    Way("choose_card", "choose_action_card", (("stack", "action_card"),)),
    Way("menu", "place", (("to", "placement"),)),
    Way("menu", "end_turn"),
    Way(*MENU),
    Way(*MENU, (("space", "space"),)),
    Way(*MENU, (("region", "space"),)),
    Way(*MENU, (("source", "space"),)),
    Way(*MENU, (("mode", ""),)),
    Way(*MENU, (("mode", ""), ("source", "space"))),
    Way(*MENU, (("to", "king_goes"),)),
    Way(*MENU, (("to", "grande_goes"),)),
    Way(*MENU, (("board", "scoreboard"), ("to", "scoreboard_goes"))),
    Way(*MENU, (("value", "power_card"),)),
    Way(*MENU, (("from_regions", "own_piece"),)),
    Way("step", "step", (("owner", "piece"), ("from", "piece"), ("to", "destination"))),
    Way("step", "step", (("owner", "piece"), ("from", "piece"))),
    Way("step", "step", (("to", "placement"),)),
    Way("step", "stop"),
    Way("veto", "veto_response", (("answer", "veto"),)),
    Way("return", "return", (("from_court", "court"), ("from_regions", "own_piece"))),
    Way("disk_remove_two", "set_disk", (("region", "disk"),)),
    Way("disk_remove_all", "set_disk", (("region", "disk"),)),
    Way("disk_expulsion", "set_disk", (("region", "disk"),)),
    Way("disk_scoring", "set_disk", (("region", "disk"),)),
    Way("disk_general", "set_disk", (("region", "disk"),)),
    Way("pass_flag", "pass_flag", (("to", "bearer"),)),
    Way("disk_first", "set_disk", (("region", "disk"),)),
    Way("keep_cards", "keep_cards", (("values", "kept_card"),)),
    Way("disk_vote", "set_disk", (("region", "disk"),)),
    Way(*MENU, (("to", "grande_goes"), ("from_regions", "own_piece"))),
    Way(*MENU, (("use", ""),)),
    Way(*MENU, (("use", ""), ("to", "king_goes"))),
    Way(*MENU, (("use", ""), ("mode", ""), ("source", "space"))),
    Way(*MENU, (("use", ""), ("to", "grande_goes"), ("from_regions", "own_piece"))),
    Way(*MENU, (("use", ""), ("board", "scoreboard"), ("to", "scoreboard_goes"))),
    Way(*MENU, (("use", ""), ("space", "space"))),
    Way(*MENU, (("use", ""), ("region", "space"))),
)
"""All of the base game and of its expansions; a test compares them with what games ask."""


class Found(NamedTuple):
    """Where a way to answer is open: the game, the answers that lead there, and the seat."""

    players: int
    rules: str
    seed: int
    before: tuple[Answer | TimeUp, ...]
    seat: Player
    form: Form

    def table(self, service: Service) -> Table:
        table = Table(service, self.players, self.rules, self.seed)
        table.play(self.before)
        return table


@cache
def found() -> dict[Way, Found]:
    """The first game, of those that are looked at, for every way."""
    known: dict[Way, Found] = {}
    for seed in range(GAMES_LOOKED_AT):
        for here in looked_at(seed):
            [decision] = here.decisions
            for form in decision.forms:
                known.setdefault(way(decision, form), here.found(form))
        if set(WAYS) <= set(known):
            break
    return known


class Here(NamedTuple):
    players: int
    rules: str
    seed: int
    before: tuple[Answer | TimeUp, ...]
    state: State
    seat: Player

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return options(self.state, self.seat)

    def found(self, form: Form) -> Found:
        return Found(self.players, self.rules, self.seed, self.before, self.seat, form)


def looked_at(seed: int, among: tuple[str, ...] = RULES) -> Iterator[Here]:
    """All decisions of a random game. In every second one all hoard: low cards bring many caballeros, soon the last."""
    players, rules = 2 + seed % 4, among[seed % 3]
    accounts = tuple(f"a_{number}" for number in range(players))
    state: State[Any] = set_up(Games(MemoryLog(), draw=chance(seed)), players, rules, SHORT, accounts).state
    pick = random.Random(seed).randrange
    before: tuple[Answer | TimeUp, ...] = ()
    while not state.is_over:
        yield from (Here(players, rules, seed, before, state, seat) for seat in waiting(state))
        decision = random_decision(state, pick)
        answer = (hoarding(decision) if seed % 2 else None) or random_answer(state, decision, pick)
        state, before = play(state, answer)[1], (*before, answer)


def hoarding(decision: Decision) -> Answer | TimeUp | None:
    """Time is up: the default plays the lowest card, and takes all that there is."""
    return TimeUp(decision.player, decision.id) if decision.kind in ("power", "draw") else None


def sampled(form: Form, seed: int = 1) -> dict[str, Any]:
    """An answer of this form, with more than nothing in it."""
    pick = random.Random(seed).randrange
    answers = (form.sample(pick) for _ in range(100))
    fullest = {name: field.high for name, field in form.fields.items() if isinstance(field, Number)}
    return next((answer for answer in answers if all(answer[name] for name in fullest)), form.example())
