"""Looking back over HTTP: every step as each viewer may know it, scores, scenes, pictures."""

import json
import random
from urllib.parse import urlencode
from xml.etree import ElementTree

import pytest

from service.games.pictures import palette
from tests.events.played import play_on
from tests.service.api.asking import begun, problem


@pytest.fixture
def game(ana, ben) -> str:
    return begun(ana, ben)


@pytest.fixture
def under_way(service, game) -> str:
    play_on(service.services.games, game, random.Random(1).randrange, moves=30)
    return game


@pytest.fixture
def over(service, game) -> str:
    play_on(service.services.games, game, random.Random(1).randrange)
    return game


def timeline(client, game: str, **query):
    answer = client.get(f"/games/{game}/timeline?{urlencode(query)}")
    assert answer.status_code == 200, answer.get_json()
    return answer.get_json()


def scene(client, game: str, **query):
    return client.get(f"/games/{game}/scene?{urlencode(query)}").get_json()


# Steps


def test_a_timeline_has_a_step_for_every_version_in_pages(over, anonymous):
    after: int | None = 0
    last, versions = anonymous.game(over)["version"], []
    while after is not None:
        page = timeline(anonymous, over, after=after, limit=40)
        versions += [step["version"] for step in page["steps"]]
        after = page["next"]
    assert versions == list(range(1, last + 1))


def test_all_steps_come_as_lines(over, anonymous):
    answer = anonymous.get(f"/games/{over}/timeline", Accept="application/x-ndjson")
    lines = [json.loads(line) for line in answer.data.splitlines()]
    assert [line["version"] for line in lines] == list(range(1, anonymous.game(over)["version"] + 1))
    assert lines[:100] == timeline(anonymous, over)["steps"]


@pytest.mark.parametrize("viewer", ["everything", "red", "spectator"])
def test_the_changes_of_a_timeline_add_up_to_the_scene(over, anonymous, viewer):
    sprites: dict = {}
    for step in timeline(anonymous, over, viewer=viewer, limit=250)["steps"]:
        for key in step["change"].get("gone", ()):
            del sprites[key]
        sprites |= {sprite["key"]: sprite for sprite in step["change"].get("put", ())}
    last = step["version"]
    assert sprites
    assert sprites == {
        sprite["key"]: sprite for sprite in scene(anonymous, over, viewer=viewer, version=last)["sprites"]
    }


def test_a_timeline_begins_where_it_is_asked_to(over, anonymous):
    assert timeline(anonymous, over, after=60, limit=20)["steps"] == timeline(anonymous, over, limit=80)["steps"][60:]


def test_nothing_is_told_after_the_last_version(over, anonymous):
    version = anonymous.game(over)["version"]
    assert (timeline(anonymous, over, after=version)["steps"], timeline(anonymous, over, after=10**6)["next"]) == (
        [],
        None,
    )


def test_players_go_by_their_handles(over, anonymous):
    names = {seat["seat"]: seat["player"]["handle"] for seat in anonymous.game(over)["seats"]}
    told = [line for step in timeline(anonymous, over)["steps"] for line in step["story"]]
    played = next(line for line in told if line["fact"] == "power_card_played")
    assert played["parts"][0] == {"seat": played["seat"], "name": names[played["seat"]]}
    assert played["text"].startswith(names[played["seat"]])


def test_a_client_that_has_a_timeline_is_not_sent_it_again(under_way, ana):
    first = ana.get(f"/games/{under_way}/timeline")
    again = ana.get(f"/games/{under_way}/timeline", If_None_Match=first.headers["ETag"])
    assert (again.status_code, again.data) == (304, b"")


# Viewers


@pytest.mark.parametrize("path", ["timeline", "scene", "board.svg"])
def test_while_a_game_runs_its_viewer_is_the_own_seat_or_a_spectator(under_way, ana, eve, path):
    mine = ana.game(under_way)["mine"]
    other = "blue" if mine == "red" else "red"
    assert ana.get(f"/games/{under_way}/{path}?viewer={mine}").status_code == 200
    assert problem(ana.get(f"/games/{under_way}/{path}?viewer={other}")) == (403, "forbidden")
    assert problem(eve.get(f"/games/{under_way}/{path}?viewer={mine}")) == (403, "forbidden")
    assert problem(ana.get(f"/games/{under_way}/{path}?viewer=everything")) == (409, "not_now")
    assert problem(ana.get(f"/games/{under_way}/{path}?viewer=eve")) == (400, "unreadable")


def test_a_spectator_is_shown_no_hand_and_no_castillo(under_way, anonymous, ana):
    mine = ana.game(under_way)["mine"]
    shown = {panel["seat"]: panel.get("hand") for panel in scene(ana, under_way)["panels"]}
    assert [seat for seat, hand in shown.items() if hand is not None] == [mine]
    public = scene(anonymous, under_way)
    assert all(panel.get("hand") is None for panel in public["panels"])
    assert "closed" in {sprite["key"] for sprite in public["sprites"]}
    for step in timeline(anonymous, under_way)["steps"]:
        assert not any(sprite["key"].startswith("castillo/") for sprite in step["change"].get("put", ()))


def test_after_the_end_everything_is_open(over, anonymous):
    outline = anonymous.get(f"/games/{over}/outline").get_json()
    assert outline["viewers"] == ["everything", "red", "blue", "spectator"]
    assert timeline(anonymous, over)["viewer"] == "everything"


def test_the_outline_says_through_whose_eyes_one_may_look(under_way, ana, anonymous):
    viewers = [client.get(f"/games/{under_way}/outline").get_json()["viewers"] for client in (ana, anonymous)]
    assert viewers == [[ana.game(under_way)["mine"], "spectator"], ["spectator"]]


# Outline


def test_an_outline_has_the_marks_and_scores_of_all_rounds(over, anonymous):
    outline = anonymous.get(f"/games/{over}/outline").get_json()
    assert [row["round"] for row in outline["scores"]] == [2, 3, 5, 6, 8, 9]
    assert outline["scores"][-1]["scores"] == anonymous.game(over)["scores"]
    assert [mark["number"] for mark in outline["marks"] if mark["kind"] == "scoring"] == [3, 6, 9]
    assert set(outline["thought_ms"]) == {"red", "blue"}
    assert len(outline["spaces"]) == 10


def test_a_table_that_waits_for_players_can_be_looked_at(ana):
    made = ana.post("/games", {"players": 2}).get_json()["id"]
    assert ana.get(f"/games/{made}/outline").get_json()["first"] == 0
    assert scene(ana, made)["sprites"] == []
    assert ana.get(f"/games/{made}/board.svg").status_code == 200
    assert timeline(ana, made)["steps"][0]["version"] == 1


# Scenes and pictures


def test_a_scene_is_told_in_words_too(over, anonymous):
    words = scene(anonymous, over, version=40)["words"]
    assert any(line.startswith("Aragon, worth ") for line in words)


@pytest.mark.parametrize("path", ["scene", "board.svg"])
def test_a_version_that_is_not_there_is_not_found(under_way, ana, path):
    assert problem(ana.get(f"/games/{under_way}/{path}?version=9999")) == (404, "not_found")


def test_a_picture_stands_alone(over, anonymous):
    answer = anonymous.get(f"/games/{over}/board.svg?version=40&theme=dark")
    assert answer.mimetype == "image/svg+xml"
    assert "script-src" not in answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    root = ElementTree.fromstring(answer.data)
    style = root.findtext("{http://www.w3.org/2000/svg}style") or ""
    assert palette("dark")["--coast"] in style
    assert "var(--coast)" not in style
    assert "url(" not in style.replace("url(#", "")


def test_themes_differ_and_others_are_refused(over, anonymous):
    light, dark = (anonymous.get(f"/games/{over}/board.svg?theme={theme}").data for theme in ("light", "dark"))
    assert light != dark
    assert problem(anonymous.get(f"/games/{over}/board.svg?theme=neon")) == (422, "invalid")


def test_every_symbol_of_a_scene_is_in_the_ground_of_its_rules(over, anonymous):
    ground = anonymous.get("/rules/el_grande/ground").get_json()
    shown = scene(anonymous, over, version=40)
    assert {sprite["symbol"] for sprite in shown["sprites"]} <= set(ground["symbols"])
    assert {sprite["layer"] for sprite in shown["sprites"]} <= set(ground["layers"])


def test_the_ground_has_places_controls_and_names_for_decisions(anonymous):
    ground = anonymous.get("/rules/el_grande/ground").get_json()
    assert {place["key"] for place in ground["places"]} == set(ground["spaces"])
    assert ground["controls"]["king_goes"] == {"kind": "place", "lifts": "king"}
    assert ground["controls"]["veto"]["names"]["allow_rest"] == "Allow the rest"
    assert ground["names"]["castilla_la_vieja"] == "Old Castile"
    assert set(ground["tokens"].values()) <= set(ground["symbols"])


def test_a_scene_has_every_space_in_a_sentence(over, anonymous):
    shown = scene(anonymous, over, version=40)
    assert list(shown["spaces"].values()) == shown["words"][: len(shown["spaces"])]


def test_there_is_no_ground_of_rules_that_are_not_there(anonymous):
    assert problem(anonymous.get("/rules/chess/ground")) == (404, "not_found")
