"""Chats and complaints in a backup."""

import pytest

from events.audit.backup import Refusal
from service.accounts import Accounts
from service.chat.complaints import Complaint, Complaints, ComplaintSection
from service.chat.rooms import Chat, ChatSection

ROOM = "friday/players"


@pytest.fixture
def stores(running_stores):
    with running_stores.opened("embedded") as store:
        yield store


def emptied(store) -> None:
    for primary in store.primaries().values():
        primary.flushall()


def test_messages_come_back_and_go_with_their_account(stores):
    accounts, chat = Accounts(stores), Chat(stores, lambda: 7)
    ana, ben = (accounts.make_guest().id for _ in range(2))
    for account, text in ((ana, "Hola"), (ben, "Buenas"), (ana, "a slip")):
        chat.write(ROOM, account, text)
    chat.remove(ROOM, 3, ana)
    rows = list(ChatSection(stores).rows())
    before = chat.read(ROOM, 0)
    record = accounts._records.read(ana)
    emptied(stores)
    accounts._records.put_back(ana, record)
    [(row, fields)] = rows
    assert ChatSection(stores).put_back(row, fields)
    assert not ChatSection(stores).put_back(row, fields), "what is there stays as it is"
    after = chat.read(ROOM, 0)
    assert [each.id for each in after] == [each.id for each in before]
    assert [each.text for each in after] == ["Hola", "", "", ""], "ben is gone, and what he wrote"
    chat.forget(ana)
    assert [each.text for each in chat.read(ROOM, 0) if each.text] == []


@pytest.mark.parametrize(
    ("row", "fields"),
    [("friday/kitchen", {"last": "0"}), (ROOM, {}), (ROOM, {"last": "1", "1": "{"}), (ROOM, {"last": "1", "x": "{}"})],
)
def test_a_row_that_is_no_room_is_refused(stores, row, fields):
    with pytest.raises(Refusal):
        ChatSection(stores).put_back(row, fields)


def test_complaints_come_back(stores):
    complaints = Complaints(stores)
    complaints.add(Complaint("friday", "players", 3, "a_author", "rude", "a_reader", "an insult"))
    rows, before = list(ComplaintSection(stores).rows()), complaints.page(10)
    emptied(stores)
    assert [ComplaintSection(stores).put_back(*row) for row in rows] == [True]
    assert complaints.page(10) == before
    with pytest.raises(Refusal):
        ComplaintSection(stores).put_back("x", {"complaint": "{"})
