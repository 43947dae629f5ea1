"""The replay viewer in a real browser: keys, eyes, proof, following a game, and readers without scripts."""

import json
import re
import time
from typing import Any
from urllib.request import urlopen

import pytest

from events.audit.export import export
from rules.el_grande.game import EL_GRANDE
from rules.kernel import SPECTATOR
from tests.browser.replaying import behind, play_one, played
from tests.browser.test_accessibility import findings_by_day_and_night
from tests.events.played import play, tables
from tests.repository.checkout import ROOT


@pytest.fixture(scope="module")
def over(service) -> str:
    return played(service)


@pytest.fixture
def game_of_four(service) -> str:
    return played(service, players=4)


@pytest.fixture
def strict(chromium):
    """A page that keeps to the policy of our pages, and what it complains of."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(60_000)
    page, complaints = context.new_page(), []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page, complaints
    context.close()


def ready(page, service, game, query=""):
    page.goto(f"{service.url}/games/{game}/replay{query}")
    page.wait_for_selector("[data-ready]")
    return page


def asked(service, path):
    with urlopen(f"{service.url}/api/v1/{path}", timeout=30) as answer:
        return json.load(answer)


def at(page) -> int:
    return int(page.locator('[data-part="at"]').inner_text())


def address(page) -> str:
    """As the browser has it now: it follows the steps a moment later."""
    return page.evaluate("location.href")


def until(holds) -> None:
    """Waits; our policy forbids a browser to make a function of a text, which would wait inside of it."""
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def landed(page) -> None:
    """Nothing flies any more."""
    page.wait_for_selector(".carried", state="detached")
    page.wait_for_selector(".sprite.changed", state="attached")


def drawn(page) -> dict[str, list[str]]:
    """The sprites on the board, with their texts."""
    return page.evaluate(
        """Object.fromEntries([...document.querySelectorAll("[data-key]")].map(
            (node) => [node.dataset.key, [...node.querySelectorAll("[data-text]")].map((text) => text.textContent)]))"""
    )


def shown_scores(page) -> dict[str, int]:
    """The points in the panels of the players."""
    return page.evaluate(
        """Object.fromEntries([...document.querySelectorAll("[data-panel]")].map(
            (panel) => [panel.dataset.panel, Number(panel.querySelector(".points").firstChild.textContent)]))"""
    )


def final_scores(service, game) -> dict[str, int]:
    """As they follow from the log."""
    with behind(service) as wired:
        return dict(wired.games.load(game).state.board.scores)


def scene(service, game, version, viewer="everything") -> dict[str, list[str]]:
    sprites = asked(service, f"games/{game}/scene?version={version}&viewer={viewer}")["sprites"]
    return {sprite["key"]: sprite.get("texts", []) for sprite in sprites}


def test_keys_lead_through_the_game(service, strict, over):
    page, complaints = strict
    outline = asked(service, f"games/{over}/outline")
    ready(page, service, over)
    assert at(page) == outline["first"]
    marks = [mark["version"] for mark in outline["marks"] if mark["kind"] == "round"]
    scorings = [mark["version"] for mark in outline["marks"] if mark["kind"] == "scoring"]
    for key, expected in [
        ("ArrowRight", outline["first"] + 1),
        ("ArrowLeft", outline["first"]),
        ("PageDown", marks[1]),
        ("s", scorings[0]),
        ("End", outline["last"]),
        ("ArrowRight", outline["last"]),
        ("PageUp", marks[-1]),
        ("Home", outline["first"]),
    ]:
        page.keyboard.press(key)
        assert at(page) == expected, key
    assert complaints == []


def test_every_position_is_drawn_as_the_interface_tells_it(service, strict, over):
    page, _ = strict
    last = asked(service, f"games/{over}/outline")["last"]
    page.emulate_media(reduced_motion="reduce")
    ready(page, service, over)
    for version in (3 * last // 4, last // 3, last // 3 + 1, last):
        ready(page, service, over, f"?step={version}")
        assert drawn(page) == scene(service, over, version)
        page.keyboard.press("ArrowLeft")
        assert drawn(page) == scene(service, over, version - 1)


def test_a_game_of_four_is_stepped_through_by_keyboard_to_its_final_scores(service, strict, game_of_four):
    game, (page, complaints) = game_of_four, strict
    outline = asked(service, f"games/{game}/outline")
    page.emulate_media(reduced_motion="reduce")
    ready(page, service, game)
    page.keyboard.press("Home")
    assert at(page) == outline["first"]
    for version in range(outline["first"] + 1, outline["last"] + 1):
        page.keyboard.press("ArrowRight")
        assert at(page) == version
    assert drawn(page) == scene(service, game, outline["last"])
    assert shown_scores(page) == final_scores(service, game)
    assert complaints == []


def step_of_a_piece(service, game: str) -> int:
    """The first step in which a piece goes somewhere; in others regions are scored, or pieces leave the map."""
    steps = asked(service, f"games/{game}/timeline")["steps"]
    return next(
        step["version"]
        for step in steps
        if step["change"].get("put") and any(beat["kind"] == "move" for beat in step["beats"])
    )


def test_a_step_that_is_seen_to_happen_ends_where_it_should(service, strict, over):
    page, complaints = strict
    version = step_of_a_piece(service, over)
    ready(page, service, over, f"?step={version - 1}")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".carried, .sprite.changed")
    landed(page)
    assert drawn(page) == scene(service, over, version)
    assert complaints == []


def test_nothing_flies_for_readers_who_want_calm(service, strict, over):
    page, _ = strict
    page.emulate_media(reduced_motion="reduce")
    version = step_of_a_piece(service, over)
    ready(page, service, over, f"?step={version - 1}")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.getAnimations().length") == 0
    assert page.locator(".sprite.changed").count() > 0


def test_the_present_step_is_told_and_its_address_leads_back(service, strict, over):
    page, _ = strict
    ready(page, service, over, "?step=40")
    told = asked(service, f"games/{over}/timeline?after=39&limit=1")["steps"][0]["story"]
    assert page.locator('[data-part="now"]').inner_text() == ". ".join(line["text"] for line in told)
    assert page.locator('.story [aria-current="step"]').count() == 1
    page.keyboard.press("ArrowDown")
    step = at(page)
    until(lambda: f"step={step}" in address(page))
    page.goto(address(page))
    page.wait_for_selector("[data-ready]")
    assert at(page) == step


def test_other_eyes_see_what_they_saw_then(service, strict, over):
    page, _ = strict
    ready(page, service, over, "?step=60")
    assert page.locator(".hand").count() == 3
    page.click('[data-viewer-choice="red"]')
    page.wait_for_selector('[data-viewer-now="red"]')
    assert page.locator(".hand").count() == 1
    assert drawn(page) == scene(service, over, 60, "red")
    page.click('[data-viewer-choice="spectator"]')
    page.wait_for_selector('[data-viewer-now="spectator"]')
    assert page.locator(".hand").count() == 0
    assert "closed" in drawn(page)
    until(lambda: "as=spectator" in address(page))


def test_the_browser_checks_the_game_itself(service, strict, over):
    page, _ = strict
    ready(page, service, over)
    page.wait_for_selector('[data-part="badge"][data-state="verified"]')
    page.click('[data-part="badge"]')
    assert "every shuffle follows from the seed" in page.locator("#proof").inner_text()


@pytest.mark.parametrize("missing", ["badge.js", "shuffles/el_grande.js"], ids=["the check", "the shuffles"])
def test_a_game_whose_check_cannot_be_read_is_not_taken_for_verified(service, strict, over, missing):
    page, _ = strict
    page.route(f"**/{missing}", lambda route: route.abort())
    ready(page, service, over)
    page.wait_for_selector('[data-part="badge"][data-state="unknown"]')
    assert page.locator('[data-part="badge"]').inner_text() == "Not checked"
    page.click('[data-part="badge"]')
    assert "This game could not be checked" in page.locator("#proof").inner_text()


@pytest.mark.parametrize("forgery", [("hash", 31), ("salt", 12)], ids=["chain", "fact"])
def test_a_forged_game_is_found_out(service, strict, over, forgery):
    kind, version = forgery
    game = asked(service, f"games/{over}/export")
    commit = game["commits"][version - 1]
    if kind == "hash":
        commit["header"]["at"] += 1
    else:
        commit["facts"][0]["salt"] = "0" * 32
    forged = json.dumps(game, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    page, _ = strict
    page.route("**/export", lambda route: route.fulfill(body=forged, content_type="application/json"))
    ready(page, service, over)
    page.wait_for_selector('[data-part="badge"][data-state="broken"]')
    page.click('[data-part="badge"]')
    assert f"Commit {version}:" in page.locator("#proof").inner_text()


def test_a_shuffle_that_does_not_follow_from_the_seed_is_found_out(service, strict, over):
    """The king's region is another, and all hashes fit: only dealing again shows it."""
    page, _ = strict
    table = json.loads((ROOT / "docs/verify.json").read_text())
    table["regions"].reverse()
    page.route("**/docs/verify.json", lambda route: route.fulfill(json=table))
    ready(page, service, over)
    page.wait_for_selector('[data-part="badge"][data-state="broken"]')


CHECK = """async ({rules, text}) => {
  const {verify} = await import("/static/replay/verify.js"), {dealer} = await import("/static/replay/badge.js");
  return (await verify(new TextEncoder().encode(text), dealer(rules))).shuffled;
}"""

SETS = [EL_GRANDE.rules(chosen).name for chosen in EL_GRANDE.combinations(tuple(EL_GRANDE.expansions))]


def test_the_browser_deals_every_set_of_rules_again(service, strict):
    """A game with expansions shuffles more; an honest one must not look like a forgery."""
    page, _ = strict
    page.goto(f"{service.url}/docs/verify")
    decks: list[dict[str, Any]] = [{"deck": "first_game"}, {"deck": "1,2,3,4,5,6,7,8,9,10,19"}]
    sets: list[tuple[str, dict[str, Any]]] = [
        *((rules, {}) for rules in SETS),
        *(("el_grande+grandissimo", deck) for deck in decks),
    ]
    for rules, options in [*sets, ("el_caballero", {"mode": "basic", "game_length": None})]:
        games = tables()
        text = export(games, play(games, rules=rules, **options), SPECTATOR).decode()
        assert page.evaluate(CHECK, {"rules": rules, "text": text}) is True, (rules, options)


@pytest.mark.parametrize("mark", ["round", ""], ids=["a round", "a move"])
def test_the_story_can_be_searched_and_leads_to_its_steps(service, strict, over, mark):
    page, _ = strict
    steps = asked(service, f"games/{over}/timeline")["steps"]
    told = [line for step in steps[len(steps) // 2 :] for line in step["story"]]
    wanted = next(line["text"] for line in told if line["mark"] == mark)
    ready(page, service, over)
    page.fill('[data-part="search"]', wanted.upper())
    shown = page.locator(".story > li[data-step]:visible")
    assert 1 <= shown.count() < len(steps) // 2
    assert all(wanted in text for text in shown.all_text_contents())
    shown.first.locator(".full").click()
    assert at(page) == int(shown.first.get_attribute("data-step") or 0)


def test_the_story_in_few_words_is_whole_for_ears(service, strict, over):
    """Every sentence of every step stands in the list, in order; eyes see one line for what belongs together."""
    page, _ = strict
    ready(page, service, over)
    steps = asked(service, f"games/{over}/timeline?after=4&limit=250")["steps"]
    told = [line["text"] for step in steps for line in step["story"]]
    heard = page.evaluate("[...document.querySelectorAll('.story .full')].map((line) => line.textContent).join('')")
    assert sorted(filter(None, heard.split(". "))) == sorted(". ".join(told).split(". "))
    plays = page.locator(".story .short", has_text=" plays ").first.text_content()
    assert re.fullmatch(r"(\w+) plays \d+(, \w+ \d+){2}", plays or "")
    assert page.locator(".story .short:not([aria-hidden])").count() == 0


def test_figures_beside_the_board_can_be_chosen_and_lead_to_steps(service, strict, over):
    page, complaints = strict
    outline = asked(service, f"games/{over}/outline")
    ready(page, service, over)
    page.click('[data-figure="majorities"]')
    assert page.locator(".majorities tbody tr").count() == len(outline["spaces"])
    page.click(".majorities thead th:nth-child(3) button")
    assert at(page) == outline["scores"][1]["version"]
    page.click('[data-figure="time"]')
    assert page.locator(".times .bar").count() == len(outline["seats"])
    page.click('[data-figure="scores"]')
    page.click('[data-act="against"]')
    assert page.locator('[data-part="chart"]').get_attribute("aria-label").startswith("Scores, round by round")
    assert complaints == []


def test_autoplay_goes_on_by_itself_and_stops_when_asked(service, strict, over):
    page, _ = strict
    page.emulate_media(reduced_motion="reduce")
    ready(page, service, over)
    for _ in range(2):
        page.click('[data-act="speed"]')
    first = at(page)
    page.click('[data-act="play"]')
    until(lambda: at(page) > first + 1)
    page.click('[data-act="play"]')
    assert page.locator('[data-act="play"]').get_attribute("aria-label") == "Play"


def test_a_running_game_is_followed_live(service, strict):
    page, _ = strict
    game = played(service, moves=12)
    ready(page, service, game)
    before = at(page)
    play_one(service, game)
    until(lambda: at(page) > before)
    assert page.locator('[data-part="live"]').is_visible()
    until(lambda: drawn(page) == scene(service, game, at(page), "spectator"))


def test_a_reader_who_looks_back_is_not_pulled_to_the_present(service, strict):
    page, _ = strict
    game = played(service, moves=12)
    ready(page, service, game)
    last = at(page)
    page.keyboard.press("Home")
    home = at(page)
    play_one(service, game)
    until(lambda: int(page.locator('[data-part="count"]').inner_text()) > last)
    assert at(page) == home


def test_without_scripts_every_step_is_a_page(service, chromium, over):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{service.url}/games/{over}/replay?step=50&as=blue")
    assert drawn_without_scripts(page) == set(scene(service, over, 50, "blue"))
    page.click('[data-act="next"]')
    assert "step=51" in page.url
    assert "as=blue" in page.url
    assert page.locator(".story li").count() > 3
    context.close()


def drawn_without_scripts(page) -> set[str]:
    return {node.get_attribute("data-key") for node in page.locator("[data-key]").all()}


@pytest.mark.parametrize("width", [390, 1280], ids=["telephone", "desktop"])
def test_the_viewer_keeps_nobody_out(service, page, over, width):
    page.set_viewport_size({"width": width, "height": 844})
    ready(page, service, over, "?step=60")
    page.wait_for_selector('[data-part="badge"][data-state="verified"]')
    for tab in page.locator("[data-tab]:visible").all() or [page.locator("h1")]:
        tab.click()
        assert findings_by_day_and_night(page) == []


@pytest.mark.parametrize("width", [320, 390, 768, 1100, 1920])
def test_the_viewer_does_not_scroll_sideways(service, page, over, width):
    page.set_viewport_size({"width": width, "height": 700})
    ready(page, service, over, "?step=60")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
