"""Presence counts for a while, in the memory of the store alone."""

import pytest

from events.store import Store
from service.studies import presence as module
from service.studies.presence import Presence, Visitor
from tests.events.servers import eventually


def test_visitors_are_seen_with_their_places(store: Store):
    presence = Presence(store)
    presence.enter("s1", Visitor("ben", "k1", "214", is_writing=True))
    presence.enter("s1", Visitor("ana"))
    presence.enter("s2", Visitor("cid"))
    assert presence.present("s1").visitors == (Visitor("ana"), Visitor("ben", "k1", "214", is_writing=True))
    presence.enter("s1", Visitor("ben", "k1", "215"))
    found = presence.present_in(["s2", "s1", "none"])
    assert [found[study].visitors for study in ("s2", "s1", "none")] == [
        (Visitor("cid"),),
        (Visitor("ana"), Visitor("ben", "k1", "215")),
        (),
    ]


def test_a_visitor_who_says_nothing_is_gone_and_that_is_news(running_stores, monkeypatch):
    monkeypatch.setattr(module, "COUNTS_FOR_MS", 1)
    with running_stores.opened("embedded") as store:
        presence = Presence(store)
        presence.enter("s1", Visitor("ana"))
        eventually(lambda: not presence.present("s1").visitors)
        assert presence.present("s1").at == 0 or presence.read("s1", presence.present("s1").at) == []


def test_listeners_hear_of_changes_and_not_of_the_same_again(running_stores):
    with running_stores.opened("embedded") as store:
        presence = Presence(store)
        presence.enter("s1", Visitor("ana", "k1", "1"))
        [first] = presence.read("s1", 0)
        presence.enter("s1", Visitor("ana", "k1", "1"))
        assert presence.read("s1", presence.number(first)) == []
        eventually(lambda: moved_on(presence, first.at))
        [second] = presence.read("s1", first.at)
        assert second.visitors == (Visitor("ana", "k1", "2"),)


def moved_on(presence: Presence, since: int) -> bool:
    """Two changes in one millisecond are one."""
    presence.enter("s1", Visitor("ana", "k1", "1"))
    presence.enter("s1", Visitor("ana", "k1", "2"))
    return presence.present("s1").at > since


def test_hints_tell_the_study(running_stores):
    with running_stores.opened("embedded") as store:
        presence = Presence(store)
        hints = presence.hints()
        eventually(lambda: hints.next(1) is not None)
        presence.enter("s1", Visitor("ana"))
        hint = hints.next(20)
        hints.close()
        assert hint
        assert (hint.game, hint.version) == ("s1", presence.present("s1").at)


def test_a_crowd_is_bounded_and_those_inside_stay(running_stores, monkeypatch):
    monkeypatch.setattr(module, "MOST", 3)
    with running_stores.opened("embedded") as store:
        presence = Presence(store)
        for account in ("ana", "ben", "cid", "dan"):
            presence.enter("s1", Visitor(account))
        presence.enter("s1", Visitor("ana", "k1"))
        assert presence.present("s1").visitors == (Visitor("ana", "k1"), Visitor("ben"), Visitor("cid"))


def test_presence_writes_nothing_to_the_disk(running_stores):
    with running_stores.opened("embedded") as store:
        presence = Presence(store)
        presence.enter("s1", Visitor("ana"))
        before = written(store)
        for step in range(50):
            presence.enter("s1", Visitor("ana", "k1", str(step)))
        assert written(store) == before


def written(store: Store) -> int:
    return int(store.commands.info("persistence")["aof_current_size"])


@pytest.mark.parametrize("text", ["", "\0", "ü" * 500, '"{}"'])
def test_any_place_comes_back_as_it_was(running_stores, text):
    with running_stores.opened("embedded") as store:
        presence = Presence(store)
        presence.enter("s1", Visitor("ana", text, text))
        assert presence.present("s1").visitors == (Visitor("ana", text, text),)
