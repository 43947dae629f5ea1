"""A game from its file: told, not kept; hostile files are inert."""

from io import BytesIO

import pytest
from msgspec.structs import replace

from events.audit.export import export
from events.store import open_store
from events.table.commands import Join, Start
from rules.el_grande.facts import CaballerosPlaced
from service.app import create_app
from service.settings import Settings
from service.web.file_replay import MOST_BYTES
from tests.events.forging import rewritten
from tests.events.played import finished, running, tables


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    store, close = open_store(None, tmp_path_factory.mktemp("store"))
    app = create_app(Settings(store_url=store.url))
    yield app
    app.services.close()
    close()


@pytest.fixture(scope="module")
def file() -> bytes:
    return exported(*finished(2))


def exported(games, game, viewer="everything") -> bytes:
    return export(games, game, viewer)


def dropped(app, file: bytes):
    return app.test_client().post("/replay", data={"file": (BytesIO(file), "game.json")})


def test_a_file_is_replayed_and_kept_nowhere(app, file):
    answer = dropped(app, file)
    assert answer.status_code == 200
    assert 'data-key="king"' in answer.text
    assert "no-store" in answer.headers["Cache-Control"]
    assert app.test_client().get("/api/v1/games").get_json()["games"] == []


def test_steps_are_told_as_any_viewer_of_a_finished_game_saw_them(app, file):
    client = app.test_client()
    steps = client.post("/replay/told?viewer=red", data=file).get_json()["steps"]
    assert [step["version"] for step in steps] == list(range(1, len(steps) + 1))
    assert client.post("/replay/told?viewer=red&version=9", data=file).get_json()["words"]
    assert client.post("/replay/told?viewer=red&version=99999", data=file).status_code == 400


def test_a_file_of_a_running_game_is_seen_by_its_viewer_alone(app):
    file = exported(*running(3), "red")
    assert dropped(app, file).status_code == 200
    assert app.test_client().post("/replay/told?viewer=blue", data=file).status_code == 400


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"{}",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b'{"commits":[]}',
        b"null",
        b"<script>alert(1)</script>",
    ],
    ids=["empty", "object", "no text", "deep", "deep objects", "no commits", "null", "markup"],
)
def test_what_is_no_game_is_refused_with_a_clear_word(app, broken):
    answer = dropped(app, broken)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert "<script>alert" not in answer.text
    assert app.test_client().post("/replay/told", data=broken).status_code in (400, 422)


def test_a_changed_file_names_its_bad_commit(app, file):
    at = file.index(b'"at":', len(file) // 2)
    changed = file[: at + 5] + b"9" + file[at + 6 :]
    assert "commit " in dropped(app, changed).text


def test_a_file_that_is_too_large_is_refused_unread(app):
    client, large = app.test_client(), b"x" * (MOST_BYTES + 20_000)
    assert client.post("/replay/told", data=large).status_code == 413
    form = client.post("/replay", data=large, content_type="multipart/form-data; boundary=x")
    assert (form.status_code, 'role="alert"' in form.text) == (422, True)


def test_no_file_at_all_is_refused(app):
    assert app.test_client().post("/replay", data={}).status_code == 422


def test_hostile_words_of_a_genuine_file_are_inert(app):
    games = tables()
    hostile = "</script><img src=x onerror=alert(1)>"
    game = games.create("el_grande", 2, owner=hostile).id
    for account in (hostile, "b"):
        games.submit(game, Join(account))
    games.submit(game, Start(hostile))
    answer = dropped(app, exported(games, game, "spectator"))
    assert answer.status_code == 200
    assert "<img src=x" not in answer.text


@pytest.mark.parametrize("change", [{"player": "nobody"}, {"space": "nowhere"}, {"count": 99}], ids=str)
def test_a_file_that_was_made_up_with_hashes_that_fit_is_refused(app, change):
    """Somebody places, but is not there, or too many, or nowhere."""

    def made_up(pages):
        at = next(
            at for at, (_, facts) in enumerate(pages) if any(isinstance(fact, CaballerosPlaced) for fact in facts)
        )
        header, facts = pages[at]
        changed = [replace(fact, **change) if isinstance(fact, CaballerosPlaced) else fact for fact in facts]
        return [*pages[:at], (header, changed), *pages[at + 1 :]]

    forged = rewritten(*finished(2), made_up)
    answer = dropped(app, forged)
    assert (answer.status_code, 'role="alert"' in answer.text) == (422, True)
    assert app.test_client().post("/replay/told", data=forged).status_code == 422
