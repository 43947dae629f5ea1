"""The chat of a table over the interface: rooms, moderation, limits, and what becomes of messages."""

import pytest

from events.submission import Submission
from events.table.commands import Resign, SeatAll, Start
from events.table.facts import TournamentTable
from service.chat.rooms import MOST_MESSAGES
from service.settings import Limit, Settings
from tests.service.api.live import LiveStream
from tournaments.options import Options


@pytest.fixture
def cleo(guest):
    """Sits nowhere."""
    return guest()


@pytest.fixture
def game(ana, ben):
    game = ana.makes()
    assert ben.post(f"/games/{game}/seats", {}).status_code == 200
    return game


def say(client, game, text, status=201):
    answer = client.post(f"/games/{game}/chat", {"text": text})
    assert answer.status_code == status, answer.text
    return answer.get_json()


def read(client, game, **query):
    answer = client.ask("GET", f"/games/{game}/chat", query_string=query)
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def texts(client, game, **query):
    return [each["text"] for each in read(client, game, **query)["messages"] if not each["removes"]]


def test_players_read_each_other_in_order_with_their_seats(ana, ben, game):
    first, second = say(ana, game, "Hola"), say(ben, game, "Buenas")
    assert (first["id"], first["room"], first["seat"], second["id"], second["seat"]) == (1, "players", "red", 2, "blue")
    assert texts(ana, game) == texts(ben, game) == ["Hola", "Buenas"]
    assert texts(ana, game, after=1) == ["Buenas"]
    assert read(ana, game)["may_write"] is True


def test_spectators_and_players_do_not_hear_each_other_until_the_end(service, ana, ben, cleo, anonymous, game):
    say(ana, game, "I shall take Granada")
    say(cleo, game, "Ben has the seven")
    assert texts(cleo, game) == texts(anonymous, game) == ["Ben has the seven"]
    assert texts(ana, game) == ["I shall take Granada"]
    assert ana.get(f"/games/{game}/chat?room=spectators").status_code == 403
    assert cleo.get(f"/games/{game}/chat?room=players").status_code == 403
    assert anonymous.get(f"/games/{game}/chat?room=players").status_code == 403
    assert cleo.get(f"/games/{game}/chat/stream?room=players").status_code == 403
    games = service.services.game_service
    games.submit(game, Start(ana.account), Submission())
    assert ana.get(f"/games/{game}/chat?room=spectators").status_code == 403
    games.submit(game, Resign(ben.account), Submission())
    assert texts(ana, game, room="spectators") == ["Ben has the seven"]
    assert texts(cleo, game, room="players") == ["I shall take Granada"]


def test_a_private_table_has_no_chat_for_strangers(ana, cleo):
    game = ana.makes(visibility="private")
    for answer in (cleo.get(f"/games/{game}/chat"), cleo.post(f"/games/{game}/chat", {"text": "Hola"})):
        assert answer.status_code == 404


def test_nobody_writes_without_an_account(anonymous, game):
    assert anonymous.post(f"/games/{game}/chat", {"text": "Hola"}).status_code == 401
    assert read(anonymous, game)["may_write"] is False


@pytest.mark.parametrize("text", ["", " \n", "a\nb", "x" * 301, "a\u202eb", "a\x00b", "\ud800", 7, None, ["a"]])
def test_what_is_no_line_of_text_is_refused(ana, game, text):
    assert ana.post(f"/games/{game}/chat", {"text": text}).status_code in (400, 422)


UNSEEN = ["\u3164", "\u2800", "\ufe0f", "\u2003", "ana\u1160", "a\U000e0041", "\u034f"]


@pytest.mark.parametrize("text", UNSEEN)
def test_a_message_that_cannot_be_seen_is_refused(ana, game, text):
    assert ana.post(f"/games/{game}/chat", {"text": text}).status_code == 400


def test_nobody_writes_over_the_lines_of_others(ana, game):
    """Accents upon accents are drawn across whatever stands above and below."""
    assert ana.post(f"/games/{game}/chat", {"text": "Z" + "\u0301\u0316" * 100}).status_code == 400
    assert say(ana, game, "tie\u0302\u0301ng Vie\u0323\u0302t")["id"]


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "'; DROP TABLE", "{{ 7 * 7 }}", "ñandú 日本 😀", "]]>&amp;"]
)
def test_hostile_texts_are_kept_as_they_are_and_are_only_text(ana, game, text):
    say(ana, game, text)
    assert texts(ana, game) == [text]


def test_the_author_and_the_owner_remove_a_message_and_its_text_is_gone(service, ana, ben, cleo, game):
    own, others = say(ben, game, "a slip"), say(ben, game, "rude")
    assert ben.ask("DELETE", f"/games/{game}/chat/players/{own['id']}").status_code == 204
    assert ana.ask("DELETE", f"/games/{game}/chat/players/{others['id']}").status_code == 204
    kept = read(ana, game)["messages"]
    assert [(each["text"], each["removed"], each["removes"]) for each in kept] == [
        ("", True, None),
        ("", True, None),
        ("", False, 1),
        ("", False, 2),
    ]
    for client in (ben, cleo):
        mine = say(ana, game, "mine")["id"] if client is ben else say(ana, game, "mine too")["id"]
        assert client.ask("DELETE", f"/games/{game}/chat/players/{mine}").status_code == 403
    assert ana.ask("DELETE", f"/games/{game}/chat/players/99").status_code == 404
    assert ana.ask("DELETE", f"/games/{game}/chat/kitchen/1").status_code == 404
    assert ana.ask("DELETE", f"/games/{game}/chat/players/x").status_code == 404
    assert ana.ask("DELETE", f"/games/{game}/chat/players/3").status_code == 404, "the removal itself is no message"


def test_a_muted_player_is_not_read_by_one_reader_alone(ana, ben, game):
    say(ben, game, "bla")
    assert ana.ask("PUT", f"/me/mutes/{ben.account}").status_code == 204
    assert texts(ana, game) == []
    assert texts(ben, game) == ["bla"]
    assert [each["id"] for each in ana.get("/me/mutes").get_json()["players"]] == [ben.account]
    assert ana.ask("PUT", "/me/mutes/a_nobody_at_all_xx").status_code == 404
    assert ana.ask("DELETE", f"/me/mutes/{ben.account}").status_code == 204
    assert texts(ana, game) == ["bla"]


def test_a_complaint_reaches_the_administrators_who_remove_and_are_audited(ana, ben, admin, game):
    rude = say(ben, game, "rude")["id"]
    path = f"/games/{game}/chat/players/{rude}"
    assert ana.post(f"{path}/complaint", {"reason": "an insult"}).status_code == 204
    assert ana.get("/complaints").status_code == 403
    [complaint] = admin.get("/complaints").get_json()["complaints"]
    assert (complaint["text"], complaint["author"], complaint["reason"]) == ("rude", ben.account, "an insult")
    assert admin.ask("DELETE", path).status_code == 204
    assert texts(ana, game) == [""]
    [entry] = admin.get("/audit").get_json()["entries"]
    assert (entry["action"], entry["about"]) == ("remove_message", f"{game}/players/{rude}")


def test_a_spectator_cannot_complain_of_what_they_cannot_read(ana, cleo, game):
    said = say(ana, game, "hm")["id"]
    assert cleo.post(f"/games/{game}/chat/players/{said}/complaint", {}).status_code == 403


def test_messages_go_with_the_account_that_wrote_them(service, ana, ben, admin, game):
    say(ben, game, "remember me")
    ana.post(f"/games/{game}/chat/players/1/complaint", {})
    assert ben.ask("DELETE", "/me").status_code == 204
    assert texts(ana, game) == [""]
    assert admin.get("/complaints").get_json()["complaints"] == []
    store = service.services.store.commands
    assert not store.exists(f"hidalgo:{{{ben.account}}}:chats")
    assert b"remember me" not in b"".join(store.hvals(store.keys("hidalgo:*:chat:*")[0]))


def test_a_room_keeps_the_last_messages_only(service, ana, game):
    chat, topic = service.services.chat.chat, f"{game}/players"
    for number in range(MOST_MESSAGES + 5):
        chat.write(topic, ana.account, str(number))
    kept = chat.read(topic, 0)
    assert (len(kept), kept[0].text, kept[-1].id) == (MOST_MESSAGES, "5", MOST_MESSAGES + 5)
    redis = service.services.store.commands
    [room] = redis.keys("hidalgo:*:chat:*")
    assert redis.hlen(room) == MOST_MESSAGES + 1


def tournament_game(service, ana, ben, *, chat, tournament="spring"):
    games = service.services.games
    game = games.create("el_grande", 2, tournament=TournamentTable(tournament, 1, 0, chat=chat)).id
    games.submit(game, SeatAll({"red": ana.account, "blue": ben.account}))
    return game


def test_nobody_writes_at_the_tables_of_a_tournament_unless_it_allows_that(service, ana, ben, cleo):
    silent = tournament_game(service, ana, ben, chat=False)
    say(ana, silent, "Hola", status=403)
    say(cleo, silent, "Hola", status=403)
    assert read(ana, silent)["may_write"] is False
    talking = tournament_game(service, ana, ben, chat=True)
    say(ana, talking, "Hola")
    assert texts(ben, talking) == ["Hola"]


def test_what_the_staff_of_a_tournament_remove_is_audited_and_what_people_take_back_is_not(
    service, ana, ben, cleo, admin
):
    spring = service.services.tournaments.create(cleo.account, Options("Spring", "el_grande", size=2)).id
    game = tournament_game(service, ana, ben, chat=True, tournament=spring)
    slip, rude = say(ana, game, "a slip")["id"], say(ben, game, "rude")["id"]
    assert ana.ask("DELETE", f"/games/{game}/chat/players/{slip}").status_code == 204
    assert cleo.ask("DELETE", f"/games/{game}/chat/players/{rude}").status_code == 204
    [entry] = admin.get("/audit").get_json()["entries"]
    assert (entry["action"], entry["by"], entry["about"]) == ("remove_message", cleo.account, f"{game}/players/{rude}")


class TestLimits:
    @pytest.fixture
    def settings(self):
        return Settings(limits=dict(Settings().limits) | {"messages_of_an_account": Limit(3, 3600)})

    def test_an_account_cannot_flood_a_table(self, ana, ben, game):
        for number in range(3):
            say(ana, game, f"message {number}")
        say(ana, game, "one too many", status=429)
        say(ben, game, "still heard")


class TestStreams:
    @pytest.fixture
    def settings(self):
        return Settings(keep_alive=0.05)

    def test_messages_and_removals_arrive_as_they_are_written(self, ana, ben, game):
        say(ana, game, "before")
        with LiveStream(f"/games/{game}/chat/stream?after=1", ben, "ChatStreamData") as stream:
            said = say(ana, game, "now")
            assert stream.next("message")["text"] == "now"
            ana.ask("DELETE", f"/games/{game}/chat/players/{said['id']}")
            assert stream.next("message")["removes"] == said["id"]
        with LiveStream(f"/games/{game}/chat/stream", ben, "ChatStreamData", Last_Event_ID="2") as again:
            assert again.next("message")["removes"] == said["id"]

    def test_a_player_who_stands_up_hears_nothing_more(self, ana, ben, game):
        with LiveStream(f"/games/{game}/chat/stream", ben, "ChatStreamData") as stream:
            assert ben.ask("DELETE", f"/games/{game}/seats/mine").status_code == 200
            say(ana, game, "he is gone")
            assert stream.next("bye") == {"id": 0}
