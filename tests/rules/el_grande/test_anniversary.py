"""Anniversary: flag bearers break ties, and hand their flag on when they leave the map."""

import ast
from pathlib import Path

import pytest

import rules.el_grande
from rules.codec import codec_for
from rules.el_grande.board import Piece, count
from rules.el_grande.expansions.anniversary import FlagPassed, HandOverFlag
from rules.el_grande.facts import CaballerosMoved, CaballerosReleased, CaballerosReturned, SpaceScored, StepAnnounced
from rules.el_grande.game import EL_GRANDE
from rules.el_grande.notation import parse_position
from rules.el_grande.scoring import least_crowded, most_crowded, score
from rules.el_grande.setup import start
from rules.el_grande.steps.rounds import EndGame
from rules.el_grande.steps.turns import DrawCaballeros
from rules.el_grande.view import view
from rules.errors import Unreadable
from rules.kernel import SPECTATOR, AnsweredForPlayer
from tests.rules.el_grande.opening import let_time_run, opening
from tests.rules.el_grande.table import table, turn_with

RULES = EL_GRANDE.rules(("anniversary",))
HOMES = "grandes: red galicia, blue sevilla, yellow aragon, green valencia"


def flags(game):
    """Where each player's bearer stands."""
    return {piece.owner: piece.at.removesuffix("+flag") for piece in game.board.marked}


def turn(card, position, **options):
    return turn_with(card, f"king granada; {position}; {HOMES}", **{"rules": RULES, **options})


def general_scoring(position, **options):
    steps = (step() for step in RULES.general_scoring)
    return table(f"king granada; {position}; {HOMES}", *steps, rules=RULES, **options)


# Set-up


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_one_caballero_at_home_takes_up_the_flag(players):
    game = opening(players, expansions=("anniversary",))
    assert flags(game) == game.board.grandes
    assert {count(game.board, home, player) for player, home in game.board.grandes.items()} == {2}


def test_taking_up_the_flags_needs_no_decision():
    facts, state = start(RULES, 3, b"a seed")
    homes = state.board.grandes
    assert [f for f in facts if isinstance(f, FlagPassed)] == [FlagPassed(player, homes[player]) for player in homes]
    assert state.agenda[0].asks(state) == "power"


@pytest.mark.parametrize("viewer", ["red", "blue", SPECTATOR])
def test_flags_are_always_visible(viewer):
    game = turn("s1_place_two", "aragon: red 2, blue+flag; court: red 1")
    seen = view(game.state, viewer)
    assert seen["marked"] == [{"owner": "blue", "at": "aragon+flag"}]
    assert seen["regions"]["aragon"] == {"red": 2, "blue": 1}


# Ties

TIES = {
    "AN-1": (5, "castilla_la_vieja: red 2, red+flag, blue 3, yellow 1", {"red": 6, "blue": 4, "yellow": 2}),
    "AN-2": (
        5,
        "castilla_la_nueva: green 3, red 2, yellow 1, yellow+flag, brown 1, brown+flag",
        {"green": 7, "yellow": 2, "brown": 2},
    ),
    "AN-3": (
        5,
        "king castilla_la_vieja; grandes: red castilla_la_vieja; castilla_la_vieja: red 2, red+flag, blue 3, yellow 1",
        {"red": 10, "blue": 4, "yellow": 2},
    ),
    "AN-4": (5, "castilla_la_vieja: red 2, red+flag, blue 2, blue+flag, yellow 1", {"red": 4, "blue": 4, "yellow": 2}),
    "AN-8": (3, "aragon: red 3, blue 1, blue+flag, yellow 2", {"red": 5, "blue": 4}),
    "AN-9": (2, "galicia: red 1, red+flag, blue 2", {"red": 4}),
    "AN-11": (4, "pais_vasco: red 2, blue 2, yellow 1, yellow+flag, green 1", {"yellow": 5, "red": 1, "blue": 1}),
    "fewer with a bearer": (4, "aragon: red 1, red+flag, blue 3", {"blue": 5, "red": 4}),
    "a bearer elsewhere": (4, "aragon: red 2, blue 2; galicia: red+flag", {"red": 4, "blue": 4}),
    "a bearer alone": (4, "aragon: red+flag, blue 1", {"red": 5, "blue": 4}),
    "a tie for second": (4, "aragon: red 3, blue 1, blue+flag, yellow 2", {"red": 5, "blue": 4, "yellow": 1}),
}


@pytest.mark.parametrize(("players", "position", "expected"), TIES.values(), ids=TIES)
def test_a_bearer_breaks_ties_for_its_owner(players, position, expected):
    space = position.split("; ")[-1] if "grandes" in position else position
    board = parse_position(position, players, RULES)
    points = dict.fromkeys(expected, 0)
    for award in score(board, space.partition(":")[0]).awards:
        points[award.player] += award.points
    assert points == expected


def test_a_tie_for_first_broken_by_a_flag_gives_a_first_place_and_its_bonus():
    """AN-10."""
    position = "king castilla_la_vieja; castilla_la_vieja: red 2, red+flag, blue 3, yellow 1"
    scored = score(parse_position(position, 4, RULES), "castilla_la_vieja", ranks=1)
    assert [(award.player, award.points) for award in scored.awards] == [("red", 6), ("red", 2)]


def test_ties_in_the_castillo_are_normal():
    game = general_scoring("castillo: red 2, blue 2; aragon: red+flag", players=4)
    game.play("red disk galicia", "blue disk granada", "yellow time_up", "green time_up")
    [castillo, *_] = game.happened(SpaceScored)
    assert [(award.player, award.points) for award in castillo.awards] == [("red", 3), ("blue", 3)]


def test_a_flag_is_not_a_caballero_more():
    board = parse_position("aragon: red 1, red+flag; galicia: blue 2; sevilla: blue 1", 4, RULES)
    assert most_crowded(board) == ("galicia", "aragon")
    assert least_crowded(board) == ("sevilla",)


# Carrying the flag


@pytest.mark.parametrize("owner", ["red", "blue"])
def test_the_flag_goes_with_its_bearer_also_when_another_player_moves_it(owner):
    game = turn("s1_move_four_any", "aragon: red 1, red+flag, blue 1, blue+flag")
    game.play("red special", f"red step {owner} aragon+flag > valencia")
    assert flags(game)[owner] == "valencia"
    assert game.where("valencia") == {owner: 1}


def test_a_bare_region_means_a_plain_caballero():
    game = turn("s1_move_four_any", "aragon: red+flag, blue 1, blue+flag")
    game.play("red special", "red step blue aragon > valencia")
    assert flags(game)["blue"] == "aragon"


def test_a_bare_region_takes_the_bearer_when_no_other_caballero_is_left():
    game = turn("s1_move_four_any", "aragon: red+flag, blue+flag")
    game.play("red special", "red step blue aragon > valencia")
    assert flags(game)["blue"] == "valencia"


def test_the_player_who_moves_a_caballero_may_choose_the_bearer():
    game = turn("s1_move_four_any", "aragon: red+flag, blue 1, blue+flag")
    keys = {source for form in game.play("red special").decision("red").forms for source in form_sources(form)}
    assert keys == {"aragon", "aragon+flag"}


def form_sources(form):
    return form.fields["from"].values if "from" in form.fields else ()


def test_a_bearer_put_into_the_castillo_hands_the_flag_on_at_once():
    """AN-5."""
    game = turn("s1_move_four_own", "sevilla: red+flag; aragon: red 1; valencia: red 2")
    game.play("red special", "red step red sevilla > castillo")
    assert game.asked == ("pass_flag", ("red",))
    assert game.choices("red", "to") == ["aragon", "valencia"]
    game.play("red pass_flag valencia")
    assert flags(game) == {"red": "valencia"}
    assert game.asked == ("step", ("red",))


def test_the_owner_hands_the_flag_on_also_if_another_player_took_the_bearer_away():
    game = turn("s2_return_one_each", "galicia: red+flag; aragon: blue+flag; sevilla: blue 1; valencia: blue 1")
    game.play("red special", "red step blue aragon")
    assert game.asked == ("pass_flag", ("blue",))


def test_a_single_caballero_left_takes_the_flag_automatically():
    game = turn("s1_move_four_own", "sevilla: red+flag; aragon: red 2")
    game.play("red special", "red step red sevilla > castillo")
    assert flags(game) == {"red": "aragon"}
    assert game.happened(AnsweredForPlayer) == [AnsweredForPlayer("red", "pass_flag", "only_option")]


def test_the_flag_may_be_handed_to_a_caballero_in_the_kings_region():
    game = turn("s1_move_four_own", "sevilla: red+flag; aragon: red 1; granada: red 2")
    game.play("red special", "red step red sevilla > castillo", "red pass_flag granada")
    assert flags(game) == {"red": "granada"}
    assert game.where("granada") == {"red": 2}


@pytest.mark.parametrize("to", ["castillo", "court", "sevilla", "aragon+flag", "nowhere"])
def test_the_flag_is_handed_to_an_own_caballero_on_the_map_only(to):
    game = turn("s1_move_four_own", "sevilla: red+flag, blue+flag; aragon: red 1; valencia: red 1; court: red 1")
    game.play("red special", "red step red sevilla > castillo")
    assert game.refuses(f"red pass_flag {to}") == "pass_flag"


def test_a_flag_is_not_handed_on_at_will():
    game = turn("s1_move_four_own", "sevilla: red+flag; aragon: red 1; court: red 1")
    assert game.refuses("red pass_flag aragon") == "menu"


def test_the_flag_follows_a_bearer_who_moves_twice_and_is_handed_on_where_it_is_lost():
    game = turn("s1_move_four_own", "sevilla: red+flag; aragon: red 1; galicia: red 1")
    game.play("red special", "red step red sevilla+flag > valencia")
    assert game.asked == ("step", ("red",))
    game.play("red step red valencia+flag > castillo")
    assert game.asked == ("pass_flag", ("red",))


def test_a_player_who_runs_out_of_time_hands_the_flag_to_the_first_region_of_the_map():
    game = turn("s1_move_four_own", "sevilla: red+flag; valencia: red 1; pais_vasco: red 1")
    game.play("red special", "red step red sevilla > castillo", "red time_up")
    assert flags(game) == {"red": "pais_vasco"}


# A flag that waits


def test_a_flag_waits_when_its_owner_has_no_other_caballero_on_the_map():
    position = "galicia: red+flag; aragon: blue+flag, green+flag; court: blue 3; castillo: blue 2"
    game = turn("s2_return_one_each", position).play("red special", "red step blue aragon")
    assert flags(game) == {"red": "galicia", "green": "aragon"}
    assert game.asked == ("step", ("red",))


def test_the_next_caballero_to_enter_a_region_takes_up_a_waiting_flag():
    """AN-12."""
    game = turn("s2_veto", "court: red 3; castillo: red 1").play("red place valencia 2")
    assert flags(game) == {"red": "valencia"}
    assert game.where("valencia") == {"red": 2}


def test_of_several_caballeros_that_enter_at_once_the_owner_chooses_after_the_whole_placement():
    game = turn("s3_score_fours", "court: red 3").play("red place valencia 1, sevilla 1, castillo 1")
    assert game.asked == ("pass_flag", ("red",))
    assert game.choices("red", "to") == ["valencia", "sevilla"]
    assert flags(game.play("red pass_flag sevilla")) == {"red": "sevilla"}


def test_a_flag_waits_on_when_caballeros_go_into_the_castillo():
    game = turn("s3_score_fours", "court: red 3").play("red place castillo 2")
    assert flags(game) == {}
    assert game.asked == ("menu", ("red",))


def test_a_waiting_flag_may_go_to_a_caballero_released_from_the_castillo():
    game = general_scoring("castillo: red 2; galicia: blue+flag")
    game.play("red disk aragon", "blue time_up", "yellow time_up", "green time_up")
    assert flags(game) == {"blue": "galicia", "red": "aragon"}


def test_a_flag_that_still_waits_at_the_end_does_nothing():
    game = table("king granada; castillo: red 2; scores: red 3", EndGame(), rules=RULES)
    assert game.state.is_over
    assert game.board.places["red"] == 1


# Removals and payments


def test_a_disk_removes_the_bearer_last():
    position = "galicia: red+flag; aragon: blue 2, blue+flag; sevilla: blue 2"
    game = turn("s2_secret_remove_two", position).play("red special", "blue disk aragon")
    assert game.happened(CaballerosReturned) == [CaballerosReturned("blue", "aragon", 2)]
    assert flags(game)["blue"] == "aragon"


def test_a_disk_removes_the_bearer_if_the_others_are_not_enough():
    position = "galicia: red+flag; aragon: blue 1, blue+flag; sevilla: blue 2; valencia: blue 1"
    game = turn("s2_secret_remove_two", position).play("red special", "blue disk aragon")
    assert game.where("aragon") == {}
    assert game.asked == ("pass_flag", ("blue",))


def test_after_a_removal_of_all_the_flag_goes_to_a_caballero_that_is_left():
    position = "galicia: red+flag; aragon: blue 3, blue+flag; sevilla: blue 1; valencia: blue 1"
    game = turn("s2_secret_remove_all", position).play("red special", "blue disk aragon")
    assert game.choices("blue", "to") == ["valencia", "sevilla"]


def test_a_player_chooses_the_bearer_among_the_own_payments():
    game = turn("s2_king_angry", "galicia: red+flag; aragon: blue 3, blue+flag; sevilla: blue 2").play("red special")
    game.play("blue return 0, aragon+flag 1, sevilla 2")
    assert game.where("aragon") == {"blue": 3}
    assert flags(game)["blue"] == "aragon"
    assert CaballerosReturned("blue", "aragon+flag", 1) in game.history


def test_nothing_stays_sealed_when_a_payment_costs_a_flag():
    game = turn("s2_king_angry", "galicia: red+flag; aragon: blue+flag; sevilla: blue 1; valencia: blue 3")
    game.play("red special", "blue return 0, aragon+flag 1, valencia 2", "blue pass_flag sevilla")
    assert game.state.sealed == {}


def test_payments_without_a_choice_spare_the_bearer_as_long_as_another_is_there():
    game = turn("s2_king_angry", "galicia: red+flag; aragon: blue 3, blue+flag; sevilla: blue 2").play("red special")
    assert flags(game.play("blue return 0, aragon 3"))["blue"] == "aragon"
    assert game.where("aragon") == {"blue": 1}


def test_a_bare_region_counts_the_bearer_too_and_takes_it_last():
    game = turn("s2_king_angry", "galicia: red+flag; aragon: blue 2, blue+flag; sevilla: blue 2").play("red special")
    game.play("blue return 0, aragon 3")
    assert (game.where("aragon"), flags(game)["blue"]) == ({}, "sevilla")


def test_the_bearer_is_not_paid_twice():
    game = turn("s2_king_angry", "galicia: red+flag; aragon: blue 1, blue+flag; sevilla: blue 2").play("red special")
    assert game.refuses("blue return 0, aragon 2, aragon+flag 1") == "as_many_as_there_are"
    assert game.refuses("blue return 0, aragon+flag 2, sevilla 1") == "as_many_as_there_are"


def test_time_running_out_pays_with_the_bearer_last_in_a_region():
    game = turn("s2_king_angry", "galicia: red+flag; aragon: blue 2, blue+flag; sevilla: blue 2").play("red special")
    game.play("blue time_up")
    paid = [(fact.source, fact.count) for fact in game.happened(CaballerosReturned)]
    assert sorted(paid) == [("aragon", 2), ("aragon+flag", 1)]


def shortage(position):
    board = f"king granada; power: red 4; face_up: s5_king_any; turn red; {position}"
    return table(board, DrawCaballeros("red"), rules=RULES)


def test_in_a_shortage_the_bearer_may_be_drawn():
    game = shortage("province: red 1; aragon: red 2, red+flag; sevilla: red 1").play("red draw 1, aragon+flag 1")
    assert game.where("court") == {"red": 2}
    assert game.asked == ("pass_flag", ("red",))


def test_in_a_shortage_a_bare_region_spares_the_bearer():
    game = shortage("province: red 1; aragon: red 2, red+flag").play("red draw 1, aragon 2")
    assert flags(game) == {"red": "aragon"}
    game = shortage("province: red 1; aragon: red 2, red+flag").play("red draw 1, aragon 3")
    assert flags(game) == {}


def test_rebellions_in_court_leave_the_flags_alone():
    game = turn("s2_rebellion_all", "aragon: red+flag, blue+flag; court: blue 3").play("red special")
    assert flags(game) == {"red": "aragon", "blue": "aragon"}


# Expulsion


def test_an_expelled_bearer_carries_the_flag_along():
    game = turn("s4_expulsion", "galicia: red+flag; aragon: blue 2, blue+flag")
    game.play("red special region=aragon", "blue disk sevilla")
    assert (game.where("sevilla"), flags(game)["blue"]) == ({"blue": 3}, "sevilla")


def test_a_bearer_expelled_to_the_kings_region_goes_to_court_and_hands_the_flag_on():
    game = turn("s4_expulsion", "galicia: red+flag; aragon: blue 2, blue+flag; sevilla: blue 1; valencia: blue 1")
    game.play("red special region=aragon", "blue disk granada")
    assert game.where("court") == {"blue": 3}
    assert game.asked == ("pass_flag", ("blue",))
    assert CaballerosMoved("blue", "aragon+flag", "court", 1, "blue") in game.history


# The moment of handing over


def test_several_players_hand_on_clockwise_from_the_active_player():
    everywhere = "red+flag, blue+flag, green+flag"
    others = "red 1, blue 1, green 1"
    position = f"aragon: {everywhere}, yellow+flag; sevilla: {others}; valencia: {others}"
    game = turn("s2_secret_remove_all", position, by="yellow").play("yellow special")
    game.play("red disk aragon", "blue disk aragon", "green disk aragon")
    for player in ("green", "red", "blue"):
        assert game.asked == ("pass_flag", (player,))
        game.play(f"{player} pass_flag sevilla")
    assert set(flags(game).values()) == {"aragon", "sevilla"}


def test_choices_are_open_one_after_the_other():
    both = "blue 1, green 1"
    position = f"aragon: red+flag, blue+flag, green+flag; sevilla: {both}; valencia: {both}"
    game = turn("s2_secret_remove_all", position).play("red special", "blue disk aragon", "green disk aragon")
    game.play("blue pass_flag valencia")
    assert flags(game)["blue"] == "valencia"
    assert game.asked == ("pass_flag", ("green",))


def test_in_a_general_scoring_the_first_seat_hands_on_first():
    everybody = ", ".join(f"{player} 1" for player in ("red", "blue", "yellow", "green"))
    game = general_scoring(f"castillo: {everybody}; turn yellow")
    game.play(*(f"{player} disk aragon" for player in ("red", "blue", "yellow", "green")))
    assert [fact.player for fact in game.happened(FlagPassed)] == ["red", "blue", "yellow", "green"]


def test_the_flag_is_handed_on_before_the_regions_are_scored():
    game = general_scoring("castillo: red 2; galicia: blue+flag; aragon: blue 2")
    game.play("red disk aragon", "blue time_up", "yellow time_up", "green time_up")
    kinds = [type(fact) for fact in game.facts]
    assert kinds.index(CaballerosReleased) < kinds.index(FlagPassed) < len(kinds) - kinds[::-1].index(SpaceScored)
    assert sum(fact.points for fact in aragon(game).awards if fact.player == "red") == 5


def aragon(game):
    [scored] = [fact for fact in game.happened(SpaceScored) if fact.space == "aragon"]
    return scored


def test_the_flag_is_handed_on_before_the_next_step_is_asked_for():
    game = turn("s1_move_four_any", "aragon: red+flag, blue+flag; sevilla: blue 1; valencia: blue 1")
    game.play("red special", "red step blue aragon > castillo")
    assert game.asked == ("pass_flag", ("blue",))
    assert game.play("blue pass_flag sevilla").asked == ("step", ("red",))


def test_the_flag_is_handed_on_after_the_last_step_of_an_action_too():
    position = "galicia: green 1; aragon: blue+flag; sevilla: blue 1; valencia: blue 1; court: red 1"
    game = turn("s2_return_one_each", position).play("red special", "red step green galicia", "red step blue aragon")
    assert game.asked == ("pass_flag", ("blue",))
    assert game.play("blue pass_flag sevilla").asked == ("menu", ("red",))


def test_the_flag_is_handed_on_before_the_next_veto_window_opens():
    position = "aragon: red+flag, blue+flag; sevilla: blue 1; valencia: blue 1; veto green: s2_veto-1 2"
    game = turn("s1_move_four_any", position).play(
        "red special", "red several step blue aragon > castillo / step blue sevilla > galicia", "green allow"
    )
    assert game.asked == ("pass_flag", ("blue",))
    assert len(game.happened(StepAnnounced)) == 1
    assert game.play("blue pass_flag sevilla").asked == ("veto", ("green",))


def test_handing_the_flag_on_cannot_be_vetoed():
    position = "aragon: red+flag, blue+flag; sevilla: blue 1; valencia: blue 1; veto green: s2_veto-1 2"
    game = turn("s2_return_one_each", position).play("red special", "red step blue aragon", "green allow")
    game.play("blue pass_flag sevilla")
    assert flags(game)["blue"] == "sevilla"
    assert len(game.board.vetoes) == 1


def test_a_vetoed_step_takes_no_flag_away():
    position = "aragon: red+flag, blue+flag; sevilla: blue 1; valencia: blue 1; veto green: s2_veto-1 2; court: red 1"
    game = turn("s2_return_one_each", position).play("red special", "red step blue aragon", "green veto")
    assert flags(game)["blue"] == "aragon"
    assert game.asked == ("menu", ("red",))


def test_queued_steps_go_on_after_the_flag_is_handed_on():
    game = turn("s1_move_four_any", "aragon: red+flag, blue+flag; sevilla: blue 1; valencia: blue 1")
    game.play("red special", "red several step blue aragon > castillo / step blue valencia > galicia")
    assert game.asked == ("pass_flag", ("blue",))
    game.play("blue pass_flag valencia")
    assert (flags(game)["blue"], game.where("valencia")) == ("galicia", {})


# The base game knows no flags


@pytest.mark.parametrize("rounds", [1, 9])
def test_a_game_with_flags_goes_its_way(rounds):
    game = let_time_run(opening(4, expansions=("anniversary",)), rounds=rounds)
    assert len(game.board.marked) <= 4


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("red step blue aragon+flag > valencia", "as_many_as_there_are"),
        ("red step blue aragon > valencia+flag", "regions"),
    ],
)
def test_without_the_expansion_there_is_no_flag_to_name(line, rule):
    game = turn_with("s1_move_four_any", "king granada; aragon: red 1, blue 1").play("red special")
    assert game.refuses(line) == rule


def test_without_the_expansion_no_player_can_hand_on_a_flag():
    with pytest.raises(Unreadable):
        codec_for("el_grande").command({"kind": "pass_flag", "to": "aragon"})
    assert codec_for(RULES.name).command({"kind": "pass_flag", "to": "aragon"}) == HandOverFlag("aragon")


@pytest.mark.parametrize("line", ["red place valencia+flag 1", "red place aragon+flag 1"])
def test_a_placement_names_bare_regions(line):
    assert turn("s1_place_two", "aragon: red+flag; court: red 1").refuses(line) == "regions"


def test_the_bearer_is_a_piece_that_differs_from_its_fellows():
    assert parse_position("aragon: red 1, red+flag").marked == (Piece("red", "aragon+flag"),)


PACKAGE = Path(rules.el_grande.__file__).parent
BASE_FILES = sorted({*PACKAGE.rglob("*.py")} - {*PACKAGE.glob("expansions/**/*"), PACKAGE / "game.py"})
OF_EXPANSIONS = ("flag", "anniversary", "king_and_intrigue", "ki_")


def words_in_code(path):
    """Every name and text in a module, but for docstrings and comments."""
    tree = ast.parse(path.read_text())
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value
        for name in ("id", "attr", "name", "arg", "module"):
            if isinstance(word := getattr(node, name, None), str):
                yield word


@pytest.mark.parametrize("path", BASE_FILES, ids=lambda path: path.stem)
def test_the_base_does_not_know_its_expansions(path):
    mentioned = [word for word in words_in_code(path) if any(each in word.lower() for each in OF_EXPANSIONS)]
    assert mentioned == []
