"""The request of one try: signed, to the address that was checked, and no longer than it may take."""

import shutil
import ssl
import subprocess
from time import monotonic

import pytest
from standardwebhooks import Webhook as StandardWebhook
from standardwebhooks import WebhookVerificationError

from service.client import verify_signature
from service.notifications.mailboxes import Webhook
from service.notifications.receiver_addresses import AddressPolicy
from service.notifications.sender import Sender
from service.notifications.signing import new_secret
from tests.service.notifications.harness import LOOPBACK
from tests.service.notifications.receiver import CLOSE, HANG, REDIRECT, TRICKLE, receiver

SECRET, FORMER = new_secret(), new_secret()


def hook(url: str, **more) -> Webhook:
    return Webhook("w_1", url, ("your_turn",), **{"secret": SECRET, "created_at": 0, **more})


def send(url: str, sender: Sender | None = None, **more):
    return (sender or Sender(AddressPolicy(LOOPBACK), seconds=1)).send(hook(url, **more), "w_1.7", '{"a":"ñ"}')


def test_a_request_has_its_id_and_a_signature(bot):
    assert send(bot.url + "/hook?key=1").has_arrived
    [got] = bot.got
    assert (got.path, got.body) == ("/hook?key=1", '{"a":"ñ"}'.encode())
    assert (got.delivery, got.headers["Host"]) == ("w_1.7", bot.url.removeprefix("http://"))
    assert StandardWebhook(SECRET).verify(got.body, got.headers) == {"a": "ñ"}


def test_a_former_secret_signs_too_for_a_while(bot):
    send(bot.url, former_secret=FORMER, former_until=10**15)
    send(bot.url, former_secret=FORMER, former_until=1)
    both, one = bot.got
    for secret in (SECRET, FORMER):
        assert StandardWebhook(secret).verify(both.body, both.headers)
    assert StandardWebhook(SECRET).verify(one.body, one.headers)
    with pytest.raises(WebhookVerificationError, match="No matching signature"):
        StandardWebhook(FORMER).verify(one.body, one.headers)


def test_a_secret_from_before_standard_webhooks_signs_as_it_is_and_beside_its_successor(bot):
    send(bot.url, secret="hdw_secret")
    send(bot.url, former_secret="hdw_secret", former_until=10**15)
    for got in bot.got:
        assert StandardWebhook(b"hdw_secret").verify(got.body, got.headers)
        assert verify_signature("hdw_secret", got.headers, got.body)
    assert StandardWebhook(SECRET).verify(bot.got[1].body, bot.got[1].headers)


@pytest.mark.parametrize(
    ("behaviour", "status", "why"),
    [
        (500, 500, "the receiver answered 500"),
        (404, 404, "the receiver answered 404"),
        (REDIRECT, 307, "the receiver answered 307: redirects are not followed"),
        (HANG, None, "did not answer in time"),
        (TRICKLE, None, "did not answer in time"),
        (CLOSE, None, "broke the connection"),
    ],
    ids=["broken", "nowhere", "redirects", "hangs", "trickles", "closes"],
)
def test_the_outcome_tells_how_a_receiver_failed(behaviour, status, why):
    with receiver(lambda _: behaviour) as failing:
        outcome = send(failing.url)
        assert (outcome.status, outcome.has_arrived) == (status, False)
        assert why in str(outcome.why)
        assert [got.path for got in failing.got] == ["/"]


def test_the_outcome_tells_that_a_receiver_is_not_there(bot):
    url = bot.url.rpartition(":")[0] + ":1"
    assert str(send(url).why) == "the receiver refused the connection"


def test_no_receiver_holds_a_try_longer_than_it_may_take():
    with receiver(lambda _: TRICKLE) as slow:
        began = monotonic()
        send(slow.url, Sender(AddressPolicy(LOOPBACK), seconds=0.2))
        assert monotonic() - began < 20, "a hanging receiver must not hold a delivery worker"


def test_the_name_is_resolved_once_and_the_checked_address_used(bot):
    """A name that is public when it is checked, and private a moment later, leads to the public one."""
    answers = iter([["127.0.0.1"], ["127.0.0.2"], ["127.0.0.3"]])
    asked: list[str] = []

    def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        return next(answers)

    port = bot.url.rpartition(":")[2]
    outcome = send(f"http://rebinding.example:{port}/", Sender(AddressPolicy(LOOPBACK, resolve)))
    assert outcome.has_arrived
    assert asked == ["rebinding.example"]
    assert bot.got[0].headers["Host"] == f"rebinding.example:{port}"


def test_a_name_that_has_become_private_is_refused_before_a_request_is_sent(bot):
    outcome = send(
        bot.url.replace("http://127.0.0.1", "https://bot.example"), Sender(AddressPolicy((), lambda *_: ["127.0.0.1"]))
    )
    assert str(outcome.why) == "the address of the receiver is not a public one"
    assert bot.got == []


def test_proxies_of_the_environment_are_not_used(bot, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert send(bot.url).has_arrived


# Over TLS


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """For the name bot.example, signed by itself."""
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed")
    place = tmp_path_factory.mktemp("certificate")
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=bot.example"
    files = ["-keyout", str(place / "key.pem"), "-out", str(place / "cert.pem")]
    subprocess.run(
        ["openssl", *words.split(), "-addext", "subjectAltName=DNS:bot.example", *files],
        check=True,
        capture_output=True,
    )
    return place


@pytest.fixture
def secure_bot(certificate):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
    with receiver(tls=context) as receiving:
        yield receiving


def secure_send(bot, certificate, name: str):
    trusting = ssl.create_default_context(cafile=str(certificate / "cert.pem"))
    sender = Sender(AddressPolicy(LOOPBACK, lambda *_: ["127.0.0.1"]), tls=trusting)
    return send(bot.url.replace("127.0.0.1", name), sender)


def test_the_certificate_is_held_against_the_name_not_the_address(secure_bot, certificate):
    assert secure_send(secure_bot, certificate, "bot.example").has_arrived
    outcome = secure_send(secure_bot, certificate, "other.example")
    assert str(outcome.why) == "the receiver's certificate is not valid for its name"
    assert len(secure_bot.got) == 1


def test_a_certificate_of_an_unknown_authority_is_refused(secure_bot):
    sender = Sender(AddressPolicy(LOOPBACK, lambda *_: ["127.0.0.1"]))
    assert "certificate" in str(send(secure_bot.url.replace("127.0.0.1", "bot.example"), sender).why)
    assert secure_bot.got == []
