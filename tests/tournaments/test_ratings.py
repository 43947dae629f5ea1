"""Ratings find out who is strong, and recompute."""

import random
from itertools import pairwise

from tests.tournaments.playing import Event
from tournaments.ratings import NEW, RatedGame, rated, rated_games, rating_history, strength
from tournaments.results import Result, Round, Table


def test_ratings_find_the_order_of_strength():
    chance = random.Random(1)
    skill = {f"p{number:02}": number / 5 for number in range(20)}
    games = []
    for _ in range(400):
        players = chance.sample(sorted(skill), 4)
        luck = {player: skill[player] + chance.gauss(0, 1) for player in players}
        ranked = sorted(players, key=lambda player: -luck[player])
        games.append(RatedGame(tuple(players), tuple(ranked.index(player) + 1 for player in players)))
    found = rated(games)
    order = sorted(skill, key=lambda player: found[player].mean)
    wrong = sum(abs(order.index(player) - sorted(skill).index(player)) ** 2 for player in skill)
    assert 1 - 6 * wrong / (20 * 399) > 0.95, "Spearman's correlation with the true order"


def test_ratings_are_the_same_however_they_are_cut():
    games = list(rated_games(Event(12, 4).play(3).history.rounds))
    assert rated(games) == rated(games[4:], rated(games[:4]))


def test_a_forfeit_rates_nobody_and_a_player_who_left_comes_last():
    forfeit = Table(("a", "b"), Result((1, 2), absent=(1,)))
    left = Table(("c", "d", "e"), Result((1, 2, 3), abandoned=(0,)))
    [game] = rated_games([Round(3, (forfeit, left))])
    assert game == RatedGame(("c", "d", "e"), (3, 1, 2))


def test_a_history_has_a_rating_after_every_game_and_grows_more_certain():
    games = list(rated_games(Event(8, 4).play(3).history.rounds))
    ratings = rating_history(games, "p0001")
    assert [rating.games for rating in ratings] == [1, 2, 3]
    assert all(one.uncertainty > two.uncertainty for one, two in pairwise([NEW, *ratings]))
    assert isinstance(strength(ratings[-1]), int)
