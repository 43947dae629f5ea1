"""Studies between people: seen live, shared, exported and imported, listed and found."""

import pytest
from playwright.sync_api import expect

from tests.browser.studying import Desk, guests, seated, tree, until, with_a_veto
from tests.browser.test_accessibility import findings


@pytest.fixture(scope="module")
def played(service):
    return with_a_veto(service)


@pytest.fixture(scope="module")
def owner(service, chromium, played):
    with seated(chromium, service, played.players[0], accept_downloads=True) as desk:
        yield desk


@pytest.fixture(scope="module")
def friend(service, chromium, played):
    """Another player of the game, whom the owner invites."""
    with seated(chromium, service, played.players[1]) as desk:
        yield desk


@pytest.fixture
def study(owner, played) -> str:
    """A study that two people write."""
    study = owner.begin(played.game)
    owner.edit(study, chapter=None, kind="set_member", handle=played.players[1].handle, role="contributor")
    return study


def try_veto(desk: Desk, study: str, played) -> str:
    [decision] = desk.asked(f"studies/{study}/chapters/k1/nodes/{played.veto}")["decisions"]
    move = {"decision": decision["id"], "kind": "veto_response", "answer": "veto"}
    made = desk.edit(study, kind="try_move", parent=str(played.veto), seat=decision["seat"], move=move)
    return str(made["node"]["id"])


def test_a_second_browser_sees_every_edit_and_who_is_there(owner, friend, study, played):
    owner.open(study, f"node={played.veto}")
    friend.open(study, f"node={played.veto}")
    here = f'.people .on[aria-label="{played.players[1].handle}, here now"]'
    owner.page.wait_for_selector(here)
    friend.page.keyboard.press("n")
    friend.page.keyboard.type("She holds **a veto**")
    owner.page.wait_for_selector(f'[data-part="note-writing"]:text("{played.players[1].handle} is writing")')
    friend.page.keyboard.press("Control+Enter")
    owner.page.wait_for_selector(".story .remark strong")
    until(lambda: played.players[1].handle in owner.part("now").inner_text())
    node = try_veto(friend, study, played)
    owner.page.wait_for_selector(f'.tree [data-node="{node}"]')
    friend.page.wait_for_selector(f'.story [data-node="{node}"]')
    friend.edit(study, kind="draw", node=str(played.veto), kind_of_mark="highlight", source="aragon")
    owner.page.wait_for_selector(".region-note", state="attached")
    owner.edit(study, kind="remove_moves", node=node, seen=owner.chapter(study)["version"])
    friend.page.wait_for_selector(f'.story [data-node="{node}"]', state="detached")
    assert owner.complaints == friend.complaints == []


def test_the_owner_takes_back_what_a_friend_has_deleted(owner, friend, study, played):
    node = try_veto(owner, study, played)
    friend.open(study, f"node={played.veto}")
    friend.edit(study, kind="remove_moves", node=node, seen=friend.chapter(study)["version"])
    owner.open(study)
    assert friend.page.locator(".take-back").count() == 0
    owner.page.locator(".take-back").first.press("Enter")
    friend.page.wait_for_selector(f'.tree [data-node="{node}"]')
    owner.page.wait_for_selector(".undo-list .undone")
    assert owner.complaints == friend.complaints == []


def test_what_is_written_without_a_connection_is_sent_when_it_is_back(owner, study):
    owner.open(study, "node=20")
    context = owner.page.context
    context.set_offline(True)
    owner.page.keyboard.press("n")
    owner.page.keyboard.type("Written in a tunnel")
    owner.page.keyboard.press("Control+Enter")
    until(lambda: owner.part("saved").inner_text() in ("saving", "waiting"))
    context.set_offline(False)
    until(lambda: owner.part("saved").inner_text() == "saved")
    assert [each["text"] for each in owner.notes(study, 20)["comments"]] == ["Written in a tunnel"]
    owner.page.wait_for_selector(".story .remark")
    owner.complaints.clear()  # the browser's own, of requests without a connection


def test_a_stream_that_breaks_is_told_and_comes_back_by_itself(owner, study, played):
    owner.page.route("**/stream?*", lambda route: route.abort())
    owner.open(study, "node=20")
    owner.part("offline").wait_for(state="visible")
    try_veto(owner, study, played)
    owner.page.unroute("**/stream?*")
    owner.part("offline").wait_for(state="hidden")
    owner.page.wait_for_selector(".story .branch")
    owner.complaints.clear()


def test_a_study_is_shared_by_its_link_and_readers_have_no_tools(service, chromium, owner, study, played):
    owner.open(study, f"node={played.veto}")
    owner.page.get_by_role("button", name="Invite").first.click()
    owner.page.get_by_label("By link").check(force=True)
    until(lambda: "key=" in owner.part("link").input_value())
    with seated(chromium, service) as reader:
        reader.page.goto(owner.part("link").input_value())
        reader.page.wait_for_selector("[data-ready]")
        assert reader.page.locator('[data-part="tools"], [data-part="note-text"], [data-act="try"]').count() == 0
        owner.edit(study, kind="write_comment", node=str(played.veto), text="For all who read")
        reader.page.wait_for_selector(".story .remark")
        assert "key=" in reader.page.url
        owner.edit(study, chapter=None, kind="set_visibility", visibility="private")
        until(lambda: "lost" in (reader.page.locator("main").get_attribute("class") or ""))
    owner.page.keyboard.press("Escape")


def test_the_import_of_the_export_gives_the_same_tree(owner, study, played, tmp_path):
    node = try_veto(owner, study, played)
    owner.edit(study, kind="write_comment", node=node, text="Rather **this**")
    owner.edit(study, kind="set_glyph", node=node, glyph="!?")
    owner.edit(study, kind="draw", node=node, kind_of_mark="arrow", source="aragon", target="valencia")
    for name in ("Text", "JSON"):
        owner.open(study)
        owner.page.get_by_role("button", name="Invite").first.click()
        with owner.page.expect_download() as download:
            owner.page.get_by_role("link", name=name).click()
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        owner.page.goto(f"{owner.service.url}/studies")
        owner.page.set_input_files('[data-part="pick"] input', file)
        owner.page.wait_for_selector("[data-study][data-ready]")
        copy = owner.page.locator("[data-replay]").get_attribute("data-study")
        assert copy != study
        assert tree(owner, copy) == tree(owner, study), name


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('{"format": "<script>alert(1)</script>"}', "could not be imported"),
        ("# <img src=x onerror=alert(1)>\n\n## A\ngame nowhere seen by everything\n", "could not be imported"),
    ],
    ids=["json", "text"],
)
def test_a_file_that_is_no_study_is_refused_and_does_nothing(owner, tmp_path, content, problem):
    file = tmp_path / "study.txt"
    file.write_text(content)
    owner.page.goto(f"{owner.service.url}/studies")
    owner.page.set_input_files('[data-part="pick"] input', file)
    trouble = owner.part("trouble")
    trouble.wait_for(state="visible")
    assert problem in trouble.inner_text()
    assert owner.page.locator("main img, main script").count() == 0
    assert [each for each in owner.complaints if "40" not in each] == []  # but the refusal itself
    owner.complaints.clear()


def test_chapters_are_added_named_moved_and_removed_by_keys(owner, study, played):
    owner.open(study)
    page = owner.page
    page.get_by_role("button", name="Chapter 1 of 1").press("Enter")
    page.fill('[name="game"]', f"{owner.service.url}/games/{played.game}/replay?step=3")
    page.fill('[name="title"]', "Second look")
    page.keyboard.press("Enter")
    page.wait_for_url("**chapter=k2*")
    page.wait_for_selector("[data-ready]")
    page.get_by_role("button", name="Chapter 2 of 2").press("Enter")
    page.get_by_role("button", name="Move Second look up").press("Enter")
    until(lambda: titles(owner, study)[0] == "Second look")
    expect(page.get_by_role("button", name="Move Second look down")).to_be_focused()
    page.get_by_role("button", name="Rename Second look").press("Enter")
    page.locator("#name input").fill("First look")
    page.keyboard.press("Enter")
    until(lambda: titles(owner, study)[0] == "First look")
    page.get_by_role("button", name="Delete First look").press("Enter")
    page.locator("#ask").get_by_role("button", name="Delete").press("Enter")
    page.wait_for_url("**chapter=k1*")
    assert len(titles(owner, study)) == 1


def titles(desk: Desk, study: str) -> list[str]:
    return [chapter["title"] for chapter in desk.asked(f"studies/{study}")["chapters"]]


def test_an_empty_shelf_leads_on_to_a_first_study(service, chromium, played):
    [newcomer] = guests(service, 1)
    with seated(chromium, service, newcomer, bypass_csp=True) as desk:
        desk.page.goto(f"{service.url}/studies")
        assert findings(desk.page) == []
        desk.page.locator(".nothing").get_by_role("link", name="New study").click()
        desk.page.get_by_label("Title").fill("My first")
        desk.page.get_by_label("Address of a game").fill(f"{service.url}/games/{played.game}/replay")
        desk.page.keyboard.press("Enter")
        desk.page.wait_for_selector("[data-study][data-ready]")
        desk.page.goto(f"{service.url}/studies")
        assert desk.page.locator(".studies h2").all_inner_texts() == ["My first"]
        desk.page.get_by_label("Search studies").fill("FIRST")
        desk.page.keyboard.press("Enter")
        desk.page.wait_for_url("**query=FIRST*")
        assert desk.page.locator(".studies h2").all_inner_texts() == ["My first"]
        for width in (320, 1280):
            desk.page.set_viewport_size({"width": width, "height": 700})
            assert desk.page.evaluate("document.documentElement.scrollWidth") <= width
        assert findings(desk.page) == []


def test_without_scripts_every_node_is_a_page(service, chromium, owner, study, played):
    node = try_veto(owner, study, played)
    with seated(chromium, service, played.players[1], java_script_enabled=False) as reader:
        reader.page.goto(f"{service.url}/studies/{study}?node={played.veto}")
        reader.page.locator(".story .branch a").first.click()
        assert f"node={node}" in reader.page.url
        keys = {each.get_attribute("data-key") for each in reader.page.locator("[data-key]").all()}
        scene = owner.asked(f"studies/{study}/chapters/k1/nodes/{node}")["scene"]
        assert keys == {sprite["key"] for sprite in scene["sprites"]}
        reader.page.locator('[data-act="next"]').click()
        assert f"node={played.veto + 1}" in reader.page.url
