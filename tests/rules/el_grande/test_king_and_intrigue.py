"""King & Intrigue: own action cards, ranks, the King card and the Intrigue card."""

from itertools import chain
from typing import Any

import pytest

from rules.el_grande.commands import Special
from rules.el_grande.expansions.king_and_intrigue.actions import TravelWithGrande
from rules.el_grande.expansions.king_and_intrigue.cards import CARDS, HAND_CARDS, MUSTERS
from rules.el_grande.expansions.king_and_intrigue.facts import (
    CaballeroCardsDealt,
    RegionCardsShown,
    RegionCardTaken,
    VetoGivenUp,
    held,
)
from rules.el_grande.expansions.king_and_intrigue.opening import KeepCards, SetFirstDisks
from rules.el_grande.expansions.king_and_intrigue.ranks import CABALLERO_CARDS
from rules.el_grande.expansions.king_and_intrigue.region_cards import ReturnRegionCards, ShowRegionCards
from rules.el_grande.expansions.king_and_intrigue.rounds import BidCard, DealRanks, LeaveCard
from rules.el_grande.expansions.king_and_intrigue.shown import view as shown
from rules.el_grande.facts import SpaceScored, TurnEnded, TurnOrderSet
from rules.el_grande.game import EL_GRANDE
from rules.el_grande.steps.general import ScoreRegions
from rules.el_grande.steps.rounds import EndRound, OrderTurns
from rules.el_grande.steps.turns import UseCard
from rules.el_grande.view import view
from rules.errors import RuleBroken
from rules.kernel import EVERYTHING, SPECTATOR, Step, options
from rules.narration import tell
from tests.rules.el_grande.table import Table, table

RULES = EL_GRANDE.rules(("king_and_intrigue",))
COLOURS = ("red", "blue", "yellow", "green", "brown")
HOMES = {
    "red": "red aragon",
    "blue": "blue valencia",
    "yellow": "yellow sevilla",
    "green": "green galicia",
    "brown": "brown cataluna",
}


def board_after(values: str, position: str, king: str) -> str:
    """All players have played a card: `red 180, blue 20`."""
    power = dict(item.split() for item in values.split(", "))
    history = "; ".join(f"history {player}: {value}" for player, value in power.items())
    grandes = "" if "grandes" in position else f"grandes: {', '.join(HOMES[player] for player in power)}; "
    table_cards = "face_up: ki_king ki_intrigue; round 1"
    return f"king {king}; {position}; {grandes}power: {values}; {history}; {table_cards}"


def round_of(values: str, position: str = "", *then: Step, king: str = "granada") -> Table:
    """The cards are played, and the turns come now."""
    board = board_after(values, position, king)
    return table(board, OrderTurns(), *then, players=values.count(",") + 1, rules=RULES)


def using(players: str, values: str, position: str = "", king: str = "granada") -> Table:
    """These players, one after the other, use the cards that they have played; they have drawn already."""
    power = dict(item.split() for item in values.split(", "))
    turns = [(UseCard(player, HAND_CARDS[int(power[player])]), LeaveCard(player)) for player in players.split()]
    board = board_after(values, position, king)
    return table(board, DealRanks(), *chain.from_iterable(turns), players=len(power), rules=RULES)


# Set-up


def test_every_player_puts_a_caballero_from_court_into_a_secret_region_before_the_first_round():
    game = table(
        "king granada; court: red 7, blue 7; grandes: red aragon, blue valencia",
        SetFirstDisks(),
        players=2,
        rules=RULES,
    )
    game.play("red disk sevilla")
    assert game.where("sevilla") == {}
    game.play("blue disk aragon")
    assert (game.where("sevilla"), game.where("aragon")) == ({"red": 1}, {"blue": 1})
    assert game.where("court") == {"red": 6, "blue": 6}


def test_the_first_disk_cannot_name_the_kings_region_and_is_the_home_by_default():
    position = "king granada; court: red 7, blue 7; grandes: red aragon, blue valencia"
    game = table(position, SetFirstDisks(), players=2, rules=RULES)
    assert game.refuses("red disk granada") == "disk"
    assert len(game.choices("red", "region")) == 8
    game.play("red time_up", "blue disk sevilla")
    assert game.where("aragon") == {"red": 1}


def all_cards(players: int = 2) -> str:
    hand = " ".join(map(str, MUSTERS))
    return "king granada; " + "; ".join(f"hand {player}: {hand}" for player in COLOURS[:players])


KEEPING = "10,20,30,40,50,60,70,80,90,100,110,120,130"
KEEPING_HIGH = "60,70,80,90,100,110,120,130,140,150,160,170,180"


def test_every_player_keeps_thirteen_of_eighteen_cards():
    game = table(all_cards(), KeepCards(), players=2, rules=RULES)
    game.play(f"red keep_cards {KEEPING_HIGH}", f"blue keep_cards {KEEPING}")
    assert game.board.hands["red"] == tuple(range(60, 190, 10))
    assert game.board.hands["blue"] == tuple(range(10, 140, 10))


TOO_FEW, TOO_MANY = KEEPING.removesuffix(",130"), f"{KEEPING},140"
TWICE, UNKNOWN = KEEPING.replace("130", "10"), KEEPING.replace("130", "135")


@pytest.mark.parametrize("cards", [TOO_FEW, TOO_MANY, TWICE, UNKNOWN])
def test_no_other_number_no_card_twice_and_no_unknown_card_can_be_kept(cards):
    game = table(all_cards(), KeepCards(), players=2, rules=RULES)
    assert game.refuses(f"red keep_cards {cards}") == "keep_cards"


def test_if_time_runs_out_the_lowest_thirteen_cards_are_kept():
    game = table(all_cards(), KeepCards(), players=2, rules=RULES).play("red time_up", "blue time_up")
    assert game.board.hands["red"] == tuple(range(10, 140, 10))


def test_nobody_else_learns_which_cards_were_kept():
    """Two games that differ only there look the same to all others."""
    games = [table(all_cards(3), KeepCards(), BidCard("blue"), players=3, rules=RULES) for _ in range(2)]
    for game, kept in zip(games, (KEEPING, KEEPING_HIGH), strict=True):
        game.play(f"red keep_cards {kept}", f"blue keep_cards {KEEPING}", f"yellow keep_cards {KEEPING}")
    one, other = games
    for viewer in ("blue", "yellow", SPECTATOR):
        assert [fact.seen_by(viewer) for fact in one.history] == [fact.seen_by(viewer) for fact in other.history]
        assert view(one.state, viewer) == view(other.state, viewer)
        assert options(one.state, viewer) == options(other.state, viewer)
    assert view(one.state, "red") != view(other.state, "red")
    assert shown(one.state, "blue")["removed"]["red"] == {"size": 5, "cards": None}
    assert shown(one.state, EVERYTHING)["removed"]["red"]["cards"] == (140, 150, 160, 170, 180)


# The round


def test_the_highest_card_has_the_first_turn_and_the_king_the_lowest_the_intrigue():
    """Vector KI-1."""
    game = round_of("red 180, blue 20, yellow 90, green 10, brown 150")
    assert game.happened(TurnOrderSet)[0].order == ("red", "brown", "yellow", "blue", "green")
    [dealt] = game.happened(CaballeroCardsDealt)
    assert dealt.cards == {"red": 5, "brown": 4, "yellow": 3, "blue": 2, "green": 1}
    assert game.board.taken == {"ki_king": "red", "ki_intrigue": "green"}


def test_the_player_of_the_lowest_card_opens_the_next_round():
    """Vector KI-1."""
    game = round_of("red 180, blue 20", "hand red: 30 50; hand blue: 60 70", EndRound(1))
    game.play("red time_up")
    assert (game.board.first, game.asked) == ("blue", ("power", ("blue",)))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_caballero_cards_go_by_rank_the_first_gets_five_and_the_last_one(players):
    cards = CABALLERO_CARDS[players]
    assert (cards[0], cards[-1], sum(cards)) == (5, 1, 3 * players)


def test_a_value_that_was_played_in_this_round_cannot_be_played_again():
    """Vector KI-2."""
    position = "king granada; hand red: 50 60; hand blue: 60 70 80"
    game = table(position, BidCard("red"), BidCard("blue"), players=2, rules=RULES).play("red power 60")
    assert game.refuses("blue power 60") == "power"
    assert game.choices("blue", "value") == ["70", "80"]


def test_caballeros_come_to_court_by_the_card_played_and_are_placed_by_the_caballero_card():
    game = round_of("red 30, blue 20, yellow 10", "province: red 10, blue 10, yellow 10")
    assert game.refuses("red draw 6") == "draw"
    game.play("red draw 5")
    assert game.refuses("red place castillo 6") == "place"
    game.play("red place castillo 5")
    assert game.where("castillo") == {"red": 5}


# Which special action


def test_with_four_players_the_first_has_the_king_card_and_no_own_action():
    """Vector KI-3."""
    game = using("red", "red 100, blue 20, yellow 10, green 30", "galicia: red 2")
    assert game.refuses("red special") == "fields"
    assert game.refuses("red special use=own") == "use"
    game.play("red special to=sevilla")
    assert game.board.king == "sevilla"
    assert game.scores == {}


def test_with_three_players_the_first_chooses_between_the_king_and_the_own_action():
    """Vector KI-4."""
    position = "galicia: red 2"
    game = using("red", "red 100, blue 20, yellow 10", position)
    assert game.refuses("red special") == "use"
    game.play("red special use=own")
    assert game.scores == {"red": 4}
    game = using("red", "red 100, blue 20, yellow 10", position).play("red special use=king to=sevilla")
    assert (game.board.king, game.scores) == ("sevilla", {})


def test_the_last_has_the_intrigue_card_and_with_three_players_a_choice():
    three = using("yellow", "red 100, blue 90, yellow 50", "aragon: red 1; court: blue 1")
    assert set(three.choices("yellow", "use")) == {"intrigue", "own"}
    four = using("yellow", "red 100, blue 90, yellow 50, green 80", "aragon: red 1")
    assert four.choices("yellow", "use") == []
    assert set(four.choices("yellow", "mode")) == {"foreign"}


def test_ranks_in_between_have_nothing_but_their_own_action_and_need_not_say_so():
    game = using("blue", "red 180, blue 100, yellow 10, green 90", "galicia: red 2; court: blue 1")
    assert game.refuses("blue special use=king to=sevilla") == "use"
    game.play("blue special use=own")
    assert game.scores == {"red": 4}


def test_cards_10_and_180_have_no_own_action():
    game = using("red", "red 180, blue 10", "aragon: red 1, blue 1")
    assert game.choices("red", "use") == []
    assert CARDS["ki_010"].special is CARDS["ki_180"].special is None


# Compulsory actions


def test_a_compulsory_action_keeps_the_turn_from_ending():
    """Vector KI-18."""
    game = using("blue", "red 180, blue 150, yellow 60, green 50, brown 20", "galicia: red 2")
    assert game.refuses("blue end") == "compulsory"
    assert "end_turn" not in game.offered("blue")
    game.play("blue special space=galicia")
    assert game.scores == {"red": 4}
    assert game.happened(TurnEnded)[-1].player == "blue"


def test_a_compulsory_action_without_a_choice_is_done_by_itself_when_nothing_else_can_be():
    """Vector KI-17."""
    position = "granada: red 2; castilla_la_nueva: blue 1"
    game = using("yellow", "red 180, blue 150, yellow 60, green 50, brown 20", position)
    assert [fact.space for fact in game.happened(SpaceScored)] == ["castilla_la_vieja", "castilla_la_nueva", "granada"]
    assert game.asked is None


def test_a_vetoed_compulsory_action_is_done_with():
    position = "galicia: red 2"
    game = using("blue", "red 180, blue 150, yellow 40, green 50, brown 20", position)
    game.play("blue special space=galicia", "yellow veto")
    assert game.scores == {}
    assert game.happened(TurnEnded)[-1].player == "blue"


def test_first_and_last_may_always_end_their_turns_without_a_special_action():
    game = using("red yellow", "red 150, blue 60, yellow 50", "court: red 1, yellow 1").play("red end", "yellow end")
    assert game.asked is None


def test_when_time_runs_out_a_compulsory_action_is_done_first_and_nothing_is_placed():
    game = using("blue", "red 180, blue 90, yellow 60, green 50", "court: blue 3")
    game.play("blue time_up")
    assert dict(game.board.scoreboards) == {"board_840": "galicia"}
    game.play("blue time_up")
    assert game.happened(TurnEnded)[-1].player == "blue"
    assert game.where("court") == {"blue": 3}


def test_an_unused_scoreboard_is_laid_before_a_used_one_is_moved_when_time_runs_out():
    position = "court: blue 1; scoreboards: board_840 aragon"
    game = using("blue", "red 180, blue 90, yellow 60, green 50", position).play("blue time_up")
    assert dict(game.board.scoreboards) == {"board_840": "aragon", "board_400": "galicia"}


# The shared cards


def test_the_king_card_must_move_the_king():
    game = using("red", "red 180, blue 10")
    assert game.refuses("red special to=granada") == "must_change"
    assert game.refuses("red special to=castillo") == "regions"


def test_the_intrigue_card_moves_one_caballero_of_an_opponent():
    game = using("blue", "red 180, blue 10", "aragon: red 3, blue 2")
    game.play("blue special mode=foreign source=aragon")
    assert game.refuses("blue step blue aragon > sevilla") == "limit"
    game.play("blue step red aragon > castillo")
    assert (game.where("aragon"), game.where("castillo")) == ({"red": 2, "blue": 2}, {"red": 1})
    assert game.happened(TurnEnded)[-1].player == "blue"


def test_or_any_number_of_own_ones_out_of_one_region_to_several():
    game = using("blue", "red 180, blue 10", "aragon: red 3, blue 2; galicia: blue 1")
    game.play("blue special mode=own source=aragon", "blue step blue aragon > sevilla")
    assert game.refuses("blue step blue sevilla > galicia") == "one_region"
    game.play("blue step blue aragon > castillo")
    assert (game.where("sevilla"), game.where("castillo")) == ({"blue": 1}, {"blue": 1})


def test_neither_from_nor_into_the_kings_region_nor_out_of_the_castillo():
    game = using("blue", "red 180, blue 10", "granada: red 1; castillo: red 2; aragon: red 1")
    assert game.choices("blue", "source") == ["aragon"]
    game.play("blue special mode=foreign source=aragon")
    assert game.refuses("blue step red aragon > granada") == "taboo"


# The cards


def test_20_frees_the_placement_of_its_turn():
    """Vector KI-13."""
    game = using("blue", "red 180, blue 20, yellow 10", "court: blue 9", king="galicia")
    assert game.refuses("blue place granada 1") == "king_adjacency"
    game.play("blue special")
    assert game.refuses("blue place galicia 1") == "taboo"
    game.play("blue place granada 2, castillo 1")
    assert (game.where("granada"), game.where("castillo")) == ({"blue": 2}, {"blue": 1})


def test_20_comes_before_the_placement_or_not_at_all():
    """Vector KI-19."""
    game = using("blue", "red 180, blue 20, yellow 10", "court: blue 9", king="galicia")
    game.play("blue place pais_vasco 1")
    assert game.happened(TurnEnded)[-1].player == "blue"
    game = using("blue", "red 180, blue 20, yellow 10", "court: blue 9", king="galicia").play("blue end")
    assert game.happened(TurnEnded)[-1].player == "blue"


def test_20_when_vetoed_leaves_the_placement_beside_the_king():
    game = using("yellow", "red 180, blue 40, yellow 20, green 10", "court: yellow 9", king="galicia")
    game.play("yellow special", "blue veto")
    assert game.refuses("yellow place granada 1") == "king_adjacency"
    game.play("yellow place pais_vasco 1")


def test_30_empties_courts_when_its_turn_comes():
    """Vector KI-10."""
    position = "court: red 2, yellow 4, green 6, brown 7; province: green 20, brown 20"
    game = round_of("red 180, blue 160, yellow 30, green 20, brown 10", position)
    game.play("red end", "blue special to=sevilla", "yellow special")
    assert game.where("court") == {"yellow": 4}
    game.play("yellow end", "green draw 5")
    assert game.where("court") == {"yellow": 4, "green": 5}


def test_50_every_opponent_gives_up_three_or_all_that_may_leave():
    """Vector KI-11."""
    position = "court: red 1, blue 1; granada: red 4; castillo: red 3; sevilla: red 1"
    game = using("blue", "yellow 180, blue 50, red 10", position).play("blue special")
    assert game.where("province") == {"red": 2}
    assert (game.where("granada"), game.where("castillo")) == ({"red": 4}, {"red": 3})


def test_60_scores_the_six_and_seven_regions_and_never_the_castillo():
    position = "castilla_la_vieja: red 1; castillo: red 1; sevilla: red 1"
    game = using("blue", "red 180, blue 60, yellow 10", position)
    assert [fact.space for fact in game.happened(SpaceScored)] == ["castilla_la_vieja", "castilla_la_nueva", "granada"]


def test_120_scores_the_five_regions_without_the_castillo():
    game = using("blue", "red 180, blue 120, yellow 10", "castillo: red 1")
    assert [fact.space for fact in game.happened(SpaceScored)] == ["pais_vasco", "aragon", "valencia"]


def test_70_sends_back_one_of_each_opponent_in_any_order_and_does_not_stop_before():
    position = "aragon: red 1, yellow 2; sevilla: yellow 1; granada: green 3; court: blue 1"
    game = using("blue", "red 180, blue 70, yellow 10, green 20", position).play("blue special")
    assert game.refuses("blue stop") == "compulsory"
    assert game.refuses("blue step green granada") == "taboo"
    game.play("blue step yellow sevilla")
    assert game.where("province") == {"red": 1, "yellow": 1}, "the only step that is left is taken by itself"


def test_70_by_default_takes_the_first_region_of_the_left_neighbour():
    position = "aragon: red 1, yellow 2; galicia: yellow 1; court: blue 1"
    game = using("blue", "red 180, blue 70, yellow 10, green 20", position).play("blue special", "blue time_up")
    assert game.where("galicia") == {}


def test_80_the_grande_travels_with_up_to_three_caballeros_from_any_regions():
    position = "aragon: blue 2; sevilla: blue 2; galicia: blue 1"
    game = using("blue", "red 180, blue 80, yellow 10", position)
    assert game.refuses("blue special to=galicia from_regions=aragon*2,sevilla*2") == "limit"
    assert game.refuses("blue special to=galicia from_regions=galicia*1") == "move"
    assert game.refuses("blue special to=valencia") == "must_change"
    game.play("blue special to=galicia from_regions=aragon*2,sevilla*1")
    assert (game.board.grandes["blue"], game.where("galicia")) == ("galicia", {"blue": 4})


def test_80_nobody_travels_with_the_grande_from_where_he_goes_to():
    """In the colonies expansion a caballero may change its place within a region, but not by this card."""
    rules = EL_GRANDE.rules(("king_and_intrigue", "grand_inquisitor_and_colonies"))
    trip = TravelWithGrande("red")
    board = table("king granada; ship: red:captain, red 1; sevilla: red 2; grandes: red sevilla", rules=rules).board
    ways: list[dict[str, Any]] = [dict(form.fields) for form in trip.special_forms(board)]
    [aboard] = [fields for fields in ways if fields["to"].values == ("ship",)]
    assert set(aboard["from_regions"].limits) == {"sevilla"}
    with pytest.raises(RuleBroken, match="from ship to ship is not a move"):
        trip.begun(board, Special(to="ship", from_regions={"ship:captain": 1}))


def test_80_cannot_be_used_while_the_own_grande_is_with_the_king():
    """Vector KI-14."""
    position = "aragon: blue 2; court: blue 1; grandes: red aragon, blue granada, yellow sevilla"
    game = using("blue", "red 180, blue 80, yellow 10", position)
    assert "special" not in game.offered("blue")
    assert game.refuses("blue special to=galicia") == "executable"


def test_140_two_of_each_player_go_into_the_castillo():
    """Vector KI-12."""
    position = "aragon: yellow 1; granada: yellow 5; sevilla: red 3; court: blue 1; galicia: blue 1"
    game = using("blue", "red 180, blue 140, yellow 10", position)
    game.play("blue special", "blue step blue galicia")
    assert game.where("castillo") == {"yellow": 1, "red": 2, "blue": 2}
    assert game.asked is None


def test_140_goes_clockwise_from_the_left_and_ends_with_the_own_which_may_come_from_court():
    position = "aragon: yellow 3; sevilla: yellow 3, red 3; court: blue 3; galicia: blue 3"
    game = using("blue", "red 180, blue 140, yellow 10", position).play("blue special")
    assert game.refuses("blue step red sevilla") == "players"
    assert game.refuses("blue step yellow court") == "regions"
    game.play("blue step yellow aragon", "blue step yellow sevilla")
    assert game.where("castillo") == {"yellow": 2, "red": 2}
    game.play("blue step blue court", "blue time_up")
    assert game.where("court") == {"blue": 1}
    assert game.where("castillo") == {"yellow": 2, "red": 2, "blue": 2}


def test_160_moves_the_king_one_step():
    game = using("blue", "red 180, blue 160, yellow 10")
    assert game.refuses("blue special to=galicia") == "king_step"
    game.play("blue special to=sevilla")
    assert game.board.king == "sevilla"


def test_170_scores_every_region_that_two_players_voted_for_once():
    """Vector KI-7."""
    game = using("red", "brown 180, red 170, yellow 10, green 20, blue 30", "granada: red 1; sevilla: blue 1")
    game.play("red disk granada", "blue disk granada", "yellow disk valencia")
    game.play("green disk sevilla", "brown disk sevilla")
    assert [fact.space for fact in game.happened(SpaceScored)] == ["granada", "sevilla"]


def test_170_with_two_players_scores_nothing_if_they_differ():
    """Vector KI-8."""
    game = using("red", "red 170, blue 10", "granada: red 1").play("red special use=own")
    game.play("red disk granada", "blue disk sevilla")
    assert game.happened(SpaceScored) == []


# The veto of the round


def test_40_may_stop_one_special_action_before_its_own_turn():
    """Vector KI-5."""
    game = using("red", "red 180, blue 20, yellow 40, green 30, brown 10")
    game.play("red special to=sevilla")
    assert game.asked == ("veto", ("yellow",))
    game.play("yellow veto")
    assert (game.board.king, game.board.vetoes) == ("granada", ())


def test_40_is_lost_at_the_end_of_its_round():
    """Vector KI-6."""
    position = "hand red: 60 80; hand blue: 70 90; hand yellow: 100 110"
    game = round_of("red 180, yellow 40, blue 30", position, EndRound(1))
    assert [veto.player for veto in game.board.vetoes] == ["yellow"]
    game.play("red end", "blue end")
    assert (game.board.round, game.board.vetoes) == (2, ())


def test_40_of_the_first_or_last_of_four_or_five_players_is_no_veto():
    for values in ("red 40, blue 20, yellow 10, green 30", "red 180, blue 50, yellow 40, green 60"):
        assert using("red", values).board.vetoes == ()


def test_40_is_given_up_by_a_first_player_who_uses_the_king_card():
    """Vector KI-16."""
    game = using("red blue", "red 40, blue 20, yellow 10", "court: blue 1").play("red special to=sevilla")
    assert game.happened(VetoGivenUp) == [VetoGivenUp("red", "ki_040")]
    game.play("blue special")
    assert game.asked == ("menu", ("blue",))


def test_40_used_before_the_own_turn_is_its_special_action():
    position = "court: yellow 1, blue 1; aragon: red 1"
    game = using("blue yellow", "red 180, blue 60, yellow 40", position)
    game.play("blue special", "yellow veto", "blue end")
    assert game.offered("yellow") == {"place", "end_turn"}
    assert game.refuses("yellow special mode=foreign source=aragon") == "executable"


def test_40_of_a_first_player_who_ends_the_turn_without_a_special_action_stays_until_the_end_of_the_round():
    game = using("red blue", "red 40, blue 20, yellow 10", "court: red 1, blue 1").play("red end", "blue special")
    assert game.asked == ("veto", ("red",))


# The secret region


def holding(cards: str, position: str, players: int) -> Table:
    steps = ShowRegionCards(), ScoreRegions(), ReturnRegionCards()
    return table(f"{position}; {cards}", *steps, players=players, rules=RULES)


def test_a_region_that_is_held_counts_double_with_its_bonuses():
    """Vector KI-9."""
    position = "king sevilla; aragon: red 4, blue 2, yellow 1; grandes: red aragon, blue galicia"
    game = holding("region_cards green: aragon", position, 4)
    [aragon] = [fact for fact in game.happened(SpaceScored) if fact.space == "aragon"]
    assert aragon.points == {"red": 14, "blue": 8, "yellow": 2}


def test_a_tie_is_doubled_after_it_has_fallen_one_place():
    """Vector KI-15."""
    position = "king castilla_la_nueva; castilla_la_nueva: red 2, blue 2, yellow 1; grandes: red aragon"
    game = holding("region_cards red: castilla_la_nueva", position, 3)
    assert game.scores == {"red": 8, "blue": 8}


def test_region_cards_are_shown_together_before_the_regions_are_scored_and_go_back_after():
    cards = "region_cards red: aragon; region_cards blue: sevilla galicia"
    game = holding(cards, "king granada; grandes: red aragon", 3)
    [cards_shown] = game.happened(RegionCardsShown)
    assert cards_shown.cards == {"red": ("aragon",), "blue": ("sevilla", "galicia")}
    assert held(game.board) == {}


def test_a_special_scoring_is_not_doubled():
    position = "sevilla: red 1; region_cards red: sevilla"
    game = using("blue", "red 180, blue 150, yellow 10", position).play("blue special space=sevilla")
    assert game.scores == {"red": 4}


def test_130_takes_a_region_card_that_nobody_holds_and_the_kings_region_may_be_chosen():
    game = using("blue", "red 180, blue 130, yellow 10", "region_cards red: aragon")
    assert game.refuses("blue special region=aragon") == "region_cards"
    assert "granada" in game.choices("blue", "region")
    game.play("blue special region=granada")
    assert held(game.board)["blue"] == ("granada",)


def test_nobody_else_learns_which_region_counts_double_even_if_it_is_vetoed():
    for veto in ("allow", "veto"):
        games = [using("blue", "red 180, blue 130, yellow 40, green 10", "court: blue 1") for _ in range(2)]
        for game, region in zip(games, ("aragon", "sevilla"), strict=True):
            game.play(f"blue special region={region}", f"yellow {veto}")
        one, other = games
        for viewer in ("red", "yellow", "green", SPECTATOR):
            assert [fact.seen_by(viewer) for fact in one.history] == [fact.seen_by(viewer) for fact in other.history]
            assert view(one.state, viewer) == view(other.state, viewer)
        told = tell(RULES, [fact.seen_by("red") for fact in one.history])
        assert not any("Aragon" in line for line in told)
    assert not one.happened(RegionCardTaken)


# The table of cards


def test_the_musters_fall_from_six_to_none():
    assert list(MUSTERS) == list(range(10, 190, 10))
    assert sorted(MUSTERS.values(), reverse=True) == list(MUSTERS.values())
    assert (MUSTERS[10], MUSTERS[170], MUSTERS[180]) == (6, 0, 0)


def test_all_own_actions_are_compulsory_but_the_placement_the_veto_and_the_travelling_grande():
    own = {value: CARDS[card] for value, card in HAND_CARDS.items() if CARDS[card].special or value == 40}
    assert {value for value, card in own.items() if not card.compulsory} == {20, 40, 80}
