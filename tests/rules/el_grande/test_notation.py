"""Positions and moves as text, there and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rules.el_grande.board import Board, Piece
from rules.el_grande.commands import (
    ChooseActionCard,
    Draw,
    EndTurn,
    Place,
    PlayPowerCard,
    Return,
    SetDisk,
    Several,
    Special,
    Stop,
    TakeStep,
    VetoResponse,
)
from rules.el_grande.expansions.anniversary import HandOverFlag
from rules.el_grande.game import EL_GRANDE
from rules.el_grande.notation import move, parse_move, parse_position, position
from rules.errors import Unreadable
from rules.kernel import Command
from tests.rules.el_grande.opening import let_time_run, opening

EXPANDED = EL_GRANDE.rules(("anniversary",))

MOVES = {
    "power 7": PlayPowerCard(7),
    "draw 0": Draw(),
    "draw 2": Draw(2),
    "draw 2, aragon 1, granada 2": Draw(2, {"aragon": 1, "granada": 2}),
    "draw 0, aragon+flag 1": Draw(0, {"aragon+flag": 1}),
    "card 5": ChooseActionCard(5),
    "place granada 2, castillo 1": Place({"granada": 2, "castillo": 1}),
    "special": Special(),
    "special source=aragon": Special(source="aragon"),
    "special mode=move_all_own source=aragon": Special(mode="move_all_own", source="aragon"),
    "special space=castillo": Special(space="castillo"),
    "special board=board_840 to=castillo": Special(board="board_840", to="castillo"),
    "special region=aragon": Special(region="aragon"),
    "special value=13": Special(value=13),
    "special from_regions=aragon*1,granada*1": Special(from_regions={"aragon": 1, "granada": 1}),
    "step blue aragon > castillo": TakeStep("blue", "aragon", "castillo"),
    "step blue aragon+flag > granada": TakeStep("blue", "aragon+flag", "granada"),
    "step blue aragon": TakeStep("blue", "aragon"),
    "step > castillo": TakeStep(target="castillo"),
    "several step > castillo / step > aragon": Several((TakeStep(target="castillo"), TakeStep(target="aragon"))),
    "stop": Stop(),
    "end": EndTurn(),
    "allow": VetoResponse("allow"),
    "allow_rest": VetoResponse("allow_rest"),
    "veto": VetoResponse("veto"),
    "return 1": Return(1),
    "return 0, aragon 2, aragon+flag 1": Return(0, {"aragon": 2, "aragon+flag": 1}),
    "disk galicia": SetDisk("galicia"),
    "pass_flag aragon": HandOverFlag("aragon"),
}


@pytest.mark.parametrize(("text", "command"), MOVES.items(), ids=MOVES)
def test_a_move_is_read_and_written(text, command):
    assert parse_move(text, EXPANDED) == command
    assert move(command) == text


def test_there_is_a_notation_for_every_command():
    assert {type(command) for command in MOVES.values()} == set(EXPANDED.commands)


def test_a_command_of_an_expansion_is_no_move_without_it():
    with pytest.raises(Unreadable, match="not a move: pass_flag aragon"):
        parse_move("pass_flag aragon")


@pytest.mark.parametrize("text", ["  power   7 ", "place granada 2,castillo 1", "step blue aragon>castillo"])
def test_spaces_do_not_matter(text):
    assert parse_move(text) == parse_move(move(parse_move(text)))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "fly",
        "power",
        "power seven",
        "power 7 8",
        "draw x",
        "draw 1, aragon",
        "draw 1, aragon 1, aragon 2",
        "card",
        "place granada",
        "place granada two",
        "place granada 1 2",
        "special to",
        "special speed=3",
        "special value=x",
        "special from_regions=aragon",
        "step",
        "step blue",
        "step blue aragon >",
        "step blue aragon green > castillo",
        "several",
        "stop now",
        "end turn",
        "veto it",
        "disk",
        "disk aragon granada",
        "pass_flag",
        "pass_flag aragon granada",
    ],
)
def test_what_is_not_a_move_is_unreadable(text):
    with pytest.raises(Unreadable, match="not a move"):
        parse_move(text, EXPANDED)


def read_back(board: Board) -> Board:
    agreed = {"game_length": board.game_length, "castillo_display": board.castillo_display}
    return parse_position(position(board), len(board.players), board.rules, **agreed)


@pytest.mark.parametrize("rounds", [0, 1, 3, 9])
@pytest.mark.parametrize("expansions", list(EL_GRANDE.combinations(tuple(EL_GRANDE.expansions))), ids="+".join)
def test_a_position_of_a_game_is_written_and_read_back(expansions, rounds):
    board = let_time_run(opening(3, expansions=expansions, game_length="full"), rounds=rounds).board
    assert read_back(board) == board


@pytest.mark.parametrize(
    "text",
    [
        "king granada",
        "king granada; aragon: red 3, blue 1; castillo: red 2; court: blue 4; province: red 25",
        "aragon: red 2, blue+flag; granada: red+flag",
        "grandes: red aragon, blue galicia; scoreboards: board_840 castillo, board_400 aragon; scores: red 12, blue 3",
        "hand red: 1 2 3; pile red: 4 5; history red: 4 5; power: red 5, blue 6",
        "stack 1: s1_place_two s1_move_four_own; stack 2: s2_king_angry; face_up: s5_king_any; taken: s5_king_any red",
        "discards: s1_place_two; veto red: s2_veto-1 4; round 3; first red; turn blue; queue: green red",
        "places: red 1, blue 1, yellow 3, green 4",
    ],
)
def test_a_position_reads_as_it_is_written(text):
    assert position(parse_position(text, 4)) == text


def test_a_marked_piece_is_written_with_its_owner():
    assert parse_position("aragon: blue+flag").marked == (Piece("blue", "aragon+flag"),)


def test_what_is_not_mentioned_is_absent():
    board = parse_position("", 3)
    assert (board.king, board.scores, board.hands["red"]) == ("", {"red": 0, "blue": 0, "yellow": 0}, ())
    assert replace(board, king="aragon") == parse_position("king aragon", 3)


@pytest.mark.parametrize(
    "text",
    [
        "king nowhere",
        "king",
        "queen granada",
        "aragon",
        "aragon: red",
        "aragon: red x",
        "aragon: purple 3",
        "nowhere: red 3",
        "grandes: red",
        "grandes: purple aragon",
        "scores: red many",
        "scores: purple 3",
        "hand purple: 1",
        "hand red: one",
        "veto red: s2_veto-1",
        "stack: s1_place_two",
        "round first",
        "turn purple",
    ],
)
def test_what_is_not_a_position_is_unreadable(text):
    with pytest.raises(Unreadable, match="not part of a position"):
        parse_position(text, 4)


WORDS = st.sampled_from(
    [
        *MOVES,
        "king",
        "granada",
        "red",
        "blue+flag",
        ":",
        ";",
        ",",
        ">",
        "/",
        "=",
        "*",
        "3",
        "-1",
        "stack",
        "veto",
        "hand",
    ]
)
ANY_TEXT = st.one_of(st.text(), st.lists(WORDS).map(" ".join), st.lists(WORDS).map("".join))


@given(ANY_TEXT)
def test_any_text_is_a_move_or_unreadable(text):
    try:
        command = parse_move(text, EXPANDED)
    except Unreadable:
        return
    assert isinstance(command, Command)
    assert parse_move(move(command), EXPANDED) == command


@given(ANY_TEXT)
def test_any_text_is_a_position_or_unreadable(text):
    try:
        board = parse_position(text)
    except Unreadable:
        return
    assert read_back(board) == board
