"""A file is dropped, verified in the browser and replayed; and a game is stepped through in a frame of another site."""

import pytest

from tests.browser.replaying import played
from tests.browser.test_accessibility import findings
from tests.browser.test_replay import asked, at, drawn, scene, strict

__all__ = ["strict"]


@pytest.fixture(scope="module")
def over(service) -> str:
    return played(service, players=2)


def test_a_dropped_file_is_verified_and_replayed(service, strict, over, tmp_path):
    page, complaints = strict
    file = tmp_path / "game.json"
    file.write_text(service.get(f"/api/v1/games/{over}/export"))
    page.goto(f"{service.url}/replay")
    page.set_input_files("input[type=file]", str(file))
    page.click("form.drop button")
    page.wait_for_selector("[data-ready]")
    page.wait_for_selector('[data-part="badge"][data-state="verified"]')
    first = at(page)
    page.keyboard.press("End")
    assert at(page) == asked(service, f"games/{over}/outline")["last"] > first
    assert drawn(page) == scene(service, over, at(page))
    page.click('[data-viewer-choice="spectator"]')
    page.wait_for_selector('[data-viewer-now="spectator"]')
    page.keyboard.press("Home")
    assert drawn(page) == scene(service, over, first, "spectator")
    page.click(".in-words summary")
    assert page.locator('[data-part="words"] li').count() > 5
    assert complaints == []


def test_a_file_can_be_dropped_anywhere_and_a_broken_one_says_so(service, strict):
    page, _ = strict
    page.goto(f"{service.url}/replay")
    page.evaluate(
        """() => {
          const dropped = new DataTransfer();
          dropped.items.add(new File(["{}"], "game.json"));
          document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, dataTransfer: dropped }));
        }"""
    )
    page.wait_for_selector('[role="alert"]')


def test_a_frame_steps_without_being_signed_in(service, strict, over):
    page, complaints = strict
    page.goto(f"{service.url}/games/{over}/embed?step=20")
    page.wait_for_selector("[data-ready]")
    page.keyboard.press("ArrowLeft")
    assert at(page) == 19
    assert drawn(page) == scene(service, over, 19)
    page.focus('[data-act="next"]')
    page.keyboard.press("Enter")
    assert at(page) == 20
    assert "step=20" in (page.locator('[data-part="whole"]').get_attribute("href") or "")
    assert complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_new_pages_keep_nobody_out(service, page, over, scheme):
    page.emulate_media(color_scheme=scheme)
    for path, width in ((f"/games/{over}/embed", 390), (f"/games/{over}/embed", 720), ("/replay", 390)):
        page.set_viewport_size({"width": width, "height": 700})
        page.goto(service.url + path)
        assert findings(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
