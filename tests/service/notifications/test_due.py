"""Due accounts: the order in which they are looked after, and that none is forgotten."""

import pytest

from events.buckets import USUAL
from service.notifications.due import DueAccounts

ANA, BEN = [f"a_{number}" for number in range(1000) if USUAL.of(f"a_{number}") == 7][:2]


@pytest.fixture(params=["embedded", "cluster"])
def accounts(request, running_stores):
    with running_stores.opened(request.param) as store:
        yield DueAccounts(store)


def due(accounts: DueAccounts, now: int, limit: int = 10) -> list[str]:
    return [found.account for found in accounts.due([7], now, limit)]


def test_the_longest_due_account_comes_first(accounts):
    accounts.schedule([ANA], 200)
    accounts.schedule([BEN], 100)
    assert due(accounts, 99) == []
    assert due(accounts, 100) == [BEN]
    assert due(accounts, 200) == [BEN, ANA]
    assert due(accounts, 200, limit=1) == [BEN]
    assert accounts.due([8], 200, 10) == []


def test_accounts_of_several_buckets_are_found_together(accounts):
    cai = next(f"a_{number}" for number in range(1000) if USUAL.of(f"a_{number}") == 8)
    for account, at in ((ANA, 200), (cai, 150), (BEN, 100)):
        accounts.schedule([account], at)
    found = accounts.due([7, 8, 9], 200, 10)
    assert [each.account for each in found] == [BEN, cai, ANA]
    assert found[::2] == accounts.due([7], 200, 10)
    assert accounts.due([], 200, 10) == []


def test_several_accounts_are_scheduled_as_each_alone(accounts):
    accounts.schedule([ANA, BEN], 100)
    accounts.schedule([ANA], 200)
    assert due(accounts, 100) == sorted([ANA, BEN])
    assert [each.revision for each in accounts.due([7], 100, 10)] != ["", ""]


def test_the_earliest_delivery_of_an_account_counts(accounts):
    accounts.schedule([ANA], 100)
    accounts.schedule([ANA], 200)
    assert due(accounts, 100) == [ANA]
    accounts.schedule([ANA], 50)
    assert due(accounts, 50) == [ANA]


def test_an_account_is_due_again_when_its_next_delivery_is(accounts):
    accounts.schedule([ANA], 100)
    [seen] = accounts.due([7], 100, 10)
    accounts.reschedule({seen: 300})
    assert (due(accounts, 299), due(accounts, 300)) == ([], [ANA])
    accounts.reschedule({seen: None})
    assert due(accounts, 300) == []


def test_an_account_that_is_scheduled_while_it_is_looked_after_stays_due(accounts):
    accounts.schedule([ANA], 100)
    [seen] = accounts.due([7], 100, 10)
    accounts.schedule([ANA], 100)
    accounts.reschedule({seen: None})
    assert due(accounts, 100) == [ANA]


def test_a_revision_from_before_an_account_was_done_is_recognised(accounts):
    accounts.schedule([ANA], 100)
    [first] = accounts.due([7], 100, 10)
    accounts.reschedule({first: None})
    accounts.schedule([ANA], 100)
    accounts.reschedule({first: None})
    assert due(accounts, 100) == [ANA]
