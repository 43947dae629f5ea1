"""Verification of a certificate: every claim is computed again, from the history alone. It knows no pairing code.

>>> from tournaments.history import Player
>>> from tournaments.pairing.draw import Request, draw
>>> history = History(tuple(Player(name, number) for number, name in enumerate("abcdefgh", start=1)))
>>> drawn = draw(Request(history, tuple("abcdefgh"), size=4, seed=b"1"))
>>> verify(drawn.certificate, replace(history, rounds=(drawn.round,)))
()
>>> [str(problem) for problem in verify(replace(drawn.certificate, spread=5), replace(history, rounds=(drawn.round,)))]
['the certificate says spread 5, but it is 0', 'the digest of the certificate is another']
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from math import comb

from msgspec.structs import replace

from rules.texts import Text, say
from tournaments.certificate import Certificate
from tournaments.history import History, digest, history_digest, scores
from tournaments.results import BYE, Round
from tournaments.wishes import LEVEL_FIRST


def verify(certificate: Certificate, history: History) -> tuple[Text, ...]:
    """What is wrong with a certificate; nothing, if all of it is true. The history holds the round, and may go on."""
    if not 0 < certificate.round <= len(history.rounds):
        return (say("there is no round {round}", round=certificate.round),)
    checked = Checked(certificate, history)
    if problems := (*checked.structure(),):
        return (*problems, *checked.digests())
    return (*checked.numbers(), *checked.exchanges(), *checked.digests())


class Checked:
    """A certificate beside the round that it is about, and what was known before."""

    def __init__(self, certificate: Certificate, history: History) -> None:
        self.certificate = certificate
        self.before = history.before(certificate.round)
        paired = history.rounds[certificate.round - 1]
        self.round = replace(paired, tables=tuple(replace(table, result=None) for table in paired.tables))
        self.players = {player.id: player for player in history.players}
        self.scores = scores(self.before)
        if certificate.wishes.by_lot:
            self.scores = dict.fromkeys(self.scores, 0)
        self.forbidden = set(certificate.wishes.forbidden)
        self.met: dict[frozenset[str], int] = {}
        self.odd: dict[str, int] = dict.fromkeys(self.players, 0)
        self.seats: dict[str, list[int]] = {id: [] for id in self.players}
        for past in self.before.rounds:
            self._remember(past)

    def _remember(self, past: Round) -> None:
        for table in past.tables:
            if len(table.present) < 2:
                continue
            for seat, player in enumerate(table.present):
                self.seats[player].append(seat)
                self.odd[player] += len(table.players) != past.size
            for pair in combinations(table.present, 2):
                self.met[frozenset(pair)] = self.met.get(frozenset(pair), 0) + 1
        for player, kind in past.unpaired.items():
            self.odd[player] += kind == BYE

    # Who is where

    def structure(self) -> Iterator[Text]:
        """Everybody is in one place, and the pairing order is one by scores."""
        seated = [player for table in self.round.tables for player in table.players]
        for player in {*seated, *self.round.unpaired} - self.players.keys():
            yield say("{player} is no player of this tournament", player=player)
        places = Counter([*seated, *self.round.unpaired])
        for player in [player for player, count in places.items() if count > 1]:
            yield say("{player} is in two places", player=player)
        by_number = {player.number: player.id for player in self.players.values()}
        order = [by_number.get(number, "") for number in self.certificate.order]
        free = {player for table in self.round.tables[self.certificate.fixed :] for player in table.players}
        byes = {player for player, kind in self.round.unpaired.items() if kind == BYE}
        if len(set(order)) != len(order) or not free | byes <= set(order) <= byes.union(seated):
            yield say("the pairing order holds other players than the round")
        elif any(self.scores[low] > self.scores[high] for high, low in pairwise(order)):
            yield say("the pairing order is not one by scores")

    # What it claims

    def numbers(self) -> Iterator[Text]:
        cost = self.cost(range(len(self.round.tables)))
        kept_apart, team_mates, meetings, odd, squares = cost
        pairs = [frozenset(pair) for table in self.round.tables for pair in combinations(table.players, 2)]
        at = [[self.scores[player] for player in table.players] for table in self.round.tables]
        uneven = [self.imbalance(player, seat) for t in self.round.tables for seat, player in enumerate(t.players)]
        found = {
            "kept_apart": kept_apart,
            "team_mates": team_mates,
            "repeats": sum(pair in self.met for pair in pairs),
            "least_repeats": self.least_repeats(),
            "meetings": meetings,
            "odd": odd,
            "squares": squares,
            "spread": sum(max(scores) - min(scores) for scores in at),
            "seats_worst": max(uneven, default=0),
            "seats_sum": sum(uneven),
        }
        for name, value in found.items():
            if (said := getattr(self.certificate, name)) != value:
                yield say("the certificate says {name} {said}, but it is {value}", name=name, said=said, value=value)

    def cost(self, tables: Iterable[int]) -> tuple[int, int, int, int, int]:
        """Pairs kept apart, team-mates, squared meetings, squared odd tables, squared differences."""
        return self._cost([(self.round.tables[number].players, number) for number in tables])

    def _cost(self, tables: Iterable[tuple[Sequence[str], int]]) -> tuple[int, int, int, int, int]:
        apart = mates = meetings = odd = squares = 0
        for players, number in tables:
            for one, other in combinations(players, 2):
                apart += ((one, other) if one < other else (other, one)) in self.forbidden
                team = self.players[one].team if self.certificate.wishes.teams_apart else ""
                mates += bool(team) and team == self.players[other].team
                meetings += self.met.get(frozenset((one, other)), 0) ** 2
                squares += (self.scores[one] - self.scores[other]) ** 2
            if len(self.round.tables[number].players) != self.round.size:
                odd += sum(self.odd[player] ** 2 for player in players)
        return apart, mates, meetings, odd, squares

    def imbalance(self, player: str, seat: int) -> int:
        had = [*self.seats[player], seat]
        counts = [had.count(number) for number in range(self.round.size)]
        return max(counts) - min(counts)

    def least_repeats(self) -> int:
        """By the strangers that are left to each player, and by the tables of each earlier round."""
        players = [player for table in self.round.tables for player in table.players]
        strangers = dict.fromkeys(players, len(players) - 1)
        for pair in self.met:
            if all(player in strangers for player in pair):
                for player in pair:
                    strangers[player] -= 1
        wanted = sorted(len(table.players) - 1 for table in self.round.tables for _ in table.players)
        again = sum(max(0, want - have) for want, have in zip(wanted, sorted(strangers.values()), strict=True))
        return max([-(-again // 2), *(self._of_one_table(past, set(players)) for past in self.before.rounds)])

    def _of_one_table(self, past: Round, players: set[str]) -> int:
        """Pairs of one earlier table that meet again even if all tables take from as many of them as they can."""
        together = [count for table in past.tables if (count := len(players.intersection(table.present))) > 1]
        sizes = [len(table.players) for table in self.round.tables]
        alone = len(players) - sum(together)
        while alone and max(sizes) > len(together):
            sizes.sort()
            sizes[-1] -= 1
            alone -= 1
        evenly = (divmod(size, len(together) or 1) for size in sizes)
        return sum(more * comb(each + 1, 2) + (len(together) - more) * comb(each, 2) for each, more in evenly)

    # That it cannot be bettered by an exchange

    def exchanges(self) -> Iterator[Text]:
        tables = self.round.tables
        for one in range(self.certificate.fixed, len(tables)):
            for other in range(one + 1, min(len(tables), one + self.certificate.window + 1)):
                now = self._ranked(self.cost((one, other)))
                if any(now) and (found := self._better(one, other, now)):
                    yield say("{one} and {other} could change places", one=found[0], other=found[1])

    def _better(self, one: int, other: int, now: tuple[int, ...]) -> tuple[str, str] | None:
        here, there = self.round.tables[one].players, self.round.tables[other].players
        for player in here:
            for partner in there:
                changed = [partner if stays == player else stays for stays in here]
                exchanged = [player if stays == partner else stays for stays in there]
                if self._ranked(self._cost([(changed, one), (exchanged, other)])) < now:
                    return player, partner
        return None

    def _ranked(self, cost: tuple[int, int, int, int, int]) -> tuple[int, ...]:
        apart, mates, meetings, odd, squares = cost
        is_level_first = self.certificate.wishes.rematch == LEVEL_FIRST
        return (apart, mates, squares, meetings, odd) if is_level_first else cost

    # What it is bound to

    def digests(self) -> Iterator[Text]:
        if self.certificate.history != history_digest(self.before):
            yield say("the certificate was made for another history")
        if self.certificate.digest != digest((replace(self.certificate, digest=""), self.round)):
            yield say("the digest of the certificate is another")
