"""Guests that never sat down and did not come back."""

import pytest
from argon2 import PasswordHasher

from events.games import Games
from events.log.redis import RedisLog
from events.table.commands import Join
from service.accounts import DAY, Accounts
from service.accounts.passwords import Passwords
from service.games.game_index import GameIndex
from service.games.index_rebuild import index_rebuild
from service.operations.guests import clean_guests

pytestmark = pytest.mark.parametrize("store", ["embedded", "cluster"], indirect=True)


class Clock:
    now = 1_800_000_000.0

    def __call__(self):
        return self.now

    def pass_days(self, days):
        self.now += days * DAY / 1000


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def accounts(store, clock):
    cheap = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    return Accounts(store, cheap, clock=clock, cached_for=0)


@pytest.fixture
def clean(store, accounts):
    GameIndex(store).complete.set()
    return lambda **most: clean_guests(accounts, GameIndex(store), **most)


def test_no_guest_is_forgotten_while_it_is_not_known_who_sits_where(accounts, store, clock, clean):
    accounts.make_guest()
    clock.pass_days(31)
    GameIndex(store).complete.forget()
    assert clean() == 0
    GameIndex(store).complete.set()
    assert clean() == 1


def test_a_guest_is_forgotten_after_thirty_days_and_their_handle_is_free(accounts, clock, clean):
    guest = accounts.make_guest()
    clock.pass_days(30)
    assert clean() == 0
    clock.pass_days(0.1)
    assert clean() == 1
    assert accounts.account(guest.id) is None
    assert accounts._handles.holder(guest.handle) is None
    assert clean() == 0


def test_a_guest_seen_meanwhile_stays(accounts, clock, clean):
    guest = accounts.make_guest()
    token = accounts.tokens.create(guest.id, "first", ["play"]).secret
    clock.pass_days(20)
    assert accounts.tokens.identity(token)
    clock.pass_days(20)
    assert clean() == 0
    assert accounts.tokens.identity(token)


def test_a_guest_who_comes_back_while_being_forgotten_stays(accounts, clock):
    guest = accounts.make_guest()
    token = accounts.tokens.create(guest.id, "first", ["play"]).secret
    clock.pass_days(31)
    [(idle, seen)] = accounts.idle_guests()
    assert accounts.tokens.identity(token)
    assert not accounts.forget_guest(idle, seen)
    assert accounts.account(guest.id)


def test_a_guest_at_a_table_stays_also_when_the_index_was_lost(store, accounts, clock, clean):
    guest = accounts.make_guest()
    games = Games(RedisLog(store))
    games.submit(games.create("el_grande", 2).id, Join(guest.id))
    clock.pass_days(31)
    index = GameIndex(store)
    index.complete.forget()
    assert index_rebuild(games, index, store).attend(seconds=60)
    assert clean() == 0
    assert accounts.account(guest.id)


def test_accounts_stay_and_only_so_many_guests_go_at_once(accounts, clock, clean):
    accounts.register("el_cid", "tizona y colada")
    for _ in range(5):
        accounts.make_guest()
    clock.pass_days(31)
    assert [clean(most=3), clean(most=3), clean(most=3)] == [3, 2, 0]
    assert accounts.account_named("el_cid")


def test_guests_never_seen_are_given_thirty_days_from_now(accounts, clock, clean):
    guest = accounts.make_guest()
    accounts._records.change(guest.id, {}, without=["seen"])
    clock.pass_days(100)
    assert clean() == 0
    clock.pass_days(31)
    assert clean() == 1
