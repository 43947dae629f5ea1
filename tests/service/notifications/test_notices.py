"""The texts of notices, and how notices are stored."""

from typing import Any

import msgspec
import pytest

from rules.catalogue import rules
from rules.codec import encode
from rules.texts import say
from service.notifications.notice_names import names_of
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
    "a bot has taken the seat blue; one seat is free": ("seat_taken", "blue", {"yours": False, "free": 1, "bot": True}),
    "2 min left for your answer as red: Which power card do you play?": (
        "reminder",
        "red",
        {"left_ms": 120_000, "question": say("Which power card do you play?"), "decision": "7-red"},
    ),
    "round 2 of 2027 is paired: you play red": ("pairing", "red", {"round": 2, "tournament": "2027"}),
    "round 2 of 2027 is drawn; you sit out; it begins at 2027-01-15 08:00 UTC": (
        "round_published",
        None,
        {"title": "2027", "round": 2, "starts_at": 1_800_000_000_000},
    ),
    "10 min left in round 2 of 2027: table 5 is not done": (
        "round_ending",
        None,
        {"title": "2027", "round": 2, "table": 4, "left_ms": 600_000},
    ),
    "2027: 18:30": ("announcement", None, {"title": "2027", "text": "18:30"}),
    "ruling about table 1 in round 2 of 2027: 7": (
        "ruling",
        None,
        {"title": "2027", "round": 2, "table": 0, "reason": "7"},
    ),
    "ruling about you in 2027: 7": ("ruling", None, {"title": "2027", "reason": "7"}),
    "a ruling about table 1 in round 2 of 2027 holds no more: 7": (
        "ruling_reversed",
        None,
        {"title": "2027", "round": 2, "table": 0, "reason": "7"},
    ),
    "a ruling about you in 2027 holds no more: 7": ("ruling_reversed", None, {"title": "2027", "reason": "7"}),
    "a player without an account invites you to 2027": ("tournament_invited", None, {"title": "2027"}),
    "a player without an account asks you to play for a player without an account in 2027 from now on": (
        "substitute_asked",
        None,
        {"title": "2027"},
    ),
    "a player without an account plays for you in 2027 from now on": ("substituted", None, {"title": "2027"}),
    "2027: a player without an account does not want to play for a player without an account": (
        "staff_needed",
        None,
        {"title": "2027", "about": "no_substitute", "round": 2, "is_declined": True},
    ),
    "2027 begins with 64 players": ("tournament_started", None, {"title": "2027", "players": 64}),
    "2027 is cancelled: too few players": (
        "tournament_cancelled",
        None,
        {"title": "2027", "reason": "too few players"},
    ),
    "2027 is over: you have place 3 of 64": ("tournament_finished", None, {"title": "2027", "place": 3, "players": 64}),
    "2027 is over": ("tournament_finished", None, {"title": "2027"}),
    "you are withdrawn from 2027: you did not come to 2 rounds in a row": (
        "withdrawn",
        None,
        {"title": "2027", "absences": 2},
    ),
    "you are withdrawn from 2027 by its staff": ("withdrawn", None, {"title": "2027"}),
    "2027, round 2, table 5: a player did not come": (
        "staff_needed",
        None,
        {"title": "2027", "about": "no_show", "round": 2, "table": 4},
    ),
    "2027, round 2: 3 tables are not done, and 10 min is left": (
        "staff_needed",
        None,
        {"title": "2027", "about": "slow", "round": 2, "tables": 3, "left_ms": 600_000},
    ),
    "2027: round 2 cannot be drawn: there are not enough players for a round": (
        "staff_needed",
        None,
        {"title": "2027", "about": "no_round", "round": 2, "reason": say("there are not enough players for a round")},
    ),
    "a former player would like a rematch: the seat red is kept for you": ("rematch", "red", {"invitation": "i"}),
    "the administrators have dealt with a message that you reported; thank you": ("complaint_decided", None, {}),
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


def test_people_are_named_when_a_notice_is_read(harness: Harness):
    """Its stored form holds their accounts alone: the name of a deleted account is gone."""
    ana, ben = harness.people(2)
    handle = harness.accounts.living(ana).handle
    values: dict[str, Any] = {"title": "Copa", "round": 1, "table": 0, "starts_at": 1_800_000_000_000}
    notice = Notice("round_published", 1, values, tournament="t", people=(ana, ben, "bot:greedy:7"))
    assert handle not in msgspec.json.encode(notice).decode()
    harness.accounts.delete(ben)
    text = notice.text_with(names_of(harness.accounts.profiles, [notice]))
    assert f"you play at table 1 with {handle}, a player without an account, greedy 7; it begins" in text


def test_clients_get_the_round_and_the_table_of_a_tournament():
    notice = Notice("round_ending", 7, {"title": "Copa", "round": 2, "table": 4, "left_ms": 1000}, tournament="t")
    shown = representation(notice)
    assert [shown[name] for name in ("tournament", "round", "table", "starts_at", "game")] == ["t", 2, 4, None, None]


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
        '{"at":7,"bot":false,"game":"g","id":2,"kind":"seat_taken","seat":"blue",'
        '"text":"a player has taken the seat blue; one seat is free","tournament":null,"version":3,"webhook":null}'
    )


def test_a_notice_that_was_stored_as_text_is_read_as_it_is(harness: Harness):
    [ana] = harness.people(1)
    stored = b'{"kind":"your_turn","text":"as it was","at":5,"game":"g","version":9,"seat":"red","webhook":null,"id":1}'
    harness.store.commands.xadd(f"hidalgo:{{{ana}}}:inbox", {"n": stored}, "1-0")
    [notice] = harness.notices(ana)
    assert representation(notice) == msgspec.json.decode(stored) | {"bot": False, "tournament": None}


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
