"""What the interface says, in a language without Latin letters and without knowing how to count."""

import json

import pytest

from service.settings import Settings
from tests.catalogues import install_foreign
from tests.rules.foreign import latin
from tests.service.api.asking import asked, begun
from tests.service.notifications.harness import LOOPBACK, Harness

RUSSIAN = {"Accept_Language": "ru"}
SEATS = {"red", "blue"}
"""Texts for programs call seats by their ids."""


@pytest.fixture(scope="module")
def locale(tmp_path_factory):
    return install_foreign(tmp_path_factory.mktemp("locale"))


@pytest.fixture
def settings(locale) -> Settings:
    return Settings(locale=locale, keep_alive=0.2, webhooks_to=LOOPBACK)


@pytest.fixture
def game(ana, ben) -> str:
    return begun(ana, ben)


def is_foreign(text: str) -> bool:
    return "ж" in text and latin(text) <= SEATS


def test_questions_and_moves_are_told_in_the_language_of_the_request(ana, ben, game):
    person, _ = asked(game, ana, ben)
    answer = person.get(f"/games/{game}/decisions", **RUSSIAN)
    [decision] = answer.get_json()["decisions"]
    assert is_foreign(decision["text"])
    assert is_foreign(decision["schema"]["title"])
    assert answer.headers["Content-Language"] == "ru"
    moved = person.post(f"/games/{game}/moves", decision["example"], **RUSSIAN).get_json()
    assert moved["story"]
    assert all(map(is_foreign, moved["story"]))


def test_a_refusal_is_told_in_the_language_of_the_request(ana, game):
    answer = ana.post(f"/games/{game}/start", **RUSSIAN)
    assert answer.status_code == 409
    assert is_foreign(answer.get_json()["detail"])
    assert is_foreign(ana.get("/players/nobody", **RUSSIAN).get_json()["detail"].replace("nobody", "ж"))


def test_cards_say_what_they_do_in_the_language_of_the_request(anonymous):
    book = anonymous.get("/rules/el_grande", **RUSSIAN).get_json()
    for card in (*book["cards"], *book["power_cards"]):
        assert is_foreign(card["text"])
        assert is_foreign(card.get("title", "ж"))


def test_events_are_told_in_the_language_of_the_request_in_pages_and_in_lines(anonymous, game):
    page = anonymous.get(f"/games/{game}/events", **RUSSIAN).get_json()["events"]
    lines = anonymous.get(f"/games/{game}/events", Accept="application/x-ndjson", **RUSSIAN).text
    assert [json.loads(line) for line in lines.splitlines()] == page
    stories = [line for event in page for line in event["story"]]
    assert stories
    assert all(map(is_foreign, stories))


def test_each_listener_of_a_stream_hears_its_own_language(service, ana, game):
    """Of the same commits, as the same viewer: none gets bytes that were made for the other."""
    for header, heard in (("ru", True), ("en", False), ("ru", True)):
        stories = streamed(service, game, header)
        assert stories
        assert all(is_foreign(line) == heard for line in stories)


def streamed(service, game: str, header: str) -> list[str]:
    headers = {"Accept": "application/x-ndjson", "Accept-Language": header, "Last-Event-ID": "0"}
    with service.test_client().get(f"/api/v1/games/{game}/stream", headers=headers) as answer:
        versions = service.services.games.load(game).version
        stories: list[str] = []
        for line in answer.response:
            if line.strip():
                for event in map(json.loads, line.splitlines()):
                    stories += event["story"]
                    if event["version"] == versions:
                        return stories
    raise AssertionError("the stream has ended before the last version")


def test_notices_are_read_in_the_language_of_the_request(service, ana, ben, game):
    Harness(service.services.store).notify()
    notices = ana.get("/me/inbox", **RUSSIAN).get_json()["notices"]
    assert notices
    assert all(is_foreign(notice["text"]) for notice in notices)


def test_reasons_about_webhooks_are_told_in_the_language_of_the_request(ana):
    hook = ana.post("/me/webhooks", {"url": "http://127.0.0.1:1/"}).get_json()["id"]
    tested = ana.post(f"/me/webhooks/{hook}/test", {}, **RUSSIAN).get_json()
    assert is_foreign(tested["why"])
    disabled = ana.ask("PATCH", f"/me/webhooks/{hook}", json={"enabled": False}, headers={"Accept-Language": "ru"})
    assert is_foreign(disabled.get_json()["disabled_because"])


# Caches


def test_languages_of_the_same_version_have_different_etags(anonymous, game):
    english, russian = (anonymous.get(f"/games/{game}/state", Accept_Language=tag) for tag in ("en", "ru"))
    assert english.headers["ETag"] != russian.headers["ETag"]
    for known, language, status in (
        (english, "ru", 200),
        (russian, "ru", 304),
        (russian, "en", 200),
        (english, "en", 304),
    ):
        again = anonymous.get(f"/games/{game}/state", Accept_Language=language, If_None_Match=known.headers["ETag"])
        assert again.status_code == status
        assert "accept-language" in again.vary.as_set()


def test_the_etag_of_any_language_is_accepted_by_a_write(ana):
    game = ana.makes()
    seen = ana.get(f"/games/{game}", **RUSSIAN).headers["ETag"]
    assert seen == '"2.red.ru"'
    assert ana.post(f"/games/{game}/abort", If_Match=seen).status_code == 200


def test_the_next_request_is_english_again(ana, game):
    assert is_foreign(ana.post(f"/games/{game}/start", **RUSSIAN).get_json()["detail"])
    answer = ana.post(f"/games/{game}/start")
    assert not is_foreign(answer.get_json()["detail"])
    assert "Content-Language" not in answer.headers
