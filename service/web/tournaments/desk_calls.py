"""Tables that need an organiser, the worst first: disputed, somebody has not come, slow. The others are calm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import NamedTuple

from events.table.game import Game
from rules.texts import Text, all_of, say
from service.http.context import services
from service.web.cards import Badge
from service.web.tournaments.event_frame import Frame
from service.web.tournaments.table_cards import Seat, TableCard, TableCards, is_missed
from tournaments.tournament import PairedRound

ROUNDS_BEHIND = 2
"""So many rounds behind the others a table is slow."""
PATIENCE_MS = 60_000
"""From the start of a round, before anybody is missed."""


class Call(NamedTuple):
    card: TableCard
    badge: Badge
    texts: Sequence[Text]
    at: int
    """A moment that they end with; 0: none."""
    missing: str
    """The player who has not come; empty: all have."""
    rank: int
    round: int


def calls(frame: Frame, paired: PairedRound | None, cards: TableCards | None) -> Iterator[Call]:
    """The worst first."""
    found = [*disputes(frame), *(waiting(frame, paired, cards) if paired and cards else ())]
    yield from sorted(found, key=lambda call: (call.rank, call.round, call.card.number))


def waiting(frame: Frame, paired: PairedRound, cards: TableCards) -> Iterator[Call]:
    """Tables of the round under way at which a player is missed, or that are slow."""
    for card in cards.cards:
        is_disputed = card.number in paired.claims or card.number in paired.held
        if not card.is_done and not is_disputed and (call := call_of(frame, paired, cards, card)):
            yield call


def disputes(frame: Frame) -> Iterator[Call]:
    """Tables whose players ask for a ruling, or whose clocks an arbiter has stopped; also of rounds that are over."""
    for paired in frame.tournament.rounds:
        if tables := sorted({*paired.claims, *paired.held}):
            for card in TableCards(frame.tournament, paired, tables, frame.account).cards:
                yield dispute(paired, card)


def dispute(paired: PairedRound, card: TableCard) -> Call:
    claims, held_at = paired.claims.get(card.number, ()), paired.held.get(card.number, 0)
    names = {seat.person.player: seat.person.name for seat in card.seats}
    said: list[Text] = []
    if claims and claims[0].step:
        said = [say("{name} asks for a ruling at step {step}.", name=names[claims[0].player], step=claims[0].step)]
    elif claims:
        said = [say("{name} asks for a ruling.", name=names[claims[0].player])]
    if held_at:
        said.append(say("Clocks stopped since"))
    badge = Badge(say("disputed"), "bad") if claims else Badge(say("stopped"), "warn", "pause")
    return Call(card, badge, said, held_at, "", 0, paired.number)


def call_of(frame: Frame, paired: PairedRound, cards: TableCards, card: TableCard) -> Call | None:
    game = cards.games.get(card.number)
    if not game or not paired.started_at:
        return None
    if away := missing(game, card):
        return no_show(frame, paired, card, away, game)
    if behind := rounds_behind(cards.cards, card):
        text = say("{count} rounds behind the other tables.", count=behind)
        return Call(card, Badge(say("slow"), "warn"), [text], 0, "", 2, paired.number)
    return None


def missing(game: Game, card: TableCard) -> list[Seat]:
    """Players who were asked something and have never answered; others may be there, and wait."""
    return [seat for seat in card.seats if seat.colour in game.asked and is_missed(game, seat.colour)]


def no_show(frame: Frame, paired: PairedRound, card: TableCard, away: Sequence[Seat], game: Game) -> Call | None:
    schedule = frame.tournament.options.schedule
    if services().games.now() < game.at + PATIENCE_MS:
        return None
    names = all_of(seat.person.name for seat in away)
    until = game.at + schedule.no_show_ms if schedule.no_show_ms else 0
    text = (
        say("{names}: not here yet. The wait ends", names=names)
        if until
        else say("{names}: not here yet.", names=names)
    )
    return Call(card, Badge(say("no-show"), "bad"), [text], until, away[0].person.player, 1, paired.number)


def rounds_behind(cards: Sequence[TableCard], card: TableCard) -> int:
    """How far a table is behind half of the others; 0: it keeps up."""
    others = [each.last_round or card.last_round if each.is_done else each.round for each in cards if each != card]
    if not others or not card.round:
        return 0
    behind = int(median(others)) - card.round
    return behind if behind >= ROUNDS_BEHIND else 0


def calm(cards: Sequence[TableCard], found: Sequence[Call]) -> list[TableCard]:
    """Tables that are played and need nobody."""
    called = {call.card.number for call in found}
    return [card for card in cards if not card.is_done and card.number not in called]
