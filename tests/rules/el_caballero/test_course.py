"""The course of a game: rounds, defaults, the end; and games of all sizes in both modes keep every promise."""

import pytest

from rules.el_caballero.base import BASE
from rules.el_caballero.commands import EndTurn, PlaceTile
from rules.el_caballero.facts import RoundBegan, ScoringBegan, TurnEnded
from rules.el_caballero.notation import move, parse_move, parse_position, position
from rules.el_caballero.setup import empty_table, start
from rules.el_caballero.view import view
from rules.errors import Unreadable
from rules.kernel import Answer, AnsweredForPlayer, State, TimeUp, decision_id, fold, play, waiting
from tests.rules.el_caballero.games import random_game
from tests.rules.el_caballero.table import turn


@pytest.mark.parametrize("mode", BASE.modes)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_random_game_keeps_every_promise(players, mode):
    facts, state = start(BASE, players, (1).to_bytes(8, "big"), mode=mode)
    seen = State(empty_table(BASE, players, mode=mode))
    history = []

    def follow(seen, facts):
        for fact in facts:
            following = fold(seen, (fact,))
            for invariant in BASE.invariants:
                assert invariant(seen.board, fact, following.board) is None, fact
            seen = following
        history.extend(facts)
        return seen

    seen = follow(seen, facts)
    for before, decision, answer in random_game(players, mode, 1):
        assert decision.size() > 1
        assert before == seen
        following, state = play(before, answer)
        seen = follow(seen, following)
        assert parse_position(position(state.board), players, mode=mode) == state.board
        if isinstance(answer, Answer):
            assert parse_move(move(answer.command)) == answer.command
    assert state.is_over
    assert BASE.course(state.board, history) is None


@pytest.mark.parametrize("players", [1, 5])
def test_two_to_four_play(players):
    with pytest.raises(Unreadable, match="2 to 4 players"):
        empty_table(BASE, players)


def test_a_mode_that_does_not_exist_is_refused():
    with pytest.raises(Unreadable, match="mode is basic or advanced, not expert"):
        empty_table(BASE, 2, mode="expert")


@pytest.mark.parametrize(("mode", "scorings", "rounds"), [("basic", [4, 7], 7), ("advanced", [4, 7, 10], 10)])
def test_a_game_by_defaults_alone_ends(mode, scorings, rounds):
    facts, state = start(BASE, 4, b"defaults", mode=mode)
    happened = list(facts)
    while asked := waiting(state):
        facts, state = play(state, TimeUp(asked[0], decision_id(state, asked[0])))
        happened += facts
    assert [fact.round for fact in happened if isinstance(fact, ScoringBegan)] == scorings
    assert [fact.round for fact in happened if isinstance(fact, RoundBegan)] == list(range(1, rounds + 1))


def test_tiles_that_were_not_taken_stay_and_five_lie_open_again():
    _, state = start(BASE, 2, b"refill")
    first = state.board.visible
    while state.board.round == 1:
        asked = waiting(state)[0]
        _, state = play(state, TimeUp(asked, decision_id(state, asked)))
    left = tuple(tile for tile in first if tile not in {sector.tile for sector in state.board.map.tiles.values()})
    assert state.board.visible[: len(left)] == left
    assert len(state.board.visible) == 5


def test_the_default_harms_as_few_cards_as_possible():
    position = "tiles: 0,0=16 1,0=6r3; cards blue: 0,-1=high1; visible: 7 46"
    game = turn(position)
    default = game.decision().default
    assert isinstance(default, PlaceTile)
    assert "0,-1" in game.say("red", default).board.cards


def test_of_harmless_placements_the_lowest_tile_row_column_and_rotation_is_the_default():
    game = turn("tiles: 0,0=4; visible: 46 6 5")
    lowest = min(
        (answer["tile"], *reversed([int(part) for part in answer["at"].split(",")]), answer["rotation"])
        for answer in game.answers("place_tile")
    )
    default = game.decision().default
    assert isinstance(default, PlaceTile)
    x, y = map(int, default.at.split(","))
    assert (default.tile, y, x, default.rotation) == lowest


def test_a_turn_with_nothing_left_to_do_ends_by_itself():
    game = turn("tiles: 0,0=4; visible: 5", power=13).play("red tile 5 0,-1 r2")
    assert game.state.is_over
    assert game.happened(AnsweredForPlayer) == [AnsweredForPlayer("red", "turn", "only_option")]
    assert game.happened(TurnEnded) == [TurnEnded("red")]


def test_time_runs_out_after_the_tile_was_placed():
    game = turn("tiles: 0,0=4; court red: 5; visible: 5").play("red tile 5 0,-1 r2")
    assert game.decision().default == EndTurn()


def test_only_the_order_of_the_stack_is_hidden():
    _, state = start(BASE, 2, b"hidden")
    for viewer in ("red", "blue", "spectator"):
        assert view(state, viewer)["stack"] == 42
    assert view(state, "red") == view(state, "spectator")


@pytest.mark.parametrize(
    "text",
    [
        "tiles: 0,0=99",
        "tiles: 0,0=4r7",
        "tiles: 0,0=4 1,0=46",
        "tiles: 0,0=4 0,0=5",
        "tiles: 0,0=4; cards red: 0,0=low0",
        "cards red: 0,0=middle0",
        "cards pink: 0,0=low0",
        "governors red: 0,0:1",
        "visible: 49",
        "queue: pink",
        "weather fine",
        "court red: many",
    ],
)
def test_what_is_no_position_is_refused(text):
    with pytest.raises(Unreadable):
        parse_position(text)


@pytest.mark.parametrize(
    "text",
    ["", "tile 4 0,0", "tile x 0,0 r1", "card 0,0 middle r0", "ship 0,0 X", "end now", "power", "supply 1 2", "fly"],
)
def test_what_is_no_move_is_refused(text):
    with pytest.raises(Unreadable):
        parse_move(text)
