"""A tournament's table over REST: it is watched and played like any other, but nobody seats, starts or clears it."""

import pytest

from events.submission import Submission
from events.table.commands import SeatAll
from events.table.facts import TournamentTable
from tests.service.api.asking import SHORT, problem

PLACE = TournamentTable("spring", round=2, table=7)


@pytest.fixture
def games(service):
    return service.services.game_service


@pytest.fixture
def table(games):
    return games.games.create("el_grande", 2, SHORT, tournament=PLACE).id


@pytest.fixture
def running(games, table, ana, ben):
    games.submit(table, SeatAll({"red": ana.account, "blue": ben.account}), Submission(key="seat all"))
    return table


def test_a_game_names_its_tournament(running, anonymous, ana):
    game = anonymous.get(f"/games/{running}").get_json()
    assert game["tournament"] == {"tournament": "spring", "round": 2, "table": 7}
    assert (game["owner"], game["status"]) == ("", "running")
    assert ana.get(f"/games/{ana.makes()}").get_json()["tournament"] is None


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/seats", {}),
        ("POST", "/seats", {"bot": "greedy"}),
        ("DELETE", "/players/somebody", None),
        ("POST", "/start", None),
        ("POST", "/abort", None),
        ("POST", "/invitations", {}),
    ],
    ids=str,
)
def test_no_account_seats_starts_or_clears_it(table, eve, method, path, body):
    answer = eve.ask(method, f"/games/{table}{path}", **({"json": body} if body is not None else {}))
    assert problem(answer)[0] == 403, answer.text
    assert eve.get(f"/games/{table}").get_json()["version"] == 1


def test_a_player_stays_on_the_seat(running, ana):
    assert problem(ana.delete(f"/games/{running}/seats/mine"))[0] == 403
    assert ana.get(f"/games/{running}").get_json()["mine"] == "red"


def test_its_players_find_it_when_it_is_set(games, table, ana, ben):
    games.index.put(games.games.load(table))
    assert ana.get("/games?status=open").get_json()["games"] == []
    games.submit(table, SeatAll({"red": ana.account, "blue": ben.account}), Submission(key="seat all"))
    for listed in ("/games?status=running", f"/players/{ana.account}/games"):
        assert [game["id"] for game in ana.get(listed).get_json()["games"]] == [table]
