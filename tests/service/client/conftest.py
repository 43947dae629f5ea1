import json

import pytest

from service.client.connection import Connection
from tests.running import running
from tests.service.client.tables import HIDALGO
from tests.service.described import Description


@pytest.fixture(scope="session")
def service(tmp_path_factory):
    """A service as its users start it."""
    with running([HIDALGO, "serve"], cwd=tmp_path_factory.mktemp("service")) as service:
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
