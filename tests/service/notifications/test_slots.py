"""Slots for tries: their limits, and the receivers that come first."""

import pytest

from service.notifications import slots
from service.notifications.mailboxes import Webhook
from service.notifications.slots import (
    ALL,
    LATE,
    MOST_SLOW,
    MOST_SLOW_BEFORE_LATE,
    NOT_PROMPT,
    SLOW_AFTER,
    Slots,
    Try,
)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def room(clock):
    return Slots(clock)


def hook(name: str, host: str = "") -> Webhook:
    return Webhook(name, f"https://{host or name}.example/", ("commit",), "", 0)


def begin(room: Slots, account: str, *hooks: Webhook) -> list[Try]:
    """Begin all tries that are offered."""
    begun = [slot for slot in room.room().offer(account, hooks) if slot]
    for slot in begun:
        room.begin(slot)
    return begun


def make_prompt(room: Slots, name: str) -> None:
    [slot] = begin(room, "somebody else", hook(name))
    room.end(slot)


def test_a_receiver_that_is_not_known_gets_one_try_at_a_time(room):
    [first] = begin(room, "ana", *[hook("a")] * 5)
    assert begin(room, "ana", hook("a")) == []
    room.end(first)
    assert len(begin(room, "ana", *[hook("a")] * 5)) == ALL.of_a_webhook


def test_a_receiver_that_takes_long_is_not_prompt_any_more_at_once_and_afterwards(room, clock):
    make_prompt(room, "a")
    assert room.room().is_prompt("a")
    [slot] = begin(room, "ana", hook("a"))
    clock.now += SLOW_AFTER + 0.1
    assert not room.room().is_prompt("a")
    assert begin(room, "ana", hook("a")) == []
    room.end(slot)
    assert not room.room().is_prompt("a")
    assert len(begin(room, "ana", *[hook("a")] * 5)) == 1


def test_an_account_has_a_few_slots_and_prompt_receivers_some_of_their_own(room):
    assert len(begin(room, "ana", *[hook(f"a{number}") for number in range(10)])) == NOT_PROMPT.of_an_account
    make_prompt(room, "b")
    assert room.has_room_for("ana")
    assert len(begin(room, "ana", *[hook("b")] * 5)) == ALL.of_an_account - NOT_PROMPT.of_an_account
    assert not room.has_room_for("ana")
    assert room.has_room_for("ben")


def test_an_account_that_is_held_has_room_again_when_a_try_of_its_own_ends(room):
    room.hold("ana")
    assert room.has_room_for("ana")
    [slot] = begin(room, "ana", hook("a"))
    [other] = begin(room, "ben", hook("b"))
    room.hold("ana")
    room.end(other)
    assert not room.has_room_for("ana")
    room.end(slot)
    assert room.has_room_for("ana")


def test_a_host_has_a_few_slots_whatever_the_accounts(room):
    begun = [slot for n in range(10) for slot in begin(room, f"account {n}", hook(f"w{n}", "one-host"))]
    assert len(begun) == NOT_PROMPT.of_a_host
    assert begin(room, "another", hook("w", "another-host"))


def test_receivers_that_are_not_known_leave_slots_for_prompt_ones(room):
    for number in range(ALL.in_all):
        make_prompt(room, f"p{number}")
    begun = [slot for n in range(100) for slot in begin(room, f"account {n}", hook(f"w{n}"))]
    assert len(begun) == NOT_PROMPT.in_all
    prompt = [slot for n in range(ALL.in_all) for slot in begin(room, f"prompt {n}", hook(f"p{n}"))]
    assert len(prompt) == ALL.in_all - NOT_PROMPT.in_all


def test_tries_that_take_long_make_room_for_others(room, clock):
    for number in range(ALL.in_all + 10):
        make_prompt(room, f"p{number}")
    silent = [slot for n in range(ALL.in_all + 10) for slot in begin(room, f"account {n}", hook(f"p{n}"))]
    assert len(silent) == ALL.in_all
    clock.now += SLOW_AFTER + 0.1
    assert len(begin(room, "account 130", hook("p130"))) == 1
    assert begin(room, "account 0", hook("p0")) == []


def test_so_many_tries_may_take_long_before_only_prompt_receivers_are_tried(room, clock):
    make_prompt(room, "prompt")
    silent: list[Try] = []
    for number in range(2 * MOST_SLOW):
        silent += begin(room, f"account {number}", hook(f"w{number}"))
        clock.now += SLOW_AFTER
    assert MOST_SLOW <= len(silent) <= MOST_SLOW + NOT_PROMPT.in_all
    assert begin(room, "another", hook("prompt"))
    for slot in silent:
        room.end(slot)
    assert begin(room, "another", hook("w"))


def test_slots_are_offered_in_the_order_that_is_asked_for(room):
    offered = room.room().offer("ana", [hook("a"), hook("a"), hook("b"), hook("c")])
    assert [slot.webhook if slot else None for slot in offered] == ["a", None, "b", None]
    assert not room._under_way


def test_offers_count_before_they_have_begun_and_once_if_they_are_repeated(room):
    offering = room.room()
    hosted = [hook(f"w{number}", "one-host") for number in range(10)]
    taken = [slot for n, each in enumerate(hosted) for slot in offering.offer(f"account {n}", [each]) if slot]
    assert len(taken) == NOT_PROMPT.of_a_host
    assert offering.offer("account 0", [hosted[0]]) != [None]
    assert offering.offer("account 9", [hosted[9]]) == [None]


def test_the_receivers_that_are_remembered_are_the_last_ones(monkeypatch, clock):
    monkeypatch.setattr(slots, "REMEMBERED", 2)
    room = Slots(clock)
    for name in ("a", "b", "c"):
        make_prompt(room, name)
    assert [room.room().is_prompt(name) for name in ("a", "b", "c")] == [False, True, True]


def test_receivers_that_were_late_cannot_keep_new_ones_from_their_first_try(room, clock):
    late = [slot for n in range(50) for slot in begin(room, f"late {n}", hook(f"l{n}"))]
    clock.now += SLOW_AFTER + 0.1
    for slot in late:
        room.end(slot)
    again = [slot for n in range(50) for slot in begin(room, f"late {n}", hook(f"l{n}"))]
    assert (len(late), len(again)) == (50, LATE.in_all)
    assert [room.room().is_new(name) for name in ("l0", "l49", "new")] == [False, False, True]
    new = [slot for n in range(100) for slot in begin(room, f"new {n}", hook(f"n{n}"))]
    assert len(new) == NOT_PROMPT.in_all - LATE.in_all


def test_no_late_receiver_is_tried_while_many_take_long(room, clock):
    [slot] = begin(room, "late", hook("late"))
    clock.now += SLOW_AFTER + 0.1
    room.end(slot)
    for number in range(MOST_SLOW_BEFORE_LATE):
        begin(room, f"account {number}", hook(f"w{number}"))
        clock.now += SLOW_AFTER
    clock.now += SLOW_AFTER
    assert begin(room, "late", hook("late")) == []
    assert begin(room, "new", hook("new"))
