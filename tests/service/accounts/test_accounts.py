"""Accounts in the store."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from argon2 import PasswordHasher

from events.errors import Busy, Revoked
from service.accounts import DAY, MOST_SESSIONS, MOST_TOKENS, SCOPES, Accounts
from service.accounts.credentials import ACCOUNT, csrf_of, digest, is_csrf_of
from service.accounts.errors import (
    AnotherToken,
    HandleTaken,
    NoSuchAccount,
    NoSuchToken,
    NotAGuest,
    ScopeNotHeld,
    SignInFailed,
    TooManyTokens,
    Unfit,
    WrongPassword,
)
from service.accounts.handles import Handles
from service.accounts.passwords import OWASP, Passwords
from service.accounts.rate_limits import Limits, TooOften
from service.accounts.revocations import MOST_MARKS
from service.accounts.ttl_cache import SharedTTLCache
from service.settings import Limit

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
PASSWORD = "tizona y colada"
embedded = pytest.mark.parametrize("store", ["embedded"], indirect=True)


class Clock:
    now = 1_800_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def accounts(store, clock):
    return Accounts(store, Passwords(CHEAP), clock=clock, cached_for=0)


@pytest.fixture
def cid(accounts):
    return accounts.register("El_Cid", PASSWORD)


def everything_kept(store):
    """All keys and values, as text."""
    kept = []
    for primary in store.primaries().values():
        for key in primary.keys("*"):
            read = {b"hash": primary.hgetall, b"stream": primary.xrange}.get(primary.type(key), primary.get)
            value = read(key)
            kept.append(f"{key!r}: {value!r}")
    return "\n".join(kept)


def record(store, account):
    return store.commands.hgetall(f"hidalgo:{{{account}}}:account")


def test_a_life_of_an_account(accounts, store):
    """On every kind of store."""
    guest = accounts.make_guest()
    token = accounts.tokens.create(guest.id, "bot", ["read", "play"])
    cid = accounts.upgrade(guest.id, "El_Cid", PASSWORD)
    session = accounts.sessions.sign_in("el_cid", PASSWORD)
    assert (cid.id, cid.handle, cid.role) == (guest.id, "El_Cid", "player")
    assert accounts.tokens.identity(token.secret).handle == "El_Cid"
    assert accounts.sessions.identity(session.secret).by == "session"
    other = accounts.register("babieca", PASSWORD)
    assert accounts.handle_of([cid.id, other.id]) == {cid.id: "El_Cid", other.id: "babieca"}
    accounts.delete(cid.id, PASSWORD)
    assert accounts.tokens.identity(token.secret) is None
    assert accounts.sessions.identity(session.secret) is None
    assert accounts.handle_of([cid.id, other.id]) == {cid.id: None, other.id: "babieca"}
    assert set(record(store, cid.id)) == {b"deleted"}
    Limits(store, {"tries": Limit(1, 60)}).take("tries", "el_cid")


# Handles


@embedded
@pytest.mark.parametrize("handle", ["Cid", "el_cid-1099", "1-2", "a" * 20])
def test_a_handle_is_made_of_letters_digits_and_two_signs(accounts, handle):
    assert accounts.register(handle, PASSWORD).handle == handle


@embedded
@pytest.mark.parametrize(
    "handle",
    [
        "",
        "ab",
        "a" * 21,
        "el cid",
        "el.cid",
        "cid\n",
        "cid\0",
        "сid",
        "cıd",
        "ｃｉｄ",
        "é" * 5,
        "cid\r\nX: 1",
        "\ud800cid",
    ],
)
def test_no_other_handle_passes_whatever_it_looks_like(accounts, handle):
    with pytest.raises(Unfit, match="3 to 20 letters"):
        accounts.register(handle, PASSWORD)


@embedded
@pytest.mark.parametrize("handle", ["admin", "Hidalgo", "guest-one", "GUEST-1", "a_0123456789abcdef"])
def test_some_handles_are_reserved(accounts, handle):
    with pytest.raises(HandleTaken, match="reserved"):
        accounts.register(handle, PASSWORD)


@embedded
@pytest.mark.parametrize(
    "handle", ["Administrator", "adm1n", "H1dalgo", "hidalgo-team", "Support_", "Sanch0", "guest_one", "---"]
)
def test_handles_that_read_like_offices_bots_and_guests_are_reserved(accounts, handle):
    with pytest.raises(HandleTaken, match="reserved"):
        accounts.register(handle, PASSWORD)


@embedded
@pytest.mark.parametrize(
    ("handle", "alike"), [("El_Cid", "EI_Cid"), ("EI_Cid", "el-cid"), ("Bernard", "Bemard"), ("ana10", "anaIO")]
)
def test_nobody_takes_a_handle_that_looks_like_another_s(accounts, handle, alike):
    first = accounts.register(handle, PASSWORD)
    assert not accounts.is_free(alike)
    with pytest.raises(HandleTaken, match=f"{alike} looks like one|{alike} is taken"):
        accounts.register(alike, PASSWORD)
    guest = accounts.make_guest()
    with pytest.raises(HandleTaken):
        accounts.upgrade(guest.id, alike, PASSWORD)
    assert accounts.account_named(alike) is None
    accounts.delete(first.id, PASSWORD)
    assert accounts.is_free(alike)
    assert accounts.upgrade(guest.id, alike, PASSWORD).handle == alike


@embedded
def test_a_handle_from_before_looks_counted_is_not_imitated_either(accounts, cid, store):
    for name in ("el_cid", "ei_cid"):
        assert store.commands.exists(f"hidalgo:handle:{name}") == (name == "el_cid")
    with pytest.raises(HandleTaken):
        accounts.register("EI_Cid", PASSWORD)
    assert not store.commands.exists("hidalgo:handle:ei_cid")


@embedded
def test_capitals_make_no_other_handle(accounts, cid):
    with pytest.raises(HandleTaken, match="EL_CID is taken"):
        accounts.register("EL_CID", PASSWORD)


@embedded
def test_of_many_clients_that_want_a_handle_at_once_one_gets_it(accounts):
    def wanting(_):
        try:
            return accounts.register("el_cid", PASSWORD)
        except HandleTaken:
            return None

    with ThreadPoolExecutor(8) as pool:
        got = [account for account in pool.map(wanting, range(24)) if account]
    assert len(got) == 1
    assert accounts.account_named("el_cid") == got[0]


@embedded
def test_a_claim_whose_account_was_never_written_can_be_had_after_a_minute(accounts, store, clock):
    store.commands.set("hidalgo:handle:el_cid", f"a_{'x' * 16}?{int(clock.now * 1000)}")
    with pytest.raises(HandleTaken):
        accounts.register("el_cid", PASSWORD)
    clock.now += 61
    accounts.register("el_cid", PASSWORD)
    assert accounts.sessions.sign_in("el_cid", PASSWORD)


@embedded
def test_an_account_that_was_written_keeps_its_handle_without_confirmation(accounts, cid, store, clock):
    store.commands.set("hidalgo:handle:el_cid", f"{cid.id}?{int(clock.now * 1000)}")
    clock.now += 61
    with pytest.raises(HandleTaken):
        accounts.register("el_cid", "another password")
    assert accounts.sessions.sign_in("el_cid", PASSWORD).account.id == cid.id


@embedded
def test_a_claim_that_a_deleted_account_left_behind_can_be_had_at_once(accounts, cid, store):
    accounts.delete(cid.id, PASSWORD)
    store.commands.set("hidalgo:handle:el_cid", cid.id)
    assert accounts.register("el_cid", PASSWORD).id != cid.id


class Overtaken(Handles):
    """Another client takes the claim while its account is being written."""

    def confirm(self, claims):
        for name, claim in claims.items():
            self._swap(name, claim, f"a_{'x' * 16}")
        return super().confirm(claims)


@embedded
def test_a_slow_client_loses_the_claim_and_leaves_no_account(accounts, store):
    accounts._handles = Overtaken(store, accounts._is_held, accounts._now)
    with pytest.raises(HandleTaken):
        accounts.register("el_cid", PASSWORD)
    assert "argon2" not in everything_kept(store)


@embedded
def test_a_guest_who_is_too_slow_stays_the_guest(accounts, store):
    guest = accounts.make_guest()
    accounts._handles = Overtaken(store, accounts._is_held, accounts._now)
    with pytest.raises(HandleTaken):
        accounts.upgrade(guest.id, "el_cid", PASSWORD)
    assert accounts.account(guest.id) == guest
    assert b"password" not in record(store, guest.id)


# Passwords


@embedded
@pytest.mark.parametrize("password", ["", "1234567", "x" * 201, "half a pair \ud800"])
def test_a_password_has_8_to_200_characters(accounts, password):
    with pytest.raises(Unfit, match="8 to 200 characters"):
        accounts.register("el_cid", password)
    with pytest.raises(SignInFailed):
        accounts.sessions.sign_in("el_cid", password)


@embedded
@pytest.mark.parametrize("password", ["x" * 200, "nul\0 inside", "contraseña 🏰", " spaces stay "])
def test_every_character_of_a_password_counts(accounts, password):
    accounts.register("el_cid", password)
    assert accounts.sessions.sign_in("el_cid", password)
    for other in (password[:-1], password.replace("\0", ""), password.strip(), password + "x"):
        if other != password:
            with pytest.raises(SignInFailed):
                accounts.sessions.sign_in("el_cid", other)


@embedded
def test_an_accent_is_the_same_however_it_is_typed(accounts):
    accounts.register("el_cid", "contrasen\u0303a")
    assert accounts.sessions.sign_in("el_cid", "contrase\u00f1a")


@embedded
def test_a_refusal_does_not_say_whether_the_handle_or_the_password_was_wrong(accounts, cid):
    guest = accounts.make_guest()
    refusals = set()
    for handle in ("el_cid", "nobody_here", guest.handle, "", "x" * 1000, "\0", "\ud800"):
        with pytest.raises(SignInFailed) as refused:
            accounts.sessions.sign_in(handle, "wrong password")
        refusals.add(str(refused.value))
    assert refusals == {"no account has this handle and this password"}


class Counting(Passwords):
    """Counts how often a password is hashed."""

    hashed = 0

    def _turn(self):
        self.hashed += 1
        return super()._turn()


@embedded
@pytest.mark.parametrize("handle", ["el_cid", "nobody_here", "no handle at all"])
def test_a_wrong_handle_costs_as_much_time_as_a_wrong_password(store, accounts, cid, handle):
    counting = Counting(CHEAP)
    with pytest.raises(SignInFailed):
        Accounts(store, counting).sessions.sign_in(handle, "wrong password")
    assert counting.hashed == 1


@embedded
def test_a_password_is_kept_anew_when_the_parameters_change(store, accounts, cid):
    before = record(store, cid.id)[b"password"]
    stronger = PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)
    Accounts(store, Passwords(stronger)).sessions.sign_in("el_cid", PASSWORD)
    after = record(store, cid.id)[b"password"]
    assert before.startswith(b"$argon2id$v=19$m=8,t=1,p=1$")
    assert after.startswith(b"$argon2id$v=19$m=16,t=2,p=1$")
    assert accounts.sessions.sign_in("el_cid", PASSWORD)


def test_passwords_are_kept_with_argon2id_in_19_mebibytes():
    assert Passwords().kept(PASSWORD).startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert not Passwords().is_outdated(OWASP.hash(PASSWORD))


def test_no_more_passwords_are_hashed_at_once_than_allowed(monkeypatch):
    monkeypatch.setattr("service.accounts.passwords.SECONDS_TO_WAIT", 0.01)
    passwords = Passwords(CHEAP, at_once=1)
    with passwords._turn(), pytest.raises(Busy):
        passwords.kept(PASSWORD)
    assert passwords.kept(PASSWORD)


# Guests


@embedded
def test_a_guest_has_a_handle_that_cannot_be_registered(accounts):
    guest = accounts.make_guest()
    assert guest.role == "guest"
    with pytest.raises(HandleTaken):
        accounts.register(guest.handle, PASSWORD)
    with pytest.raises(SignInFailed):
        accounts.sessions.sign_in(guest.handle, "")


@embedded
def test_a_guest_becomes_a_player_once_and_frees_the_old_handle(accounts, store):
    guest = accounts.make_guest()
    accounts.upgrade(guest.id, "el_cid", PASSWORD)
    assert accounts.account_named(guest.handle) is None
    assert store.commands.get(f"hidalgo:handle:{guest.handle}") is None
    with pytest.raises(NotAGuest):
        accounts.upgrade(guest.id, "campeador", PASSWORD)


@embedded
def test_a_guest_cannot_take_a_taken_handle(accounts, cid):
    guest = accounts.make_guest()
    with pytest.raises(HandleTaken):
        accounts.upgrade(guest.id, "el_cid", PASSWORD)
    assert accounts.account(guest.id) == guest


@embedded
def test_a_guest_who_asks_for_many_handles_at_once_gets_one(accounts):
    guest = accounts.make_guest()

    def wanting(number):
        try:
            return accounts.upgrade(guest.id, f"cid-{number}", PASSWORD).handle
        except NotAGuest:
            return None

    with ThreadPoolExecutor(8) as pool:
        got = {handle for handle in pool.map(wanting, range(8)) if handle}
    assert got == {accounts.account(guest.id).handle}
    for number in range(8):
        if f"cid-{number}" not in got:
            accounts.register(f"cid-{number}", PASSWORD)


# Sessions


@embedded
def test_every_sign_in_is_a_new_session(accounts, cid):
    first, second = (accounts.sessions.sign_in("el_cid", PASSWORD) for _ in range(2))
    assert first.secret != second.secret
    accounts.sessions.sign_out(first.secret)
    assert accounts.sessions.identity(first.secret) is None
    assert accounts.sessions.identity(second.secret).account == cid.id


@embedded
def test_a_session_lasts_thirty_days_after_its_last_use(accounts, cid, clock):
    session = accounts.sessions.sign_in("el_cid", PASSWORD)
    for _ in range(3):
        clock.now += 29 * DAY / 1000
        assert accounts.sessions.identity(session.secret)
    clock.now += 30 * DAY / 1000
    assert accounts.sessions.identity(session.secret) is None


@embedded
def test_a_session_that_was_ended_is_not_prolonged(accounts, cid, clock, store):
    session = accounts.sessions.sign_in("el_cid", PASSWORD)
    accounts.sessions.sign_out(session.secret)
    accounts.sessions._prolong(cid.id, f"session:{digest(session.secret)}", 0)
    assert not [field for field in record(store, cid.id) if field.startswith(b"session:")]


@embedded
def test_old_sessions_make_room(accounts, cid, clock, store):
    sessions = []
    for _ in range(MOST_SESSIONS + 3):
        clock.now += 1
        sessions.append(accounts.sessions.sign_in("el_cid", PASSWORD))
    alive = [session for session in sessions if accounts.sessions.identity(session.secret)]
    assert alive == sessions[3:]


@embedded
def test_a_session_is_no_token_and_a_token_no_session(accounts, cid):
    session = accounts.sessions.sign_in("el_cid", PASSWORD)
    token = accounts.tokens.create(cid.id, "bot", ["read"])
    assert accounts.tokens.identity(session.secret) is None
    assert accounts.sessions.identity(token.secret) is None
    assert accounts.tokens.identity(session.secret.replace("hds_", "hdg_")) is None
    assert accounts.sessions.identity(token.secret.replace("hdg_", "hds_")) is None


def test_the_csrf_token_belongs_to_one_session():
    assert is_csrf_of("one", csrf_of("one"))
    assert not is_csrf_of("one", csrf_of("two"))
    assert not is_csrf_of("one", "")
    assert not is_csrf_of("one", "\ud800é")


# Tokens


@embedded
def test_a_token_may_do_what_it_was_made_for(accounts, cid):
    new = accounts.tokens.create(cid.id, "my bot", ["play", "read"])
    identity = accounts.tokens.identity(new.secret)
    assert (identity.account, identity.handle, identity.role) == (cid.id, "El_Cid", "player")
    assert (identity.scopes, identity.by) == ({"play", "read"}, "token")
    assert accounts.tokens.of(cid.id) == [new.token]


@embedded
def test_no_client_hands_out_more_than_it_holds(accounts, cid):
    with pytest.raises(ScopeNotHeld, match="admin"):
        accounts.tokens.create(cid.id, "bot", ["admin"])
    with pytest.raises(ScopeNotHeld, match="account"):
        accounts.tokens.create(cid.id, "bot", ["play", "account"], within=frozenset({"play", "admin"}))


@embedded
def test_a_revoked_token_is_nothing(accounts, cid):
    one, two = (accounts.tokens.create(cid.id, name, ["read"]) for name in ("one", "two"))
    accounts.tokens.revoke(cid.id, one.token.id)
    assert accounts.tokens.identity(one.secret) is None
    assert accounts.tokens.identity(two.secret)
    with pytest.raises(NoSuchToken):
        accounts.tokens.revoke(cid.id, one.token.id)


@embedded
def test_a_revoked_token_is_not_made_again_by_its_request(accounts, cid):
    made = accounts.tokens.create(cid.id, "bot", ["read"], once="request")
    accounts.tokens.revoke(cid.id, made.token.id)
    for name in ("bot", "another"):
        with pytest.raises(Revoked):
            accounts.tokens.create(cid.id, name, ["read"], once="request")
    assert accounts.tokens.identity(made.secret) is None
    assert accounts.tokens.of(cid.id) == []


def test_tokens_that_a_reset_password_ends_are_not_made_again_by_their_requests(accounts, cid):
    accounts.tokens.create(cid.id, "bot", ["read"], once="request")
    accounts.reset_password("El_Cid")
    with pytest.raises(Revoked):
        accounts.tokens.create(cid.id, "bot", ["read"], once="request")


def test_a_request_that_was_slow_does_not_bring_a_revoked_token_back(accounts, cid, monkeypatch):
    """It looked before the first request had made the token, and writes after the token was revoked."""
    slow = accounts._records.read(cid.id)
    made = accounts.tokens.create(cid.id, "bot", ["read"], once="request")
    accounts.tokens.revoke(cid.id, made.token.id)
    monkeypatch.setattr(accounts._records, "read", lambda _: slow)
    with pytest.raises(Revoked):
        accounts.tokens.create(cid.id, "bot", ["read"], once="request")
    assert accounts.tokens.identity(made.secret) is None


def test_two_equal_requests_at_once_make_one_token(accounts, cid, monkeypatch):
    slow = accounts._records.read(cid.id)
    made = accounts.tokens.create(cid.id, "bot", ["read"], once="request")
    monkeypatch.setattr(accounts._records, "read", lambda _: slow)
    assert accounts.tokens.create(cid.id, "bot", ["read"], once="request") == made
    with pytest.raises(AnotherToken):
        accounts.tokens.create(cid.id, "another", ["read"], once="request")


def test_marks_of_revoked_tokens_have_an_end_and_the_tokens_stay_revoked(accounts, cid, store):
    """When there are too many, a new salt takes their place: the same requests make other tokens."""
    revoked = []
    for number in range(MOST_MARKS + 5):
        revoked.append(accounts.tokens.create(cid.id, "bot", ["read"], once=f"request {number}"))
        accounts.tokens.revoke(cid.id, revoked[-1].token.id)
    marks = [name for name in store.commands.hkeys(f"hidalgo:{{{cid.id}}}:account") if name.startswith(b"revoked:")]
    assert len(marks) <= MOST_MARKS
    for number in (0, 1, MOST_MARKS - 1):
        again = accounts.tokens.create(cid.id, "bot", ["read"], once=f"request {number}")
        assert again.secret not in [token.secret for token in revoked]
    assert not any(accounts.tokens.identity(token.secret) for token in revoked)


def test_no_account_revokes_the_token_of_another(accounts, cid):
    new = accounts.tokens.create(cid.id, "bot", ["read"])
    other = accounts.register("babieca", PASSWORD)
    with pytest.raises(NoSuchToken):
        accounts.tokens.revoke(other.id, new.token.id)


@embedded
@pytest.mark.parametrize("name", ["", "x" * 61, "line\nbreak", "nul\0", "\ud800", "\u202eevil"])
def test_the_name_of_a_token_can_be_shown(accounts, cid, name):
    with pytest.raises(Unfit):
        accounts.tokens.create(cid.id, name, ["read"])


@embedded
def test_tokens_have_an_end(accounts, cid):
    for number in range(MOST_TOKENS):
        accounts.tokens.create(cid.id, str(number), ["read"])
    with pytest.raises(TooManyTokens):
        accounts.tokens.create(cid.id, "one more", ["read"])


@pytest.mark.parametrize("text", ["", "hdg_", "hdg_" + "x" * 58, "hdg_" + "x" * 60, "hdg_" + "{" * 59, "\0" * 63])
def test_a_text_that_is_no_token_is_not_even_looked_up(text):
    class Nowhere:
        commands = None

    assert Accounts(Nowhere(), Passwords(CHEAP)).tokens.identity(text) is None  # type: ignore[arg-type]


@embedded
def test_a_secret_of_one_account_opens_no_other(accounts, cid):
    other = accounts.register("babieca", PASSWORD)
    token = accounts.tokens.create(cid.id, "bot", ["read"]).secret
    forged = token.replace(cid.id.removeprefix("a_"), other.id.removeprefix("a_"))
    assert accounts.tokens.identity(forged) is None


# Roles


@embedded
def test_an_old_token_does_not_become_an_admins(accounts, cid):
    token = accounts.tokens.create(cid.id, "bot", SCOPES["player"])
    session = accounts.sessions.sign_in("el_cid", PASSWORD)
    accounts.set_role("EL_CID", "admin")
    assert accounts.tokens.identity(token.secret).role == "admin"
    assert "admin" not in accounts.tokens.identity(token.secret).scopes
    assert "admin" in accounts.sessions.identity(session.secret).scopes


@embedded
def test_a_former_admin_loses_the_role_everywhere(accounts, cid):
    accounts.set_role("el_cid", "admin")
    token = accounts.tokens.create(cid.id, "bot", ["admin", "read"])
    accounts.set_role("el_cid", "player")
    assert accounts.tokens.identity(token.secret).scopes == {"read"}


@embedded
def test_a_guest_is_never_an_admin(accounts):
    with pytest.raises(Unfit, match="guest"):
        accounts.set_role(accounts.make_guest().handle, "admin")
    with pytest.raises(NoSuchAccount):
        accounts.set_role("nobody_here", "admin")


# Deletion


@embedded
def test_deletion_needs_the_password(accounts, cid):
    for password in ("", "wrong password"):
        with pytest.raises(WrongPassword):
            accounts.delete(cid.id, password)
    assert accounts.account(cid.id) == cid


@embedded
def test_deletion_leaves_nothing_but_the_used_up_id(accounts, cid, store):
    accounts.tokens.create(cid.id, "bot", ["read"])
    accounts.sessions.sign_in("el_cid", PASSWORD)
    accounts.delete(cid.id, PASSWORD)
    assert "el_cid" not in everything_kept(store).lower()
    assert list(record(store, cid.id)) == [b"deleted"]
    with pytest.raises(NoSuchAccount):
        accounts.tokens.create(cid.id, "bot", ["read"])
    with pytest.raises(NoSuchAccount):
        accounts.delete(cid.id, PASSWORD)
    assert accounts.register("el_cid", PASSWORD).id != cid.id


@embedded
def test_nothing_comes_back_into_a_deleted_account(accounts, cid, store):
    """A client signs in while the account is being deleted."""
    accounts.delete(cid.id, PASSWORD)
    assert not accounts._records.change(cid.id, {"session:x": "1"})
    assert list(record(store, cid.id)) == [b"deleted"]


# Secrets


@embedded
def test_no_secret_is_kept_or_shown(accounts, cid, store):
    session = accounts.sessions.sign_in("el_cid", PASSWORD)
    token = accounts.tokens.create(cid.id, "bot", ["read"])
    shown = repr([session, token, cid, accounts.tokens.identity(token.secret)])
    for secret in (session.secret, token.secret, PASSWORD, session.csrf):
        assert secret not in shown
        assert secret not in everything_kept(store)


@embedded
def test_ids_mean_nothing(accounts):
    ids = {accounts.make_guest().id for _ in range(20)}
    assert len(ids) == 20
    assert all(ACCOUNT.fullmatch(account) for account in ids)


# What is remembered


@embedded
def test_a_process_asks_once_in_five_seconds_and_forgets_what_it_revokes_itself(store, cid, accounts):
    here, elsewhere = Accounts(store, Passwords(CHEAP)), Accounts(store, Passwords(CHEAP))
    new = here.tokens.create(cid.id, "bot", ["read"])
    assert here.tokens.identity(new.secret)
    assert elsewhere.tokens.identity(new.secret)
    here.tokens.revoke(cid.id, new.token.id)
    assert here.tokens.identity(new.secret) is None
    assert elsewhere.tokens.identity(new.secret), "believed for some seconds"
    assert elsewhere.tokens.identity(new.secret, fresh=True) is None


def test_a_cache_of_no_seconds_keeps_nothing():
    words = SharedTTLCache[str](0)
    words.put("uno", "one")
    assert words.get("uno") is None
    words.forget(lambda word: True)


def test_some_of_what_is_cached_can_be_forgotten_at_once():
    words = SharedTTLCache[str](5)
    for word in ("uno", "dos"):
        words.put(word, word)
    words.forget(lambda word: word == "uno")
    assert (words.get("uno"), words.get("dos")) == (None, "dos")


def test_a_cached_value_is_forgotten_in_time():
    clock = Clock()
    words = SharedTTLCache[str](5, clock=clock)
    words.put("uno", "one")
    clock.now += 4.9
    assert words.get("uno") == "one"
    clock.now += 0.2
    assert words.get("uno") is None


@embedded
def test_a_token_is_looked_up_in_one_round_trip(store, accounts, cid):
    new = accounts.tokens.create(cid.id, "bot", ["read"])
    asked = store.commands.info("stats")["total_commands_processed"]
    accounts.tokens.identity(new.secret)
    assert store.commands.info("stats")["total_commands_processed"] - asked == 2, "HMGET, and this INFO"


@embedded
def test_an_unknown_account_has_no_handle(accounts, cid):
    asked = [cid.id, "a_" + "0" * 16, "no id", ""]
    assert accounts.handle_of(asked) == {cid.id: "El_Cid", "a_" + "0" * 16: None, "no id": None, "": None}
    assert accounts.handle_of([]) == {}


# Limits


@embedded
def test_a_bucket_empties_and_fills_up(store):
    limits = Limits(store, {"tries": Limit(2, 1)})
    limits.take("tries", "one")
    limits.take("tries", "one")
    with pytest.raises(TooOften) as refused:
        limits.take("tries", "one")
    assert 0 < refused.value.retry_after <= 0.5
    limits.take("tries", "two")
    threading.Event().wait(refused.value.retry_after + 0.01)
    limits.take("tries", "one")


@embedded
def test_a_limit_can_be_switched_off(store):
    limits = Limits(store, {"guests_from_an_address": None})
    for _ in range(1100):
        limits.take("guests_from_an_address", "one")
    assert everything_kept(store) == ""


@embedded
@pytest.mark.parametrize("whose", ["", "x" * 100_000, "\0{}\r\n", "\ud800"])
def test_accounts_and_addresses_can_be_limited(store, whose):
    limits = Limits(store, {"tries": Limit(1, 60)})
    limits.take("tries", whose)
    with pytest.raises(TooOften):
        limits.take("tries", whose)
    assert [len(key) for key in store.commands.keys("*")] == [len("hidalgo:limit:tries:") + 32]


# Passwords that change


def test_a_reset_password_opens_one_session_which_can_set_another(accounts, cid):
    token = accounts.tokens.create(cid.id, "old", ["play"]).secret
    once = accounts.reset_password("el_cid")
    with pytest.raises(SignInFailed):
        accounts.sessions.sign_in("El_Cid", PASSWORD)
    session = accounts.sessions.sign_in("El_Cid", once)
    with pytest.raises(SignInFailed):
        accounts.sessions.sign_in("El_Cid", once)
    assert accounts.tokens.identity(token) is None
    accounts.change_password(cid.id, once, "babieca al trote", session=session.secret)
    assert accounts.sessions.identity(session.secret)
    assert accounts.sessions.sign_in("El_Cid", "babieca al trote")


def test_a_reset_password_is_good_for_a_day(accounts, cid, clock):
    once = accounts.reset_password("el_cid")
    clock.now += DAY / 1000 + 1
    with pytest.raises(SignInFailed):
        accounts.sessions.sign_in("El_Cid", once)


@embedded
def test_a_reset_password_that_many_use_at_once_opens_one_session(accounts, cid):
    once = accounts.reset_password("el_cid")

    def try_it(_):
        try:
            return bool(accounts.sessions.sign_in("El_Cid", once))
        except SignInFailed:
            return False

    with ThreadPoolExecutor(8) as people:
        assert sum(people.map(try_it, range(8))) == 1


def test_unknown_accounts_and_guests_have_no_password_to_reset(accounts):
    for handle in ("el_cid", accounts.make_guest().handle):
        with pytest.raises(NoSuchAccount, match=handle):
            accounts.reset_password(handle)


@embedded
def test_a_sign_in_while_the_password_changes_gives_no_session_by_the_old_one(accounts, cid, monkeypatch):
    is_right = accounts._passwords.is_right
    changed: list[bool] = []

    def change_meanwhile(password, kept):
        found = is_right(password, kept)
        if not changed:
            changed.append(True)
            accounts.change_password(cid.id, PASSWORD, "babieca al trote")
        return found

    monkeypatch.setattr(accounts._passwords, "is_right", change_meanwhile)
    with pytest.raises(SignInFailed):
        accounts.sessions.sign_in("El_Cid", PASSWORD)
