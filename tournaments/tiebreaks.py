"""Tie-breaks: each a function of all scorecards, under the name that arbiters know, with its definition for people.

Values are whole numbers; more is better. Ratios are counted in millionths, rounded down; `scale` is what a value is
divided by when it is shown. Unplayed rounds count as in C.07 of the FIDE handbook, edition of March 2026 (16.3 to
16.5): an opponent's last rounds that were unplayed by choice count as draws; an own unplayed round counts as one
against an opponent with the own points, but no more than the scheduled opponent has, or than half of what could be won;
a cut takes rounds that were unplayed by choice first. At larger tables the mean over the
opponents takes the place of the opponent, so that the size of a table does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import lcm
from operator import itemgetter

from msgspec import Struct

from rules.texts import Text, say
from tournaments.points import LARGEST, UNIT
from tournaments.scorecards import PENDING, PLAYED, Entry, Scorecard

MEAN = lcm(*range(1, LARGEST))
"""Mean values of opponents are counted in these parts: they stay whole at every table."""

RATIO = 1_000_000
CAP = 50
"""The most that a difference of victory points counts in one game."""

Values = dict[str, int]


class Sheet:
    """All scorecards, and what several tie-breaks share."""

    def __init__(self, cards: Mapping[str, Scorecard], ratings: Mapping[str, int], numbers: Mapping[str, int]) -> None:
        self.cards = cards
        self.ratings = ratings
        self.numbers = numbers
        self.totals = {player: card.total for player, card in cards.items()}
        self.adjusted = {player: _adjusted(card) for player, card in cards.items()}
        self.rounds = {player: self._rounds(card) for player, card in cards.items()}
        self.games = {player: _games(card) for player, card in cards.items()}

    def _rounds(self, card: Scorecard) -> list[tuple[int, bool, Entry]]:
        """What each round brings to a Buchholz score, whether it was unplayed by choice, and its entry."""
        return [(self._worth(card, entry), entry.is_by_choice, entry) for entry in card.entries]

    def _worth(self, card: Scorecard, entry: Entry) -> int:
        if entry.kind == PENDING:
            return 0
        if entry.opponents:
            adjusted = self.adjusted
            met = MEAN * sum([adjusted[opponent] for opponent in entry.opponents]) // len(entry.opponents)
            return met if entry.kind == PLAYED else min(MEAN * self.totals[card.player], met)
        half = sum(each.win // 2 for each in card.entries)
        return MEAN * min(self.totals[card.player], half)


def _games(card: Scorecard) -> list[list[int]]:
    """The victory points of the games in which they are known, the own first; nobody has less than none."""
    return [[max(0, points) for points in entry.victory_points] for entry in card.entries if entry.victory_points]


def _adjusted(card: Scorecard) -> int:
    """16.3: the points of an opponent, whose last rounds without one by choice count as draws."""
    last = max((number for number, entry in enumerate(card.entries) if not entry.is_by_choice), default=-1)
    return sum(
        entry.win // 2 if number > last and not entry.opponents else entry.points
        for number, entry in enumerate(card.entries)
    )


# Points and wins


def points(sheet: Sheet) -> Values:
    return dict(sheet.totals)


def wins(sheet: Sheet) -> Values:
    return _counted(sheet, lambda entry: UNIT // (1 + len(entry.tied)) if entry.place == 1 else 0)


def rounds_won(sheet: Sheet) -> Values:
    return _counted(sheet, lambda entry: int(entry.points == entry.win > 0))


def games_won(sheet: Sheet) -> Values:
    return _counted(sheet, lambda entry: int(entry.kind == PLAYED and entry.points == entry.win > 0))


def games_from_the_last_seat(sheet: Sheet) -> Values:
    return _counted(sheet, lambda entry: int(entry.kind == PLAYED and entry.is_last_seat))


def wins_from_the_last_seat(sheet: Sheet) -> Values:
    return _counted(sheet, lambda entry: int(entry.kind == PLAYED and entry.is_last_seat and entry.points == entry.win))


def rounds_elected_to_play(sheet: Sheet) -> Values:
    return _counted(sheet, lambda entry: int(entry.kind == PLAYED or entry.points == entry.win > 0))


def progressive(sheet: Sheet) -> Values:
    return {
        player: sum(entry.points * (len(card.entries) - number) for number, entry in enumerate(card.entries))
        for player, card in sheet.cards.items()
    }


def _counted(sheet: Sheet, worth: Callable[[Entry], int]) -> Values:
    return {player: sum([worth(entry) for entry in card.entries]) for player, card in sheet.cards.items()}


# Opponents


def buchholz(sheet: Sheet) -> Values:
    return {player: sum([worth for worth, _, _ in rounds]) for player, rounds in sheet.rounds.items()}


def buchholz_cut_1(sheet: Sheet) -> Values:
    return {player: sum(cut(_values(rounds), low=1)) for player, rounds in sheet.rounds.items()}


def buchholz_cut_2(sheet: Sheet) -> Values:
    return {player: sum(cut(_values(rounds), low=2)) for player, rounds in sheet.rounds.items()}


def median_buchholz(sheet: Sheet) -> Values:
    return {player: sum(cut(_values(rounds), low=1, high=1)) for player, rounds in sheet.rounds.items()}


Worth = tuple[int, bool, int]
"""What a round brings, whether it was unplayed by choice, and the opponents' points behind it."""
BY_OPPONENTS = itemgetter(2, 0)


def _values(rounds: list[tuple[int, bool, Entry]]) -> list[Worth]:
    return [(worth, is_by_choice, worth) for worth, is_by_choice, _ in rounds]


def cut(rounds: list[Worth], low: int = 0, high: int = 0) -> list[int]:
    """16.5: without the lowest and highest rounds."""
    if not any(is_by_choice for _, is_by_choice, _ in rounds):
        in_order = sorted(rounds, key=BY_OPPONENTS)
        return [worth for worth, _, _ in in_order[low : max(low, len(rounds) - high)]]
    left = list(rounds)
    for _ in range(min(low, len(left))):
        lowest = min(left, key=BY_OPPONENTS)
        chosen = min((each for each in left if each[1]), key=lambda each: (each[0], each[2]), default=lowest)
        left.remove(lowest if lowest[0] > chosen[0] else chosen)
    for _ in range(min(high, len(left))):
        left.remove(max(left, key=BY_OPPONENTS))
    return [worth for worth, _, _ in left]


def sonneborn_berger(sheet: Sheet) -> Values:
    return {
        player: sum([worth * entry.points for worth, _, entry in rounds]) for player, rounds in sheet.rounds.items()
    }


def sonneborn_berger_of_tables(sheet: Sheet) -> Values:
    adjusted = sheet.adjusted

    def worth(value: int, entry: Entry) -> int:
        if entry.kind != PLAYED:
            return 2 * value * entry.points // entry.win if entry.win else 0
        beaten = 2 * sum([adjusted[other] for other in entry.beaten]) + sum([adjusted[other] for other in entry.tied])
        return MEAN * beaten // max(1, len(entry.opponents))

    return {player: sum([worth(v, entry) for v, _, entry in rounds]) for player, rounds in sheet.rounds.items()}


def mean_rating_of_opponents(sheet: Sheet) -> Values:
    found = {}
    for player, card in sheet.cards.items():
        met = [sheet.ratings[other] for entry in card.entries if entry.kind == PLAYED for other in entry.opponents]
        rated = [rating for rating in met if rating]
        found[player] = (2 * sum(rated) + len(rated)) // (2 * len(rated)) if rated else 0
    return found


def starting_number(sheet: Sheet) -> Values:
    return {player: -number for player, number in sheet.numbers.items()}


# Victory points


def victory_point_difference(sheet: Sheet) -> Values:
    def worth(entry: Entry) -> int:
        if not entry.victory_points:
            return 0
        own, *others = entry.victory_points
        return max(-CAP, min(CAP, own - max(others)))

    return _counted(sheet, worth)


def victory_point_share(sheet: Sheet) -> Values:
    return _mean(sheet, lambda own, all: own * len(all) * RATIO // sum(all) if sum(all) > 0 else RATIO)


def percentage_of_the_winner(sheet: Sheet) -> Values:
    return _mean(sheet, lambda own, all: own * RATIO // max(all) if max(all) > 0 else RATIO * (own == max(all)))


def _mean(sheet: Sheet, ratio: Callable[[int, list[int]], int]) -> Values:
    """Over the games whose victory points are known."""
    return {
        player: sum([ratio(game[0], game) for game in games]) // len(games) if games else 0
        for player, games in sheet.games.items()
    }


class TieBreak(Struct, frozen=True):
    """A tie-break as arbiters name it."""

    name: Text
    definition: Text
    values: Callable[[Sheet], Values] | None
    """None: it looks at the tied players alone (`tournaments.direct_encounter`), or was drawn by lot."""
    scale: int = 1


BUCHHOLZ = say("the sum over all rounds of the opponents' points, at larger tables of their mean")

TIEBREAKS: Mapping[str, TieBreak] = {
    "PTS": TieBreak(say("points"), say("the points of all rounds, with those of rulings"), points, UNIT),
    "TP": TieBreak(say("table points"), say("the points of all tables, with those of rulings"), points, UNIT),
    "DE": TieBreak(
        say("direct encounter"),
        say("the points in the games between the tied players, if all have met or the others cannot catch up"),
        None,
    ),
    "DEm": TieBreak(
        say("direct encounter"), say("who came before whom at common tables, if all tied players have met"), None
    ),
    "W": TieBreak(say("wins"), say("first places at tables; a shared one counts as its part"), wins, UNIT),
    "WIN": TieBreak(say("wins"), say("rounds with the points of a win, also without a game"), rounds_won),
    "WON": TieBreak(say("games won"), say("games that were played and won"), games_won),
    "BPG": TieBreak(
        say("games from the last seat"),
        say("games that were played from the last seat: with black, of two"),
        games_from_the_last_seat,
    ),
    "BWG": TieBreak(
        say("wins from the last seat"),
        say("games that were won from the last seat: with black, of two"),
        wins_from_the_last_seat,
    ),
    "REP": TieBreak(
        say("rounds elected to play"), say("rounds that the player was there to play"), rounds_elected_to_play
    ),
    "PS": TieBreak(say("progressive score"), say("the sum of the points after each round"), progressive, UNIT),
    "BH": TieBreak(say("Buchholz"), BUCHHOLZ, buchholz, UNIT * MEAN),
    "BH/C1": TieBreak(say("Buchholz cut 1"), say("Buchholz without the lowest round"), buchholz_cut_1, UNIT * MEAN),
    "BH/C2": TieBreak(
        say("Buchholz cut 2"), say("Buchholz without the two lowest rounds"), buchholz_cut_2, UNIT * MEAN
    ),
    "BH/M1": TieBreak(
        say("median Buchholz"), say("Buchholz without the lowest and the highest round"), median_buchholz, UNIT * MEAN
    ),
    "OTP": TieBreak(say("opponents' table points"), BUCHHOLZ, buchholz, UNIT * MEAN),
    "OTP/C1": TieBreak(
        say("opponents' table points, cut 1"),
        say("the opponents' mean table points, summed over all rounds but the lowest"),
        buchholz_cut_1,
        UNIT * MEAN,
    ),
    "SB": TieBreak(
        say("Sonneborn-Berger"),
        say("the sum of the opponents' points, each times the points won against them"),
        sonneborn_berger,
        UNIT * UNIT * MEAN,
    ),
    "SBm": TieBreak(
        say("Sonneborn-Berger of tables"),
        say("at each table the points of those behind and half of those level, as a mean over all opponents"),
        sonneborn_berger_of_tables,
        2 * UNIT * MEAN,
    ),
    "VPS": TieBreak(
        say("share of victory points"),
        say("the own victory points to the mean of the table, as a mean over all games"),
        victory_point_share,
        RATIO,
    ),
    "WP": TieBreak(
        say("percentage of the winner"),
        say("the own victory points to those of the winner, as a mean over all games"),
        percentage_of_the_winner,
        RATIO,
    ),
    "VPD": TieBreak(
        say("difference of victory points"),
        say("the own victory points less the best opponent's, 50 at most in each game"),
        victory_point_difference,
    ),
    "ARO": TieBreak(
        say("mean rating of the opponents"),
        say("the mean rating of all opponents that were played and have one"),
        mean_rating_of_opponents,
    ),
    "TPN": TieBreak(say("starting number"), say("the lower starting number"), starting_number),
    "LOT": TieBreak(say("lot"), say("drawn once for all players from the seed of the tournament"), None),
}
"""By code."""

FIDE = ("PTS", "DE", "BH/C1", "BH", "SB", "WON", "PS")
BOARD_GAME = ("PTS", "DE", "BH/C1", "BH", "VPD", "SB", "LOT")
TABLES = ("TP", "W", "OTP/C1", "VPS", "SBm", "DEm", "WP", "LOT")
"""The lists that are used unless the organiser chooses others."""
