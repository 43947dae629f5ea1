"""The texts of notices, and how notices are stored."""

from typing import Any

import msgspec
import pytest

from rules.catalogue import rules
from rules.codec import encode
from rules.texts import say
from service.notifications.notices import (
    FAILING,
    KINDS,
    TOO_MANY,
    YOUR_TURN,
    Notice,
    representation,
    sentence,
    webhook_disabled,
)
from tests.rules.foreign import Foreign, latin
from tests.sentences import known
from tests.service.notifications.harness import Harness

TEXTS: dict[str, tuple[str, str | None, dict[str, Any]]] = {
    "you have taken the seat blue; all seats are taken": ("seat_taken", "blue", {"yours": True, "free": 0}),
    "a player has taken the seat blue; one seat is free": ("seat_taken", "blue", {"yours": False, "free": 1}),
    "a player has left the seat blue; 3 seats are free": ("seat_left", "blue", {"yours": False, "free": 3}),
    "the owner has removed you from the seat blue; one seat is free": (
        "player_removed",
        "blue",
        {"yours": True, "free": 1},
    ),
    "the owner has removed the player blue; 2 seats are free": ("player_removed", "blue", {"yours": False, "free": 2}),
    "the game has begun; you are red": ("game_started", "red", {}),
    "the game has begun": ("game_started", None, {}),
    "the table was cleared before the game began": ("game_aborted", "red", {}),
    "the seat red is out of the running": ("seat_forfeited", "red", {}),
    "your seat red is played automatically until you come back": ("seat_automated", "red", {}),
    "you had no time left for a decision as red": ("time_ran_out", "red", {}),
    "red would like a pause; the clocks stop when all players agree": ("pause_wanted", "red", {}),
    "red would like to take the last move back; all players must agree": ("take_back_wanted", "red", {}),
    "the game is over": ("game_over", None, {}),
    "the game is over; you have 77 points, which is place 1 of 4": (
        "game_over",
        "red",
        {"points": 77, "place": 1, "players": 4},
    ),
    "it is your turn as red: Which 2 regions, granada first?": (
        "your_turn",
        "red",
        {"question": say("Which {count} regions, {first} first?", count=2, first=say("granada"))},
    ),
}


@pytest.mark.parametrize(("text", "parts"), TEXTS.items(), ids=TEXTS)
def test_a_notice_is_put_into_words_when_it_is_read(text, parts):
    kind, seat, values = parts
    stored = msgspec.json.encode(Notice(kind, 1, values, game="g", version=2, seat=seat))
    assert text.encode() not in stored
    assert msgspec.json.decode(stored, type=Notice).text == text


def test_every_kind_has_a_text():
    assert {kind for kind, _, _ in TEXTS.values()} | {"webhook_disabled"} == set(KINDS)
    with pytest.raises(ValueError, match="no notices of the kind"):
        _ = Notice("x", 1).text


def test_a_notice_about_a_webhook_names_it_and_the_reason():
    notice = Notice("webhook_disabled", 1, {"reason": "too many deliveries wait for it"}, webhook="w_1")
    assert notice.text == "the webhook w_1 is disabled: too many deliveries wait for it"


def test_clients_get_the_text_and_not_the_values():
    notice = Notice("seat_taken", 7, {"yours": False, "free": 1}, game="g", version=3, seat="blue", id=2)
    assert encode(representation(notice)).decode() == (
        '{"at":7,"game":"g","id":2,"kind":"seat_taken","seat":"blue",'
        '"text":"a player has taken the seat blue; one seat is free","version":3,"webhook":null}'
    )


def test_a_notice_that_was_stored_as_text_is_read_as_it_is(harness: Harness):
    [ana] = harness.people(1)
    stored = b'{"kind":"your_turn","text":"as it was","at":5,"game":"g","version":9,"seat":"red","webhook":null,"id":1}'
    harness.store.commands.xadd(f"hidalgo:{{{ana}}}:inbox", {"n": stored}, "1-0")
    [notice] = harness.notices(ana)
    assert representation(notice) == msgspec.json.decode(stored)


def test_no_notice_gets_past_the_catalogue():
    foreign, names = Foreign(), rules("el_grande").names.get
    told = [Notice(kind, 1, values, game="g", seat=seat) for kind, seat, values in TEXTS.values() if kind != YOUR_TURN]
    told += [webhook_disabled("7", reason, 1) for reason in (FAILING, TOO_MANY)]
    told += [Notice(YOUR_TURN, 1, {"question": say("nothing")}, seat="red")]
    assert [line for notice in told if latin(line := sentence(notice).rendered(foreign, names))] == []
    assert {notice.kind for notice in told} == set(KINDS)
    assert foreign.asked <= known()


@pytest.mark.parametrize("reason", [FAILING, TOO_MANY], ids=str)
def test_the_reason_for_which_a_webhook_is_disabled_is_stored_in_english(reason):
    assert webhook_disabled("w_1", reason, 1).values == {"reason": str(reason)}
