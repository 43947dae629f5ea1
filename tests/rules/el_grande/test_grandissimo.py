"""Grandissimo: Portugal, ships, a prison, three characters, and the cards of stacks 6 and 7."""

import pytest

from rules.el_grande.board import Deed, king_region, placement_spaces
from rules.el_grande.expansions.grandissimo.actions import ScoreCoast, ScoreInterior, score_courts
from rules.el_grande.expansions.grandissimo.cards import CARDS, STACK_SIX
from rules.el_grande.expansions.grandissimo.deck import FOR_A_FIRST_GAME
from rules.el_grande.expansions.grandissimo.facts import (
    AlliedRegionsScored,
    BoycottShown,
    DisksSeen,
    MercenariesDrawn,
    RegionCardHidden,
    mine,
)
from rules.el_grande.expansions.grandissimo.general import (
    EndEffects,
    ExerciseFreeWill,
    SetDisksBeforeSpy,
    SetSpyDisk,
    ShowBoycott,
    ShowDisksToSpy,
)
from rules.el_grande.expansions.grandissimo.incognito import AskIncognito
from rules.el_grande.expansions.grandissimo.opening import LandCaballeros, PlaceGuests
from rules.el_grande.expansions.grandissimo.shown import view as shown
from rules.el_grande.expansions.grandissimo.symbols import SYMBOLS
from rules.el_grande.facts import RoundBegan, SpaceScored, StacksShuffled, TurnEnded
from rules.el_grande.game import EL_GRANDE
from rules.el_grande.notation import parse_position
from rules.el_grande.scoring import regions_worth, score
from rules.el_grande.steps.general import ReleaseCastillo, ScoreCastillo, ScoreRegions
from rules.el_grande.steps.rounds import EndRound, NextTurn
from rules.el_grande.steps.turns import LayCardAside, UseCard
from rules.errors import Unreadable
from rules.kernel import EVERYTHING, SPECTATOR, AnswersOpened
from tests.rules.el_grande.table import Table, table

RULES = EL_GRANDE.rules(("grandissimo",))
GRANDES = "grandes: red aragon, blue valencia, yellow sevilla, green galicia"


def board(position: str, players: int = 4):
    return parse_position(position, players, RULES)


def using(card: str, position: str, by: str = "red", players: int = 4, others: str = "") -> Table:
    """It is this player's turn, and the card is taken; `others` lie face up beside it."""
    rest = "" if "grandes" in position else GRANDES if players == 4 else GRANDES.partition(", yellow")[0]
    more = f"face_up: {card} {others}; taken: {card} {by}; turn {by}; round 1"
    steps = UseCard(by, card), LayCardAside(by, card)
    return table(f"{position}; {rest}; {more}", *steps, players=players, rules=RULES)


# Set-up


def test_two_mercenaries_begin_in_the_region_of_one_more_region_card():
    facts, state = EL_GRANDE.start(RULES, 5, b"mercenaries")
    [drawn] = [fact for fact in facts if isinstance(fact, MercenariesDrawn)]
    assert state.board.cubes[drawn.region]["black"] == 2
    assert drawn.region not in (state.board.king, *state.board.grandes.values())


def test_eleven_of_nineteen_cards_lie_in_stack_six():
    facts, _ = EL_GRANDE.start(RULES, 4, b"a deck")
    [shuffled] = [fact for fact in facts if isinstance(fact, StacksShuffled)]
    assert len(STACK_SIX) == 19
    assert len(shuffled.stacks[4]) == len(set(shuffled.stacks[4])) == 11
    assert set(shuffled.stacks[4]) <= set(STACK_SIX)


def test_the_deck_of_a_first_game_has_no_symbol_and_not_the_spanish_inquisition():
    """GR-21."""
    numbers = [number for number, card in enumerate(STACK_SIX, start=1) if card in FOR_A_FIRST_GAME]
    assert numbers == [1, 2, 5, 6, 9, 10, 11, 13, 15, 16, 17]
    facts, _ = EL_GRANDE.start(RULES, 4, b"a deck", deck="first_game")
    [shuffled] = [fact for fact in facts if isinstance(fact, StacksShuffled)]
    assert set(shuffled.stacks[4]) == set(FOR_A_FIRST_GAME)


def test_a_deck_may_be_chosen_by_the_numbers_of_its_cards():
    facts, _ = EL_GRANDE.start(RULES, 4, b"a deck", deck="19,18,17,16,15,14,13,12,11,10,9")
    [shuffled] = [fact for fact in facts if isinstance(fact, StacksShuffled)]
    assert set(shuffled.stacks[4]) == set(list(STACK_SIX)[8:])


@pytest.mark.parametrize(
    "deck", ["1,2,3", "1,2,3,4,5,6,7,8,9,10,10", "1,2,3,4,5,6,7,8,9,10,20", "0,1,2,3,4,5,6,7,8,9,10", "all", ""]
)
def test_a_deck_of_other_than_eleven_different_cards_is_refused(deck):
    with pytest.raises(Unreadable, match=r"a deck (is|has)"):
        EL_GRANDE.start(RULES, 4, b"a deck", deck=deck)


def test_games_without_the_expansion_have_no_deck():
    with pytest.raises(Unreadable, match="there is no option deck"):
        EL_GRANDE.start(EL_GRANDE.rules(), 4, b"a deck", deck="random")


def test_seven_cards_lie_face_up_every_round():
    facts, _ = EL_GRANDE.start(RULES, 4, b"a deck")
    [began] = [fact for fact in facts if isinstance(fact, RoundBegan)]
    assert [RULES.cards[card.partition("-")[0]].stack for card in began.cards] == [1, 2, 3, 4, 6, 5, 7]


# Portugal


def test_only_the_first_place_scores_in_portugal():
    """GR-1."""
    assert score(board("king granada; portugal: red 3, blue 2, yellow 1"), "portugal").points == {"red": 5}
    assert score(board("king granada; portugal: red 3, blue 3"), "portugal").points == {}


def test_portugal_is_one_of_the_five_regions():
    """GR-2."""
    assert regions_worth(board("king granada"), 5) == ("pais_vasco", "aragon", "valencia", "portugal")


def test_portugal_is_open_for_placement_while_the_king_is_beside_it():
    """GR-3."""
    using("gr_coup", "king sevilla; court: red 2").play("red place portugal 2")
    assert using("gr_coup", "king granada; court: red 2").refuses("red place portugal 1") == "king_adjacency"


def test_the_king_may_not_be_placed_in_portugal():
    game = using("s5_king_any", "king sevilla")
    assert "portugal" not in game.choices("red", "to")
    assert game.refuses("red special to=portugal") == "king_step"
    assert "portugal" not in using("s4_king_step", "king sevilla").choices("red", "to")


def test_a_scoreboard_in_portugal_counts_and_a_grande_there_earns_the_bonus():
    """GR-25."""
    here = board("king granada; portugal: red 2, blue 1; grandes: red portugal; scoreboards: board_840 portugal")
    assert score(here, "portugal").points == {"red": 10, "blue": 4}
    assert "portugal" not in regions_worth(here, 5)


def test_portugal_is_not_on_the_secret_disk():
    game = table(f"king granada; {GRANDES}", SetDisksBeforeSpy(), rules=RULES)
    assert len(game.choices("red", "region")) == 9
    assert game.refuses("red disk portugal") == "disk"


# Ships


def test_the_ship_symbol_takes_the_first_tile_beside_the_board():
    game = using("gr_conscription", "king granada; court: red 2")
    assert game.choices("red", "tile") == ["ship_1"]
    assert game.refuses("red symbol tile=ship_2") == "ship"
    game.play("red symbol tile=ship_1")
    assert mine(game.board).ships == {"ship_1": "red"}


def test_if_no_tile_is_beside_the_board_it_comes_from_another_court_with_all_aboard():
    game = using("gr_conscription", "king granada; ships: ship_1 blue, ship_2 red; ship_1: blue 2")
    assert game.choices("red", "tile") == ["ship_1"]
    game.play("red symbol tile=ship_1")
    assert mine(game.board).ships == {"ship_1": "red", "ship_2": "red"}
    assert game.where("ship_1") == {"blue": 2}


def test_a_player_who_has_all_tiles_cannot_use_the_symbol():
    game = using("gr_conscription", "king granada; ships: ship_1 red, ship_2 red; court: red 1; province: red 1")
    assert "symbol" not in game.offered("red")
    two = using("gr_conscription", "king granada; ships: ship_1 red; court: red 1; province: red 1", players=2)
    assert "symbol" not in two.offered("red"), "two players use one tile"


def test_caballeros_may_be_placed_onto_the_own_ship_whatever_the_king_does():
    game = using("gr_coup", "king granada; court: red 3; ships: ship_1 red, ship_2 blue")
    assert game.refuses("red place ship_2 1") == "regions"
    game.play("red place ship_1 2, sevilla 1")
    assert game.where("ship_1") == {"red": 2}


def test_the_two_extra_caballeros_may_go_onto_the_own_ship():
    game = using("s1_place_two", "king granada; court: red 3; ships: ship_1 red")
    game.play("red special", "red step > ship_1")
    assert game.where("ship_1") == {"red": 1}


ABOARD = "king valencia; ships: ship_1 blue; ship_1: red 3, green 1"


def test_from_a_ship_in_any_court_all_own_caballeros_land_or_none():
    """GR-9."""
    game = table(f"{ABOARD}; round 1", LandCaballeros("red"), rules=RULES)
    assert game.refuses("red land ship_1 portugal*1") == "landing"
    game.play("red land ship_1 portugal*2,galicia*1")
    assert (game.where("portugal"), game.where("galicia")) == ({"red": 2}, {"red": 1})
    assert game.where("ship_1") == {"green": 1}
    assert table(f"{ABOARD}; round 1", LandCaballeros("red"), rules=RULES).play("red open_done").where("ship_1") == {
        "red": 3,
        "green": 1,
    }


def test_caballeros_land_at_the_sea_and_not_in_the_kings_region():
    """GR-10."""
    game = table(f"{ABOARD}; round 1", LandCaballeros("red"), rules=RULES)
    assert game.refuses("red land ship_1 valencia*3") == "taboo"
    assert game.refuses("red land ship_1 aragon*3") == "landing"
    assert game.choices("red", "to") == ["galicia", "pais_vasco", "cataluna", "granada", "sevilla", "portugal"]


def test_nobody_lands_when_time_runs_out():
    game = table(f"{ABOARD}; round 1", LandCaballeros("red"), rules=RULES).play("red time_up")
    assert game.where("ship_1") == {"red": 3, "green": 1}


# The prison


def test_a_caballero_of_any_player_may_go_to_prison():
    game = using("gr_excessive_force", "king granada; aragon: blue 2, black 1")
    assert game.choices("red", "owner") == ["blue"], "mercenaries are never imprisoned"
    game.play("red symbol owner=blue from=aragon")
    assert (game.where("prison"), game.where("aragon")) == ({"blue": 1}, {"blue": 1, "black": 1})


def test_nobody_is_imprisoned_from_the_kings_region_or_the_castillo():
    game = using("gr_excessive_force", "king granada; granada: blue 2; castillo: blue 1; court: red 2")
    assert "symbol" not in game.offered("red")
    assert game.refuses("red symbol owner=blue from=granada") == "taboo"
    assert game.refuses("red symbol owner=blue from=castillo") == "castillo"


def test_a_veto_of_the_symbol_leaves_the_special_action_alone():
    position = "king granada; aragon: blue 2; court: red 2; veto green: s2_veto-1 2"
    game = using("gr_espionage", position).play("red symbol owner=blue from=aragon", "green veto", "red special")
    assert game.where("prison") == {}
    assert mine(game.board).spy == "red"


IN_PRISON = "king sevilla; prison: red 1, blue 2"


def test_the_kings_card_pardons_all_prisoners_to_one_place():
    """GR-11."""
    game = using("s5_king_any", IN_PRISON).play("red special pardon=granada")
    assert (game.where("granada"), game.where("prison"), game.board.king) == ({"red": 1, "blue": 2}, {}, "sevilla")


def test_the_pardon_comes_after_the_kings_move():
    game = using("s5_king_any", IN_PRISON)
    assert game.refuses("red special to=granada pardon=granada") == "pardon"
    game.play("red special to=granada pardon=sevilla")
    assert (game.where("sevilla"), game.board.king) == ({"red": 1, "blue": 2}, "granada")


def test_without_prisoners_the_kings_card_moves_the_king():
    game = using("s5_king_any", "king sevilla")
    assert game.refuses("red special pardon=granada") == "pardon"
    assert game.refuses("red special") == "fields"


# The Queen and the Jester


def test_a_queen_who_was_just_taken_places_but_brings_none_to_court():
    """GR-6."""
    game = using("gr_queen_and_jester", "king sevilla; court: red 4; province: red 5")
    game.play("red special character=queen", "red place granada 3")
    assert game.choices("red", "do") == ["place"]
    assert game.refuses("red character queen draw") == "queen"
    game.play("red character queen place to=granada")
    assert game.where("granada") == {"red": 4}
    assert len(game.happened(TurnEnded)) == 1


QUEENLY = "king sevilla; court: red 4; province: red 5; characters: queen red"


def test_a_queen_held_before_brings_one_to_court_or_places_one():
    """GR-7."""
    game = using("gr_coup", QUEENLY)
    assert game.choices("red", "do") == ["draw", "place"]
    game.play("red character queen draw")
    assert game.where("court") == {"red": 5}
    assert game.refuses("red character queen place to=granada") == "once"


def test_characters_are_nobodys_but_their_holders():
    assert (
        using("gr_coup", QUEENLY.replace("queen red", "queen blue")).refuses("red character queen draw") == "character"
    )


def test_a_character_comes_from_another_player_even_if_it_was_used():
    game = using("gr_queen_and_jester", "king sevilla; characters: queen blue, jester red; done blue: queen")
    assert game.choices("red", "character") == ["queen"]
    assert game.refuses("red special character=jester") == "character"
    game.play("red special character=queen")
    assert mine(game.board).characters["queen"] == "red"


def test_the_queen_may_be_used_before_a_card_is_taken():
    position = f"{QUEENLY}; {GRANDES}; queue: red; power: red 5; face_up: s2_veto-1 s3_score_fours-1; round 1"
    game = table(position, NextTurn(), rules=RULES)
    game.play("red character queen draw", "red draw 4")
    assert game.where("court") == {"red": 9}


JESTING = "king sevilla; province: red 5; characters: jester red"


def test_the_jester_sends_a_caballero_to_an_opponents_court_who_must_place_it_first():
    game = using("gr_coup", JESTING).play("red character jester send to_player=blue")
    assert game.where("guests_blue") == {"red": 1}
    placing = table("king sevilla; guests_blue: red 1; round 1", PlaceGuests("blue"), rules=RULES)
    assert placing.refuses("blue place_foreign red sevilla") == "taboo"
    placing.play("blue place_foreign red portugal")
    assert (placing.where("portugal"), placing.where("guests_blue")) == ({"red": 1}, {})


def test_a_guest_goes_into_the_castillo_when_time_runs_out():
    game = table("king sevilla; guests_blue: red 1, green 1; round 1", PlaceGuests("blue"), rules=RULES)
    game.play("blue time_up")
    assert (game.where("castillo"), game.asked) == ({"green": 1}, ("place_foreign", ("blue",)))


def test_guests_stay_when_courts_are_emptied():
    """GR-29."""
    game = using("s2_rebellion_all", "king sevilla; court: blue 3; guests_blue: red 1", by="yellow")
    game.play("yellow special")
    assert (game.where("court"), game.where("guests_blue")) == ({}, {"red": 1})


# The General Inquisitor and his mercenaries

INQUISITOR = "king sevilla; characters: inquisitor red; aragon: black 2, blue 2, red 1"


def test_mercenaries_count_for_the_holder_of_the_general_inquisitor_only():
    assert score(board(f"{INQUISITOR}; {GRANDES}"), "aragon").points == {"red": 7, "blue": 4}
    assert score(board("king sevilla; aragon: black 2, blue 1"), "aragon").points == {"blue": 5}


def test_every_mercenary_moves_once_a_turn_and_may_take_an_own_caballero_along():
    game = using("gr_coup", INQUISITOR)
    game.play("red character inquisitor move to=castillo from=aragon escort=red/aragon")
    assert game.where("castillo") == {"black": 1, "red": 1}
    game.play("red character inquisitor move to=portugal from=aragon")
    assert game.where("portugal") == {"black": 1}
    assert game.refuses("red character inquisitor move to=aragon from=portugal") == "mercenary"


def test_the_same_mercenary_does_not_move_twice():
    game = using("gr_coup", "king sevilla; characters: inquisitor red; aragon: black 1; granada: black 1")
    game.play("red character inquisitor move to=granada from=aragon")
    game.play("red character inquisitor move to=galicia from=granada")
    assert (game.where("granada"), game.where("galicia")) == ({"black": 1}, {"black": 1})
    assert "character" not in game.offered("red")


@pytest.mark.parametrize(("agree", "gone"), [(True, {"blue": 1, "black": 1}), (False, {"black": 1})])
def test_an_opponents_caballero_goes_along_only_if_its_owner_agrees(agree, gone):
    game = using("gr_coup", INQUISITOR).play("red character inquisitor move to=granada from=aragon escort=blue/aragon")
    assert game.asked == ("consent", ("blue",))
    game.play(f"blue consent {agree}")
    assert game.where("granada") == gone
    assert game.asked == ("menu", ("red",))


def test_nobody_agrees_when_time_runs_out():
    game = using("gr_coup", INQUISITOR).play(
        "red character inquisitor move to=granada from=aragon escort=blue/aragon", "blue time_up"
    )
    assert game.where("granada") == {"black": 1}


def test_the_general_inquisitor_leaves_after_the_next_general_scoring():
    """GR-20."""
    game = table(f"{INQUISITOR}; {GRANDES}; round 6", ScoreRegions(), EndEffects(), rules=RULES)
    [aragon] = [fact for fact in game.happened(SpaceScored) if fact.space == "aragon"]
    assert aragon.counts == {"red": 3, "blue": 2}
    assert mine(game.board).characters == {}


def test_mercenaries_in_the_castillo_follow_the_disk_of_their_holder():
    position = f"king sevilla; characters: inquisitor red; castillo: black 1, blue 1; {GRANDES}; round 3"
    steps = SetDisksBeforeSpy(), ShowDisksToSpy(), SetSpyDisk(), ScoreCastillo(), ReleaseCastillo()
    game = table(position, *steps, rules=RULES)
    game.play("red disk granada", "blue disk aragon", "yellow disk aragon", "green disk aragon")
    assert (game.where("granada"), game.where("aragon")) == ({"black": 1}, {"blue": 1})


def test_mercenaries_without_a_holder_stay_in_the_castillo():
    steps = SetDisksBeforeSpy(), ShowDisksToSpy(), SetSpyDisk(), ScoreCastillo(), ReleaseCastillo()
    game = table(f"king sevilla; castillo: black 2; {GRANDES}; round 3", *steps, rules=RULES)
    game.play("red disk granada", "blue disk aragon", "yellow disk aragon", "green disk aragon")
    assert game.where("castillo") == {"black": 2}


# The cards of stack 6


def general_scoring(position: str, **options) -> Table:
    return table(f"{position}; {GRANDES}; round 3", ShowBoycott(), ScoreRegions(), EndEffects(), rules=RULES, **options)


def test_a_boycott_lets_a_region_unscored_in_the_next_general_scoring_only():
    """GR-27."""
    game = using("gr_boycott", "king sevilla; granada: red 2").play("red special region=granada")
    assert score(game.board, "granada").points == {"red": 6}
    game = general_scoring("king sevilla; granada: red 2; hidden boycott: blue granada")
    assert game.happened(BoycottShown) == [BoycottShown("blue", "granada")]
    assert "granada" not in [fact.space for fact in game.happened(SpaceScored)]
    assert mine(game.board).hidden == {}


def test_the_region_of_a_boycott_is_secret_even_to_later_choosers_who_see_that_it_is_gone():
    game = using("gr_boycott", "king sevilla; granada: red 2").play("red special region=granada")
    [hidden] = game.happened(RegionCardHidden)
    assert hidden.seen_by("blue") == hidden.seen_by(SPECTATOR) == RegionCardHidden("red", "boycott", "")
    assert hidden.seen_by("red") == hidden.seen_by(EVERYTHING) == hidden
    later = using("gr_king_incognito", "king sevilla; hidden boycott: blue granada")
    assert "granada" not in later.choices("red", "region")
    assert later.refuses("red special region=granada") == "region_cards"
    assert later.refuses("red special region=portugal") == "region_cards"


def test_a_confederation_lays_each_scoreboard_at_most_once():
    game = using("gr_confederation", "king sevilla; scoreboards: board_400 sevilla; court: red 1")
    game.play("red special")
    assert game.choices("red", "from") == ["board_840"], "the other lies in the king's region"
    assert game.refuses("red step board_400 > aragon") == "scoreboards"
    game.play("red step board_840 > castillo")
    assert game.board.scoreboards == {"board_400": "sevilla", "board_840": "castillo"}
    assert game.asked == ("menu", ("red",))


OTHERS = "s1_place_two s2_veto-1 s5_king_any gr_queen_and_jester"


def test_a_double_turn_uses_the_kings_card_after_its_own_placement_and_symbol():
    """GR-8."""
    position = "king sevilla; court: red 7; aragon: blue 1; prison: green 1"
    game = using("gr_double_turn", position, others=OTHERS)
    game.play("red place granada 2", "red symbol owner=blue from=aragon")
    assert game.refuses("red special stack=5 when=keep") == "keep"
    game.play("red special stack=5 when=now")
    assert game.asked == ("second_menu", ("red",))
    game.play("red place granada 5", "red special to=galicia pardon=sevilla")
    assert (game.where("granada"), game.where("sevilla")) == ({"red": 7}, {"blue": 1, "green": 1})
    assert len(game.happened(TurnEnded)) == 1, "the second card is no turn"
    assert game.state.is_over


def test_a_double_turn_closes_the_own_placement_and_symbol():
    game = using("gr_double_turn", "king sevilla; court: red 7; aragon: blue 1", others=OTHERS)
    game.play("red special stack=1 when=keep")
    assert game.state.is_over, "nothing is left to do"
    assert mine(game.board).kept == {"s1_place_two": "red"}
    assert game.board.discards == ("gr_double_turn",)


def test_a_kept_card_is_used_as_a_whole_in_a_later_turn_and_then_discarded():
    game = using("gr_coup", "king sevilla; court: red 7; kept: s1_place_two red")
    game.play("red use_held s1_place_two", "red place granada 1", "red special", "red step > galicia", "red stop")
    assert game.asked == ("menu", ("red",))
    assert mine(game.board).kept == {}
    assert "s1_place_two" in game.board.discards


def test_a_card_is_not_used_in_the_turn_in_which_it_was_kept():
    game = using("gr_double_turn", "king sevilla; court: red 7; aragon: blue 1", others=OTHERS)
    assert game.play("red special stack=1 when=keep").state.is_over


def test_a_vetoed_double_turn_gives_no_second_card():
    game = using("gr_double_turn", "king sevilla; court: red 7; veto blue: s2_veto-2 2", others=OTHERS)
    game.play("red special stack=1 when=now", "blue veto")
    assert game.board.taken == {"gr_double_turn": "red"}
    assert game.state.is_over, "placement and symbol were given up"


def test_cards_of_stacks_five_and_seven_are_not_kept_and_stay_on_the_table():
    game = using("gr_double_turn", "king sevilla; court: red 7", others=OTHERS)
    assert game.refuses("red special stack=7 when=keep") == "keep"
    game.play("red special stack=7 when=now", "red special character=jester", "red place granada 3")
    assert game.board.discards == ("gr_double_turn",)


def test_free_will_moves_two_own_caballeros_before_the_regions_are_scored():
    position = f"king sevilla; free_will: red; granada: red 3; veto blue: s2_veto-1 4; {GRANDES}; round 3"
    game = table(position, ExerciseFreeWill(), ScoreRegions(), rules=RULES)
    assert game.refuses("red step red granada > sevilla") == "taboo"
    game.play("red step red granada > castillo", "blue allow", "red step red granada > aragon", "blue veto")
    assert (game.where("granada"), game.where("castillo")) == ({"red": 2}, {"red": 1})


def test_the_free_will_is_not_used_when_time_runs_out():
    position = f"king sevilla; free_will: red; granada: red 3; {GRANDES}; round 3"
    game = table(position, ExerciseFreeWill(), ScoreRegions(), EndEffects(), rules=RULES).play("red time_up")
    assert (game.where("granada"), mine(game.board).free_will) == ({"red": 3}, "")


WINDOW = "king valencia; hidden incognito: blue granada; court: red 4"


def test_the_king_comes_incognito_between_two_parts_of_an_opponents_turn():
    """GR-18."""
    game = table(f"{WINDOW}; {GRANDES}; turn red; round 1", AskIncognito("red"), UseCard("red", "gr_coup"), rules=RULES)
    game.play("blue react use")
    assert king_region(game.board) == "granada"
    assert game.refuses("red place granada 1") == "taboo"
    game.play("red place castilla_la_nueva 1, valencia 1, sevilla 1")
    assert mine(game.board).hidden == {}


def test_the_holder_is_asked_before_the_turn_and_after_a_card_is_taken_and_after_each_part():
    """GR-30."""
    position = f"{WINDOW}; {GRANDES}; queue: red; power: red 13; face_up: gr_coup; round 1"
    game = table(position, NextTurn(), rules=RULES).play("blue react pass")
    assert game.asked == ("incognito", ("blue",)), "only one card is left, so it was taken"
    game.play("blue react pass", "red end")
    assert game.state.is_over
    again = table(position, NextTurn(), rules=RULES).play("blue react pass", "blue react pass", "red place aragon 1")
    assert again.asked == ("incognito", ("blue",))
    again.play("blue react pass_turn", "red special player=green")
    assert again.state.is_over, "nobody is asked again in this turn"


def test_the_holder_is_asked_while_the_king_is_there_already_but_cannot_send_him():
    game = table(
        f"{WINDOW}; {GRANDES}; turn red; round 1".replace("blue granada", "blue valencia"),
        AskIncognito("red"),
        rules=RULES,
    )
    assert game.choices("blue", "answer") == ["pass", "pass_turn"]
    assert game.refuses("blue react use") == "must_change"


def test_the_holder_is_not_asked_in_the_own_turn_and_passes_when_time_runs_out():
    position = f"{WINDOW}; {GRANDES}; turn blue; round 1"
    assert table(position, AskIncognito("blue"), rules=RULES).state.is_over
    game = table(position, AskIncognito("red"), AskIncognito("red"), rules=RULES).play("blue time_up")
    assert game.state.is_over


def test_an_expulsion_order_empties_the_castillo_without_scoring():
    position = f"king sevilla; castillo: red 1, blue 2; {GRANDES.replace('green galicia', 'green castillo')}"
    game = using("gr_expulsion_order", position).play("red special")
    assert game.asked == ("disk_castillo", ("red", "blue", "yellow", "green")), "those without any, too"
    assert game.refuses("red disk sevilla") == "disk"
    game.play("red disk aragon", "blue disk aragon", "yellow disk aragon", "green disk aragon")
    assert (game.where("castillo"), game.where("aragon")) == ({}, {"red": 1, "blue": 2})
    assert game.board.grandes["green"] == "castillo", "Grandes stay inside"
    assert game.happened(SpaceScored) == []


def test_the_coast_has_seven_regions_and_the_interior_three():
    """GR-19."""
    assert ScoreCoast().spaces(board("king sevilla")) == (
        "galicia",
        "pais_vasco",
        "cataluna",
        "valencia",
        "granada",
        "sevilla",
        "portugal",
    )
    assert ScoreInterior().spaces(board("king sevilla")) == ("castilla_la_vieja", "castilla_la_nueva", "aragon")


DISKS = (SetDisksBeforeSpy(), ShowDisksToSpy(), SetSpyDisk(), ScoreCastillo(), ReleaseCastillo())


def test_the_spy_sets_the_own_disk_after_seeing_the_others():
    game = table(f"king sevilla; spy: blue; castillo: red 2; {GRANDES}; round 3", *DISKS, rules=RULES)
    assert game.asked == ("disk_general", ("red", "yellow", "green"))
    game.play("red disk granada", "yellow disk aragon", "green disk aragon")
    seen = {"red": "granada", "yellow": "aragon", "green": "aragon"}
    assert game.happened(DisksSeen) == [DisksSeen("blue", seen)]
    assert game.happened(DisksSeen)[0].seen_by("red") == DisksSeen("blue", {})
    assert shown(game.state, "blue")["disks"] == seen
    assert shown(game.state, "red")["disks"] is None
    assert game.happened(SpaceScored) == [], "the castillo is scored when the spy has decided"
    game.play("blue disk galicia")
    assert len(game.happened(AnswersOpened)) == 1
    assert game.where("granada") == {"red": 2}


@pytest.mark.parametrize(
    ("players", "courts", "points"),
    [
        (4, "red 6, blue 4, yellow 4, green 1", {"red": 7, "blue": 1, "yellow": 1}),
        (4, "red 5, blue 5, yellow 2", {"red": 5, "blue": 5, "yellow": 1}),
        (2, "red 4, blue 2", {"red": 7}),
        (2, "red 3, blue 3", {}),
        (3, "red 4, blue 4, yellow 1", {"red": 5, "blue": 5}),
    ],
    ids=["GR-4", "GR-5", "GR-23", "GR-23 tied", "GR-24"],
)
def test_courts_are_scored_like_a_region(players, courts, points):
    assert score_courts(board(f"king sevilla; court: {courts}", players)).points == points


def test_own_caballeros_in_court_count_when_the_action_is_carried_out():
    game = using("gr_court_scoring", "king sevilla; court: red 3, blue 2").play("red place granada 2", "red special")
    assert game.scores == {"blue": 7, "red": 5}


def test_after_an_action_stop_later_players_place_but_perform_no_special_action():
    """GR-15 and GR-28."""
    game = using("gr_action_stop", "king sevilla; court: red 2").play("red special")
    assert game.board.deeds == (Deed("red", "gr_action_stop"),)
    later = using("s5_king_any", "king sevilla; court: blue 5; prison: red 2; done red: gr_action_stop", by="blue")
    assert later.offered("blue") == {"place", "end_turn"}
    assert later.refuses("blue special to=granada pardon=aragon") == "stopped"
    later.play("blue place granada 5")
    assert (later.where("prison"), later.board.king) == ({"red": 2}, "sevilla")


def test_an_action_stop_stops_symbols_too_and_not_the_player_who_played_it():
    position = "king sevilla; aragon: red 1; court: blue 5, red 5; done red: gr_action_stop"
    stopped = using("gr_excessive_force", position, by="blue")
    assert stopped.refuses("blue symbol owner=red from=aragon") == "symbol"
    using("gr_excessive_force", position).play("red symbol owner=red from=aragon")


def test_a_grande_acts_for_the_king_who_is_in_the_castillo():
    """GR-13."""
    grandes = "grandes: red aragon, blue granada, yellow sevilla, green galicia"
    position = f"king sevilla; granada: blue 3, red 1; sevilla: red 2; {grandes}"
    game = using("gr_revolution", position).play("red special player=blue")
    assert (game.board.king, king_region(game.board)) == ("castillo", "granada")
    assert placement_spaces(game.board) == ("castilla_la_nueva", "valencia", "sevilla", "castillo")
    assert score(game.board, "granada").points == {"blue": 6 + 2 + 2, "red": 3}
    assert score(game.board, "sevilla").points == {"red": 4}


def revolted(deputys_region: str, position: str = "") -> str:
    grandes = f"grandes: red aragon, blue {deputys_region}, yellow sevilla, green cataluna"
    return f"deputy: blue galicia; {grandes}; {position}"


def table_in_revolution(position: str, *steps, card: str = "s5_king_any") -> Table:
    more = f"face_up: {card}; taken: {card} red; turn red; round 3"
    return table(
        f"king castillo; {position}; {more}", *(steps or (UseCard("red", card), LayCardAside("red", card))), rules=RULES
    )


def test_the_kings_card_moves_the_grande_who_acts_for_him():
    game = table_in_revolution(revolted("granada")).play("red special to=aragon")
    assert (game.board.king, game.board.grandes["blue"], king_region(game.board)) == ("castillo", "aragon", "aragon")
    assert "portugal" not in table_in_revolution(revolted("granada")).choices("red", "to")


def test_the_king_returns_to_his_deputys_region_or_where_he_came_from():
    """GR-26."""
    game = table_in_revolution(revolted("granada"), EndEffects())
    assert (game.board.king, mine(game.board).deputy) == ("granada", "")
    game = table_in_revolution(revolted("portugal", "portugal: red 3, blue 1"), ScoreRegions(), EndEffects())
    [portugal] = [fact for fact in game.happened(SpaceScored) if fact.space == "portugal"]
    assert portugal.points == {"red": 5 + 2}
    assert game.board.king == "galicia"


def test_king_incognito_ends_a_revolution():
    game = table_in_revolution(revolted("granada", "hidden incognito: green aragon"), AskIncognito("red"))
    game.play("green react use")
    assert (game.board.king, mine(game.board).deputy, game.board.grandes["blue"]) == ("aragon", "", "granada")


def test_conscripts_are_placed_from_the_province():
    """GR-17."""
    game = using("gr_conscription", "king sevilla; court: red 4; province: red 2; ships: ship_1 red")
    game.play("red special")
    assert game.refuses("red place granada 3") == "place"
    game.play("red place granada 1, ship_1 1")
    assert (game.where("court"), game.where("province"), game.where("ship_1")) == ({"red": 4}, {}, {"red": 1})


def test_a_placement_without_conscripts_uses_the_court_and_they_can_no_longer_be_called():
    game = using("gr_conscription", "king sevilla; court: red 4; province: red 2")
    game.play("red place granada 3")
    assert game.where("province") == {"red": 2}
    assert game.refuses("red special") == "executable"


def test_a_grande_in_the_castillo_is_at_home_there_until_the_next_general_scoring():
    game = using("gr_coup", "king sevilla; castillo: blue 2").play("red special player=blue")
    assert game.board.grandes["blue"] == "castillo"
    assert score(game.board, "castillo").points == {"blue": 5 + 2}
    grandes = GRANDES.replace("blue valencia", "blue castillo")
    for disk, home in (("aragon", "aragon"), ("sevilla", "castillo")):
        left = table(f"king sevilla; {grandes}; round 3", *DISKS, rules=RULES)
        left.play("red disk aragon", f"blue disk {disk}", "yellow disk aragon", "green disk aragon")
        assert left.board.grandes["blue"] == home


def test_a_grande_in_the_kings_region_or_inside_the_castillo_is_not_sent_there():
    grandes = "grandes: red aragon, blue sevilla, yellow castillo, green galicia"
    game = using("gr_coup", f"king sevilla; {grandes}")
    assert game.choices("red", "player") == ["red", "green"]
    assert game.refuses("red special player=blue") == "grande"


CROWD = "king sevilla; granada: red 3, blue 3; aragon: green 2; sevilla: red 2"


def test_with_opponents_at_least_two_own_caballeros_go_into_the_castillo():
    """GR-14."""
    game = using("gr_to_the_castillo", CROWD)
    assert game.refuses("red special own=red/granada*1 others=blue/granada*2") == "to_castillo"
    assert game.refuses("red special own=red/granada*2 others=blue/granada*3") == "to_castillo"
    assert game.refuses("red special others=blue/granada*2") == "to_castillo"
    assert game.refuses("red special own=red/sevilla*1") == "taboo"
    game.play("red special own=red/granada*2 others=blue/granada*2,green/aragon*1")
    assert game.where("castillo") == {"red": 2, "blue": 2, "green": 1}


def test_own_caballeros_may_go_alone():
    game = using("gr_to_the_castillo", CROWD).play("red special own=red/granada*1")
    assert game.where("castillo") == {"red": 1}


def test_mercenaries_without_a_holder_cannot_be_chosen_for_the_castillo():
    game = using("gr_to_the_castillo", f"{CROWD}; valencia: black 2")
    assert game.refuses("red special own=red/granada*2 others=black/valencia*1") == "players"
    held = using("gr_to_the_castillo", f"{CROWD}; valencia: black 2; characters: inquisitor blue")
    assert held.refuses("red special own=red/granada*2 others=black/valencia*1,blue/granada*2") == "to_castillo"
    held.play("red special own=red/granada*2 others=black/valencia*1,blue/granada*1")


ALLIES = "aragon: red 3, blue 1; valencia: blue 3, yellow 2"


@pytest.mark.parametrize(
    ("players", "points"),
    [(4, {"blue": 12, "red": 7, "yellow": 3}), (3, {"blue": 12, "red": 7})],
    ids=["GR-12", "GR-22"],
)
def test_allied_regions_are_scored_as_one(players, points):
    grandes = "grandes: red granada, blue granada, yellow granada"
    position = f"king aragon; {ALLIES}; alliance: aragon valencia; {grandes}; round 3"
    game = table(position, ShowBoycott(), ScoreRegions(), EndEffects(), players=players, rules=RULES)
    [scored] = game.happened(AlliedRegionsScored)
    assert (scored.space, scored.ally, scored.points) == ("aragon", "valencia", points)
    assert "valencia" not in [fact.space for fact in game.happened(SpaceScored)]
    assert mine(game.board).alliance == ()


def test_an_alliance_needs_two_regions_with_free_cards_outside_the_kings():
    game = using("gr_alliance", "king sevilla; hidden boycott: blue aragon")
    assert game.refuses("red special regions=sevilla,granada") == "taboo"
    assert game.refuses("red special regions=aragon,granada") == "region_cards"
    assert game.refuses("red special regions=portugal,granada") == "region_cards"
    assert game.refuses("red special regions=granada,granada") == "alliance"
    game.play("red special regions=granada,galicia")
    assert mine(game.board).alliance == ("galicia", "granada")


def round_with_last_word(*players: str) -> Table:
    power = ", ".join(f"{player} {13 - number}" for number, player in enumerate(players))
    cards = "gr_last_word s1_place_two s2_veto-1 s3_score_fours-1 s4_court_two s5_king_any gr_queen_and_jester"
    position = (
        f"king sevilla; court: red 5, blue 5, yellow 5, green 5; province: blue 9, yellow 9, green 9; {GRANDES}; "
        f"queue: {' '.join(players)}; power: {power}; face_up: {cards}; round 1"
    )
    return table(position, NextTurn(), EndRound(1), rules=RULES)


def test_whoever_has_the_last_word_places_after_all_others_and_is_the_last_of_the_round():
    """GR-16."""
    game = round_with_last_word("red", "blue", "yellow", "green").play("red card 6", "red special")
    assert game.asked == ("draw", ("blue",)) or game.asked == ("choose_card", ("blue",))
    for player, stack in (("blue", 2), ("yellow", 3), ("green", 4)):
        if game.asked[0] == "draw":
            game.play(f"{player} draw 0")
        game.play(f"{player} card {stack}", f"{player} place granada 1", f"{player} end")
    assert game.asked == ("menu", ("red",))
    assert game.offered("red") == {"place", "symbol", "end_turn"}
    game.play("red place granada 4", "red symbol tile=ship_1")
    assert len(game.happened(TurnEnded)) == 4
    assert game.board.first == "red"


def test_the_turn_of_the_last_player_simply_goes_on():
    game = round_with_last_word("red").play("red card 6", "red special")
    assert game.asked == ("menu", ("red",))
    assert game.offered("red") == {"place", "symbol", "end_turn"}


def test_a_turn_goes_on_at_once_if_postponing_is_vetoed():
    position = "king sevilla; court: red 5; veto blue: s2_veto-1 2; queue: green; power: green 5"
    game = using("gr_last_word", position).play("red special", "blue veto")
    assert game.offered("red") == {"place", "symbol", "end_turn"}


def test_excessive_force_places_six_and_has_no_special_action():
    game = using("gr_excessive_force", "king sevilla; court: red 9; aragon: blue 1").play("red place granada 6")
    assert game.offered("red") == {"symbol", "end_turn"}
    assert game.refuses("red special") == "executable"


def test_seven_cards_have_a_symbol():
    assert len(SYMBOLS) == 7
    assert set(SYMBOLS) <= set(STACK_SIX)


NUMBERS = [3, 4, 2, 3, 3, 2, 3, 3, 3, 2, 3, 3, 3, 3, 3, 2, 3, 4, 6]


def test_the_cards_place_as_many_caballeros_as_agreed():
    assert [card.places for card in STACK_SIX.values()] == NUMBERS
    assert CARDS["gr_queen_and_jester"].places == 3


def test_expansions_that_are_kept_apart_say_why():
    reason = EL_GRANDE.kept_apart(("king_and_intrigue", "grandissimo"))
    assert "stacks" in str(reason)
    assert EL_GRANDE.kept_apart(("anniversary", "grandissimo")) is None


# With Anniversary

BOTH = EL_GRANDE.rules(("grandissimo", "anniversary"))


def test_a_bearer_who_is_imprisoned_hands_the_flag_on():
    position = "king sevilla; aragon: blue 2, blue+flag; granada: blue 1, red+flag; grandes: red aragon, blue valencia"
    cards = "face_up: gr_excessive_force; taken: gr_excessive_force red; round 1; turn red"
    game = table(f"{position}; {cards}", UseCard("red", "gr_excessive_force"), players=2, rules=BOTH)
    game.play("red symbol owner=blue from=aragon+flag")
    assert game.asked == ("pass_flag", ("blue",))
    game.play("blue pass_flag granada")
    assert game.where("prison") == {"blue": 1}


def test_a_caballero_that_lands_can_receive_a_waiting_flag():
    position = (
        "king sevilla; ships: ship_1 red; ship_1: red 1; granada: blue+flag; round 1; turn red; face_up: s5_king_any"
    )
    game = table(position, LandCaballeros("red"), players=2, rules=BOTH).play("red land ship_1 galicia*1")
    assert [piece.at for piece in game.board.marked if piece.owner == "red"] == ["galicia+flag"]


def test_a_flag_in_either_region_breaks_a_tie_of_allies():
    position = "king sevilla; aragon: red 2, blue 3; valencia: red+flag; alliance: aragon valencia"
    grandes = "grandes: red galicia, blue galicia"
    game = table(f"{position}; {grandes}; round 3", ScoreRegions(), players=2, rules=BOTH)
    [scored] = game.happened(AlliedRegionsScored)
    assert scored.points == {"red": 10}
