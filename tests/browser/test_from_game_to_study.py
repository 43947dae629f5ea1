"""One reader's way, by keys alone: a game of four from its first step to its last, the eyes of a seat, a branch at a
veto window, three moves that were not played, a note, and a study that others see live and take along."""

import pytest

from tests.browser.studying import Desk, answer_by_keys, seated, tree, until, with_a_veto
from tests.browser.test_replay import at, drawn, scene, shown_scores

NOTE = "With the veto in hand **nobody** scores Aragon"
REPLY = "Seen while it was written"


@pytest.fixture(scope="module")
def played(service):
    return with_a_veto(service)


@pytest.mark.long
def test_a_reader_replays_a_game_and_shares_what_might_have_been(service, chromium, played, tmp_path):
    with (
        seated(chromium, service, played.players[0], accept_downloads=True) as reader,
        seated(chromium, service) as friend,
    ):
        step_through_all_of_it(reader, played.game)
        look_as_a_seat(reader, played.game)
        study = branch_at_the_veto(reader, played)
        write(reader, NOTE)
        watch(friend, share(reader), reader, study)
        write_more_while_it_is_watched(reader, friend)
        for name in ("Text", "JSON"):
            assert tree(reader, taken_along(reader, study, name, tmp_path)) == tree(reader, study), name
        assert reader.complaints == friend.complaints == []


def step_through_all_of_it(reader: Desk, game: str) -> None:
    page, outline = reader.page, opened(reader, game)
    for version in range(outline["first"] + 1, outline["last"] + 1):
        page.keyboard.press("ArrowRight")
        assert at(page) == version
    assert drawn(page) == scene(reader.service, game, outline["last"])
    assert len(shown_scores(page)) == 4
    assert len(set(told(reader))) > 50


def opened(reader: Desk, game: str) -> dict:
    reader.page.goto(f"{reader.service.url}/games/{game}/replay")
    reader.page.wait_for_selector("[data-ready]")
    found: dict = reader.asked(f"games/{game}/outline")
    assert at(reader.page) == found["first"]
    return found


def told(reader: Desk) -> list[str]:
    """Every sentence of the story, as a screen reader reads it."""
    return reader.page.locator(".story .full").all_text_contents()


def look_as_a_seat(reader: Desk, game: str) -> None:
    """Whatever is told to one who sees everything and not to this seat, is nowhere in the page, at any step."""
    page, outline = reader.page, opened(reader, game)
    seat = outline["seats"][1]["seat"]
    secrets = sentences(reader, game, "everything") - sentences(reader, game, seat)
    assert secrets & set(told(reader)), "with everything open they are told"
    page.locator(f'.seg [data-viewer-choice="{seat}"]').press("Enter")
    page.wait_for_selector(f'[data-viewer-now="{seat}"]')
    until(lambda: page.locator(".hand").count() == 1)
    assert told(reader)
    assert not secrets & set(told(reader))
    for version in range(outline["first"], outline["last"]):  # after the last step everything is open to all
        assert at(page) == version
        assert page.locator(".hand").count() == 1
        assert page.locator('[data-part="now"]').inner_text() not in secrets
        page.keyboard.press("ArrowRight")
    for version in range(outline["first"], outline["last"], 40):
        page.goto(f"{reader.service.url}/games/{game}/replay?step={version}&as={seat}")
        page.wait_for_selector("[data-ready]")
        assert drawn(page) == scene(reader.service, game, version, seat)


def sentences(reader: Desk, game: str, viewer: str) -> set[str]:
    """Of every step, as the story beside the map has them."""
    first = reader.asked(f"games/{game}/outline")["first"]
    found, after = set[str](), first - 1
    while steps := reader.asked(f"games/{game}/timeline?after={after}&limit=250&viewer={viewer}")["steps"]:
        found |= {f"{line['text']}. " for step in steps for line in step["story"]}
        after = steps[-1]["version"]
    return found


def branch_at_the_veto(reader: Desk, played) -> str:
    """From the page of the game, after the step at which the holder is asked; then three moves."""
    page = reader.page
    page.goto(f"{reader.service.url}/games/{played.game}/replay?step={played.veto - 1}")
    page.wait_for_selector("[data-ready]")
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Try a move").press("Enter")
    page.wait_for_selector("[data-study][data-ready]")
    page.wait_for_selector(".prompt:not([hidden])")
    assert reader.node == str(played.veto)
    page.keyboard.press("v")  # asks whether it is meant
    page.keyboard.press("v")
    nodes = [str(played.veto)]
    for _ in range(2):
        until(lambda: reader.node != nodes[-1] and page.locator(".prompt:not([aria-busy=true])").count())
        nodes.append(reader.node)
        answer_by_keys(page)
    until(lambda: reader.node != nodes[-1])
    study = str(page.locator("[data-replay]").get_attribute("data-study"))
    assert [node["parent"] for node in reader.chapter(study)["nodes"]] == nodes
    return study


def write(reader: Desk, text: str) -> None:
    page = reader.page
    page.keyboard.press("n")
    assert reader.part("note-text").evaluate("(field) => field === document.activeElement")
    page.keyboard.type(text)
    page.keyboard.press("Control+Enter")
    until(lambda: reader.part("saved").inner_text() == "saved")
    page.keyboard.press("Tab")


def share(reader: Desk) -> str:
    """The link, and the dialog closed again."""
    page = reader.page
    page.get_by_role("button", name="Invite").first.press("Enter")
    page.get_by_label("By link").press("Space")
    until(lambda: "key=" in reader.part("link").input_value())
    link = reader.part("link").input_value()
    page.keyboard.press("Escape")
    return link


def watch(friend: Desk, link: str, reader: Desk, study: str) -> None:
    """Somebody without an account sees the three moves and the note."""
    friend.page.goto(link)
    friend.page.wait_for_selector("[data-study][data-ready]")
    assert tried_in(friend) == {node["id"] for node in reader.chapter(study)["nodes"]}
    assert friend.page.locator(".story .remark strong").inner_text() == "nobody"
    assert friend.page.locator('[data-part="tools"], [data-part="note-text"], [data-act="try"]').count() == 0


def tried_in(friend: Desk) -> set[str]:
    """The moves that the story tells of."""
    nodes = friend.page.locator(".story .branch .fact[data-node]")
    return set(nodes.evaluate_all("(found) => found.map((each) => each.dataset.node)"))


def write_more_while_it_is_watched(reader: Desk, friend: Desk) -> None:
    """The friend does nothing, and sees another note and a fourth move."""
    page, last = reader.page, reader.node
    page.keyboard.press("t")
    page.wait_for_selector(".prompt", state="hidden")
    page.keyboard.press("ArrowLeft")
    until(lambda: reader.node != last)
    write(reader, REPLY)
    friend.page.get_by_text(REPLY).first.wait_for()
    page.keyboard.press("t")
    page.wait_for_selector(".prompt:not([hidden]):not([aria-busy=true])")
    before = reader.node
    answer_by_keys(page)
    until(lambda: reader.node != before)
    until(lambda: reader.node in tried_in(friend))


def taken_along(reader: Desk, study: str, name: str, folder) -> str:
    """The copy of a study, by way of a file."""
    page = reader.open(study).page
    page.get_by_role("button", name="Invite").first.press("Enter")
    with page.expect_download() as download:
        page.get_by_role("link", name=name, exact=True).press("Enter")
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    page.goto(f"{reader.service.url}/studies")
    page.set_input_files('[data-part="pick"] input', file)
    page.wait_for_selector("[data-study][data-ready]")
    copy = str(page.locator("[data-replay]").get_attribute("data-study"))
    assert copy != study
    return copy
