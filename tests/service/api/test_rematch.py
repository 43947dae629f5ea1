"""Rematches: the same people and agreements, everybody one seat further."""

import pytest

from events.submission import Submission
from events.table.commands import Abort, Resign
from events.table.facts import BOT_PREFIX
from tests.service.api.test_chat import tournament_game


@pytest.fixture
def over(service, ana, ben):
    """A private game of three, one of them a bot, that ended."""

    def play(**about):
        game = ana.makes(players=3, visibility="private", title="Tuesday", **about)
        word = ana.post(f"/games/{game}/invitations", {"reusable": True}).get_json()["invitation"]
        assert ben.post(f"/games/{game}/seats", {"invitation": word}).status_code == 200
        assert ana.post(f"/games/{game}/seats", {"bot": "random", "pace_ms": 0}).status_code == 200
        assert ana.post(f"/games/{game}/start", {}).status_code == 200
        for player in (ana, ben):
            service.services.game_service.submit(game, Resign(player.account), Submission())
        return game

    return play


def seats(client, game):
    shown = client.get(f"/games/{game}").get_json()["seats"]
    return {seat["seat"]: seat["player"] and seat["player"]["id"] for seat in shown}


def test_everybody_sits_one_seat_further_and_the_others_are_told(service, ana, ben, over):
    former = over()
    answer = ana.post(f"/games/{former}/rematch", {})
    assert answer.status_code == 201
    table = answer.get_json()
    assert (table["owner"], table["title"]) == (ana.account, "Tuesday")
    assert (table["visibility"], table["status"]) == ("private", "open")
    assert seats(ana, table["id"]) == {"red": f"{BOT_PREFIX}random", "blue": ana.account, "yellow": None}
    [notice] = [each for each in ben.get("/me/inbox").get_json()["notices"] if each["kind"] == "rematch"]
    assert (notice["game"], notice["seat"]) == (table["id"], "yellow")
    joined = ben.post(f"/games/{table['id']}/seats", {"invitation": notice["invitation"]})
    assert (joined.status_code, joined.get_json()["status"]) == (200, "running")
    assert seats(ben, table["id"])["yellow"] == ben.account


def test_a_player_who_is_muted_asks_in_vain(ana, ben, over):
    """The seat is kept, but nothing is told: or a table that is made again and again would be a message."""
    former = over()
    assert ben.ask("PUT", f"/me/mutes/{ana.account}").status_code == 204
    assert ana.post(f"/games/{former}/rematch", {}).status_code == 201
    assert [each for each in ben.get("/me/inbox").get_json()["notices"] if each["kind"] == "rematch"] == []
    assert ben.post(f"/games/{former}/rematch", {}).get_json()["status"] == "running"


def test_all_who_ask_meet_at_one_table(ana, ben, over):
    former = over()
    first, again = (ana.post(f"/games/{former}/rematch", {}).get_json()["id"] for _ in range(2))
    second = ben.post(f"/games/{former}/rematch", {}).get_json()
    assert first == again == second["id"]
    assert second["status"] == "running"


def test_after_a_table_was_cleared_there_is_another_one(service, ana, over):
    former = over()
    first = ana.post(f"/games/{former}/rematch", {}).get_json()["id"]
    service.services.game_service.submit(first, Abort(ana.account), Submission())
    assert ana.post(f"/games/{former}/rematch", {}).get_json()["id"] != first


def test_no_rematch_of_a_game_that_goes_on_or_for_others(service, ana, ben, guest, over):
    going_on = ana.makes()
    assert ana.post(f"/games/{going_on}/rematch", {}).status_code == 409
    assert ben.post(f"/games/{going_on}/rematch", {}).status_code == 403
    assert guest().post(f"/games/{over()}/rematch", {}).status_code == 404
    assert ana.post(f"/games/{tournament_game(service, ana, ben, chat=False)}/rematch", {}).status_code == 403


def test_an_invitation_to_a_rematch_is_for_one_person(ana, ben, guest, over):
    table = ana.post(f"/games/{over()}/rematch", {}).get_json()["id"]
    [notice] = [each for each in ben.get("/me/inbox").get_json()["notices"] if each["kind"] == "rematch"]
    assert guest().post(f"/games/{table}/seats", {"invitation": notice["invitation"]}).status_code == 404
