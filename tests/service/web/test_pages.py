import re

import pytest

from service.app import create_app
from service.settings import Settings

pytestmark = pytest.mark.parametrize("store", ["embedded"], indirect=True)


@pytest.fixture
def client(store):
    app = create_app(Settings(store_url=store.url))
    yield app.test_client()
    app.services.close()


def test_every_link_of_the_front_page_leads_somewhere(client):
    page = client.get("/").text
    links = re.findall(r'href="(/[^"]*)"', page)
    assert links
    for link in links:
        with client.get(link) as answer:
            assert answer.status_code == 200, link


def test_open_tables_and_running_games_are_on_the_front_page(client):
    page = client.get("/").text
    assert "No table waits for players." in page
    assert "No game is being played." in page
    token = {"Authorization": "Bearer " + client.post("/api/v1/guests").json["token"]}
    client.post("/api/v1/games", json={"players": 3}, headers=token)
    page = client.get("/").text
    assert "1 of 3 seats taken" in page
    assert client.get("/api/v1/me", headers=token).json["handle"] in page
    client.post("/api/v1/games", json={"players": 4, "visibility": "private"}, headers=token)
    assert "of 4 seats" not in client.get("/").text


def test_no_redirect_leads_to_the_host_that_a_client_names(client):
    seen = 0
    rules = [
        rule.rule for rule in client.application.url_map.iter_rules() if "GET" in rule.methods and not rule.arguments
    ]
    for path in {path for rule in rules for path in (rule, f"{rule}/", rule.rstrip("/"), f"{rule}/.")}:
        asked = {"PATH_INFO": path, "HTTP_HOST": "evil.example", "HTTP_ACCEPT": "text/html"}
        answer = client.open(environ_overrides=asked)
        location = answer.headers.get("Location", "/")
        assert re.match(r"/(?![/\\])", location), f"{path} leads to {location}"
        seen += "Location" in answer.headers
    assert seen > 5
