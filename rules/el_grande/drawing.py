"""The table of El Grande, drawn: map, players, cards."""

from __future__ import annotations

from collections.abc import Iterator

from rules.drawing import (
    ASIDE,
    DOUBLE,
    FAINT,
    HEAVY,
    STRONG,
    THIN,
    Block,
    Cell,
    Column,
    Drawing,
    Heading,
    Line,
    Rows,
    Span,
    Tile,
    Tiles,
    View,
)
from rules.el_grande.board import space_of
from rules.el_grande.deck import ActionCard
from rules.el_grande.extension import RULES, Points, Rules
from rules.el_grande.facts import GeneralScoringBegan, RoundBegan
from rules.el_grande.regions import CASTILLO
from rules.kernel import Player
from rules.seats import SEATS
from rules.texts import Text, one_by_one, say, say_many

MAP = (
    ("galicia", "pais_vasco", "aragon", "cataluna"),
    (CASTILLO, "castilla_la_vieja", "castilla_la_nueva", "valencia"),
    ("", "sevilla", "granada", ""),
)
"""The regions where they lie; the castillo stands in the ocean."""

KING, GRANDE, SCOREBOARD = "♔", "♜", "★"


def table(seen: View, you: Player) -> tuple[Block, ...]:
    """Everything on the table."""
    return (
        _headline(seen),
        _map(seen),
        _legend(seen),
        _players(seen, you),
        Line(),
        _cards(seen),
        *under_way(seen),
        *_hand(seen, you),
    )


def end(seen: View, you: Player) -> tuple[Block, ...]:
    """The map, and the final places."""
    return _map(seen), _result(seen, you)


def _headline(seen: View) -> Heading:
    played = _rules(seen).rounds[seen["game_length"]]
    return Heading(say("Round {round} of {last}", round=seen["round"], last=played[-1]))


def _rules(seen: View) -> Rules:
    return RULES[seen["rules"]]


# The map


def _map(seen: View) -> Tiles:
    further = tuple(space for space in seen["regions"] if not any(space in row for row in MAP))
    rows = (*MAP, further) if further else MAP
    return Tiles(tuple(tuple(_space(seen, space) if space else None for space in row) for row in rows))


def _space(seen: View, space: str) -> Tile:
    is_king = space == seen["king"]
    beside = _rules(seen).regions.get(_rules(seen).taboo_shown(seen))
    is_open = space == CASTILLO or (beside is not None and space in beside.neighbours)
    name = _rules(seen).names[space]
    return Tile(
        title=say("{king} {region}", king=KING, region=name) if is_king else name,
        entries=tuple(_inside_castillo(seen) if space == CASTILLO else _pieces(seen, space)),
        footer=_worth(seen, space),
        frame=DOUBLE if is_king else HEAVY if is_open else THIN,
    )


def _pieces(seen: View, region: str) -> Iterator[Span]:
    """Who is in a region: so many caballeros, the Grande, what marks a piece."""
    for player in (*seen["players"], *_rules(seen).neutral):
        there = seen["regions"][region].get(player, 0)
        signs = "".join(_signs(seen, region, player))
        if there or signs:
            yield Span(
                say("{player} {pieces}", player=_rules(seen).names[player], pieces=f"{there or ''}{signs}"), player
            )


def _signs(seen: View, region: str, player: Player) -> Iterator[str]:
    if seen["grandes"].get(player) == region:
        yield GRANDE
    for mark, sign in _rules(seen).signs.items():
        marked = (piece for piece in seen["marked"] if piece["owner"] == player and space_of(piece["at"]) == region)
        number = sum(mark[1:] in piece["at"].replace(":", "+").split("+") for piece in marked)
        if number:
            yield sign if number == 1 else f"{number}{sign}"


def _inside_castillo(seen: View) -> Iterator[Span]:
    if seen["castillo"] is None:
        yield Span(say("closed"), ASIDE)
        return
    for player, there in seen["castillo"].items():
        yield Span(say("{player} {pieces}", player=_rules(seen).names[player], pieces=there), player)


def _worth(seen: View, space: str) -> Span:
    rules = _rules(seen)
    for scoreboard, where in seen["scoreboards"].items():
        if where == space:
            return Span(f"{SCOREBOARD} {_points(rules.scoreboards[scoreboard])}", STRONG)
    return Span(_points(rules.castillo_points if space == CASTILLO else rules.regions[space].points))


def _points(points: Points) -> str:
    return "/".join(map(str, points))


def _legend(seen: View) -> Line:
    signs = say("{king} king   ━ caballeros may be placed here   {grande} Grande", king=KING, grande=GRANDE)
    for mark, sign in _rules(seen).signs.items():
        if any(mark in piece["at"] for piece in seen["marked"]):
            signs = say("{signs}   {sign} {mark}", signs=signs, sign=sign, mark=mark[1:])
    return Line(signs, FAINT)


# Players


def _players(seen: View, you: Player) -> Rows:
    """Scores, caballeros off the map, power cards, vetoes."""
    titles = say("score"), say("court"), say("province"), say("power"), say("hand")
    numbers = (Column(title, to_the_right=True) for title in titles)
    return Rows(
        (Column(say("player")), *numbers, Column(say("veto"))),
        tuple((Span(_named(seen, player, you), player), *_figures(seen, player)) for player in seen["players"]),
    )


def _named(seen: View, player: Player, you: Player) -> Text:
    sign = "▸" if player == _acting(seen) else " "
    return say("{sign} {player}", sign=sign, player=_called(player, you))


def _called(player: Player, you: Player) -> Text:
    return say("{player} (you)", player=SEATS[player]) if player == you else SEATS[player]


def _acting(seen: View) -> Player:
    """Whose turn it is; nobody's while power cards are played or everything is scored."""
    return seen["turn"] if len(seen["power"]) == len(seen["players"]) and seen["face_up"] else ""


def _figures(seen: View, player: Player) -> Iterator[Span]:
    for pieces in ("scores", "courts", "provinces"):
        yield Span(str(seen[pieces].get(player, 0)))
    yield Span(str(seen["power"].get(player, "–")))
    yield Span(say_many("{count} card", "{count} cards", seen["hands"][player]["size"]))
    vetoes = [say("until round {round}", round=veto["until"]) for veto in seen["vetoes"] if veto["player"] == player]
    yield Span(one_by_one(vetoes) if vetoes else "")


# Cards


def _cards(seen: View) -> Block:
    """The action cards that lie face up, by stack; then those that players have played from their hands."""
    if not seen["face_up"]:
        return Line(say("No action cards lie face up."), FAINT)
    others = (Column(title) for title in (say("special action"), say("places"), say("taken by")))
    titles = Column(say("card"), to_the_right=True), *others
    face_up = [_card(seen, card) for card in sorted(seen["face_up"], key=lambda card: card["stack"])]
    return Rows(titles, (*face_up, *_played_cards(seen)))


def _card(seen: View, card: View) -> tuple[Cell, ...]:
    taken, row = card["taken_by"] or "", _action_card(seen, card["card"])
    action = Span(row.title, FAINT if taken else STRONG), Span(row.text, FAINT if taken else "")
    return (
        Span(str(card["stack"] or "")),
        action,
        Span(say("up to {count}", count=row.places) if row.places else ""),
        Span(SEATS.get(taken, ""), taken),
    )


def _played_cards(seen: View) -> Iterator[tuple[Cell, ...]]:
    cards = _rules(seen).hand_cards
    for player, value in seen["power"].items():
        if card := cards.get(value):
            row = _action_card(seen, card)
            action = Span(row.title, STRONG), Span(row.text)
            yield Span(str(value)), action, Span(""), Span(SEATS[player], player)


def under_way(seen: View) -> Iterator[Line]:
    """The special action in progress, and what is left of it."""
    if action := seen["action"]:
        yield Line()
        yield Line(say("Under way: {action}", action=action["text"]), STRONG)
        for step in action["steps"][1:]:
            yield Line(say("  then {step}", step=step["text"]))


def _action_card(seen: View, card: str) -> ActionCard:
    return _rules(seen).cards[card.partition("-")[0]]


def _hand(seen: View, you: Player) -> Iterator[Block]:
    """Your own power cards, each with the caballeros it brings; a spectator has none."""
    if you not in seen["hands"]:
        return
    brings = _rules(seen).power_cards
    held = seen["hands"][you]["cards"]
    yield Line()
    yield Rows(
        (Column(style=FAINT), *(Column(to_the_right=True) for _ in held)),
        (
            (Span(say("your power cards")), *(Span(str(value), STRONG) for value in held)),
            (Span(say("bring caballeros")), *(Span(str(brings[value])) for value in held)),
        ),
    )


def _card_in_use(seen: View, you: Player) -> Line:
    """The action card you use, and what it does."""
    card = _action_card(seen, _rules(seen).in_use(seen, you))
    count = _rules(seen).places_in_use(seen, you)
    return Line(say("Your card places up to {count}. {card}", count=count, card=card.label))


def _card_under_way(seen: View) -> Line:
    """The action card whose special action may be stopped, and what it does."""
    action = seen["action"]
    card = _action_card(seen, action["card"]).label
    return Line(say("The card of {player}: {card}", player=action["player"], card=card))


# The end


def _result(seen: View, you: Player) -> Rows:
    """The final places."""
    titles = Column(say("place"), to_the_right=True), Column(say("player")), Column(say("score"), to_the_right=True)
    ranking = sorted(seen["places"].items(), key=lambda item: item[1])
    return Rows(titles, tuple(_place(seen, player, place, you) for player, place in ranking), say("Final result"))


def _place(seen: View, player: Player, place: int, you: Player) -> tuple[Span, ...]:
    return Span(str(place)), Span(_called(player, you), player), Span(str(seen["scores"][player]))


DRAWING = Drawing(
    table=table,
    end=end,
    news=(RoundBegan, GeneralScoringBegan),
    reminders={"choose_card": lambda seen, you: (_cards(seen),)},
    remarks={
        "menu": lambda seen, you: (_card_in_use(seen, you),),
        "veto": lambda seen, you: (_card_under_way(seen),),
    },
    interruptions=frozenset({"veto"}),
)
