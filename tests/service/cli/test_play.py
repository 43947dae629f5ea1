"""`hidalgo play`, driven through its standard input."""

import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from rich.console import Console

from rules.catalogue import GAMES
from rules.drawing import Line
from rules.el_grande.drawing import under_way
from rules.el_grande.game import EL_GRANDE
from rules.kernel import Answer, options, waiting
from rules.kernel import play as play_answer
from rules.simulation import random_command
from service.cli import asking
from service.cli.play import play
from service.cli.table import printed
from tests.catalogues import install_foreign
from tests.rules.el_grande.table import turn_with
from tests.rules.foreign import latin

LONG_ENOUGH = 400
HIDALGO = Path(sys.executable).with_name("hidalgo")


def game(*lines, options=("--players", "2", "--length", "short", "--seed", "1")):
    """What is shown when these lines are typed."""
    return CliRunner().invoke(play, options, input="".join(f"{line}\n" for line in lines))


@pytest.mark.parametrize("options", [(), ("--expansion", "anniversary"), ("--seat", "2")], ids=" ".join)
def test_a_whole_game_by_defaults(options):
    answer = game(*["default"] * LONG_ENOUGH, options=("--players", "2", "--length", "short", "--seed", "1", *options))
    assert answer.exit_code == 0
    assert answer.output.count("general scoring after round") == 3
    assert "the game is over: " in answer.output
    assert re.search(r"Final result.*\n.*\n* *place +player +score", answer.output)
    assert "Seed 1 plays the same cards again." in answer.output


@pytest.mark.parametrize("seed", range(4))
def test_a_whole_game_by_the_first_alternative_and_hints(seed):
    """Whatever is typed, there is an answer and never a traceback."""
    lines = ["1", "1", "granada 1, castillo 1", "hint", "?", "default"] * LONG_ENOUGH
    answer = game(*lines, options=("--players", "5", "--seed", str(seed), "--expansion", "anniversary"))
    assert answer.exit_code == 0
    assert "Final result" in answer.output


def test_a_move_is_typed_in_notation():
    shown = game("power 13").output
    assert "red plays power card 13" in shown


def test_a_card_is_played_by_its_value():
    assert "red plays power card 7" in game("7").output


def test_regions_may_be_called_by_any_of_their_names():
    typed = game("power 13", "card 5", "special to=País_Vasco", "place Old Castile 1").output
    assert "the king moves to Basque Country" in typed
    assert "red places 1 caballero in Old Castile" in typed


def test_fields_are_asked_one_by_one():
    asked = game("13", "5", "1", "", "1", "nowhere", "castillo 1").output
    assert asked.count("how many where?") == 2, "an empty line leads back to the question"
    assert "nowhere is not a place and a number, like granada 2" in asked
    assert "red places 1 caballero in Castillo" in asked


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("power 99", "power card 99 is not in your hand"),
        ("99", "power card 99 is not in your hand"),
        ("end", "asked for play_power_card, not end_turn"),
        ("castle the king", "not a move: castle the king (? helps)"),
        ("place", "asked for play_power_card, not place"),
        ("power", "not a move: power"),
        ("power ²", "not a move: power ²"),
        ("²", "not a move: ²"),
        ("9" * 5000, "not a move:"),
        ("[red]", "not a move: [red]"),
    ],
    ids=lambda text: text[:30],
)
def test_a_refused_answer_is_explained_and_asked_again(typed, expected):
    answer = game(typed, "power 13")
    assert f"✗ {expected}" in answer.output
    assert "red plays power card 13" in answer.output
    assert answer.exit_code == 0


def test_help_explains_every_way_to_answer_with_an_example():
    shown = game("power 13", "card 5", "?").output
    assert "for example: place " in shown
    assert "for example: special to=" in shown
    assert "for example: end" in shown
    assert "quit     leave the game; nothing is saved" in shown


def test_cards_say_what_they_do_on_the_table_in_the_help_and_when_they_are_taken():
    shown = game("power 13", "?", "card 5", options=("--seed", "1")).output
    assert shown.count("Move the king to any other region.") == 4
    assert "stack: 5  “The king's card”: Move the king to any other region." in shown
    assert "Your card places up to 5. “The king's card”: Move the king to any other region." in shown


def test_the_table_shows_what_is_under_way():
    game = turn_with("s2_king_angry", "king granada; court: blue 5; aragon: blue 1, yellow 1", players=3)
    game.play("red special")
    assert [str(line.text) for line in under_way(EL_GRANDE.view(game.state, "blue"))][1:] == [
        "Under way: red performs “The king is angry”: blue gives up 3 caballeros",
        "  then yellow gives up 1 caballero",
    ]


def test_the_log_tells_what_happened():
    assert game("log").output.count("the king begins in") == 2


def test_a_hint_is_a_legal_move():
    [hint] = re.findall(r"for instance: (power \d+)", game("hint").output)
    assert f"red plays power card {hint.split()[1]}" in game(hint).output


@pytest.mark.parametrize("typed", [["quit"], []], ids=["quit", "end of input"])
def test_leaving_saves_nothing_and_says_so(typed):
    answer = game(*typed)
    assert answer.exit_code == 0
    assert answer.output.endswith("You leave the table. Nothing is saved.\n")


def test_the_same_seed_plays_the_same_game():
    assert game("default").output == game("default").output


def test_a_seat_that_is_not_at_the_table_is_refused():
    assert game(options=("--players", "2", "--seat", "3")).exit_code == 2


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--players", "5"), "El Grande is for 2, 3 players, not 5"),
        (("--length", "short"), "El Grande is full, not short"),
        (("--option", "cards=12"), "there is no option cards: choose from game_length"),
        (("--option", "game_length=long"), "game_length is full, not long"),
    ],
    ids=["players", "length", "option", "value"],
)
def test_a_game_says_for_whom_and_how_long_it_is(options, expected, monkeypatch):
    smaller = replace(EL_GRANDE, players=(2, 3), options={"game_length": ("full",)})
    monkeypatch.setitem(GAMES, "el_grande", smaller)
    answer = game(options=options)
    assert answer.exit_code == 2
    assert expected in answer.output


def test_a_whole_game_in_another_language(tmp_path, monkeypatch):
    monkeypatch.setenv("HIDALGO_LOCALE", str(install_foreign(tmp_path)))
    lines = ["?", "log", "place nowhere 2", *["default"] * LONG_ENOUGH]
    answer = game(*lines, options=("--players", "2", "--length", "short", "--seed", "1", "--language", "ru"))
    assert answer.exit_code == 0
    assert [line for line in answer.output.splitlines() if not latin(line) <= TYPED] == []


TYPED = {
    *("board", "log", "hint", "default", "quit"),
    *("power", "card", "place", "draw", "disk", "end", "nowhere", "aragon"),
    *("value", "play_power_card"),
}
"""Commands, moves and fields are the same in all languages."""


def test_a_language_without_translations_is_refused():
    answer = game(options=("--language", "tlh"))
    assert answer.exit_code == 2
    assert "there are no translations for tlh, only for en" in answer.output


def test_nothing_hidden_is_shown():
    """The table is drawn from the person's own view: two games that differ in hidden things look the same."""
    _, state = EL_GRANDE.start(EL_GRANDE.rules(), 3, b"a seed")
    board = state.board
    hidden = {
        "stacks": tuple(stack[::-1] for stack in board.stacks),
        "hands": {**board.hands, "blue": tuple(range(13))},
    }
    other = type(state)(type(board)(**{**as_fields(board), **hidden}), state.agenda, state.sealed, state.serial)
    assert drawn(EL_GRANDE.view(state, "red")) == drawn(EL_GRANDE.view(other, "red"))


def as_fields(board):
    return {name: getattr(board, name) for name in board.__struct_fields__}


def drawn(seen):
    console = Console(width=80)
    with console.capture() as capture:
        console.print(printed(EL_GRANDE.drawing.table(seen, "red")))
    return capture.get()


def test_every_caballero_on_the_map_is_drawn_however_crowded_it_is():
    _, state = EL_GRANDE.start(EL_GRANDE.rules(), 5, b"a seed")
    seen = dict(EL_GRANDE.view(state, "red"))
    crowd = {"red": 10, "blue": 11, "yellow": 12, "green": 13, "brown": 14}
    seen["regions"] = dict.fromkeys(seen["regions"], crowd)
    shown = drawn(seen)
    assert [shown.count(f"{player} {number}") for player, number in crowd.items()] == [9] * 5


def test_ctrl_c_ends_the_game_cleanly():
    parent, child = pty.openpty()
    command = [str(HIDALGO), "play", "--seed", "1"]
    with subprocess.Popen(command, stdin=child, stdout=child, stderr=child, start_new_session=True) as process:
        shown = read_until(parent, b"red> ")
        assert "♔" in shown
        assert interrupted(process) == 130
    assert "Traceback" not in read_until(parent, b"saved.")
    os.close(child)
    os.close(parent)


def interrupted(process: subprocess.Popen) -> int:
    """Ctrl-C until it ends: one that comes just before the terminal is read is only heard with the next key."""
    for _ in range(20):
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            return process.wait(timeout=1)
    process.kill()
    raise AssertionError("Ctrl-C does not end it")


def read_until(terminal: int, end: bytes) -> str:
    shown, deadline = b"", time.monotonic() + 20
    while end not in shown and (left := deadline - time.monotonic()) > 0:
        if select.select([terminal], [], [], left)[0]:
            shown += os.read(terminal, 65536)
    assert end in shown, shown.decode(errors="replace")
    return shown.decode(errors="replace")


# Menus


def decisions_of_whole_games(seeds=range(4)):
    """Every decision of some games played at random, with the state before it and the seat that was asked before."""
    game = GAMES["el_grande"]
    for seed in seeds:
        _, state = game.start(game.rules(), 4, bytes([seed]))
        pick, before = random.Random(seed).randrange, None
        while not state.is_over:
            [decision] = options(state, waiting(state)[0])
            yield state, before, decision
            before = decision
            answer = Answer(decision.player, decision.id, random_command(state, decision, pick))
            _, state = play_answer(state, answer)


def test_an_alternative_keeps_its_number_while_the_menu_is_open():
    """Regions come and go while caballeros are moved one by one; those that stay are called as before."""
    moved, menu = 0, asking.Menu()
    shown: dict[tuple[str, str, str], int] = {}
    for _, before, decision in decisions_of_whole_games():
        if not before or (before.player, before.kind) != (decision.player, "step"):
            menu.close()
            shown = {}
        numbers = menu.numbered(decision.kind, decision.forms)
        assert sorted(numbers.values(), key=str) == sorted(decision.forms, key=str), "each alternative has one number"
        for number, form in numbers.items():
            called = (decision.kind, form.kind, str(form.text))
            assert shown.setdefault(called, number) == number
        moved += list(numbers) != list(range(1, len(numbers) + 1))
    assert moved > 3, "no region came or went"


def test_a_number_that_is_not_in_the_menu_is_refused_with_those_that_are():
    assert "there are alternatives 1, 2, 3, not 9" in re.sub(r"\s+", " ", game("power 13", "card 5", "9").output)


def test_a_veto_question_names_the_action_and_tells_what_its_card_does():
    vetoes = [(state, decision) for state, _, decision in decisions_of_whole_games() if decision.kind == "veto"]
    assert vetoes
    for state, decision in vetoes:
        view = GAMES["el_grande"].view(state, decision.player)
        label = EL_GRANDE.rules().cards[view["action"]["card"].partition("-")[0]].label
        [line] = EL_GRANDE.drawing.remarks["veto"](view, decision.player)
        assert isinstance(line, Line)
        assert str(label) in str(line.text)
        assert view["action"]["text"] in str(decision.text)
