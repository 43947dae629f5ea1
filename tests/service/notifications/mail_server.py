"""A mail server in a process of its own: `python -m tests.service.notifications.mail_server DIRECTORY PORT`.

It reads its behaviour from a file before every answer, and writes every letter that it has taken into another. Its
security is in a third one: how it encrypts, with which certificate, and the password of its users.
"""

from __future__ import annotations

import asyncio
import json
import os
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ACCEPT, SLOW, DIES, DIES_BEFORE = "accept", "slow", "dies", "dies before"
"""Take letters; do not answer for a long while; die after a letter was taken and before that is said; before it is."""


class Handler:
    def __init__(self, directory: Path) -> None:
        self.directory = directory

    @property
    def behaviour(self) -> str:
        return (self.directory / "behaviour").read_text()

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        if self.behaviour.startswith(("450", "550")):
            return self.behaviour
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        behaviour = self.behaviour
        if behaviour == SLOW:
            await asyncio.sleep(600)
        if behaviour.startswith(("451", "554")):
            return behaviour
        if behaviour == DIES_BEFORE:
            os._exit(1)
        with (self.directory / "taken").open("a") as taken:
            taken.write(json.dumps({"to": envelope.rcpt_tos, "bytes": envelope.content.decode("latin-1")}) + "\n")
        if behaviour == DIES:
            os._exit(1)
        return "250 OK"


@dataclass(frozen=True)
class Security:
    """How a server encrypts, and whom it lets in."""

    encryption: str = ""
    """`starttls`, `tls` from the first byte, or none."""
    certificate: str = ""
    key: str = ""
    password: str = ""
    """Of all users; without one nobody can sign in."""

    @property
    def context(self) -> ssl.SSLContext | None:
        if not self.encryption:
            return None
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        return context

    def smtp(self, handler: Handler) -> Any:
        from aiosmtpd.smtp import SMTP, AuthResult

        def sign_in(server: Any, session: Any, envelope: Any, mechanism: str, given: Any) -> AuthResult:
            with (handler.directory / "told").open("a") as told:
                told.write(f"{given.login.decode()} {given.password.decode()}\n")
            return AuthResult(success=given.password.decode() == self.password, handled=False)

        begins_plain = self.encryption == "starttls"
        encrypts: dict[str, Any] = {"tls_context": self.context, "require_starttls": True} if begins_plain else {}
        # What is encrypted from the first byte looks plain to the library.
        signs_in: dict[str, Any] = {"authenticator": sign_in, "auth_required": True, "auth_require_tls": begins_plain}
        return SMTP(handler, **encrypts, **(signs_in if self.password else {}))


PLAIN = Security()


async def serve(directory: Path, port: int) -> None:
    security = Security(**json.loads((directory / "security").read_text()))
    server = await asyncio.get_running_loop().create_server(
        lambda: security.smtp(Handler(directory)),
        "127.0.0.1",
        port,
        ssl=security.context if security.encryption == "tls" else None,
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@dataclass
class RunningMailServer:
    directory: Path
    port: int = 0
    process: subprocess.Popen[str] | None = field(default=None, repr=False)

    def start(self) -> None:
        command = [sys.executable, "-m", "tests.service.notifications.mail_server", str(self.directory), str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        self.port = int(self.process.stdout.readline())

    def stop(self) -> None:
        if self.process:
            with self.process:
                self.process.kill()
            self.process = None

    def wait_until_it_has_died(self) -> None:
        assert self.process
        with self.process:
            assert self.process.wait(timeout=60) == 1
        self.process = None

    def behave(self, behaviour: str) -> None:
        new = self.directory / "new"
        new.write_text(behaviour)
        new.replace(self.directory / "behaviour")

    def secure(self, security: Security) -> None:
        """From the next start on."""
        (self.directory / "security").write_text(json.dumps(asdict(security)))

    @property
    def told(self) -> list[str]:
        """User and password of every sign-in that was tried."""
        file = self.directory / "told"
        return file.read_text().splitlines() if file.exists() else []

    @property
    def taken(self) -> list[EmailMessage]:
        """The letters that have arrived, in order."""
        file = self.directory / "taken"
        lines = file.read_text().splitlines() if file.exists() else []
        return [
            message_from_bytes(json.loads(line)["bytes"].encode("latin-1"), policy=policy.default) for line in lines
        ]

    def letters_to(self, address: str) -> list[EmailMessage]:
        return [letter for letter in self.taken if letter["To"] == address]


@contextmanager
def mail_server(security: Security = PLAIN) -> Iterator[RunningMailServer]:
    with TemporaryDirectory(prefix="hidalgo-mail-") as directory:
        server = RunningMailServer(Path(directory))
        server.secure(security)
        server.behave(ACCEPT)
        server.start()
        try:
            yield server
        finally:
            server.stop()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), int(sys.argv[2])))
