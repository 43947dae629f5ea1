"""Signatures of deliveries follow Standard Webhooks: its reference library believes them."""

from base64 import b64decode
from time import time

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from service.notifications.signing import headers, new_secret, sign


def test_the_vector_of_the_reference_libraries():
    secret, message_id = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek"
    signature = sign(secret, message_id, 1614265330, b'{"test": 2432232314}')
    assert signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_secret_has_the_form_and_the_size_that_the_standard_demands():
    secrets = [new_secret() for _ in range(100)]
    assert len(set(secrets)) == 100
    for secret in secrets:
        assert secret.startswith("whsec_")
        assert 24 <= len(b64decode(secret.removeprefix("whsec_"), validate=True)) <= 64


@pytest.mark.parametrize(
    "body", [b"{}", '{"text":"ñ 🏰"}'.encode(), b'{"a":"b.c"}'], ids=["empty", "not ASCII", "dots"]
)
def test_the_reference_library_believes_each_of_several_signatures(body):
    first, second, other = new_secret(), new_secret(), new_secret()
    sent = headers([first, second], "w_1.7", int(time()), body)
    Webhook(first).verify(body, sent)
    Webhook(second).verify(body, sent)
    with pytest.raises(WebhookVerificationError, match="No matching signature"):
        Webhook(other).verify(body, sent)


def test_the_headers_are_those_of_the_standard():
    sent = headers([new_secret(), "hdw_secret"], "w_1.7", 1794835212, b"{}")
    assert list(sent) == ["webhook-id", "webhook-timestamp", "webhook-signature"]
    assert (sent["webhook-id"], sent["webhook-timestamp"]) == ("w_1.7", "1794835212")
    assert [each[:3] for each in sent["webhook-signature"].split(" ")] == ["v1,", "v1,"]
