"""The studio in a real browser: reading, trying moves, writing, drawing, undoing; by hand and by key."""

import random

import pytest

from events.submission import Submission
from replay.study.commands import AddChapter
from replay.study.tree import MANY
from service.bench.studio import lines
from tests.browser.replaying import behind
from tests.browser.studying import Desk, answer_by_keys, seated, until, with_a_veto
from tests.browser.test_accessibility import findings_by_day_and_night

HOSTILE = """<img src=x onerror="alert(1)"><svg onload="alert(2)"><script>alert(3)</script>
[x](javascript:alert(4)) ![y](http://127.0.0.1:9/y.png) <a href="javascript:alert(5)">z</a> &lt;b&gt;"""


@pytest.fixture(scope="module")
def played(service):
    return with_a_veto(service)


@pytest.fixture(scope="module")
def writer(service, chromium, played):
    """The owner of the studies of this module."""
    with seated(chromium, service, played.players[0]) as desk:
        yield desk


@pytest.fixture
def study(writer, played):
    return writer.begin(played.game)


def holder(desk: Desk, study: str, played) -> dict:
    [decision] = desk.asked(f"studies/{study}/chapters/k1/nodes/{played.veto}")["decisions"]
    assert decision["kind"] == "veto"
    return decision


def try_veto(desk: Desk, study: str, played) -> str:
    decision = holder(desk, study, played)
    move = {"decision": decision["id"], "kind": "veto_response", "answer": "veto"}
    made = desk.edit(study, kind="try_move", parent=str(played.veto), seat=decision["seat"], move=move)
    return str(made["node"]["id"])


def test_a_game_branches_at_its_veto_window_and_three_moves_are_tried(writer, played):
    """From the page of the finished game on, by keys alone."""
    page = writer.page
    page.goto(f"{writer.service.url}/games/{played.game}/replay?step={played.veto - 1}")
    page.wait_for_selector("[data-ready]")
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Try a move").press("Enter")
    page.wait_for_selector("[data-study][data-ready]")
    page.wait_for_selector(".prompt:not([hidden])")
    assert writer.node == str(played.veto)
    page.keyboard.press("v")  # asks whether it is meant
    page.keyboard.press("v")
    nodes = [str(played.veto)]
    for _ in range(2):
        until(lambda: writer.node != nodes[-1] and page.locator(".prompt:not([aria-busy=true])").count())
        nodes.append(writer.node)
        answer_by_keys(page)
    until(lambda: writer.node != nodes[-1])
    study = page.locator("[data-replay]").get_attribute("data-study")
    tried = writer.chapter(study)["nodes"]
    assert [(node["parent"], node["label"]) for node in tried] == [(node, "A") for node in nodes]
    assert "veto" in tried[0]["story"][0]["text"]
    assert page.locator(".tree [aria-selected=true]").get_attribute("data-node") == tried[-1]["id"]
    assert page.locator(".story .branch .now").count() == 1
    assert writer.complaints == []


def test_a_line_of_the_story_leads_to_its_step(writer, study, played):
    page, node = writer.open(study, f"node={played.veto}").page, try_veto(writer, study, played)
    page.wait_for_selector(f'.story [data-node="{node}"]')
    page.locator(f'.story [data-node="{node}"]').click()
    until(lambda: writer.node == node)
    line = page.locator(".story .fact[data-step]").first
    line.click()
    until(lambda: writer.node == line.get_attribute("data-step"))
    assert writer.complaints == []


def test_a_note_is_written_in_the_middle_of_trying_by_keys(writer, study, played):
    writer.open(study, f"node={played.veto}")
    page = writer.page
    page.keyboard.press("t")
    page.wait_for_selector(".prompt:not([hidden])")
    page.keyboard.press("n")
    assert writer.part("note-text").evaluate("(field) => field === document.activeElement")
    page.keyboard.type("Then this")
    page.keyboard.press("Control+Enter")
    until(lambda: [each["text"] for each in writer.notes(study, played.veto)["comments"]] == ["Then this"])
    assert page.locator(".prompt:not([hidden])").count() == 1
    page.keyboard.press("Tab")
    page.keyboard.press("t")
    page.wait_for_selector(".prompt", state="hidden")
    assert page.locator('[data-act="play"]').is_visible()


def test_eyes_of_a_seat_see_no_secret_of_others_and_try_for_themselves_alone(writer, study, played):
    node = try_veto(writer, study, played)
    writer.open(study, f"node={node}")
    page, seats = writer.page, writer.asked(f"games/{played.game}/outline")["seats"]
    mine, other = (seat["seat"] for seat in seats[:2])
    assert page.locator(".hand").count() == 4
    page.locator(f'.seg [data-viewer-choice="{mine}"]').click()
    page.wait_for_selector(f'[data-viewer-now="{mine}"]')
    until(lambda: page.locator(".hand").count() == 1)
    told = writer.chapter(study, mine)["nodes"][0]["story"]
    assert page.locator(".story .branch .fact .sr").first.inner_text().strip() == ". ".join(
        line["text"] for line in told
    )
    asked = {decision["seat"] for decision in writer.asked(f"studies/{study}/chapters/k1/nodes/{node}")["decisions"]}
    page.keyboard.press("t")
    page.wait_for_selector('[data-mode="trial"]')
    seen = page.locator(".prompt:not([hidden])")
    until(lambda: seen.count() == (mine in asked))
    page.locator('.seg [data-viewer-choice="spectator"]').click()
    page.wait_for_selector('[data-viewer-now="spectator"]')
    until(lambda: seen.count() == 0)
    until(lambda: page.locator(".hand").count() == 0)
    assert other not in page.locator('[data-part="now"]').inner_text()


def test_arrows_and_highlights_are_drawn_by_pointer_and_by_keys(writer, study):
    writer.open(study, "node=20")
    page = writer.page
    page.click('[data-tool="arrow"]')
    page.mouse.move(*writer.at("granada"))
    page.mouse.down()
    page.mouse.move(*writer.at("sevilla"))
    page.mouse.move(*writer.at("valencia"))
    assert page.locator(".draft-marks .drawing").text_content() == "to Valencia"
    assert page.locator(".mark-arrow.draft").count() == 1
    page.mouse.up()
    page.wait_for_selector('.marks-list :text("Granada → Valencia")')
    page.locator("h1").click()
    page.keyboard.press("h")
    page.keyboard.press("h") if page.locator('[data-tool="highlight"][aria-pressed="false"]').count() else None
    page.keyboard.press("0")
    page.keyboard.press("Enter")
    page.wait_for_selector('.marks-list :text("Castillo")')
    page.keyboard.press("Escape")
    assert page.locator('[data-tool="highlight"]').evaluate("(button) => button === document.activeElement")
    drawn = [(mark["kind"], mark["source"], mark["target"]) for mark in writer.notes(study, 20)["marks"]]
    assert drawn == [("arrow", "granada", "valencia"), ("highlight", "castillo", None)]
    page.get_by_role("button", name="Remove Granada → Valencia").press("Enter")
    until(lambda: page.locator(".noted-marks > *").count() == 1)
    assert len(writer.notes(study, 20)["marks"]) == 1
    assert writer.complaints == []


def test_what_is_typed_survives_a_reload_and_is_stored_when_it_is_left(writer, study):
    writer.open(study, "node=20")
    page = writer.page
    page.keyboard.press("n")
    page.keyboard.type("Two to **Aragon** now")
    assert writer.part("saved").inner_text() == "draft"
    page.reload()
    page.wait_for_selector("[data-ready]")
    assert page.input_value('[data-part="note-text"]') == "Two to **Aragon** now"
    assert writer.part("note-state").inner_text() == "not saved yet"
    page.focus('[data-part="note-text"]')
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".story .remark strong")
    until(lambda: writer.part("saved").inner_text() == "saved")
    assert [each["text"] for each in writer.notes(study, 20)["comments"]] == ["Two to **Aragon** now"]
    page.get_by_role("button", name="good move").press("Enter")
    page.wait_for_selector('.story .glyph:has-text("!")')
    page.keyboard.press("End")
    assert page.input_value('[data-part="note-text"]') == ""
    assert page.locator(".scrub .noted circle").count() == 1


def test_two_windows_that_change_one_note_show_both(writer, study):
    writer.edit(study, kind="write_comment", node="20", text="First words")
    writer.open(study, "node=20")
    other = writer.page.context.new_page()
    other.goto(writer.page.url)
    other.wait_for_selector("[data-ready]")
    other.route("**/stream*", lambda route: route.abort())
    writer.page.context.set_offline(True)
    writer.page.fill('[data-part="note-text"]', "Words of this window")
    writer.page.context.set_offline(False)
    other.fill('[data-part="note-text"]', "Words of the other window")
    other.keyboard.press("Control+Enter")
    until(lambda: writer.notes(study, 20)["comments"][0]["text"] == "Words of the other window")
    writer.page.focus('[data-part="note-text"]')
    writer.page.keyboard.press("Control+Enter")
    conflict = writer.part("conflict")
    conflict.wait_for(state="visible")
    assert "Words of this window" in conflict.inner_text()
    assert "Words of the other window" in conflict.inner_text()
    conflict.get_by_role("button", name="Keep this one").press("Enter")
    until(lambda: writer.notes(study, 20)["comments"][0]["text"] == "Words of this window")
    other.close()
    writer.complaints.clear()  # the refusal is one, and the lost connection


def test_the_tree_is_walked_promoted_and_cut_by_keys(writer, study, played):
    veto = try_veto(writer, study, played)
    decision = holder(writer, study, played)
    allowed = writer.edit(
        study, kind="try_move", parent=str(played.veto), seat=decision["seat"], move=decision["default"]
    )["node"]["id"]
    writer.open(study, f"node={played.veto}")
    page = writer.page
    page.locator(".tree [aria-selected=true]").focus()
    for key, expected in [
        ("ArrowDown", veto),
        ("ArrowDown", allowed),
        ("ArrowUp", veto),
        ("ArrowLeft", str(played.veto)),
    ]:
        page.keyboard.press(key)
        assert writer.node == expected, key
        assert page.locator(".tree :focus").get_attribute("data-node") == expected
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("p")
    until(lambda: [node["label"] for node in writer.chapter(study)["nodes"] if node["id"] == allowed] == ["A"])
    page.keyboard.press("x")
    page.locator("#ask").get_by_role("button", name="Delete").press("Enter")
    until(lambda: writer.node == str(played.veto))
    assert [node["id"] for node in writer.chapter(study)["nodes"]] == [veto]
    page.get_by_role("button", name="Undo mine").press("Enter")
    until(lambda: len(writer.chapter(study)["nodes"]) == 2)
    page.get_by_role("button", name="redo").press("Enter")
    until(lambda: len(writer.chapter(study)["nodes"]) == 1)
    assert writer.complaints == []


def test_of_a_chapter_with_very_many_moves_one_reads_what_is_near(service, writer, study, played):
    """Steps far away say how many variations they have; whoever goes there reads them."""
    many_moves(service, study, played)
    page = writer.open(study, "chapter=k2").page
    nodes = writer.asked(f"studies/{study}/chapters/k2")["nodes"]
    first, last = ([node for node in nodes if node["parent"].isdigit()][at] for at in (0, -1))
    far, told = page.locator(".story .far"), page.locator(".story [data-node]")
    assert far.count() > 10
    assert told.count() < MANY
    far.last.locator("button").press("Enter")
    until(lambda: writer.node == last["parent"] and page.locator(f'.story [data-node="{last["id"]}"]').count())
    assert page.locator(f'.story .far[data-step="{last["parent"]}"]').count() == 0
    writer.open(study, f"chapter=k2&node={first['id']}")
    assert writer.node == first["id"]
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    until(lambda: page.locator(f'.story [data-node="{last["id"]}"]').count())
    assert writer.complaints == []


def many_moves(service, study: str, played) -> None:
    """A second chapter, in which more moves are tried than are told at once."""
    account = played.players[0].account
    with behind(service) as wired:
        variations = lines(wired.games, account, played.game, MANY + 20, random.Random(3))
        chapter = AddChapter(account, "All of them", played.game, "everything", variations)
        wired.study_service.submit(wired.study_service.look(study, account), chapter, Submission(account))


def test_a_list_that_is_read_anew_leaves_the_focus_where_it_is(writer, study, played):
    writer.edit(study, kind="write_comment", node=str(played.veto), text="One")
    writer.open(study, f"node={played.veto}")
    changes = writer.part("changes").locator("li")
    changes.first.locator("button").focus()
    focused = writer.page.locator("[data-part=changes] :focus")
    told = focused.inner_text()
    before = changes.count()
    writer.edit(study, kind="write_comment", node=str(played.veto), text="Two")
    until(lambda: changes.count() == before + 1)
    assert focused.inner_text() == told
    assert changes.nth(1).locator(":focus").count() == 1


def test_something_hidden_is_assumed_openly(writer, study, played):
    writer.open(study, f"node={played.veto}")
    writer.page.keyboard.press("t")
    chip = writer.part("assume").locator("select").first
    chip.wait_for()
    chip.select_option(index=1)
    until(lambda: writer.node != str(played.veto))
    [node] = writer.chapter(study)["nodes"]
    assert (node["id"], node["kind"], node["label"]) == (writer.node, "assumption", "A")
    writer.page.wait_for_selector(".assume .opt.sel")
    assert writer.part("assume").locator("b").inner_text() == "A assumes"
    writer.page.get_by_role("button", name="Leave A").press("Enter")
    assert writer.node == str(played.veto)


def test_a_quiz_hides_what_comes_until_it_is_answered(writer, study, played):
    writer.edit(study, kind="write_comment", node=str(played.veto + 1), text="A secret of the future")
    try_veto(writer, study, played)
    writer.open(study, f"node={played.veto}")
    page = writer.page
    page.keyboard.press("q")
    page.wait_for_selector(".prompt:not([hidden])")
    assert page.locator(".story .branch:visible, .story .remark:visible").count() == 0
    assert page.locator(f'.story li[data-step="{played.veto + 4}"]:visible').count() == 0
    page.keyboard.press("v")
    page.keyboard.press("v")
    answered = writer.part("quiz")
    answered.wait_for(state="visible")
    assert "the study has tried it as A" in answered.inner_text()
    assert "A secret of the future" in answered.inner_text()
    page.get_by_role("button", name="Next question").press("Enter")
    until(lambda: int(writer.node) > played.veto)
    page.wait_for_selector(".prompt:not([hidden])")
    page.get_by_role("button", name="End the quiz").press("Enter")
    assert page.locator('[data-act="play"]').is_visible()


def test_hostile_words_are_words(writer, played):
    study = writer.begin(played.game, title='"><img src=x onerror=alert(1)>')
    writer.edit(study, kind="write_comment", node="20", text=HOSTILE)
    writer.open(study, "node=20")
    page = writer.page
    page.wait_for_selector(".story .remark")
    assert page.locator(".remark img, .remark script, .remark svg").count() == 0
    assert page.locator(".remark a").evaluate_all("(links) => links.map((link) => link.protocol)") == ["http:"]
    assert page.locator("h1").inner_text() == '"><img src=x onerror=alert(1)>'
    page.click('[data-note="preview"]')
    page.wait_for_selector('[data-part="note-preview"] p')
    assert page.locator('[data-part="note-preview"] img').count() == 0
    page.goto(f"{writer.service.url}/studies")
    page.wait_for_selector(".studies h2")
    assert writer.complaints == []


TELEPHONE, DESKTOP = (390, ("chapters", "tree", "note", "changes")), (1280, ("story", "scores"))


@pytest.mark.parametrize(("width", "tabs"), [TELEPHONE, DESKTOP], ids=["telephone", "desktop"])
def test_the_studio_keeps_nobody_out(service, chromium, writer, study, played, width, tabs):
    try_veto(writer, study, played)
    writer.edit(study, kind="write_comment", node=str(played.veto), text="A note")
    writer.edit(study, kind="draw", node=str(played.veto), kind_of_mark="arrow", source="aragon", target="valencia")
    window = {"viewport": {"width": width, "height": 844}, "bypass_csp": True}
    with seated(chromium, service, played.players[0], **window) as desk:
        desk.open(study, f"node={played.veto}")
        for tab in tabs:
            desk.page.locator(f'[data-tab="{tab}"]').click()
            assert findings_by_day_and_night(desk.page) == []


def test_questions_and_dialogs_keep_nobody_out(service, chromium, study, played):
    with seated(chromium, service, played.players[0], bypass_csp=True) as desk:
        desk.open(study, f"node={played.veto}")
        desk.page.keyboard.press("t")
        desk.page.wait_for_selector(".prompt:not([hidden])")
        assert findings_by_day_and_night(desk.page) == []
        desk.page.locator('[data-act="invite"]').click()
        assert findings_by_day_and_night(desk.page) == []


def test_the_studio_does_not_scroll_sideways(writer, study, played):
    """Also at 320 pixels, which is 200 % of a window of 640."""
    try_veto(writer, study, played)
    writer.open(study, f"node={played.veto}")
    page = writer.page
    for mode in ("", "t"):
        if mode:
            page.keyboard.press(mode)
            page.wait_for_selector(".prompt:not([hidden])")
        for width in (320, 390, 768, 1100, 1280, 1920):
            page.set_viewport_size({"width": width, "height": 700})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 1280, "height": 800})
