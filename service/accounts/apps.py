"""Apps: programs of others, such as a page on another site, that act for accounts which have allowed it.

An app is a field of its owner's record, `app:<id>`, and dies with it; its id names the owner. It has no secret: apps in
browsers could not keep one, and the proof key of each authorization (PKCE) stands in for it.
"""

from __future__ import annotations

import re
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Sequence
from hashlib import sha256
from secrets import token_urlsafe
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events.store import Store
from rules.texts import say
from service.accounts.errors import AnotherApp, NoSuchAccount, NoSuchApp, StillAGuest, TooManyApps, Unfit
from service.accounts.records import Records
from service.text_patterns import WRITTEN, check_readable, fits

APP = re.compile(r"c_([A-Za-z0-9_-]{16})[A-Za-z0-9_-]{12}")
FIELD = "app:"
MOST_APPS = 20
MOST_URIS = 10
LONGEST_NAME = 60
LONGEST_URI = 500
URI = re.compile(r"[!#-\[\]-~]+")
"""Visible ASCII, but for quotes and backslashes: what can stand in a header and in a sentence about it."""
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class App(Struct, frozen=True):
    id: str
    name: str
    redirect_uris: list[str]
    created_at: int

    @property
    def owner(self) -> str:
        return owner_of(self.id)


def owner_of(app: str) -> str:
    """The account that has registered the app; empty if this is no id of an app.

    >>> owner_of("c_" + "x" * 16 + "y" * 12), owner_of("c_x")
    ('a_xxxxxxxxxxxxxxxx', '')
    """
    found = APP.fullmatch(app)
    return f"a_{found[1]}" if found else ""


class Apps:
    """All apps of a store."""

    def __init__(
        self, store: Store, tell_of_change: Callable[[str], None], *, clock: Callable[[], float] = time.time
    ) -> None:
        self._records = Records(store)
        self._tell_of_change = tell_of_change
        self._clock = clock

    def register(self, account: str, name: str, redirect_uris: Sequence[str], *, once: str = "") -> App:
        """`once` is the key of the request: the same makes the same app."""
        check_name(name)
        check_uris(redirect_uris)
        record = self._owner(account)
        app = App(new_app(account, record.get("salt", ""), once), name, list(redirect_uris), int(self._clock() * 1000))
        if kept := record.get(FIELD + app.id):
            return same(msgspec.json.decode(kept, type=App), app)
        if len(_apps(record)) >= MOST_APPS:
            raise TooManyApps(say("an account has at most {most} apps; delete one first", most=MOST_APPS))
        self._put(account, app)
        return app

    def _owner(self, account: str) -> dict[str, str]:
        record = self._records.read(account)
        if "role" not in record:
            raise NoSuchAccount(say("there is no such account"))
        if record["role"] == "guest":
            raise StillAGuest(say("a guest registers no apps; choose a name and a password first (POST /me)"))
        return record

    def change(self, account: str, app: str, name: str | None, redirect_uris: Sequence[str] | None) -> App:
        """What is left out stays. An address that is taken away leads nowhere from then on."""
        found = self.owned(account, app)
        changed = replace(
            found,
            name=found.name if name is None else name,
            redirect_uris=found.redirect_uris if redirect_uris is None else list(redirect_uris),
        )
        check_name(changed.name)
        check_uris(changed.redirect_uris)
        self._put(account, changed, while_there=FIELD + app)
        return changed

    def _put(self, account: str, app: App, while_there: str = "role") -> None:
        field = {FIELD + app.id: msgspec.json.encode(app).decode()}
        if not self._records.change(account, field, while_there=while_there):
            raise NoSuchApp(say("there is no app {app}", app=app.id))

    def delete(self, account: str, app: str) -> None:
        """Everything that accounts have allowed it ends: their tokens ask for the app."""
        self.owned(account, app)
        self._records.change(account, {}, without=[FIELD + app])
        self._tell_of_change(account)

    def owned(self, account: str, app: str) -> App:
        found = self.find(app)
        if not found or found.owner != account:
            raise NoSuchApp(say("there is no app {app}", app=app))
        return found

    def of(self, account: str) -> list[App]:
        """Those that the account has registered, oldest first."""
        return sorted(_apps(self._records.read(account)), key=lambda app: (app.created_at, app.id))

    def find(self, app: str) -> App | None:
        owner = owner_of(app)
        if not owner:
            return None
        role, kept = self._records.fields(owner, "role", FIELD + app)
        return msgspec.json.decode(kept, type=App) if role and kept else None


def _apps(record: dict[str, str]) -> list[App]:
    return [msgspec.json.decode(text, type=App) for name, text in record.items() if name.startswith(FIELD)]


def new_app(account: str, salt: str, once: str) -> str:
    """An id that names its owner, another for each key of a request."""
    if not once:
        return f"c_{account.removeprefix('a_')}{token_urlsafe(9)}"
    named = urlsafe_b64encode(sha256(f"hidalgo app\0{salt}\0{once}".encode()).digest()[:9]).decode()
    return f"c_{account.removeprefix('a_')}{named}"


def same(kept: App, app: App) -> App:
    if (kept.name, kept.redirect_uris) != (app.name, app.redirect_uris):
        raise AnotherApp(say("this name was given to another request before"))
    return kept


# Checks


def check_name(name: str) -> None:
    if not 1 <= len(name.strip()) <= len(name) <= LONGEST_NAME or not fits(WRITTEN, name):
        raise Unfit(say("the name of an app has 1 to {longest} printable characters", longest=LONGEST_NAME))
    check_readable(name)


def check_uris(uris: Sequence[str]) -> None:
    if not 1 <= len(set(uris)) == len(uris) <= MOST_URIS:
        raise Unfit(say("an app has 1 to {most} redirect URIs, each once", most=MOST_URIS))
    for uri in uris:
        check_uri(uri)


def check_uri(uri: str) -> None:
    """
    >>> check_uri("https://club.example/back"), check_uri("http://127.0.0.1:5173/back")
    (None, None)
    >>> check_uri("http://club.example/back")
    Traceback (most recent call last):
    service.accounts.errors.Unfit: a redirect URI is https, or http on this machine (127.0.0.1, [::1] or localhost), \
without a fragment or a name in it: http://club.example/back
    """
    if len(uri) > LONGEST_URI or not URI.fullmatch(uri) or not is_safe(uri):
        raise Unfit(
            say(
                "a redirect URI is https, or http on this machine (127.0.0.1, [::1] or localhost), without a fragment "
                "or a name in it: {uri}",
                uri=uri[:LONGEST_URI],
            )
        )


def is_safe(uri: str) -> bool:
    try:
        parts = urlsplit(uri)
        is_whole = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    if not is_whole or "#" in uri or "@" in parts.netloc:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
