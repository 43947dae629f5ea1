"""Every page in a language without Latin letters, over the catalogue that a translator would make."""

import pytest

from service.app import create_app
from service.settings import Settings
from tests.catalogues import install_foreign
from tests.markup import words
from tests.rules.foreign import latin


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    return create_app(Settings(locale=install_foreign(tmp_path_factory.mktemp("locale"))))


@pytest.fixture
def client(app):
    return app.test_client()


def pages(app) -> dict[str, str]:
    """Every page that can be asked for without an id, in the foreign language."""
    paths = [rule.rule for rule in app.url_map.iter_rules() if "GET" in rule.methods and not rule.arguments]
    answers = {path: app.test_client().get(path, headers={"Accept-Language": "ru"}) for path in paths}
    return {path: answer.text for path, answer in answers.items() if answer.mimetype == "text/html"}


def test_no_page_has_a_sentence_in_latin_letters(app):
    found = pages(app)
    assert set(found) >= {"/", "/docs", "/sign-in", "/sign-up"}
    for path, page in found.items():
        assert words(page), path
        assert [text for text in words(page) if latin(text)] == [], path


def test_names_and_code_stay_as_they_are(client):
    page = client.get("/", headers={"Accept-Language": "ru"}).text
    assert ">Hidalgo</span></a>" in page


@pytest.mark.parametrize("path", ["/", "/docs", "/sign-in", "/nowhere"])
@pytest.mark.parametrize(("header", "language"), [("ru", "ru"), ("ru-RU, en;q=0.5", "ru"), ("nl", "en"), ("", "en")])
def test_a_page_says_in_which_language_it_is_and_that_this_was_a_choice(client, path, header, language):
    answer = client.get(path, headers={"Accept-Language": header, "Accept": "text/html"})
    assert f'<html lang="{language}"' in answer.text
    assert answer.headers.get("Content-Language", "en") == language
    assert "Accept-Language" in answer.headers["Vary"]
