"""Why players sit at a table: sentences that follow from a certificate and the history. Pure.

By the standings alone a round would be cut: the first players at the first table, and so on. Whoever sits elsewhere has
met somebody there, is kept apart from somebody, or made room.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.texts import Text, all_of, say
from tournaments.certificate import BY_HAND, TABLES, Certificate
from tournaments.history import History
from tournaments.points import shown_points
from tournaments.results import Round
from tournaments.tally import Tally
from tournaments.wishes import pair_of


def reasons(certificate: Certificate, round: Round, history: History, tally: Tally, table: int) -> tuple[Text, ...]:
    """Why the players of this table sit together; tables count from 0. The tally is that before the round."""
    players = round.tables[table].players
    if table < certificate.fixed or certificate.method == BY_HAND:
        is_by_hand = certificate.method == BY_HAND or not certificate.wishes.leaders_together
        return (say("the organiser has put this table together") if is_by_hand else say("the leaders sit together"),)
    points = sorted({tally.scores[player] for player in players}, reverse=True)
    if len(points) == 1:
        level = say("all have {points} points", points=shown_points(points[0]))
    else:
        most, least = shown_points(points[0]), shown_points(points[-1])
        level = say("they have {least} to {most} points", least=least, most=most)
    if certificate.method != TABLES:
        return (level,)
    return (level, *Moves(certificate, round, history, tally).told(players))


class Moves:
    """Where everybody would sit by the standings alone, and what speaks against it."""

    def __init__(self, certificate: Certificate, round: Round, history: History, tally: Tally) -> None:
        self._met = tally.encounters.met
        self._forbidden = set(certificate.wishes.forbidden)
        self._teams = {player.id: player.team for player in history.players if certificate.wishes.teams_apart}
        names = {player.number: player.id for player in history.players}
        free = {player for table in round.tables[certificate.fixed :] for player in table.players}
        order = [name for number in certificate.order if (name := names[number]) in free]
        sizes = [len(table.players) for table in round.tables[certificate.fixed :]]
        is_first = certificate.wishes.odd_tables_first
        sizes.sort(key=lambda size: (size != round.size) != is_first)
        self._cut = {player: block for block in _blocks(order, sizes) for player in block}

    def told(self, players: Sequence[str]) -> Iterator[Text]:
        moved = [player for player in players if set(self._cut[player]) != set(players)]
        if not moved:
            yield say("the standings alone put them together")
        for player in moved:
            beside = [other for other in self._cut[player] if other not in (player, *players)]
            if met := [other for other in beside if other in self._met.get(player, {})]:
                yield say(
                    "by the standings alone {player} would meet {others} again", player=player, others=all_of(met)
                )
            elif apart := [other for other in beside if self._are_kept_apart(player, other)]:
                yield say("{player} is kept apart from {others}", player=player, others=all_of(apart))

    def _are_kept_apart(self, one: str, other: str) -> bool:
        team = self._teams.get(one)
        return pair_of(one, other) in self._forbidden or bool(team and team == self._teams.get(other))


def _blocks(order: Sequence[str], sizes: Sequence[int]) -> Iterator[Sequence[str]]:
    first = 0
    for size in sizes:
        yield order[first : first + size]
        first += size
