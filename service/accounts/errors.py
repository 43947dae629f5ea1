"""Refusals of accounts. The text is for people; `code` is for programs."""

from events.errors import Declined
from rules.texts import say


class Unfit(Declined):
    """Not a handle, password, name or scope at all."""

    code = "invalid"


class HandleTaken(Declined):
    code = "handle_taken"


class SignInFailed(Declined):
    """Never says whether the handle or the password was wrong."""

    code = "unauthorized"

    def __init__(self) -> None:
        super().__init__(say("no account has this handle and this password"))


class WrongPassword(Declined):
    """The account is signed in, but must show its password again."""

    code = "wrong_password"


class NotAGuest(Declined):
    code = "not_a_guest"


class StillAGuest(Declined):
    """Only for accounts with a password."""

    code = "still_a_guest"


class NoSuchAccount(Declined):
    code = "not_found"


class NoSuchToken(Declined):
    code = "not_found"


class TooManyTokens(Declined):
    code = "too_many_tokens"


class AnotherToken(Declined):
    """One name was given to two requests for a token."""

    code = "key_reused"


class ScopeNotHeld(Declined):
    """A token cannot have more scopes than the identity that makes it."""

    code = "scope_not_held"


class NoSuchApp(Declined):
    code = "not_found"


class TooManyApps(Declined):
    code = "too_many_apps"


class AnotherApp(Declined):
    """One name was given to two requests for an app."""

    code = "key_reused"
