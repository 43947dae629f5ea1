"""Two players a table by the FIDE Dutch system, rules of 2026: the engine of caissify-pairings (extra `fide`).

It is exact and slow, so it pairs fields of up to 64; for larger ones an operator names a program (`program`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from events.errors import NotNow
from rules.texts import say
from tournaments.history import History
from tournaments.pairing.colours import is_first_white
from tournaments.pairing.entrants import Field
from tournaments.results import BYE, FULL_BYE
from tournaments.scorecards import FORFEIT_WIN, PLAYED, Scorecard, scorecards

MOST = 64


def dutch(
    field: Field, history: History, rounds: int, *, white_first: bool
) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Pairs by colour, white first, and the player who sits out, if there is one."""
    try:
        from caissify_pairings import generate_pairings
    except ImportError:
        raise NotNow(
            say("this service has no engine for FIDE pairings: ask its operator, or pair the fast way")
        ) from None
    if len(field.entrants) > MOST:
        raise NotNow(say("FIDE pairings are for {most} players at most: pair the fast way", most=MOST))
    numbers = {player.number: player.id for player in history.players}
    by_id = {player: number for number, player in numbers.items()}
    met = {(by_id[one], by_id[other]) for one, others in field.encounters.met.items() for other in others}
    apart = {(by_id[one], by_id[other]) for one, other in field.wishes.forbidden if {one, other} <= by_id.keys()}
    found = generate_pairings(
        system="dutch",
        players=engine_players(field, history),
        previous_pairings=met | apart,
        round_number=len(history.rounds) + 1,
        total_rounds=max(rounds, len(history.rounds) + 1),
        initial_color="white" if white_first else "black",
    )
    out = tuple(numbers[pair["white_id"]] for pair in found if not pair.get("black_id"))
    if len(out) != len(field.entrants) % 2:
        raise NotNow(say("by the rules of FIDE no pairing is possible any more: pair by hand, or end the tournament"))
    ranks = pairing_numbers(field, scorecards(history))
    pairs = tuple(
        coloured(field, ranks, [numbers[pair["white_id"]], numbers[pair["black_id"]]], white_first=white_first)
        for pair in found
        if pair.get("black_id")
    )
    return pairs, out


def coloured(field: Field, ranks: Mapping[str, int], pair: list[str], *, white_first: bool) -> tuple[str, str]:
    """A pair, white first. The engine gives colours by number alone, where FIDE asks for the score first."""
    scores = {entrant.id: entrant.score for entrant in field.entrants}
    higher, lower = sorted(pair, key=lambda player: (-scores[player], ranks[player]))
    had = [field.encounters.seats.get(player, ()) for player in (higher, lower)]
    is_white = is_first_white(had[0], had[1], is_odd=bool(ranks[higher] % 2) == white_first)
    return (higher, lower) if is_white else (lower, higher)


def engine_players(field: Field, history: History) -> list[dict[str, Any]]:
    """What the engine asks about every player: colours, floats and wins without a game, round by round."""
    cards = scorecards(history)
    running = dict.fromkeys(cards, 0)
    floats: dict[str, list[str]] = {player: [] for player in cards}
    for number in range(len(history.rounds)):
        entries = {player: card.entries[number] for player, card in cards.items()}
        for player, entry in entries.items():
            if entry.kind == PLAYED:
                [opponent] = entry.opponents
                mine, theirs = running[player], running[opponent]
                floats[player].append("down" if mine > theirs else "up" if mine < theirs else "none")
            else:
                floats[player].append("down" if entry.points else "none")
        for player, entry in entries.items():
            running[player] += entry.points
    colours = ("white", "black")
    win = max((entry.win for card in cards.values() for entry in card.entries), default=1)
    found, ranks = [], pairing_numbers(field, cards)
    for entrant in field.entrants:
        kinds = [entry.kind for entry in cards[entrant.id].entries]
        found.append(
            {
                "id": entrant.number,
                "name": entrant.id,
                "score": entrant.score * 2 // win / 2,
                "rating": 0,
                "starting_number": entrant.number,
                "pairing_number": ranks[entrant.id],
                "color_hist": [colours[seat] for seat in field.encounters.seats.get(entrant.id, ())],
                "float_history": floats[entrant.id],
                "bye_count": kinds.count(BYE) + kinds.count(FULL_BYE),
                "forfeit_win_count": kinds.count(FORFEIT_WIN),
            }
        )
    return found


def pairing_numbers(field: Field, cards: Mapping[str, Scorecard]) -> dict[str, int]:
    """Starting numbers without gaps, of players who were paired before or are now: others have none yet."""
    present = {entrant.id for entrant in field.entrants}
    paired = [p for p, card in cards.items() if p in present or any(e.opponents or e.kind == BYE for e in card.entries)]
    return {player: number for number, player in enumerate(paired, start=1)}
