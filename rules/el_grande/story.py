"""Every fact as a sentence. Each is a table entry under the fact's stored name. Ids get their names when it is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET

from rules.el_grande.commands import SecretCommand, SetDisk, Several, Special, TakeStep
from rules.kernel import ONLY_OPTION, Command, Player
from rules.texts import Text, Value, all_of, clauses, one_by_one, say, say_many


def _regions_drawn(fact: Any) -> Text:
    homes = (say("{player} in {region}", player=player, region=home) for player, home in fact.homes.items())
    return say("the king begins in {king}; at home are {homes}", king=fact.king, homes=all_of(homes))


def _round_began(fact: Any) -> Text:
    return say("round {round}: {cards} lie face up", round=fact.round, cards=all_of(fact.cards))


def _round_ended(fact: Any) -> Text:
    if not fact.lapsed:
        return say("round {round} ends; {first} will bid first", round=fact.round, first=fact.first)
    return say(
        "round {round} ends; {lapsed} lapses; {first} will bid first",
        round=fact.round,
        lapsed=all_of(fact.lapsed),
        first=fact.first,
    )


def _game_ended(fact: Any) -> Text:
    winners = [player for player, rank in fact.places.items() if rank == 1]
    return say_many(
        "the game is over: {winners} wins",
        "the game is over: {winners} share the win",
        len(winners),
        winners=all_of(winners),
    )


def _power_cards_dealt(fact: Any) -> Text:
    return say_many("every player takes {count} power card", "every player takes {count} power cards", len(fact.values))


def _power_card_piled(fact: Any) -> Text:
    return say("{player} lays power card {value} on the played pile", player=fact.player, value=fact.value)


def _drawn(fact: Any) -> Text:
    return say_many(
        "{player} takes {count} caballero from {source} to court",
        "{player} takes {count} caballeros from {source} to court",
        fact.count,
        player=fact.player,
        source=fact.source,
    )


def _placed(fact: Any) -> Text:
    return say_many(
        "{player} places {count} caballero in {space}",
        "{player} places {count} caballeros in {space}",
        fact.count,
        player=fact.player,
        space=fact.space,
    )


def _moved(fact: Any) -> Text:
    if fact.owner == fact.by:
        return say_many(
            "{player} moves {count} caballero from {source} to {target}",
            "{player} moves {count} caballeros from {source} to {target}",
            fact.count,
            player=fact.by,
            source=fact.source,
            target=fact.target,
        )
    return say_many(
        "{player} moves {count} caballero of {owner} from {source} to {target}",
        "{player} moves {count} caballeros of {owner} from {source} to {target}",
        fact.count,
        player=fact.by,
        owner=fact.owner,
        source=fact.source,
        target=fact.target,
    )


def _returned(fact: Any) -> Text:
    return say_many(
        "{count} caballero of {owner} goes from {source} to the province",
        "{count} caballeros of {owner} go from {source} to the province",
        fact.count,
        owner=fact.owner,
        source=fact.source,
    )


def _released(fact: Any) -> Text:
    return say_many(
        "{count} caballero of {player} leaves the castillo for {target}",
        "{count} caballeros of {player} leave the castillo for {target}",
        fact.count,
        player=fact.player,
        target=fact.target,
    )


def _action_began(fact: Any) -> Text:
    if not fact.choices:
        return say("{player} performs {card}", player=fact.player, card=fact.card)
    return say("{player} performs {card} ({choices})", player=fact.player, card=fact.card, choices=chosen(fact.choices))


def _announced(fact: Any) -> Text:
    return say("{player} announces: {step}", player=fact.player, step=said(fact.step))


def _allowed(fact: Any) -> Text:
    if fact.rest:
        return say("{player} lets the whole action pass", player=fact.player)
    return say("{player} lets it pass", player=fact.player)


def _vetoed(fact: Any) -> Text:
    return say("{player} vetoes {against}'s {card}", player=fact.player, against=fact.against, card=fact.card)


def _veto_taken(fact: Any) -> Text:
    return say("{player} holds a veto until the end of round {round}", player=fact.player, round=fact.until)


def _grande_moved(fact: Any) -> Text:
    return say("{player}'s Grande moves to {region}", player=fact.player, region=fact.region)


def _scoreboard_moved(fact: Any) -> Text:
    return say("{scoreboard} goes to {space}", scoreboard=fact.scoreboard, space=fact.space)


def _recovered(fact: Any) -> Text:
    if fact.value is None:
        return say("{player} takes a power card back into the hand", player=fact.player)
    return say("{player} takes power card {value} back into the hand", player=fact.player, value=fact.value)


def _scored(fact: Any) -> Text:
    if not fact.awards:
        return say("{space} is scored: no player gets points", space=fact.space)
    awards = (
        say("{player} {points} ({reason})", player=award.player, points=award.points, reason=award.reason)
        for award in fact.awards
    )
    return say("{space} is scored: {awards}", space=fact.space, awards=all_of(awards))


def _sealed(fact: Any) -> Text:
    if fact.answer is None:
        return say("{player} has decided secretly", player=fact.player)
    if fact.because:
        return say("{player} does not decide in time: {answer}", player=fact.player, answer=said(fact.answer))
    return say("{player} has decided secretly: {answer}", player=fact.player, answer=said(fact.answer))


def _opened(fact: Any) -> Text:
    return clauses(_opened_by(player, said(answer), player in fact.late) for player, answer in fact.answers.items())


def _opened_by(player: Player, answer: Value, late: bool) -> Text:
    if late:
        return say("{player} (not in time): {answer}", player=player, answer=answer)
    return say("{player}: {answer}", player=player, answer=answer)


def _answered_for(fact: Any) -> Text:
    if fact.because == ONLY_OPTION:
        return say(
            "{player} does not answer ({decision}): only one way to go", player=fact.player, decision=fact.decision
        )
    return say("{player} does not answer in time", player=fact.player)


# Commands


def said(command: Command) -> Value:
    """A command in words."""
    match command:
        case SetDisk(region):
            return region
        case TakeStep():
            return _step(command)
        case Several(steps):
            return all_of(map(_step, steps)) if steps else say("no more steps")
        case Special():
            return chosen(command.choices())
        case SecretCommand():
            return command.in_words()
    raise AssertionError(f"nothing says {command} in words")


def _step(step: TakeStep) -> Text:
    target = str(step.target)
    if step.owner is UNSET:
        is_thing = step.source is not UNSET
        return (
            say("{thing} to {target}", thing=str(step.source), target=target)
            if is_thing
            else say("to {target}", target=target)
        )
    owner, source = str(step.owner), str(step.source)
    if step.target is UNSET:
        return say("{owner} from {source}", owner=owner, source=source)
    return say("{owner} from {source} to {target}", owner=owner, source=source, target=target)


def chosen(choices: Mapping[str, Any]) -> Value:
    """What was chosen for a special action."""
    return one_by_one(CHOICES[name](value) for name, value in choices.items())


def _counts(counts: Mapping[str, int]) -> Value:
    return all_of(say("{number} from {place}", number=number, place=place) for place, number in counts.items())


def _pieces(counts: Mapping[str, int]) -> Value:
    """Caballeros of several owners: `red/granada`."""
    return all_of(_some_of(piece, number) for piece, number in counts.items())


def _some_of(piece: str, number: int) -> Text:
    owner, _, place = piece.partition("/")
    return say("{number} of {owner} from {place}", number=number, owner=owner, place=place)


MODES = {
    "place_two": say("two more from court"),
    "move_all_own": say("all own from one region"),
}
"""The alternatives of a card."""

CHOICES: dict[str, Callable[[Any], Value]] = {
    "use": lambda value: value,
    "mode": lambda value: MODES.get(value) or value,
    "source": lambda value: say("source {region}", region=value),
    "space": lambda value: say("space {space}", space=value),
    "board": lambda value: value,
    "to": lambda value: say("to {place}", place=value),
    "region": lambda value: say("region {region}", region=value),
    "value": lambda value: say("value {value}", value=value),
    "from_regions": _counts,
    "player": lambda value: say("the Grande of {player}", player=value),
    "character": lambda value: value,
    "pardon": lambda value: say("prisoners to {place}", place=value),
    "stack": lambda value: say("stack {stack}", stack=value),
    "when": lambda value: value,
    "regions": all_of,
    "own": _pieces,
    "others": _pieces,
    "card": lambda value: value,
    "pieces": _pieces,
}
"""The fields of a `special` command in words."""

SENTENCES: dict[str, Callable[[Any], Text]] = {
    "regions_drawn": _regions_drawn,
    "power_cards_dealt": _power_cards_dealt,
    "stacks_shuffled": lambda fact: say("the action cards are shuffled"),
    "first_bidder_drawn": lambda fact: say("{player} will bid first", player=fact.player),
    "round_began": _round_began,
    "power_card_played": lambda fact: say("{player} plays power card {value}", player=fact.player, value=fact.value),
    "turn_order_set": lambda fact: say("the order of turns is {players}", players=all_of(fact.order)),
    "turn_began": lambda fact: say("it is {player}'s turn", player=fact.player),
    "power_card_piled": _power_card_piled,
    "action_card_taken": lambda fact: say("{player} takes {card}", player=fact.player, card=fact.card),
    "turn_ended": lambda fact: say("{player}'s turn ends", player=fact.player),
    "round_ended": _round_ended,
    "general_scoring_began": lambda fact: say("general scoring after round {round}", round=fact.round),
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
    "king_moved": lambda fact: say("the king moves to {region}", region=fact.region),
    "grande_moved": _grande_moved,
    "scoreboard_moved": _scoreboard_moved,
    "power_card_recovered": _recovered,
    "space_scored": _scored,
    "answer_sealed": _sealed,
    "answers_opened": _opened,
    "seal_dropped": lambda fact: say("{player}'s secret is put away", player=fact.player),
    "answered_for_player": _answered_for,
}
