"""What is kept of a request with a key."""

from service.accounts.answers import keyed_request
from service.accounts.credentials import TOKEN, new_secret


def test_what_is_kept_of_a_request_tells_nothing_without_its_token():
    """The same key and the same request of two tokens have nothing in common, or both could be guessed."""
    first, second = (keyed_request(new_secret(TOKEN, "a_" + "x" * 16), "k", b"POST /games", b"{}") for _ in "ab")
    assert first
    assert second
    assert first.account == second.account
    assert (first.name == second.name, first.fingerprint == second.fingerprint) == (False, False)
