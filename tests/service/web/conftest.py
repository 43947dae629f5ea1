"""An application on an empty store, with passwords that are kept in no time, and its visitors."""

from dataclasses import dataclass, replace

import pytest
from argon2 import PasswordHasher
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.accounts import Accounts
from service.accounts.passwords import Passwords
from service.services import services
from service.settings import Settings
from tests.markup import form_values
from tests.service.applications import application

PASSWORD = "tizona y colada"
BROWSER = {"Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8", "Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def settings() -> Settings:
    """Those of the service, beside its store."""
    return Settings()


@pytest.fixture
def app(running_stores, settings):
    with running_stores.opened("embedded") as store:
        quick = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        wired = replace(services(store, settings, serving=True), accounts=Accounts(store, quick, cached_for=0))
        yield application(settings, wired)
        wired.close()


@dataclass
class Visitor:
    """A browser: it fills in forms as they are in the page, and follows where it is sent."""

    client: FlaskClient

    def get(self, path: str, **headers: str) -> TestResponse:
        return self.client.get(path, headers=BROWSER | headers)

    def submit(self, page: str, action: str, **fields: str) -> TestResponse:
        """Sends the form of the page whose action begins like this."""
        path, values = form_values(self.get(page).text, action)
        return self.client.post(path, data=values | fields, headers=BROWSER)

    def sign_up(self, handle: str) -> TestResponse:
        return self.submit("/sign-up", "/sign-up", handle=handle, password=PASSWORD)

    @property
    def session(self) -> str | None:
        cookie = self.client.get_cookie("hidalgo_session")
        return cookie.value if cookie else None


@pytest.fixture
def browser(app):
    """Makes browsers, each with its own cookies."""
    return lambda: Visitor(app.test_client())


@pytest.fixture
def cid(browser) -> Visitor:
    """Signed in as El_Cid."""
    visitor: Visitor = browser()
    assert visitor.sign_up("El_Cid").status_code == 303
    return visitor
