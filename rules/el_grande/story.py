"""Every fact as a sentence. Each sentence is a table entry under the fact's stored name, ready to be translated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rules.el_grande.board import is_marked, space_of
from rules.el_grande.commands import SetDisk, Several, TakeStep
from rules.el_grande.regions import COURT, NAMES, PROVINCE
from rules.kernel import Command


def place(key: str) -> str:
    """A space as people call it.

    >>> place("castilla_la_nueva"), place("granada+flag"), place("court")
    ('New Castile', 'Granada (flag)', 'the court')
    """
    if key in (COURT, PROVINCE):
        return f"the {key}"
    space = space_of(key)
    name = NAMES.get(space, (space,))[0]
    return f"{name} ({key.removeprefix(space)[1:]})" if is_marked(key) else name


def caballeros(number: int) -> str:
    return "1 caballero" if number == 1 else f"{number} caballeros"


def listed(items: Iterable[str]) -> str:
    """
    >>> listed(["red", "blue", "green"])
    'red, blue and green'
    """
    *most, last = list(items) or ["nobody"]
    return f"{', '.join(most)} and {last}" if most else last


def _regions_drawn(fact: Any) -> str:
    homes = listed(f"{player} in {place(home)}" for player, home in fact.homes.items())
    return f"the king begins in {place(fact.king)}; at home are {homes}"


def _round_began(fact: Any) -> str:
    return f"round {fact.round}: {listed(fact.cards)} lie face up"


def _turn_ended(fact: Any) -> str:
    return f"{fact.player}'s turn ends"


def _round_ended(fact: Any) -> str:
    lapsed = f"; {listed(fact.lapsed)} lapses" if fact.lapsed else ""
    return f"round {fact.round} ends{lapsed}; {fact.first} will bid first"


def _game_ended(fact: Any) -> str:
    winners = [player for player, rank in fact.places.items() if rank == 1]
    return f"the game is over: {listed(winners)} {'wins' if len(winners) == 1 else 'share the win'}"


def _drawn(fact: Any) -> str:
    return f"{fact.player} takes {caballeros(fact.count)} from {place(fact.source)} to court"


def _placed(fact: Any) -> str:
    return f"{fact.player} places {caballeros(fact.count)} in {place(fact.space)}"


def _moved(fact: Any) -> str:
    whose = "" if fact.owner == fact.by else f" of {fact.owner}"
    return f"{fact.by} moves {caballeros(fact.count)}{whose} from {place(fact.source)} to {place(fact.target)}"


def _returned(fact: Any) -> str:
    go = "goes" if fact.count == 1 else "go"
    return f"{caballeros(fact.count)} of {fact.owner} {go} from {place(fact.source)} to the province"


def _released(fact: Any) -> str:
    leave = "leaves" if fact.count == 1 else "leave"
    return f"{caballeros(fact.count)} of {fact.player} {leave} the castillo for {place(fact.target)}"


def _action_began(fact: Any) -> str:
    chosen = ", ".join(f"{name} {_chosen(value)}" for name, value in fact.choices.items())
    return f"{fact.player} performs {fact.card}{f' ({chosen})' if chosen else ''}"


def _chosen(value: Any) -> str:
    if isinstance(value, Mapping):
        return listed(f"{number} from {place(key)}" for key, number in value.items())
    return place(value) if isinstance(value, str) else str(value)


def _announced(fact: Any) -> str:
    return f"{fact.player} announces: {said(fact.step)}"


def _allowed(fact: Any) -> str:
    return f"{fact.player} lets {'the whole action' if fact.rest else 'it'} pass"


def _vetoed(fact: Any) -> str:
    return f"{fact.player} vetoes {fact.against}'s {fact.card}"


def _veto_taken(fact: Any) -> str:
    return f"{fact.player} holds a veto until the end of round {fact.until}"


def _recovered(fact: Any) -> str:
    which = "a power card" if fact.value is None else f"power card {fact.value}"
    return f"{fact.player} takes {which} back into the hand"


def _scored(fact: Any) -> str:
    if not fact.awards:
        return f"{place(fact.space)} is scored: nobody gets points"
    awards = listed(f"{award.player} {award.points} ({award.reason})" for award in fact.awards)
    return f"{place(fact.space)} is scored: {awards}"


def _sealed(fact: Any) -> str:
    answer = "" if fact.answer is None else f": {said(fact.answer)}"
    return f"{fact.player} has decided secretly{answer}"


def _opened(fact: Any) -> str:
    return "; ".join(f"{player}: {said(answer)}" for player, answer in fact.answers.items())


def _answered_for(fact: Any) -> str:
    why = "only one way to go" if fact.because == "only_option" else "time is up"
    return f"{fact.player} does not answer ({fact.decision}): {why}"


def said(command: Command) -> str:
    """A command in words."""
    match command:
        case SetDisk(region):
            return place(region)
        case TakeStep(owner, source, target):
            parts = [
                owner or "",
                f"from {place(source)}" if source else "",
                f"to {place(target)}" if target else "",
            ]
            return " ".join(part for part in parts if part)
        case Several(steps):
            return listed(said(step) for step in steps) if steps else "no more steps"
    fields = ((name, getattr(command, name)) for name in command.__struct_fields__)
    return ", ".join(f"{name} {_chosen(value)}" for name, value in fields if value)


SENTENCES: dict[str, Callable[[Any], str]] = {
    "regions_drawn": _regions_drawn,
    "power_cards_dealt": lambda fact: f"every player takes {len(fact.values)} power cards",
    "stacks_shuffled": lambda fact: "the action cards are shuffled",
    "first_bidder_drawn": lambda fact: f"{fact.player} will bid first",
    "round_began": _round_began,
    "power_card_played": lambda fact: f"{fact.player} plays power card {fact.value}",
    "turn_order_set": lambda fact: f"the order of turns is {listed(fact.order)}",
    "turn_began": lambda fact: f"it is {fact.player}'s turn",
    "power_card_piled": lambda fact: f"{fact.player} lays power card {fact.value} on the played pile",
    "action_card_taken": lambda fact: f"{fact.player} takes {fact.card}",
    "turn_ended": _turn_ended,
    "round_ended": _round_ended,
    "general_scoring_began": lambda fact: f"general scoring after round {fact.round}",
    "game_ended": _game_ended,
    "caballeros_drawn": _drawn,
    "caballeros_placed": _placed,
    "caballeros_moved": _moved,
    "caballeros_returned": _returned,
    "caballeros_released": _released,
    "special_action_began": _action_began,
    "step_announced": _announced,
    "special_action_allowed": _allowed,
    "special_action_vetoed": _vetoed,
    "veto_taken": _veto_taken,
    "king_moved": lambda fact: f"the king moves to {place(fact.region)}",
    "grande_moved": lambda fact: f"{fact.player}'s Grande moves to {place(fact.region)}",
    "scoreboard_moved": lambda fact: f"{fact.scoreboard} goes to {place(fact.space)}",
    "power_card_recovered": _recovered,
    "space_scored": _scored,
    "answer_sealed": _sealed,
    "answers_opened": _opened,
    "seal_dropped": lambda fact: f"{fact.player}'s secret is put away",
    "answered_for_player": _answered_for,
}
