"""The secret of the service: 32 bytes that are drawn when they are first needed, and never shown.

Names and ids that must come out the same for the same request, and that others can see, are made with it: without it
they neither tell what they were made of nor can be guessed. It is in the key `hidalgo:secret`, and in backups.
"""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from typing import Any

from events.log.chain import hmac_sha256
from events.store import Store, store_errors

KEY = "hidalgo:secret"
SECRET_BYTES = 32
NAME_BYTES = 15


class ServiceSecret:
    """Safe between threads: all processes of a store have the same."""

    def __init__(self, store: Store) -> None:
        self._redis: Any = store.commands
        self._known = b""

    def id(self, purpose: str, text: str, length: int) -> str:
        """The same for the same text, in `length` bytes as text that fits into an address."""
        digest = hmac_sha256(self._secret(), f"hidalgo {purpose}\0{text}".encode())
        return urlsafe_b64encode(digest[:length]).decode()

    def command_name(self, game: str, id: str) -> str:
        """The name of a command in the log (`events.submission.Naming`). The same key has another in every game."""
        return self.id("command", f"{game}\0{id}", NAME_BYTES)

    def study_command_name(self, study: str, id: str) -> str:
        """The same for the log of studies."""
        return self.id("study command", f"{study}\0{id}", NAME_BYTES)

    def tournament_command_name(self, tournament: str, id: str) -> str:
        """The same for the log of tournaments."""
        return self.id("tournament command", f"{tournament}\0{id}", NAME_BYTES)

    def _secret(self) -> bytes:
        if not self._known:
            with store_errors():
                self._redis.set(KEY, secrets.token_bytes(SECRET_BYTES), nx=True)
                self._known = self._redis.get(KEY)
        return self._known


class ServiceSecretSection:
    """The secret in a backup (`events.audit.backup.Section`). A store that has drawn one keeps its own."""

    name = "service secrets"

    def __init__(self, store: Store) -> None:
        self._redis: Any = store.commands

    def rows(self) -> Iterator[tuple[str, Mapping[str, str]]]:
        with store_errors():
            secret = self._redis.get(KEY)
        if secret:
            yield "service", {"secret": secret.hex()}

    def put_back(self, row: str, fields: Mapping[str, str]) -> bool:
        with store_errors():
            return bool(self._redis.set(KEY, bytes.fromhex(fields["secret"]), nx=True))
