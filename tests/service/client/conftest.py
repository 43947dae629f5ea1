import json
import os

import pytest

from service.client.connection import Connection
from tests.running import running
from tests.service.client.tables import HIDALGO
from tests.service.described import Description
from tests.service.notifications.mail_server import mail_server


@pytest.fixture(scope="session")
def mails():
    """A mail server."""
    with mail_server() as server:
        yield server


@pytest.fixture(scope="session")
def service(tmp_path_factory, mails):
    """A service as its users start it, with a mail server, and with bots that think fast."""
    settings = {
        "HIDALGO_BOT_PACE": "0.02",
        "HIDALGO_MAIL_SERVER": f"smtp://127.0.0.1:{mails.port}",
        "HIDALGO_MAIL_FROM": "us@mail.example",
        "HIDALGO_PUBLIC_URL": "https://hidalgo.example",
    }
    with running([HIDALGO, "serve"], tmp_path_factory.mktemp("service"), os.environ | settings) as service:
        yield service


@pytest.fixture
def described(service, monkeypatch):
    """Whatever the service answers to a client fits its own description."""
    description = Description(json.loads(service.get("/api/v1/openapi.json")))
    exchange = Connection._exchange

    def exchange_and_check(self, method, target, body, headers):
        answer = exchange(self, method, target, body, headers)
        description.check(method, target, answer.status, answer.headers.get_content_type(), answer.body)
        return answer

    monkeypatch.setattr(Connection, "_exchange", exchange_and_check)
    return description
