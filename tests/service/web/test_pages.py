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
