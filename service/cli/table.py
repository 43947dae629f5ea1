"""The table in the terminal: map, players, cards. It draws what `view` shows, and knows no more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from rules.catalogue import rules_named
from rules.el_grande.deck import ActionCard
from rules.el_grande.extension import Points, Rules
from rules.el_grande.regions import CASTILLO, NAMES

STYLES = {"red": "red", "blue": "dodger_blue1", "yellow": "yellow", "green": "green", "brown": "orange4"}

MAP = (
    ("galicia", "pais_vasco", "aragon", "cataluna"),
    (CASTILLO, "castilla_la_vieja", "castilla_la_nueva", "valencia"),
    ("", "sevilla", "granada", ""),
)
"""The regions where they lie; the castillo stands in the ocean."""

WIDTH = 20
"""Four spaces beside each other fill a usual terminal."""

KING, GRANDE, FLAG, SCOREBOARD = "♔", "♜", "⚑", "★"

View = Mapping[str, Any]


def table(seen: View, you: str) -> RenderableType:
    """Everything on the table."""
    parts = (
        _headline(seen),
        map_of(seen),
        _legend(seen),
        players(seen, you),
        Text(),
        cards(seen),
        *under_way(seen),
        Text(),
        hand(seen, you),
    )
    return Group(*parts)


def _headline(seen: View) -> Rule:
    played = rules_named(seen["rules"]).rounds[seen["game_length"]]
    return Rule(Text(f"Round {seen['round']} of {played[-1]}", style="bold"), style="dim")


# The map


def map_of(seen: View) -> Table:
    grid = Table.grid()
    for row in MAP:
        contents = {space: _contents(seen, space) for space in row if space}
        height = max(2, *map(len, contents.values()))
        grid.add_row(*(_space(seen, space, contents[space], height) if space else "" for space in row))
    return grid


def _space(seen: View, space: str, lines: list[Text], height: int) -> Panel:
    rules = rules_named(seen["rules"])
    is_king = space == seen["king"]
    is_open = space == CASTILLO or space in rules.regions[seen["king"]].neighbours
    return Panel(
        Group(*lines),
        title=Text(f"{KING} {name(space)}" if is_king else name(space), style="bold" if is_king or is_open else ""),
        subtitle=_worth(rules, seen, space),
        box=box.DOUBLE if is_king else box.HEAVY if is_open else box.ROUNDED,
        border_style="" if is_king or is_open else "dim",
        width=WIDTH,
        height=height + 2,
        padding=(0, 1),
    )


def _contents(seen: View, space: str) -> list[Text]:
    entries = _castillo(seen) if space == CASTILLO else _pieces(seen, space)
    return _packed(entries, WIDTH - 4)


def _pieces(seen: View, region: str) -> list[Text]:
    """Who is in a region: so many caballeros, the Grande, the flag."""
    entries = (_entry(seen, region, player) for player in seen["players"])
    return [entry for entry in entries if entry]


def _entry(seen: View, region: str, player: str) -> Text | None:
    there = seen["regions"][region].get(player, 0)
    signs = GRANDE if seen["grandes"].get(player) == region else ""
    if {"owner": player, "at": f"{region}+flag"} in seen["marked"]:
        signs += FLAG
    if not there and not signs:
        return None
    return coloured(player, f"{player} {there or ''}{signs}")


def _castillo(seen: View) -> list[Text]:
    if seen["castillo"] is None:
        return [Text("closed", style="italic")]
    return [coloured(player, f"{player} {there}") for player, there in seen["castillo"].items()]


def _packed(entries: Sequence[Text], width: int) -> list[Text]:
    """As many entries in a line as it holds."""
    lines: list[Text] = []
    for entry in entries:
        if lines and len(lines[-1]) + 1 + len(entry) <= width:
            lines[-1] = Text(" ").join((lines[-1], entry))
        else:
            lines.append(entry)
    return lines


def _worth(rules: Rules, seen: View, space: str) -> Text:
    printed = rules.castillo_points if space == CASTILLO else rules.regions[space].points
    for scoreboard, where in seen["scoreboards"].items():
        if where == space:
            return Text(f"{SCOREBOARD} {_points(rules.scoreboards[scoreboard])}", style="bold")
    return Text(_points(printed))


def _points(points: Points) -> str:
    return "/".join(map(str, points))


def _legend(seen: View) -> Text:
    signs = f"{KING} king   ━ caballeros may be placed here   {GRANDE} Grande"
    return Text(signs + (f"   {FLAG} flag" if seen["marked"] else ""), style="dim")


# Players


def players(seen: View, you: str) -> Table:
    """Scores, caballeros off the map, power cards, vetoes."""
    rows = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for title in ("player", "score", "court", "province", "power", "hand", "veto"):
        rows.add_column(title, justify="left" if title in ("player", "veto") else "right")
    for player in seen["players"]:
        rows.add_row(coloured(player, _named(seen, player, you)), *_numbers(seen, player), _vetoes(seen, player))
    return rows


def _named(seen: View, player: str, you: str) -> str:
    return f"{'▸' if player == _acting(seen) else ' '} {player}{' (you)' if player == you else ''}"


def _acting(seen: View) -> str:
    """Whose turn it is; nobody's while power cards are played or everything is scored."""
    return seen["turn"] if len(seen["power"]) == len(seen["players"]) and seen["face_up"] else ""


def _numbers(seen: View, player: str) -> Iterator[str]:
    for place in ("scores", "courts", "provinces"):
        yield str(seen[place].get(player, 0))
    yield str(seen["power"].get(player, "–"))
    yield f"{seen['hands'][player]['size']} cards"


def _vetoes(seen: View, player: str) -> str:
    return ", ".join(f"until round {veto['until']}" for veto in seen["vetoes"] if veto["player"] == player)


# Cards


def cards(seen: View) -> RenderableType:
    """The action cards that lie face up, by stack."""
    if not seen["face_up"]:
        return Text("No action cards lie face up.", style="dim")
    rows = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    rows.add_column("card", justify="right")
    rows.add_column("special action")
    rows.add_column("places")
    rows.add_column("taken by")
    for card in sorted(seen["face_up"], key=lambda card: card["stack"]):
        taken = card["taken_by"] or ""
        row = action_card(seen, card["card"])
        title = Text(str(row.title), style="dim" if taken else "bold")
        text = Text(str(row.text), style="dim" if taken else "")
        rows.add_row(str(card["stack"]), Group(title, text), f"up to {card['stack']}", coloured(taken, taken))
    return rows


def under_way(seen: View) -> Iterator[RenderableType]:
    """The special action in progress, and what is left of it."""
    if action := seen["action"]:
        yield Text()
        yield Text(f"Under way: {action['text']}", style="bold")
        for step in action["steps"][1:]:
            yield Text(f"  then {step['text']}")


def action_card(seen: View, card: str) -> ActionCard:
    return rules_named(seen["rules"]).cards[card.partition("-")[0]]


def hand(seen: View, you: str) -> Table:
    """Your own power cards, each with the caballeros it brings."""
    brings = rules_named(seen["rules"]).power_cards
    held = seen["hands"][you]["cards"]
    rows = Table(box=None, show_header=False, padding=(0, 1, 0, 0))
    rows.add_column(style="dim")
    for _ in held:
        rows.add_column(justify="right")
    rows.add_row("your power cards", *(Text(str(value), style="bold") for value in held))
    rows.add_row("bring caballeros", *(str(brings[value]) for value in held))
    return rows


def card_in_use(seen: View, you: str) -> str:
    """The action card you have taken, and what it does."""
    [card] = [action_card(seen, card["card"]) for card in seen["face_up"] if card["taken_by"] == you]
    return f"your card places up to {card.stack}. {card.label}"


# The end


def result(seen: View, you: str) -> Table:
    """The final places."""
    rows = Table(title="Final result", box=box.SIMPLE_HEAVY, title_style="bold")
    for title in ("place", "player", "score"):
        rows.add_column(title, justify="left" if title == "player" else "right")
    for player, place in sorted(seen["places"].items(), key=lambda item: item[1]):
        name_shown = f"{player} (you)" if player == you else player
        rows.add_row(str(place), coloured(player, name_shown), str(seen["scores"][player]))
    return rows


# Words


def name(space: str) -> str:
    return NAMES[space][0]


def coloured(player: str, text: str) -> Text:
    return Text(text, style=STYLES.get(player, ""))
