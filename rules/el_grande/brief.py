"""The story in few words, for the list beside the map: what belongs together is one line, and what the map, the cards
or the next line show is not said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

from rules.el_grande.commands import SetDisk
from rules.el_grande.extension import Rules
from rules.el_grande.facts import EFFECTS
from rules.el_grande.regions import PROVINCE
from rules.el_grande.story import CHOICES, said
from rules.kernel import Fact
from rules.landmarks import UNSAID, Brief
from rules.texts import Text, Value, all_of, one_by_one, say


def brief(fact: Any, facts: Sequence[Fact[Any]]) -> Brief | None:
    """A fact among those of its commit in few words; nothing if its sentence is short enough."""
    told = BRIEFS.get(str(fact.__struct_config__.tag))
    return told(fact, facts) if told else None


def title(rules: Rules, key: str) -> Text | None:
    """The title of a card, by its id."""
    face = rules.faces.get(key.partition("-")[0])
    return face.title if face else None


def _drawn_regions(fact: Any, _: object) -> Brief:
    homes = (say("{player} in {region}", player=player, region=home) for player, home in fact.homes.items())
    return Brief(say("the king begins in {king}; {homes}", king=fact.king, homes=one_by_one(homes)))


def _played(fact: Any, _: object) -> Brief:
    first = say("{player} plays {value}", player=fact.player, value=fact.value)
    return Brief(first, say("{player} {value}", player=fact.player, value=fact.value), "plays", fact.player)


def _drawn(fact: Any, _: object) -> Brief:
    if fact.source != PROVINCE:
        text = say("{player} takes {count} from {source}", player=fact.player, count=fact.count, source=fact.source)
        return Brief(text, None, _turn(fact), fact.player)
    return Brief(
        say("{player} brings {count} to court", player=fact.player, count=fact.count), None, _turn(fact), fact.player
    )


def _taken(fact: Any, _: object) -> Brief:
    text = say("{player} takes {card}", player=fact.player, card=fact.card)
    return Brief(text, say("takes {card}", card=fact.card), _turn(fact), fact.player)


def _turn(fact: Any) -> str:
    return f"turn/{fact.player}"


def _placed(fact: Any, _: object) -> Brief:
    text = say("{player} places {count} in {space}", player=fact.player, count=fact.count, space=fact.space)
    return Brief(
        text, say("{count} in {space}", count=fact.count, space=fact.space), f"places/{fact.player}", fact.player
    )


def _moved(fact: Any, _: object) -> Brief:
    return Brief(_moving(fact), _moving_on(fact), f"moves/{fact.by}", fact.by)


def _moving(fact: Any) -> Text:
    if fact.owner == fact.by:
        return say(
            "{player} moves {count} from {source} to {target}",
            player=fact.by,
            count=fact.count,
            source=fact.source,
            target=fact.target,
        )
    return say(
        "{player} moves {count} of {owner} from {source} to {target}",
        player=fact.by,
        count=fact.count,
        owner=fact.owner,
        source=fact.source,
        target=fact.target,
    )


def _moving_on(fact: Any) -> Text:
    if fact.owner == fact.by:
        return say("{count} from {source} to {target}", count=fact.count, source=fact.source, target=fact.target)
    return say(
        "{count} of {owner} from {source} to {target}",
        count=fact.count,
        owner=fact.owner,
        source=fact.source,
        target=fact.target,
    )


def _returned(fact: Any, _: object) -> Brief:
    text = say("{owner} loses {count} from {source}", owner=fact.owner, count=fact.count, source=fact.source)
    more = say("{owner} {count} from {source}", owner=fact.owner, count=fact.count, source=fact.source)
    return Brief(text, more, "loses", fact.owner)


def _released(fact: Any, _: object) -> Brief:
    text = say(
        "{player} leads {count} out of the castillo to {target}",
        player=fact.player,
        count=fact.count,
        target=fact.target,
    )
    more = say("{player} {count} to {target}", player=fact.player, count=fact.count, target=fact.target)
    return Brief(text, more, "released", fact.player)


def _began(fact: Any, facts: Sequence[Fact[Any]]) -> Brief:
    """An action that is seen at once tells itself; one that can be vetoed is announced."""
    if any(isinstance(other, EFFECTS) for other in facts):
        return UNSAID
    if not fact.choices:
        return Brief(say("{player} performs {card}", player=fact.player, card=fact.card), seat=fact.player)
    return Brief(
        say("{player} announces {choices}", player=fact.player, choices=_chosen(fact.choices)), seat=fact.player
    )


def _chosen(choices: Mapping[str, Any]) -> Value:
    """
    >>> str(_chosen({"board": "4/0/0", "to": "castilla_la_vieja"}))
    '4/0/0 to castilla_la_vieja'
    """
    parts = (SHORT.get(name, CHOICES[name])(value) for name, value in choices.items())
    return reduce(lambda most, part: say("{most} {next}", most=most, next=part), parts)


SHORT: dict[str, Callable[[Any], Value]] = {
    "source": lambda value: say("moves out of {region}", region=value),
    "space": lambda value: value,
    "region": lambda value: value,
    "value": lambda value: value,
}
"""What was chosen for a special action, where the sentences say more."""


def _announced(fact: Any, _: object) -> Brief:
    text = say("{player} announces {step}", player=fact.player, step=said(fact.step))
    return Brief(text, seat=fact.player)


def _vetoed(fact: Any, _: object) -> Brief:
    return Brief(say("{player} vetoes {card}", player=fact.player, card=fact.card), seat=fact.player)


def _grande_moved(fact: Any, _: object) -> Brief:
    text = say("{player} moves the Grande to {region}", player=fact.player, region=fact.region)
    return Brief(text, seat=fact.player)


def _recovered(fact: Any, _: object) -> Brief:
    if fact.value is None:
        return Brief(say("{player} takes a card back", player=fact.player), seat=fact.player)
    return Brief(say("{player} takes {value} back", player=fact.player, value=fact.value), seat=fact.player)


def _sealed(fact: Any, _: object) -> Brief:
    """Somebody whose answer is not known has merely answered."""
    if not isinstance(fact.answer, SetDisk):
        text = say("{player} decides secretly", player=fact.player)
        return Brief(text, say("{player} too", player=fact.player), "sealed", fact.player)
    text = say("{player} sets {region}", player=fact.player, region=fact.answer.region)
    return Brief(text, say("{player} {region}", player=fact.player, region=fact.answer.region), "set", fact.player)


def _opened(fact: Any, _: object) -> Brief:
    answers = (say("{player} {answer}", player=player, answer=said(answer)) for player, answer in fact.answers.items())
    return Brief(say("opened: {answers}", answers=all_of(answers)))


def _round_ended(fact: Any, _: object) -> Brief:
    if not fact.lapsed:
        return UNSAID
    return Brief(say("{cards} lapses", cards=all_of(fact.lapsed)))


BRIEFS: dict[str, Callable[[Any, Sequence[Fact[Any]]], Brief]] = {
    "regions_drawn": _drawn_regions,
    "first_bidder_drawn": lambda fact, _: Brief(say("{player} bids first", player=fact.player), seat=fact.player),
    "round_began": lambda *_: UNSAID,
    "power_card_played": _played,
    "turn_order_set": lambda *_: UNSAID,
    "turn_began": lambda *_: UNSAID,
    "action_card_taken": _taken,
    "round_ended": _round_ended,
    "caballeros_drawn": _drawn,
    "caballeros_placed": _placed,
    "caballeros_moved": _moved,
    "caballeros_returned": _returned,
    "caballeros_released": _released,
    "special_action_began": _began,
    "step_announced": _announced,
    "special_action_vetoed": _vetoed,
    "grande_moved": _grande_moved,
    "power_card_recovered": _recovered,
    "answer_sealed": _sealed,
    "answers_opened": _opened,
}
"""Facts in few words, under their stored names. Those of expansions, and the others, are told by their sentences."""
