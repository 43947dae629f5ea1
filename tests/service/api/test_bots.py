"""Bots at tables: seated by the owner, listed by the catalogue, marked wherever a player appears."""

import pytest

from events.audit.verify import verify
from events.table.commands import AnswerOverdue
from rules.bots import BOTS
from service.settings import Limit, Settings


def seats_of(client, game):
    return {seat["seat"]: seat["player"] for seat in client.get(f"/games/{game}").get_json()["seats"]}


def test_the_catalogue_lists_the_bots(anonymous):
    listed = anonymous.get("/rules").get_json()["bots"]
    assert [bot["name"] for bot in listed] == list(BOTS)
    assert listed[0]["text"] == "gives any legal answer"


def test_a_seated_bot_is_marked_on_its_seat_and_has_a_page(ana, anonymous):
    game = ana.makes()
    assert ana.post(f"/games/{game}/seats", {"bot": "greedy"}).status_code == 200
    assert seats_of(anonymous, game)["blue"] == {"id": "bot:greedy", "handle": "greedy", "bot": True}
    assert seats_of(anonymous, game)["red"]["bot"] is False
    page = {"id": "bot:greedy", "handle": "greedy", "bot": True, "games": 1, "ratings": []}
    assert anonymous.get("/players/bot:greedy").get_json() == page
    assert [each["id"] for each in anonymous.get("/players/bot:greedy/games").get_json()["games"]] == [game]
    assert anonymous.get("/players/bot:deep_blue").status_code == 404


def test_only_the_owner_seats_a_bot(ana, ben):
    game = ana.makes()
    assert ben.post(f"/games/{game}/seats", {"bot": "greedy"}).status_code == 403
    hidden = ana.makes(visibility="private")
    assert ben.post(f"/games/{hidden}/seats", {"bot": "greedy"}).status_code == 404


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"bot": "deep_blue"}, 400),
        ({"bot": "greedy", "nonce": "a word"}, 422),
        ({"bot": "greedy", "invitation": "a word"}, 422),
        ({"bot": "greedy", "seat": "red"}, 409),
        ({"bot": 1}, 422),
    ],
    ids=str,
)
def test_a_bot_that_cannot_be_seated_is_refused(ana, body, status):
    assert ana.post(f"/games/{ana.makes()}/seats", body).status_code == status


def test_a_bot_is_seated_once_however_often_the_request_is_sent(ana):
    game = ana.makes(players=3)
    for _ in range(2):
        assert ana.post(f"/games/{game}/seats", {"bot": "random"}, Idempotency_Key="a-bot").status_code == 200
    assert [player and player["id"] for player in seats_of(ana, game).values()] == [ana.account, "bot:random", None]


def test_the_owner_removes_a_bot(ana):
    game = ana.makes()
    ana.post(f"/games/{game}/seats", {"bot": "greedy"})
    assert ana.delete(f"/games/{game}/players/bot:greedy").status_code == 200
    assert seats_of(ana, game)["blue"] is None
    assert ana.post(f"/games/{game}/seats", {"bot": "greedy"}).status_code == 200


def test_a_game_with_a_bot_is_played_exported_and_verified(service, ana, anonymous):
    """The scheduler's command, without its clock."""
    game, games = ana.makes(), service.services.games
    ana.post(f"/games/{game}/seats", {"bot": "greedy"})
    assert ana.post(f"/games/{game}/start").status_code == 200
    while ana.get(f"/games/{game}").get_json()["status"] == "running":
        if decision := ana.decision(game):
            assert ana.post(f"/games/{game}/moves", decision["example"]).status_code == 201
        else:
            games.submit(game, AnswerOverdue())
    assert verify(anonymous.get(f"/games/{game}/export").data).finished
    events = anonymous.get(f"/games/{game}/events").get_json()["events"]
    told = [fact for event in events for fact in event["facts"]]
    assert {"fact": "bot_seated", "player": "blue", "bot": "greedy", "pace_ms": 1000} in told
    assert {"fact": "bot_answered", "player": "blue", "bot": "greedy"} in told
    assert seats_of(anonymous, game)["blue"]["bot"] is True


def test_an_account_declares_itself_a_bot_and_its_seat_stays_marked(ana, ben, anonymous):
    assert ben.get("/me").get_json()["bot"] is False
    assert ben.ask("PUT", "/me/bot", json={"bot": True}).get_json()["bot"] is True
    assert anonymous.get(f"/players/{ben.account}").get_json()["bot"] is True
    game = ana.makes()
    ben.post(f"/games/{game}/seats", {})
    assert seats_of(anonymous, game)["blue"]["bot"] is True
    ben.ask("PUT", "/me/bot", json={"bot": False})
    assert anonymous.get(f"/players/{ben.account}").get_json()["bot"] is False
    assert seats_of(anonymous, game)["blue"]["bot"] is True


def test_a_table_of_a_declared_bot_marks_its_first_seat(ana):
    ana.ask("PUT", "/me/bot", json={"bot": True})
    facts = ana.get(f"/games/{ana.makes()}/events").get_json()["events"][1]["facts"]
    assert [fact["fact"] for fact in facts] == ["seat_taken", "bot_declared"]


class TestLimits:
    @pytest.fixture
    def settings(self):
        limits = {**Settings().limits, "bots_of_an_account": Limit(2, 3600)}
        return Settings(limits=limits)

    def test_an_account_seats_so_many_bots(self, ana, ben):
        """Also at tables of bots alone."""
        game = ana.makes(players=3, join=False)
        answers = [ana.post(f"/games/{game}/seats", {"bot": "random"}) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert ben.post(f"/games/{ben.makes()}/seats", {"bot": "random"}).status_code == 200
