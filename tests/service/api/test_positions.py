"""Many games in one request: each as its viewer may see it, in a few round trips, and not without end."""

import json

import pytest

from service.games.game_lists import GameFilter
from service.settings import Limit, Settings
from tests.service.api.asking import begun, play_on


@pytest.fixture
def tables(ana, ben):
    """Two games under way, an open table, and a private one."""
    running = [begun(ana, ben) for _ in range(2)]
    return [*running, ana.makes(), ana.makes(visibility="private")]


def asked(client, query="", **headers):
    answer = client.get(f"/positions{query}", **headers)
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def ids(answer):
    return [each["game"]["id"] for each in answer["positions"]]


def test_each_game_is_as_it_is_alone(ana, ben, eve, anonymous, tables):
    play_on(tables[0], ana, ben, moves=3)
    for client in (ana, ben, eve, anonymous):
        together = asked(client, f"?games={','.join(tables[:3])}")
        assert ids(together) == tables[:3]
        for each in together["positions"]:
            game, position = each["game"], each["position"]
            alone = client.state(game["id"])
            for shown in (game, position, alone):
                shown.pop("clock")
            assert position == alone
            one = client.get(f"/games/{game['id']}").get_json()
            assert game | {"clock": None} == one | {"clock": None}


def test_hands_of_others_are_not_shown(ana, ben, anonymous, tables):
    for client in (ana, ben, anonymous):
        [shown] = asked(client, f"?games={tables[0]}")["positions"]
        mine = shown["game"]["mine"]
        hands = shown["position"]["state"]["hands"]
        assert {seat for seat, hand in hands.items() if hand["cards"] is not None} == ({mine} if mine else set())


def test_games_that_are_not_there_for_a_client_are_missing(ana, eve, anonymous, tables):
    *_, private = tables
    for client in (eve, anonymous):
        answer = asked(client, f"?games={private},none,{tables[0]},{private}")
        assert (ids(answer), answer["missing"]) == ([tables[0]], [private, "none"])
    assert asked(ana, f"?games={private}")["missing"] == []


def test_filters_give_pages(ana, ben, anonymous, tables):
    first = asked(anonymous, "?status=running&limit=1")
    second = asked(anonymous, f"?status=running&limit=1&cursor={first['next']}")
    assert [*ids(first), *ids(second)] == [tables[1], tables[0]]
    assert second["next"] is None
    assert set(ids(asked(ana, f"?player={ana.account}"))) == set(tables)
    assert set(ids(asked(ben, f"?player={ana.account}"))) == set(tables[:3])


def test_one_game_a_line(anonymous, tables):
    answer = anonymous.get(f"/positions?games={','.join(tables[:2])}", Accept="application/x-ndjson")
    assert [json.loads(line)["game"]["id"] for line in answer.text.splitlines()] == tables[:2]


def test_nothing_is_sent_again_until_one_of_them_has_changed(ana, ben, tables):
    path = f"/positions?games={','.join(tables[:2])}"
    etag = ana.get(path).headers["ETag"]
    assert ana.get(path, If_None_Match=etag).status_code == 304
    assert ben.get(path, If_None_Match=etag).status_code == 200
    play_on(tables[1], ana, ben, moves=1)
    assert ana.get(path, If_None_Match=etag).status_code == 200


@pytest.mark.parametrize("query", ["?games=a&status=open", "?games=a&player=b", "?limit=101", "?cursor=none", "?x=1"])
def test_what_cannot_be_chosen_is_refused(anonymous, query):
    assert anonymous.get(f"/positions{query}").status_code in (400, 422)


def test_a_hundred_games_and_no_more(anonymous):
    names = [f"game{number}" for number in range(101)]
    assert anonymous.get(f"/positions?games={','.join(names)}").status_code == 422
    assert asked(anonymous, f"?games={','.join(names[:100])}")["missing"] == names[:100]


def counted(plain, trips):
    def call(*given, **more):
        trips.append(given)
        return plain(*given, **more)

    return call


def test_a_page_costs_few_round_trips(service, ana, ben, tables, monkeypatch):
    """However many games there are: one for the index, one for the log, one for the handles."""
    assert asked(ana, f"?player={ana.account}")["next"] is None  # The index is made now.
    trips: list[object] = []
    store = service.services.store.commands
    for name in ("execute_command", "pipeline"):
        monkeypatch.setattr(store, name, counted(getattr(store, name), trips))
    games = service.services.lobby.games_named(tables, ana.account)
    assert (len(games.games), len(trips)) == (4, 1)
    trips.clear()
    assert len(service.services.lobby.whole_games(ana.account, ana.account, GameFilter()).games) == 4
    assert len(trips) <= 2


class TestLimits:
    @pytest.fixture
    def settings(self):
        return Settings(limits={**Settings().limits, "bulk_reads_of_an_account": Limit(2, 60)})

    def test_pages_are_counted(self, ana, anonymous):
        assert [ana.get("/positions").status_code for _ in range(3)] == [200, 200, 429]
        assert anonymous.get("/positions").status_code == 200
