"""Encrypted mail to a real server: certificates are checked, passwords go nowhere else, and nothing is lost."""

import shutil
import subprocess
from contextlib import contextmanager
from dataclasses import replace

import pytest
from prometheus_client import REGISTRY

from service.settings import MailServer
from tests.service.notifications.mail_server import Security, mail_server
from tests.service.notifications.test_mail import Post

PASSWORD = "tizona & colada"
SCHEMES = {"starttls": "smtp+starttls", "tls": "smtps", "": "smtp"}
ADDRESS = "ana@people.example"


@pytest.fixture(scope="module")
def certified(tmp_path_factory) -> Security:
    """A certificate for this machine, which its own file vouches for."""
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("certificate")
    files = ["-keyout", folder / "key.pem", "-out", folder / "certificate.pem"]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    subprocess.run(["openssl", "req", "-x509", *kind, *files, *names], check=True, capture_output=True)
    return Security("tls", str(folder / "certificate.pem"), str(folder / "key.pem"), PASSWORD)


@pytest.fixture
def posting(running_stores, monkeypatch):
    """A service that trusts this certificate, and reaches such a server by this name."""

    @contextmanager
    def opened(security: Security, scheme: str, trusted: str, password: str = PASSWORD, host: str = "localhost"):
        monkeypatch.setenv("SSL_CERT_FILE", trusted)
        with mail_server(security) as server, running_stores.opened("embedded") as store:
            named = MailServer(scheme, host, server.port, "hidalgo")
            post = Post(store, server, mail_server=named, mail_password=password)
            yield post
            post.close()

    return opened


def asked(post: Post) -> str:
    """An account whose address gets a letter, or does not."""
    account = post.accounts.make_guest().id
    post.ask(account, ADDRESS, "turn")
    return account


def failures(reason: str) -> float:
    return REGISTRY.get_sample_value("hidalgo_mail_failures_total", {"reason": reason}) or 0


@pytest.mark.parametrize("encryption", ["starttls", "tls"])
def test_letters_go_to_a_server_that_is_trusted_after_signing_in(posting, certified, encryption):
    secure = replace(certified, encryption=encryption)
    with posting(secure, SCHEMES[encryption], certified.certificate) as post:
        asked(post)
        post.until(lambda: post.server.letters_to(ADDRESS))
        assert post.server.told == [f"hidalgo {PASSWORD}"]


NOT_TRUSTED = "the certificate of the mail server is not trusted"
NOT_ENCRYPTED = "no secure connection to the mail server could be made"
NOT_OFFERED = "the mail server does not offer the encryption that is set up (STARTTLS)"
NO_SIGN_IN = "the mail server does not let anybody sign in"
WRONG_PASSWORD = "the mail server does not take the user or the password that is set up"


@pytest.mark.parametrize(
    ("server", "how", "reason", "sentence"),
    [
        ({"encryption": "starttls"}, {"trusted": ""}, "certificate", NOT_TRUSTED),
        ({"encryption": "tls"}, {"trusted": ""}, "certificate", NOT_TRUSTED),
        ({"encryption": "tls"}, {"host": "127.0.0.1"}, "certificate", NOT_TRUSTED),
        ({"encryption": ""}, {"scheme": "smtp+starttls"}, "encryption", NOT_OFFERED),
        ({"encryption": ""}, {"scheme": "smtps"}, "encryption", NOT_ENCRYPTED),
        ({"encryption": "tls", "password": ""}, {}, "sign_in", NO_SIGN_IN),
    ],
    ids=["nobody vouches, starttls", "nobody vouches, tls", "another name", "no starttls", "no tls", "no sign-in"],
)
def test_no_password_and_no_letter_goes_to_a_server_that_is_not_as_set_up(
    posting, certified, tmp_path, caplog, server, how, reason, sentence
):
    """The letter waits, the reason is told to the account, in the log and in the metrics; then all is mended."""
    security, before = replace(certified, **server), failures(reason)
    scheme = how.get("scheme") or SCHEMES[security.encryption]
    (tmp_path / "nobody.pem").write_text("")
    trusted = str(tmp_path / "nobody.pem") if "trusted" in how else certified.certificate
    with posting(security, scheme, trusted, host=how.get("host", "localhost")) as post:
        account = asked(post)
        post.until(lambda: post.mail.look(account)["waiting"][0]["attempts"] >= 2)
        [letter] = post.mail.look(account)["waiting"]
        assert (letter["error"], post.server.told, post.server.taken) == (sentence, [], [])
        assert failures(reason) >= before + 2
        logged = [record.fields for record in caplog.records if record.message == "mail"]
        assert (logged[0]["reason"], logged[0]["why"]) == (reason, sentence)
        assert ADDRESS not in caplog.text
        post.mended(MailServer("smtp", "127.0.0.1", post.server.port), replace(security, encryption="", password=""))
        post.until(lambda: post.server.letters_to(ADDRESS))
        post.until(lambda: not post.mail.look(account)["waiting"])


def test_a_wrong_password_loses_nothing(posting, certified, caplog):
    before = failures("sign_in")
    with posting(certified, "smtps", certified.certificate, password="babieca") as post:
        account = asked(post)
        post.until(lambda: post.mail.look(account)["waiting"][0]["attempts"] >= 1)
        [letter] = post.mail.look(account)["waiting"]
        assert (letter["status"], letter["error"]) == (535, WRONG_PASSWORD)
        assert post.server.taken == []
        assert failures("sign_in") > before
        assert "babieca" not in caplog.text
        post.mended(MailServer("smtps", "localhost", post.server.port, "hidalgo"), certified, PASSWORD)
        post.until(lambda: post.server.letters_to(ADDRESS))
