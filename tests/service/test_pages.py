import re

import pytest

from service import create_app


@pytest.fixture
def client():
    return create_app().test_client()


def test_every_link_of_the_front_page_leads_somewhere(client):
    page = client.get("/").text
    links = re.findall(r'href="(/[^"]*)"', page)
    assert links
    assert [client.get(link).status_code for link in links] == [200] * len(links)
