"""The audit log: everything in order, page by page, on every kind of store."""

import pytest

from events.errors import Declined
from events.store import Store
from rules.texts import say
from service.accounts.audit_log import AuditEntry, AuditLog, AuditSection


def filled(store: Store, count: int) -> AuditLog:
    log = AuditLog(store)
    for number in range(count):
        log.append(AuditEntry("pause", "a_k3w9p2xak3w9p2xa", f"game {number}", "a dispute"))
    return log


def test_pages_have_every_entry_once_the_newest_first(store: Store):
    log = filled(store, 7)
    found, before = [], None
    while True:
        page = log.page(3, before)
        found += [entry.about for entry in page.entries]
        if (before := page.next) is None:
            break
    assert sorted(found) == [f"game {number}" for number in range(7)]
    assert [entry.at for entry in log.page(7).entries] == sorted((e.at for e in log.page(7).entries), reverse=True)
    assert log.page(3, 0).entries == []


def test_an_action_that_dies_half_way_is_told_all_the_same(store: Store):
    log = AuditLog(store)
    with pytest.raises(KeyboardInterrupt), log.recording(AuditEntry("resume", "operator ana", "friday")):
        raise KeyboardInterrupt
    with pytest.raises(Declined), log.recording(AuditEntry("pause", "operator ana", "friday")):
        raise Declined(say("not now"))
    assert sorted((entry.action, entry.refused) for entry in log.all()) == [
        ("pause", ""),
        ("pause", "not now"),
        ("resume", ""),
    ]


def test_entries_go_into_a_backup_and_come_back_once(store: Store):
    log = filled(store, 3)
    rows, entries = list(AuditSection(store).rows()), list(log.all())
    for primary in store.primaries().values():
        primary.flushall()
    newer = log.append(AuditEntry("pause", "operator ana", "saturday"))
    section = AuditSection(store)
    assert [section.put_back(*row) for row in rows] == [True] * 3
    assert [section.put_back(*row) for row in rows] == [False] * 3
    assert list(log.all()) == [*entries, newer]
