"""What is seen and told of Grandissimo."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypedDict

from rules.drawing import View
from rules.el_grande.board import Board, Deed, State, count, is_region, with_deed
from rules.el_grande.commands import SetDisk
from rules.el_grande.expansions.grandissimo.facts import (
    BLACK,
    BOYCOTT,
    INCOGNITO,
    INQUISITOR,
    JESTER,
    NAME,
    PRISON,
    QUEEN,
    SHIPS,
    changed,
    foreign_court,
    mine,
)
from rules.el_grande.expansions.grandissimo.incognito import PASS_TURN
from rules.el_grande.expansions.grandissimo.picture import ICONS
from rules.el_grande.expansions.grandissimo.questions import guests, ships
from rules.el_grande.expansions.grandissimo.symbols import PRISON_SYMBOL, SHIP
from rules.el_grande.extension import Clause
from rules.kernel import EVERYTHING, Player, Viewer
from rules.picture import Figure
from rules.texts import ENGLISH, Catalogue, Text, all_of, clauses, say, say_many

Counts = dict[Player, int]


class Ship(TypedDict):
    court: Player | None
    """In whose court the tile lies; null if it lies beside the board."""
    aboard: Counts


class HiddenRegion(TypedDict):
    player: Player
    region: str | None
    """Null for viewers who may not know it."""


class HiddenRegions(TypedDict):
    """Region cards that are held face down; null if there are none."""

    boycott: HiddenRegion | None
    incognito: HiddenRegion | None


class GrandissimoView(TypedDict):
    """What Grandissimo adds to a position."""

    ships: dict[str, Ship]
    prison: Counts
    guests: dict[Player, Counts]
    """The caballeros that wait in each player's court to be placed, by their owners."""
    characters: Mapping[str, Player | None]
    """Who holds the Queen, the Jester and the General Inquisitor."""
    used: tuple[str, ...]
    """The characters that were used in this round."""
    deputy: Player | None
    """Whose Grande acts for the king, who is in the castillo."""
    hidden: HiddenRegions
    alliance: tuple[str, ...]
    spy: Player | None
    free_will: Player | None
    kept: Mapping[str, Player]
    """Second cards that are kept for a later turn."""
    postponed: Player | None
    """Whose turn is to be finished after all others."""
    stopped_by: Player | None
    """Who has stopped the special actions of all later turns in this round."""
    disks: dict[Player, str] | None
    """The disks of the others, for the spy who sets the own one; null for all others, and at other times."""


def view(state: State, viewer: Viewer, catalogue: Catalogue = ENGLISH) -> GrandissimoView:
    board: Board = state.board
    here = mine(board)
    deeds = board.deeds or ()
    return {
        "ships": {ship: {"court": here.ships.get(ship), "aboard": _counts(board, ship)} for ship in ships(board)},
        "prison": _counts(board, PRISON),
        "guests": {player: _counts(board, foreign_court(player)) for player in board.players if guests(board, player)},
        "characters": {who: here.characters.get(who) for who in (QUEEN, JESTER, INQUISITOR)},
        "used": tuple(dict.fromkeys(who for deed in deeds if (who := deed.card.partition(">")[0]) in CHARACTERS)),
        "deputy": here.deputy or None,
        "hidden": {"boycott": _hidden(board, BOYCOTT, viewer), "incognito": _hidden(board, INCOGNITO, viewer)},
        "alliance": here.alliance,
        "spy": here.spy or None,
        "free_will": here.free_will or None,
        "kept": here.kept,
        "postponed": here.postponed or None,
        "stopped_by": next((deed.player for deed in deeds if deed.card == "gr_action_stop"), None),
        "disks": _disks(state, viewer),
    }


def _counts(board: Board, space: str) -> Counts:
    return {player: number for player in board.players if (number := count(board, space, player))}


def _hidden(board: Board, use: str, viewer: Viewer) -> HiddenRegion | None:
    for player, region in mine(board).hidden.get(use, {}).items():
        return {"player": player, "region": region if region and viewer in (player, EVERYTHING) else None}
    return None


def _disks(state: State, viewer: Viewer) -> dict[Player, str] | None:
    """What the spy sees while the own disk is not yet set."""
    spy = mine(state.board).spy
    if not spy or viewer not in (spy, EVERYTHING) or not state.agenda or state.agenda[0].asks(state) != "disk_general":
        return None
    if state.agenda[0].waits_for(state) != (spy,):
        return None
    return {player: disk.region for player, disk in state.sealed.items() if isinstance(disk, SetDisk)}


# Positions as text


def _written(board: Board) -> Iterator[str]:
    here = mine(board)
    for word, value in _words(board).items():
        if value:
            yield f"{word}: {value}"
    for use, cards in here.hidden.items():
        for player, region in cards.items():
            yield f"hidden {use}: {player} {region}"


def _words(board: Board) -> dict[str, str]:
    """What is written of this expansion under each word."""
    here = mine(board)
    return {
        "ships": _pairs(here.ships),
        "characters": _pairs(here.characters),
        "deputy": f"{here.deputy} {here.left}".strip(),
        "alliance": " ".join(here.alliance),
        "spy": here.spy,
        "free_will": here.free_will,
        "second": here.second,
        "kept": _pairs(here.kept),
        "postponed": here.postponed,
    }


def _pairs(items: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in items.items())


def _nothing(board: Board) -> Iterator[str]:
    """Written with the others."""
    return iter(())


def _read_pairs(body: str) -> dict[str, str]:
    return dict(_two(item) for item in body.split(",") if item.strip())


def _two(item: str) -> tuple[str, str]:
    name, value = item.split()
    return name, value


def _player(board: Board, name: str) -> str:
    if name and name not in board.players:
        raise KeyError(name)
    return name


def _read_ships(board: Board, _: str, body: str) -> Board:
    pairs = _read_pairs(body)
    if not set(pairs) <= set(ships(board)) or not set(pairs.values()) <= set(board.players):
        raise KeyError(body)
    return changed(board, ships=pairs)


def _read_characters(board: Board, _: str, body: str) -> Board:
    pairs = _read_pairs(body)
    if not set(pairs) <= set(CHARACTERS) or not set(pairs.values()) <= set(board.players):
        raise KeyError(body)
    return changed(board, characters=pairs)


def _read_kept(board: Board, _: str, body: str) -> Board:
    pairs = _read_pairs(body)
    if not set(pairs.values()) <= set(board.players):
        raise KeyError(body)
    return changed(board, kept=pairs)


def _read_deputy(board: Board, _: str, body: str) -> Board:
    """The king is in the castillo meanwhile."""
    deputy, left = _two(body)
    return changed(board, deputy=_player(board, deputy), left=left)


def _read_alliance(board: Board, _: str, body: str) -> Board:
    first, second = body.split()
    if not is_region(board, first) or not is_region(board, second):
        raise KeyError(body)
    return changed(board, alliance=(first, second))


def _read_hidden(board: Board, use: str, body: str) -> Board:
    player, region = _two(body)
    if use not in (BOYCOTT, INCOGNITO) or not is_region(board, region):
        raise KeyError(body)
    return changed(board, hidden={**mine(board).hidden, use: {_player(board, player): region}})


def _written_deeds(board: Board) -> Iterator[str]:
    for deed in board.deeds or ():
        yield f"done {deed.player}: {deed.card}"


def _read_deed(board: Board, player: str, body: str) -> Board:
    return with_deed(board, Deed(_player(board, player), body))


def _one_player(field: str) -> Clause:
    return Clause(_nothing, lambda board, _, body: changed(board, **{field: _player(board, body)}))


CLAUSES = {
    "ships": Clause(_written, _read_ships),
    "characters": Clause(_nothing, _read_characters),
    "deputy": Clause(_nothing, _read_deputy),
    "alliance": Clause(_nothing, _read_alliance),
    "spy": _one_player("spy"),
    "free_will": _one_player("free_will"),
    "second": Clause(_nothing, lambda board, _, body: changed(board, second=body)),
    "kept": Clause(_nothing, _read_kept),
    "postponed": _one_player("postponed"),
    "hidden": Clause(_nothing, _read_hidden),
    "done": Clause(_written_deeds, _read_deed),
}

# Drawing


def figures(seen: View, player: Player) -> Iterator[Figure]:
    """What a player has beside what everybody has."""
    here = seen[NAME]
    for character, holder in here["characters"].items():
        if holder == player:
            yield Figure(ICONS[character], 1, FIGURES[character])
    for use, held in here["hidden"].items():
        if held and held["player"] == player:
            yield Figure("mask" if use == INCOGNITO else "disk-remove", 1, _held(use, held["region"]))
    if waiting := here["guests"].get(player):
        yield Figure("court", sum(waiting.values()), say("caballeros of others that wait to be placed"))
    for ship in here["ships"].values():
        if ship["court"] == player:
            yield Figure("ship", sum(ship["aboard"].values()), say("caballeros on a ship in this court"))
    for field, text in HELD.items():
        if here[field] == player:
            yield Figure(SIGNS[field], 1, text)
    for holder in here["kept"].values():
        if holder == player:
            yield Figure("cards", 1, say("second card, kept for a later turn"))


def _held(use: str, region: str | None) -> Text:
    if use == BOYCOTT:
        text = say("region that is not scored, held in secret")
    else:
        text = say("region where the king may go, held in secret")
    return say("{text}: {region}", text=text, region=region) if region else text


CHARACTERS = {QUEEN: say("the Queen"), JESTER: say("the Jester"), INQUISITOR: say("the General Inquisitor")}

FIGURES = {
    QUEEN: say("holds the Queen"),
    JESTER: say("holds the Jester"),
    INQUISITOR: say("holds the General Inquisitor"),
}

SIGNS = {"spy": "eye", "free_will": "move-own", "deputy": "crown", "postponed": "clock"}


HELD = {
    "spy": say("spy for the next general scoring"),
    "free_will": say("free will in the next general scoring"),
    "deputy": say("Grande who acts for the king"),
    "postponed": say("turn to be finished after all others"),
}

# Telling


def _pardoned(fact: Any) -> Text:
    prisoners = all_of(
        say("{player} {number}", player=player, number=number) for player, number in fact.prisoners.items()
    )
    return say(
        "{by} pardons all prisoners: {prisoners} go to {space}", by=fact.by, prisoners=prisoners, space=fact.space
    )


def _landed(fact: Any) -> Text:
    return say_many(
        "{player} lands {count} caballero in {region}",
        "{player} lands {count} caballeros in {region}",
        fact.count,
        player=fact.player,
        region=fact.region,
    )


def _conscripts(fact: Any) -> Text:
    return say_many(
        "{player} places {count} caballero from the province in {space}",
        "{player} places {count} caballeros from the province in {space}",
        fact.count,
        player=fact.player,
        space=fact.space,
    )


def _second(fact: Any) -> Text:
    if fact.is_kept:
        return say("{player} keeps {card} for a later turn", player=fact.player, card=fact.card)
    return say("{player} uses {card} as well", player=fact.player, card=fact.card)


def _hidden_card(fact: Any) -> Text:
    if not fact.region:
        return say("{player} takes a region card in secret", player=fact.player)
    return say("{player} takes the region card of {region}", player=fact.player, region=fact.region)


def _agreed(fact: Any) -> Text:
    if fact.agree:
        return say("{player} lets a caballero go along", player=fact.player)
    return say("{player} lets no caballero go along", player=fact.player)


def _seen(fact: Any) -> Text:
    if not fact.regions:
        return say("{player} looks at the disks of the others", player=fact.spy)
    disks = clauses(say("{player}: {region}", player=player, region=region) for player, region in fact.regions.items())
    return say("{player} looks at the disks of the others: {disks}", player=fact.spy, disks=disks)


def _passed(fact: Any) -> Text:
    if fact.turn:
        return say("{player} lets the king stay for this turn", player=fact.player)
    return say("{player} lets the king stay for now", player=fact.player)


def _scored(of: Text, fact: Any) -> Text:
    if not fact.awards:
        return say("{space} are scored: no player gets points", space=of)
    awards = (
        say("{player} {points} ({reason})", player=award.player, points=award.points, reason=award.reason)
        for award in fact.awards
    )
    return say("{space} are scored: {awards}", space=of, awards=all_of(awards))


def _imprisoned(fact: Any) -> Text:
    return say("a caballero of {owner} goes from {source} to prison", owner=fact.owner, source=fact.source)


SENTENCES = {
    "mercenaries_drawn": lambda fact: say("the mercenaries begin in {region}", region=fact.region),
    "ship_taken": lambda fact: say("{ship} comes to {player}'s court", ship=fact.ship, player=fact.player),
    "caballero_imprisoned": _imprisoned,
    "prisoners_pardoned": _pardoned,
    "caballeros_landed": _landed,
    "character_taken": lambda fact: say("{player} takes {character}", player=fact.player, character=fact.character),
    "character_used": lambda fact: say("{player} uses {character}", player=fact.player, character=fact.character),
    "caballero_sent_to_court": lambda fact: say(
        "{owner} sends a caballero to {player}'s court", owner=fact.owner, player=fact.player
    ),
    "foreign_placed": lambda fact: say(
        "{player} places a caballero of {owner} in {space}", player=fact.by, owner=fact.owner, space=fact.space
    ),
    "escort_agreed": _agreed,
    "second_card_chosen": _second,
    "second_card_used": lambda fact: say("{player} begins with {card}", player=fact.player, card=fact.card),
    "second_card_laid_aside": lambda fact: say("{player} lays {card} aside", player=fact.player, card=fact.card),
    "actions_stopped": lambda fact: say(
        "{player} stops the special actions of all later turns in this round", player=fact.player
    ),
    "conscripts_called": lambda fact: say("{player} places from the province", player=fact.player),
    "conscripts_placed": _conscripts,
    "turn_postponed": lambda fact: say("{player} will go on after all others", player=fact.player),
    "turn_resumed": lambda fact: say("{player} goes on", player=fact.player),
    "alliance_formed": lambda fact: say(
        "{regions} will be scored as one in the next general scoring", regions=all_of(fact.regions)
    ),
    "spy_hired": lambda fact: say("{player} will see the disks of the next general scoring", player=fact.player),
    "free_will_kept": lambda fact: say(
        "{player} will move two caballeros in the next general scoring", player=fact.player
    ),
    "castillo_emptied": lambda fact: say("{player} has the castillo emptied", player=fact.by),
    "courts_scored": lambda fact: _scored(say("the courts"), fact),
    "revolution_began": lambda fact: say(
        "the king goes into the castillo; {player}'s Grande acts for him", player=fact.deputy
    ),
    "deputy_moved": lambda fact: say(
        "{player}'s Grande, who acts for the king, moves to {region}", player=fact.player, region=fact.region
    ),
    "king_returned": lambda fact: say("the king returns to {region}", region=fact.region),
    "region_card_hidden": _hidden_card,
    "king_came_incognito": lambda fact: say(
        "{player} turns a region card up: the king comes to {region}", player=fact.player, region=fact.region
    ),
    "incognito_passed": _passed,
    "boycott_shown": lambda fact: say(
        "{player} shows {region}: it is not scored", player=fact.player, region=fact.region
    ),
    "disks_seen": _seen,
    "free_will_used": lambda fact: say("{player} uses the free will", player=fact.player),
    "allied_regions_scored": lambda fact: _scored(
        say("{first} and {second} together", first=fact.space, second=fact.ally), fact
    ),
    "effects_ended": lambda fact: say("markers and region cards go back"),
}

NAMES = {
    "grandissimo": say("Grandissimo"),
    "portugal": say("Portugal"),
    BLACK: say("the mercenaries"),
    PRISON: say("the prison"),
    **{ship: say("ship {number}", number=number) for number, ship in enumerate(SHIPS, start=1)},
    **CHARACTERS,
    SHIP: say("the symbol of the ship"),
    PRISON_SYMBOL: say("the symbol of the prison"),
    "now": say("now"),
    "keep": say("later"),
    PASS_TURN: say("not in this turn"),
    "draw": say("to court"),
    "place": say("to the board"),
    "kept_action_card": say("cards"),
}
