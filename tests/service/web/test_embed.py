"""Games on pages of other sites: frames, oEmbed, previews; and downloads."""

import random
from io import BytesIO
from urllib.parse import quote

import pytest
from PIL import Image, ImageSequence

from events.store import open_store
from events.table.commands import Join, Start
from service.app import create_app
from service.games import moving_pictures
from service.http.authentication import COOKIE
from service.settings import Settings
from tests.events.played import play_on

HOST = "http://localhost"


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    store, close = open_store(None, tmp_path_factory.mktemp("store"))
    app = create_app(Settings(store_url=store.url))
    yield app
    app.services.close()
    close()


def game_of(app, moves=None, **agreed) -> str:
    games = app.services.games
    game = games.create("el_grande", 2, {"game_length": "short"}, owner="a_1", **agreed).id
    for account in ("a_1", "a_2"):
        games.submit(game, Join(account, invited=True))
    games.submit(game, Start("a_1"))
    play_on(games, game, random.Random(3).randrange, moves)
    return str(game)


@pytest.fixture(scope="module")
def over(app) -> str:
    return game_of(app)


@pytest.fixture(scope="module")
def under_way(app) -> str:
    return game_of(app, moves=20)


def oembed(app, address, **query):
    return app.test_client().get("/oembed", query_string={"url": address, **query})


def test_any_site_may_frame_the_embed_and_nothing_else(app, over):
    client = app.test_client()
    framed, whole = client.get(f"/games/{over}/embed?step=9"), client.get(f"/games/{over}/replay")
    assert "frame-ancestors *" in framed.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in framed.headers
    assert "frame-ancestors 'none'" in whole.headers["Content-Security-Policy"]
    assert whole.headers["X-Frame-Options"] == "DENY"
    assert "Set-Cookie" not in framed.headers
    assert 'data-step="9"' in framed.text


def test_a_path_that_only_looks_like_an_embed_is_not_framed(app, over):
    for path in (f"/games/{over}/embed/", f"/games/{over}/x/embed", "/account/embed"):
        assert "frame-ancestors 'none'" in app.test_client().get(path).headers["Content-Security-Policy"], path


def test_an_embed_of_a_running_game_shows_what_the_public_sees(app, under_way):
    client = app.test_client()
    text = client.get(f"/games/{under_way}/embed").text
    assert 'data-viewer="spectator"' in text
    assert 'data-key="castillo/' not in text
    assert client.get(f"/games/{under_way}/embed?as=red").status_code == 403
    assert client.get(f"/games/{under_way}/card.png?as=everything").status_code == 409


def test_nobody_is_signed_in_in_a_frame(app):
    """Its owner sees a private game on our own page, and in no frame."""
    account = app.services.accounts.register("framed", "un secreto muy largo").id
    game = app.services.games.create("el_grande", 2, owner=account, visibility="private").id
    client = app.test_client()
    client.set_cookie(COOKIE, app.services.accounts.sessions.sign_in("framed", "un secreto muy largo").secret)
    assert client.get(f"/games/{game}/replay").status_code == 200
    for path in ("embed", "card.png"):
        assert client.get(f"/games/{game}/{path}").status_code == 404
    assert oembed(app, f"{HOST}/games/{game}/replay").status_code == 404


def test_oembed_tells_how_a_game_is_framed(app, over):
    told = oembed(app, f"{HOST}/games/{over}/replay?step=12&as=red", maxwidth=400, maxheight=90).get_json()
    assert told["type"] == "rich"
    assert (told["width"], told["height"]) == (400, 300)
    assert f'src="{HOST}/games/{over}/embed?step=12&amp;as=red"' in told["html"]
    assert told["thumbnail_url"].startswith(f"{HOST}/games/{over}/card.png")


@pytest.mark.parametrize(
    "address",
    [
        "",
        "x",
        "javascript:alert(1)",
        "http://elsewhere.example/games/x/replay",
        f"{HOST}/",
        f"{HOST}/games/none/replay",
    ],
)
def test_other_addresses_are_not_ours_to_embed(app, address):
    assert oembed(app, address).status_code == 404


def test_what_an_address_says_cannot_become_markup(app, over):
    hostile = quote('1"><script>')
    told = oembed(app, f"{HOST}/games/{over}/replay?step={hostile}").get_json()
    assert "<script>" not in told["html"]


def test_only_json_is_known(app, over):
    assert oembed(app, f"{HOST}/games/{over}/replay", format="xml").status_code == 501


def test_a_page_names_its_preview_and_its_embed(app, over):
    text = app.test_client().get(f"/games/{over}/replay?step=12").text
    assert f'<meta property="og:image" content="{HOST}/games/{over}/card.png?step=12">' in text
    assert 'name="twitter:card" content="summary_large_image"' in text
    assert 'type="application/json+oembed"' in text


def test_the_preview_is_a_picture_of_the_size_that_sites_show(app, over):
    answer = app.test_client().get(f"/games/{over}/card.png?step=30")
    assert answer.content_type == "image/png"
    assert Image.open(BytesIO(answer.data)).size == (1200, 630)
    again = app.test_client().get(f"/games/{over}/card.png?step=30", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    assert all("Accept-Language" in each.headers["Vary"] for each in (answer, again))


def test_the_story_can_be_taken_along(app, over):
    answer = app.test_client().get(f"/games/{over}/story.txt?as=spectator")
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert "Round " in answer.text
    assert "the game is over" in answer.text


def test_a_round_is_a_picture_that_moves(app, over):
    answer = app.test_client().get(f"/games/{over}/round.gif?step=4")
    with Image.open(BytesIO(answer.data)) as moving:
        assert (moving.format, moving.size[0]) == ("GIF", moving_pictures.WIDTH)
        shown = sum(frame.info["duration"] for frame in ImageSequence.Iterator(moving))
    assert shown > 3 * moving_pictures.MILLISECONDS  # equal positions are one frame that is seen longer


def test_a_round_that_is_too_long_says_so(app, over, monkeypatch):
    monkeypatch.setattr(moving_pictures, "MOST_FRAMES", 2)
    answer = app.test_client().get(f"/games/{over}/round.gif?step=9", headers={"Accept": "application/json"})
    assert answer.status_code == 422
