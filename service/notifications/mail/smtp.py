"""The mail server of the operator: one connection for each letter, and every failure is an outcome."""

from __future__ import annotations

import smtplib
import ssl
import time
from email.message import EmailMessage
from functools import cached_property
from typing import Protocol

from msgspec.structs import replace

from rules.texts import Text, say
from service.notifications.deliveries import Outcome
from service.settings import MailServer

SECONDS = 10.0
"""For each answer of the server."""

STARTTLS, TLS = "smtp+starttls", "smtps"
"""Schemes of a mail server: encrypted before anything is said, or from the first byte; any other is never."""


class MailOutcome(Outcome, frozen=True):
    is_final: bool = False
    """Whether the server will never take this letter: no other try makes sense."""
    reason: str = ""
    """What failed, in a word for metrics: `docs/mail.md` lists them."""


class NoEncryption(smtplib.SMTPException):
    """The server does not offer the encryption that is set up: nothing is told to it."""


class NoSignIn(smtplib.SMTPException):
    """The server offers no way to sign in that we know."""


class Sends(Protocol):
    def send(self, message: EmailMessage) -> MailOutcome: ...


class SmtpSender:
    """Safe between threads."""

    def __init__(
        self, server: MailServer, password: str = "", *, tls: ssl.SSLContext | None = None, seconds: float = SECONDS
    ) -> None:
        self._server, self._password, self._seconds = server, password, seconds
        self._given_tls = tls

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        """Made when it is needed first: to read the certificates of the system takes longer than a request."""
        return self._given_tls or ssl.create_default_context()

    def send(self, message: EmailMessage) -> MailOutcome:
        """The outcome of one try; every failure on the way is one, too."""
        began = time.monotonic()
        outcome = self._outcome(message)
        return replace(outcome, milliseconds=round((time.monotonic() - began) * 1000))

    def _outcome(self, message: EmailMessage) -> MailOutcome:
        try:
            with self._connected() as smtp:
                smtp.send_message(message)
            return MailOutcome(250)
        except smtplib.SMTPRecipientsRefused as refused:
            [(status, _)] = refused.recipients.values()
            return _refused(status, "address", say("the mail server does not take mail for this address"))
        except smtplib.SMTPDataError as refused:
            return _refused(refused.smtp_code, "letter", say("the mail server does not take this letter"))
        except (OSError, smtplib.SMTPException) as error:
            # Of the connection, the sign-in or the sender: the operator can mend that.
            reason, why = _failure(error)
            answered = error.smtp_code if isinstance(error, smtplib.SMTPResponseException) else None
            return MailOutcome(answered, why, reason=reason)

    def _connected(self) -> smtplib.SMTP:
        server = self._server
        if server.scheme == TLS:
            smtp: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=self._seconds, context=self._tls)
        else:
            smtp = smtplib.SMTP(server.host, server.port, timeout=self._seconds)
        try:
            if server.scheme == STARTTLS:
                self._encrypt(smtp)
            if server.user:
                self._sign_in(smtp)
        except BaseException:
            smtp.close()
            raise
        return smtp

    def _encrypt(self, smtp: smtplib.SMTP) -> None:
        smtp.ehlo_or_helo_if_needed()
        if not smtp.has_extn("starttls"):
            raise NoEncryption
        smtp.starttls(context=self._tls)

    def _sign_in(self, smtp: smtplib.SMTP) -> None:
        smtp.ehlo_or_helo_if_needed()
        if not smtp.has_extn("auth"):
            raise NoSignIn
        smtp.login(self._server.user, self._password)


def _refused(status: int, reason: str, why: Text) -> MailOutcome:
    return MailOutcome(status, why, is_final=status >= 500, reason=reason)


def _failure(error: Exception) -> tuple[str, Text]:
    """Never the words of the server: they may name the address."""
    match error:
        case TimeoutError():
            return "slow", say("the mail server did not answer in time")
        case ssl.SSLCertVerificationError():
            return "certificate", say("the certificate of the mail server is not trusted")
        case ssl.SSLError():
            return "encryption", say("no secure connection to the mail server could be made")
        case NoEncryption():
            return "encryption", say("the mail server does not offer the encryption that is set up (STARTTLS)")
        case NoSignIn():
            return "sign_in", say("the mail server does not let anybody sign in")
        case smtplib.SMTPAuthenticationError():
            return "sign_in", say("the mail server does not take the user or the password that is set up")
        case ConnectionRefusedError():
            return "away", say("the mail server refused the connection")
        case smtplib.SMTPServerDisconnected() | ConnectionError():
            return "away", say("the mail server broke the connection")
        case smtplib.SMTPResponseException():
            return "refused", say("the mail server refuses to work for us")
        case smtplib.SMTPException():
            return "refused", say("the mail server cannot do what is set up")
    return "away", say("the mail server cannot be reached")
