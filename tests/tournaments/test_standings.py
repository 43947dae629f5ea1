"""Standings and tie-breaks, by examples that can be counted by hand."""

import pytest
from msgspec.structs import replace

from rules.errors import Unreadable
from tests.tournaments.playing import Event
from tournaments.crosstable import crosstable
from tournaments.history import Adjustment, History, Player, scores
from tournaments.points import PointScheme
from tournaments.results import Result, Round, Table
from tournaments.standings import check_tiebreaks, drawn_lots, standings
from tournaments.tiebreaks import BOARD_GAME, FIDE, TABLES, TIEBREAKS


def players(names):
    return tuple(Player(name, number) for number, name in enumerate(names, start=1))


def game(white, black, result):
    """1 is a win of the first, = a draw, 0 a win of the second, + and - without a game."""
    places = {"1": (1, 2), "=": (1, 1), "0": (2, 1), "+": (1, 2), "-": (2, 1)}[result]
    absent = {"+": (1,), "-": (0,)}.get(result, ())
    return Table((white, black), Result(places, absent=absent))


def duel(*rounds, names="abcd", **options):
    return History(players(names), rounds, PointScheme("chess"), **options)


FOUR = duel(
    Round(2, (game("a", "b", "1"), game("c", "d", "="))),
    Round(2, (game("a", "c", "="), game("b", "d", "1"))),
    Round(2, (game("d", "a", "0"), game("b", "c", "0"))),
)


def values(history, name):
    """As they are shown."""
    return {row.player: row.shown[1] for row in standings(history, ("PTS", name))}


def test_points_are_those_of_all_rounds():
    assert {row.player: row.shown[0] for row in standings(FOUR, ("PTS",))} == {"a": "2½", "c": "2", "b": "1", "d": "½"}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("BH", {"a": "3.50", "b": "5", "c": "4", "d": "5.50"}),
        ("BH/C1", {"a": "3", "b": "4.50", "c": "3.50", "d": "4.50"}),
        ("BH/M1", {"a": "1", "b": "2", "c": "1", "d": "2"}),
        ("SB", {"a": "2.50", "b": "0.50", "c": "2.50", "d": "1"}),
        ("WIN", {"a": "2", "b": "1", "c": "1", "d": "0"}),
        ("PS", {"a": "5", "b": "2", "c": "3½", "d": "1½"}),
        ("BPG", {"a": "1", "b": "1", "c": "2", "d": "2"}),
    ],
)
def test_tie_breaks_of_four_players(name, expected):
    assert values(FOUR, name) == expected


def test_a_bye_counts_as_a_win_and_against_an_opponent_with_half_of_the_points():
    history = duel(
        Round(2, (game("a", "b", "1"),), {"c": "bye"}), Round(2, (game("a", "c", "1"),), {"b": "bye"}), names="abc"
    )
    assert {row.player: row.shown for row in standings(history, ("PTS", "BH"))} == {
        "a": ("2", "2"),
        "b": ("1", "3"),
        "c": ("1", "3"),
    }


def test_an_opponents_last_rounds_that_were_unplayed_by_choice_count_as_draws():
    """C.07, 16.3."""
    history = duel(
        Round(2, (game("a", "b", "1"), game("c", "d", "1"))),
        Round(2, (game("a", "c", "1"),), {"b": "absent", "d": "half_bye"}),
    )
    assert values(history, "BH")["a"] == "1.50"
    assert scores(history)["b"] == 0


def test_an_own_forfeited_round_counts_no_more_than_the_scheduled_opponent_has():
    """C.07, 16.4."""
    history = duel(
        Round(2, (game("a", "b", "1"), game("c", "d", "1"))),
        Round(2, (game("a", "c", "+"), game("b", "d", "="))),
    )
    assert values(history, "BH")["a"] == "1.50"


def test_a_cut_takes_rounds_that_were_unplayed_by_choice_first():
    """C.07, 16.5."""
    history = duel(
        Round(2, (game("a", "b", "0"), game("c", "d", "1"))),
        Round(2, (game("b", "c", "0"),), {"a": "half_bye", "d": "absent"}),
        Round(2, (game("a", "c", "0"), game("b", "d", "1"))),
    )
    assert values(history, "BH") == {"a": "5.50", "b": "3.50", "c": "2.50", "d": "5"}
    assert values(history, "BH/C1")["a"] == "5"


def test_direct_encounter_decides_between_two_who_have_met():
    history = duel(
        Round(2, (game("a", "b", "1"), game("c", "d", "1"))),
        Round(2, (game("b", "c", "1"), game("d", "a", "1"))),
    )
    rows = standings(history, ("PTS", "DE"))
    assert [row.player for row in rows] == ["a", "b", "c", "d"]
    assert {row.place for row in rows} == {1}, "not all have met, and nobody leads for sure"
    two = standings(duel(history.rounds[0], Round(2, (game("b", "c", "1"), game("a", "d", "0")))), ("PTS", "DE"))
    assert two == rows


def test_direct_encounter_at_tables_asks_who_came_first_there():
    tables = (Table(("a", "b", "c"), Result((1, 2, 3))), Table(("d", "e", "f"), Result((1, 2, 3))))
    again = (Table(("a", "d", "e"), Result((3, 2, 1))), Table(("b", "c", "f"), Result((1, 2, 3))))
    history = History(players("abcdef"), (Round(3, tables), Round(3, again)))
    rows = {row.player: row for row in standings(history, ("TP", "DEm"))}
    assert [rows[name].points for name in "de"] == [36 * 60] * 2
    assert rows["b"].points == rows["d"].points, "b has met neither d nor e"
    assert {rows[name].place for name in "bde"} == {1}


def test_a_shared_win_counts_as_its_part():
    history = History(players("abc"), (Round(3, (Table(("a", "b", "c"), Result((1, 1, 3))),)),))
    assert values(history, "W") == {"a": "½", "b": "½", "c": "0"}


def test_victory_points_are_compared_with_the_table_and_with_the_winner():
    table = Table(("a", "b", "c"), Result((1, 2, 3), (60, 45, 15)))
    history = History(players("abc"), (Round(3, (table,)),))
    assert values(history, "VPS") == {"a": "1.50", "b": "1.13", "c": "0.38"}
    assert values(history, "WP") == {"a": "1", "b": "0.75", "c": "0.25"}


def test_a_player_who_left_the_game_comes_last_and_the_others_get_the_full_list():
    table = Table(("a", "b", "c", "d"), Result((1, 2, 3, 4), abandoned=(0,)))
    history = History(players("abcd"), (Round(4, (table,)),))
    assert scores(history) == {"a": 0, "b": 1440, "c": 960, "d": 480}


def test_a_player_who_did_not_come_gets_nothing_and_the_others_play_a_smaller_table():
    table = Table(("a", "b", "c", "d"), Result((4, 1, 2, 3), absent=(0,)))
    history = History(players("abcd"), (Round(4, (table,)),))
    assert scores(history) == {"a": 0, "b": 1440, "c": 720, "d": 0}


def test_lots_are_drawn_once_and_decide_last():
    history = History(players("abc"), (Round(3, (Table(("a", "b", "c"), Result((1, 1, 1))),)),))
    lots = drawn_lots("abc", b"seed")
    assert lots == drawn_lots("cba", b"seed")
    rows = standings(history, ("TP", "W", "LOT"), lots)
    assert [row.place for row in rows] == [1, 2, 3]
    assert [row.player for row in rows] == sorted("abc", key=lots.__getitem__)
    assert {row.place for row in standings(history, ("TP", "W", "LOT"))} == {1}


def test_every_place_says_which_tie_break_decided_it():
    rows = standings(FOUR, ("PTS", "WIN"))
    assert [row.decided_by for row in rows] == ["", "PTS", "PTS", "PTS"]


def test_rulings_add_and_take_points():
    history = replace(FOUR, adjustments=(Adjustment("a", -60, 2), Adjustment("d", 30, 3)))
    assert scores(history)["a"] == 90
    assert scores(history.before(2)) == scores(FOUR.before(2))


@pytest.mark.parametrize("names", [FIDE, BOARD_GAME, TABLES])
def test_the_lists_that_are_used_by_default_are_lists(names):
    check_tiebreaks(names)


@pytest.mark.parametrize("names", [(), ("BH",), ("PTS", "PTS"), ("PTS", "luck")])
def test_other_lists_are_refused(names):
    with pytest.raises(Unreadable):
        check_tiebreaks(names)


def test_every_tie_break_has_a_definition_for_people_and_whole_values():
    history = Event(13, 4, allowed=(3,)).play(2).history
    for name, tiebreak in TIEBREAKS.items():
        assert str(tiebreak.definition)
        rows = standings(history, ("TP", name) if name != "TP" else ("TP",), drawn_lots([], b""))
        assert all(isinstance(value, int) for row in rows for value in row.values)


def test_standings_do_not_depend_on_the_order_of_players():
    history = Event(13, 4, allowed=(3,)).play(2).history
    lots = drawn_lots([player.id for player in history.players], b"seed")
    turned = replace(history, players=history.players[::-1])
    assert standings(turned, TABLES, lots) == standings(history, TABLES, lots)


def test_the_crosstable_has_a_cell_for_every_round():
    history = Event(13, 4, allowed=(3,)).play(2).history
    lines = crosstable(history, standings(history, TABLES))
    assert len(lines) == 13
    assert all(len(line.cells) == 2 for line in lines)
