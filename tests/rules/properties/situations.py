"""Games in full swing: whatever can be asked, with any number of players, in every combination."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from hypothesis import assume, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from msgspec.structs import replace

from rules.catalogue import GAMES
from rules.codec import codec_for
from rules.el_grande.board import fits as fits_key
from rules.el_grande.board import in_map_order, plainness
from rules.el_grande.deck import design
from rules.el_grande.steps.turns import SpecialPart, UseCard
from rules.errors import Refused
from rules.forms import Counts, Form, Number
from rules.kernel import Decision, State, decide, options, waiting
from tests.rules.random_games import RandomGame, random_game

KINDS = (
    "power",
    "draw",
    "choose_card",
    "menu",
    "step",
    "veto",
    "return",
    "disk_remove_two",
    "disk_remove_all",
    "disk_expulsion",
    "disk_scoring",
    "disk_general",
    "pass_flag",
    "disk_first",
    "keep_cards",
    "disk_vote",
    "disk_two_first",
    "ship_departure",
    "limit_fill",
    "plagiarise",
    "use_stack",
    "second_menu",
    "place_foreign",
    "landing",
    "incognito",
    "consent",
    "disk_castillo",
)
EXPANSIONS: tuple[tuple[str, ...], ...] = tuple(GAMES["el_grande"].combinations(tuple(GAMES["el_grande"].expansions)))
LENGTHS = ("full", "short")
COMBINATIONS = [
    (players, length, expansions) for players in (2, 3, 4, 5) for length in LENGTHS for expansions in EXPANSIONS
]
BY_TURNS = [
    (players, LENGTHS[number % 2], expansions)
    for number, (players, expansions) in enumerate(product((2, 3, 4, 5), EXPANSIONS))
]
"""Every set with every number of players; for a short run, in which a process plays each of them once."""
HARDLY = 100
"""Examples of a short run, and more."""
ASKED_IN = {
    **dict.fromkeys(("place", "special", "symbol", "use_held", "character", "end_turn"), "menu"),
    "stop": "step",
    "end_card": "second_menu",
    "land": "landing",
    "open_done": "landing",
    "react": "incognito",
}
"""Where a command answers a decision of another name."""


@lru_cache(maxsize=64)
def played(players: int, seed: int, expansions: tuple[str, ...] = (), **agreed: str) -> RandomGame:
    """The whole game, which the garbage collector need not look at again."""
    game = random_game(players, seed, expansions, **agreed)
    gc.collect()
    gc.freeze()
    return game


@st.composite
def games(draw: st.DrawFn, with_expansions: bool = True) -> RandomGame:
    """A whole random game: few different ones in a short run, many in a long one."""
    is_short = settings().max_examples < HARDLY
    combinations = [one for one in (BY_TURNS if is_short else COMBINATIONS) if with_expansions or not one[2]]
    players, length, expansions = draw(st.sampled_from(combinations))
    seed = 0 if is_short else draw(st.integers(0, settings().max_examples // 30))
    return played(players, seed, expansions, game_length=length)


@st.composite
def situations(draw: st.DrawFn, kinds: Sequence[str] = KINDS, with_expansions: bool = True) -> State:
    """A state in which somebody is asked; rare questions come up as often as frequent ones."""
    game, kind = draw(games(with_expansions)), draw(st.sampled_from(kinds))
    asking = [turn.before for turn in game.turns if turn.before.agenda[0].asks(turn.before) == kind]
    return draw(st.sampled_from(asking or [turn.before for turn in game.turns]))


@st.composite
def decisions(draw: st.DrawFn, kinds: Sequence[str] = KINDS, with_expansions: bool = True) -> tuple[State, Decision]:
    """A state, and what one of the players is asked in it."""
    state = draw(situations(kinds, with_expansions))
    [decision] = options(state, draw(st.sampled_from(waiting(state))))
    return state, decision


@st.composite
def answers(draw: st.DrawFn, *commands: str, with_expansions: bool = True) -> tuple[State, Decision, dict[str, Any]]:
    """A state, a decision, and an answer that the decision offers: any, or one of these kinds."""
    kinds = [ASKED_IN.get(command, command) for command in commands] or KINDS
    state, decision = draw(decisions(kinds, with_expansions))
    forms = [form for form in decision.forms if not commands or form.kind in commands]
    assume(forms)
    return state, decision, draw(offered(replace(decision, forms=tuple(forms))))


@st.composite
def offered(draw: st.DrawFn, decision: Decision) -> dict[str, Any]:
    """One of the answers a decision offers, as a client would send it."""
    form = draw(st.sampled_from(decision.forms))
    return {"decision": decision.id, **form.sample(lambda limit: draw(st.integers(0, limit - 1)))}


def is_accepted(state: State, player: str, said: Any) -> bool:
    try:
        decide(state, codec_for(state.board.variant).answer(player, said))
    except Refused:
        return False
    return True


# What a client can check with the schema


def fits(decision: Decision, said: dict[str, Any]) -> bool:
    """Whether an answer is what the schema asks for, `x-total` included."""
    return any(_fits(schema, said) for schema in decision.schema()["anyOf"])


def fits_in_other_words(state: State, decision: Decision, said: dict[str, Any]) -> bool:
    """Whether an answer fits once it is written out: missing numbers and maps, and bearers under a bare region."""
    forms = [form for form in decision.forms if form.kind == said["kind"]]
    return any(_fits(form.schema(decision.id), _written_out(state, form, said)) for form in forms)


def _fits(schema: Any, said: dict[str, Any]) -> bool:
    if not Draft202012Validator(schema).is_valid(said):
        return False
    if any(not _is_within_most(field, said[name]) for name, field in schema["properties"].items() if name in said):
        return False
    if "x-total" not in schema:
        return True
    total = schema["x-total"]
    numbers = [said[name] for name in total["fields"]]
    added_up = sum(sum(number.values()) if isinstance(number, dict) else number for number in numbers)
    return bool(total["minimum"] <= added_up <= total["maximum"])


def _is_within_most(field: Any, counts: Any) -> bool:
    """Not too many of the keys that begin alike."""
    return all(
        sum(number for key, number in counts.items() if key.startswith(tuple(beginnings.split()))) <= most
        for beginnings, most in field.get("x-most", {}).items()
    )


def _written_out(state: State, form: Form, said: dict[str, Any]) -> dict[str, Any]:
    """Ruling 33: a missing map or number means empty or 0."""
    optional = (
        OPTIONAL.get(form.kind, ()) if form.kind in OPTIONAL_ALWAYS or _may_leave_out_regions(state, said) else ()
    )
    if "use" not in form.fields and said.get("use") == _only_use(state):
        said = {name: value for name, value in said.items() if name != "use"}
    written = {
        name: value
        for name, value in said.items()
        if name in form.fields or name not in optional or value not in (0, {})
    }
    for name, field in form.fields.items():
        if isinstance(field, Number):
            written.setdefault(name, 0)
        if isinstance(field, Counts) and isinstance(counts := written.get(name, {}), dict):
            written[name] = _with_exact_keys(state.board, counts, field) if field.of == "own_piece" else counts
    return written


OPTIONAL = {
    "draw": ("from_province", "from_regions"),
    "return": ("from_court", "from_regions"),
    "special": ("from_regions",),
    "react": ("from_regions",),
    "use_held": ("from_regions",),
}
OPTIONAL_ALWAYS = ("draw", "return")


def _may_leave_out_regions(state: State, said: dict[str, Any]) -> bool:
    """Few cards' special actions have something to leave out."""
    card = said.get("target") or said.get("card") or getattr(state.agenda[0], "card", "")
    return str(card).partition("-")[0] in ("s4_court_two", "ki_080")


def _only_use(state: State) -> str:
    """The use of a card that goes without saying, where something else could be said at all."""
    turn, part = state.agenda[0], state.board.rules.parts["special"]
    if not isinstance(turn, UseCard) or type(part) is SpecialPart or not state.board.rules.hand_cards:
        return ""
    if design(state.board, turn.card).stack:
        return ""
    cards = [*part.executable(state.board, turn)]
    return {"ki_king": "king", "ki_intrigue": "intrigue"}.get(cards[0], "own") if len(cards) == 1 else ""


def _with_exact_keys(board: Any, counts: dict[str, int], field: Counts) -> dict[str, int]:
    """A key that leaves something out stands for the plainest caballeros that fit it, the most exact key first."""
    exact: dict[str, int] = {}
    left = dict(field.limits)
    for key in in_map_order(board, counts):
        number = counts[key]
        for one in sorted((one for one in left if fits_key(key, one)), key=lambda one: plainness(board, one)):
            taken = min(max(number, 0), left[one])
            if taken:
                exact[one] = exact.get(one, 0) + taken
                left[one] -= taken
                number -= taken
        if number:
            exact[key] = exact.get(key, 0) + number
    return exact
