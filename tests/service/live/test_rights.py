"""Which streams the watch looks at, and when."""

import pytest

from service.accounts import Accounts
from service.accounts.credentials import credential_of
from service.accounts.ended_rights import MOST, EndedRights
from service.accounts.records import key
from service.live.rights import LOOKS_BETWEEN_ALL, RightsWatch
from service.live.streams import Stream

NEVER = 3600.0


@pytest.fixture
def kind():
    return "embedded"


@pytest.fixture
def store(running_stores, kind):
    with running_stores.opened(kind) as store:
        yield store


@pytest.fixture
def accounts(store):
    return Accounts(store, cached_for=0)


@pytest.fixture
def watch(accounts, store):
    watch = RightsWatch(accounts, EndedRights(store), seconds=NEVER)
    yield watch
    watch.close()


class Client:
    """A guest with an open stream."""

    def __init__(self, accounts, watch):
        self.account = accounts.make_guest().id
        self.new = accounts.tokens.create(self.account, "streaming", ["read"])
        self.credential = credential_of(self.new.secret)
        self.ended = self.closed = 0
        self.stream = watch.watched(Stream("", iter(()), self.close, self.end), self.credential)

    def end(self):
        self.ended += 1

    def close(self):
        self.closed += 1


@pytest.fixture
def client(accounts, watch):
    return lambda: Client(accounts, watch)


def looked_at(store, watch) -> int:
    """The accounts at which one look of the watch looks."""
    before = store.commands.info("commandstats").get("cmdstat_hmget", {"calls": 0})["calls"]
    watch.look()
    return store.commands.info("commandstats").get("cmdstat_hmget", {"calls": 0})["calls"] - before


def test_only_streams_of_announced_accounts_are_looked_at(store, watch, accounts, client):
    clients = [client() for _ in range(5)]
    assert looked_at(store, watch) == 5
    assert looked_at(store, watch) == 0
    accounts.tokens.revoke(clients[0].account, clients[0].new.token.id)
    assert looked_at(store, watch) == 1
    assert [each.ended for each in clients] == [1, 0, 0, 0, 0]
    late = client()
    assert looked_at(store, watch) == 1
    assert late.ended == 0


def test_a_stream_whose_right_had_ended_before_it_was_opened_ends(watch, accounts, client):
    """Its client was known from a cache."""
    client()
    watch.look()
    late = client()
    accounts.tokens.revoke(late.account, late.new.token.id)
    watch._position = watch._ended.newest()
    watch.look()
    assert late.ended == 1


def test_a_right_whose_end_was_not_announced_is_found_when_all_are_looked_at(store, watch, client):
    """The process that ended it died before it could tell."""
    one = client()
    watch.look()
    store.commands.hdel(key(one.account, "account"), one.credential.field)
    for _ in range(LOOKS_BETWEEN_ALL - 1):
        watch.look()
    assert one.ended == 0
    watch.look()
    assert one.ended == 1


def test_all_are_looked_at_when_more_was_announced_than_is_kept(store, watch, client):
    clients = [client() for _ in range(3)]
    watch.look()
    with store.commands.pipeline(transaction=False) as pipe:
        for number in range(MOST + 1):
            pipe.xadd("hidalgo:ended", {"a": f"a_{number}"}, maxlen=MOST)
        pipe.execute()
    assert looked_at(store, watch) == len(clients)


def test_a_stream_that_is_closed_is_not_looked_at(store, watch, client):
    one = client()
    one.stream.close()
    assert one.closed == 1
    assert looked_at(store, watch) == 0


def test_a_public_stream_is_left_alone(watch):
    stream = Stream("", iter(()), lambda: None, lambda: None)
    assert watch.watched(stream, None) is stream


def test_a_session_is_held_until_its_end(store):
    now = [1_800_000_000.0]
    accounts = Accounts(store, clock=lambda: now[0], cached_for=0)
    accounts.register("El_Cid", "tizona y colada")
    credential = credential_of(accounts.sessions.sign_in("El_Cid", "tizona y colada").secret)
    assert credential
    assert accounts.held([credential]) == {credential}
    now[0] += 31 * 24 * 3600
    assert accounts.held([credential]) == set()
