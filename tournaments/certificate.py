"""The certificate of a round: how good its pairing is, so that anybody can check it (`tournaments.verification`).

It tells how many pairs meet again and how few that could be at all, how level the tables are, how even the seats, and
that no exchange of two players betters it. It holds the seed of all chance, and binds the round to everything before.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from tournaments.bounds import least_repeats
from tournaments.encounters import Encounters
from tournaments.history import History, digest
from tournaments.results import Round
from tournaments.tally import Tally
from tournaments.wishes import Wishes, pair_of

TABLES, FAST, DUTCH, PROGRAM, BY_HAND = "tables", "fast", "dutch", "program", "by-hand"
METHODS = (TABLES, FAST, DUTCH, PROGRAM, BY_HAND)


class Certificate(Struct, frozen=True, omit_defaults=True):
    """Claims about the pairing of a round; scores are in units, as they were before it."""

    round: int
    method: str
    seed: str
    """In hexadecimal digits."""
    wishes: Wishes
    order: tuple[int, ...]
    """The pairing order: starting numbers of all who were to be paired, by score and then as the wishes say."""
    fixed: int
    """So many of the first tables were given: by hand, or as the table of the leaders."""
    window: int
    """No exchange of two players whose tables are at most so far apart betters the round; 0: not claimed."""
    kept_apart: int
    """Pairs at one table that should be kept apart."""
    team_mates: int
    """Pairs at one table that are of one team, if that counts."""
    repeats: int
    """Pairs who meet again."""
    least_repeats: int
    """So many pairs meet again in any round with these tables."""
    meetings: int
    """The sum of the squares of earlier meetings."""
    odd: int
    """The sum of the squares of earlier odd tables and byes, of players at odd tables."""
    squares: int
    """The sum of squared differences of scores at all tables."""
    spread: int
    """The sum of the differences between the highest and the lowest score of each table."""
    seats_worst: int
    """The largest difference between a player's most and rarest seat, after this round."""
    seats_sum: int
    """The sum of these differences."""
    history: str
    """The digest of everything before the round."""
    digest: str = ""
    """Of the certificate without it, and the round."""

    @property
    def is_proven(self) -> bool:
        """Whether no pairing has fewer repeated meetings."""
        return self.repeats == self.least_repeats


def certified(
    history: History,
    tally: Tally,
    round: Round,
    method: str,
    seed: bytes,
    wishes: Wishes,
    order: Sequence[str],
    fixed: int = 0,
    window: int = 0,
) -> Certificate:
    """The certificate of a round that follows this history."""
    before, met = dict.fromkeys(tally.scores, 0) if wishes.by_lot else tally.scores, tally.encounters
    numbers = {player.id: player.number for player in history.players}
    teams = {player.id: player.team for player in history.players}
    pairs = [pair for table in round.tables for pair in combinations(table.players, 2)]
    counts = [met.met.get(one, {}).get(other, 0) for one, other in pairs]
    forbidden = set(wishes.forbidden)
    at = [[before[player] for player in table.players] for table in round.tables]
    odd = [player for table in round.tables if len(table.players) != round.size for player in table.players]
    imbalances = _imbalances(met, round)
    unsigned = Certificate(
        round=tally.rounds + 1,
        method=method,
        seed=seed.hex(),
        wishes=wishes,
        order=tuple(numbers[player] for player in order),
        fixed=fixed,
        window=window,
        kept_apart=sum(pair_of(*pair) in forbidden for pair in pairs),
        team_mates=sum(bool(wishes.teams_apart and teams[one] and teams[one] == teams[other]) for one, other in pairs),
        repeats=sum(count > 0 for count in counts),
        least_repeats=_least(history, round, met),
        meetings=sum(count * count for count in counts),
        odd=sum(met.odd.get(player, 0) ** 2 for player in odd),
        squares=sum((before[one] - before[other]) ** 2 for one, other in pairs),
        spread=sum(max(table) - min(table) for table in at),
        seats_worst=max(imbalances, default=0),
        seats_sum=sum(imbalances),
        history=tally.digest,
    )
    return replace(unsigned, digest=digest((unsigned, round)))


def _least(history: History, round: Round, met: Encounters) -> int:
    sizes = [len(table.players) for table in round.tables]
    players = {player for table in round.tables for player in table.players}
    strangers = [len(players) - 1 - len(met.met.get(player, {}).keys() & players) for player in players]
    return least_repeats(sizes, strangers, (_together(past, players) for past in history.rounds))


def _together(round: Round, players: set[str]) -> list[int]:
    """How many of these players each table of an earlier round had."""
    return [sum(player in players for player in table.present) for table in round.tables]


def _imbalances(met: Encounters, round: Round) -> list[int]:
    """Of every player of the round: how much more often they had their most than their rarest seat, after it."""
    found = []
    for table in round.tables:
        for seat, player in enumerate(table.players):
            had = (*met.seats.get(player, ()), seat)
            counts = [had.count(number) for number in range(round.size)]
            found.append(max(counts) - min(counts))
    return found
