"""What a process believes about tokens, sessions and handles for some seconds, and how it learns that it must not."""

from __future__ import annotations

from events.store import Store
from service.accounts.apps import owner_of
from service.accounts.ended_rights import EndedRights
from service.accounts.identities import Identity, Profile
from service.accounts.ttl_cache import SharedTTLCache

CACHED_FOR = 5.0
"""Seconds."""


class RightsCache:
    def __init__(self, store: Store, seconds: float = CACHED_FOR) -> None:
        self.identities: SharedTTLCache[Identity] = SharedTTLCache(seconds)
        """By the digest of the token or session."""
        self.profiles: SharedTTLCache[Profile] = SharedTTLCache(seconds)
        self._ended = EndedRights(store)

    def remember(self, digest: str, identity: Identity) -> Identity:
        self.identities.put(digest, identity)
        return identity

    def tell_of_change(self, account: str) -> None:
        """After rights of an account have changed: this process forgets what it has cached, others are told."""
        self.identities.forget(lambda identity: account in (identity.account, owner_of(identity.app)))
        self.profiles.forget(lambda profile: profile.account == account)
        self._ended.announce(account)
