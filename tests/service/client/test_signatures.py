"""A receiver believes requests that were signed with its secret just now, by any library, and no others."""

from base64 import b64encode
from datetime import UTC, datetime
from time import time

import pytest
from standardwebhooks import Webhook

from service.client import verify_signature

SECRET, OTHER = (f"whsec_{b64encode(bytes([first]) * 32).decode()}" for first in b"ab")


def signed(body: bytes, at: int, *keys: str | bytes, message_id: str = "w_1.7") -> dict[str, str]:
    """The headers of a request as the reference library signs it."""
    when = datetime.fromtimestamp(at, tz=UTC)
    signatures = [Webhook(key).sign(message_id, when, body.decode()) for key in keys or (SECRET,)]
    return {"Webhook-Id": message_id, "Webhook-Timestamp": str(at), "Webhook-Signature": " ".join(signatures)}


def test_a_request_that_was_signed_just_now_is_believed():
    now = int(time())
    assert verify_signature(SECRET, signed(b"{}", now), b"{}")
    assert verify_signature(SECRET, signed('{"a":"ñ"}'.encode(), now), '{"a":"ñ"}'.encode())


def test_one_of_several_signatures_is_enough():
    now = int(time())
    headers = signed(b"{}", now, OTHER, SECRET)
    assert verify_signature(SECRET, headers, b"{}")
    assert verify_signature(OTHER, headers, b"{}")
    others = {**headers, "Webhook-Signature": "v1a,abc v2,abc x " + headers["Webhook-Signature"]}
    assert verify_signature(SECRET, others, b"{}")


def test_a_secret_from_before_standard_webhooks_is_a_key_as_it_is():
    now = int(time())
    assert verify_signature("hdw_secret", signed(b"{}", now, b"hdw_secret"), b"{}")
    assert not verify_signature("hdw_other", signed(b"{}", now, b"hdw_secret"), b"{}")


def test_an_old_request_and_one_from_the_future_are_not_believed():
    at = 1_800_000_000
    headers = signed(b"{}", at)
    assert verify_signature(SECRET, headers, b"{}", now=at + 300)
    assert not verify_signature(SECRET, headers, b"{}", now=at + 301)
    assert not verify_signature(SECRET, headers, b"{}", now=at - 301)
    assert verify_signature(SECRET, headers, b"{}", now=at + 301, tolerance=400)


def test_a_changed_request_is_not_believed():
    now = int(time())
    headers = signed(b"{}", now)
    assert not verify_signature(SECRET, headers, b"{ }")
    assert not verify_signature(OTHER, headers, b"{}")
    assert not verify_signature(SECRET, {**headers, "Webhook-Timestamp": str(now + 1)}, b"{}")
    assert not verify_signature(SECRET, {**headers, "Webhook-Id": "w_1.8"}, b"{}")


def test_the_number_in_an_id_cannot_be_passed_off_as_the_time():
    """The signed text is the same; but a number of a delivery is no time of these days."""
    now = int(time())
    headers = signed(b"{}", now) | {"Webhook-Id": "w_1", "Webhook-Timestamp": "7"}
    body = f"{now}.{{}}".encode()
    assert verify_signature(SECRET, headers, body, now=7)
    assert not verify_signature(SECRET, headers, body)


@pytest.mark.parametrize("name", ["Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"])
@pytest.mark.parametrize("value", [None, "", " ", "x y", "ñ", "\ud800", "1e9", "-1", "v1", "v1,", "1" * 13])
def test_broken_headers_are_not_believed(name, value):
    headers = signed(b"{}", 1)
    assert verify_signature(SECRET, headers, b"{}", now=1)
    broken = {key: text for key, text in headers.items() if key != name}
    assert not verify_signature(SECRET, broken if value is None else broken | {name: value}, b"{}", now=1)


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_ñ", "whsec_a", "whsec_!!!!"])
def test_a_secret_that_is_none_is_an_error(secret):
    with pytest.raises(ValueError, match="not the secret of a webhook"):
        verify_signature(secret, signed(b"{}", 1), b"{}", now=1)
