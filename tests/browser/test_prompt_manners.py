"""The manners of the prompt: drafts and undo, refusals with their reason, second thoughts, focus, unknown questions."""

import pytest

from rules.forms import Choice
from rules.kernel import TimeUp
from tests.browser.asking import Table, ask, ready
from tests.browser.hands import FOCUS, WAY, Keys, Mouse
from tests.browser.situations import ANNIVERSARY, BASE, INTRIGUE, Way, found, looked_at, sampled
from tests.browser.test_accessibility import findings_by_day_and_night
from tests.browser.test_prompt import sent

PLACE = Way("menu", "place", (("to", "placement"),))
MOVE = Way("step", "step", (("owner", "piece"), ("from", "piece"), ("to", "destination")))
VETO = Way("veto", "veto_response", (("answer", "veto"),))
GENERAL = Way("disk_general", "set_disk", (("region", "disk"),))
POWER = Way("power", "play_power_card", (("value", "power_card"),))
CARD = Way("choose_card", "choose_action_card", (("stack", "action_card"),))
DRAW = Way("draw", "draw", (("from_province", "province"),))
SCORE = Way("menu", "special", (("space", "space"),))
SCOREBOARD = Way("menu", "special", (("board", "scoreboard"), ("to", "scoreboard_goes")))


@pytest.fixture(scope="module")
def desk(service, chromium):
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce", bypass_csp=True)
    context.set_default_timeout(20_000)
    yield ready(context.new_page(), Table(service, 2, BASE, "manners"))
    context.close()


def begin(service, page, way):
    here = found()[way]
    table = here.table(service)
    ask(page, table, here.seat)
    return here, table, Mouse(page, here.rules)


def until(wanted):
    """A game in which something is asked that is wanted: the place in it, and the decision."""
    for seed in range(200):
        for here in looked_at(seed):
            [decision] = here.decisions
            if wanted(here.state, decision):
                return here.found(decision.forms[0]), decision
    raise AssertionError("no game comes to it")


def text(page, part: str) -> str:
    return page.locator(f"#prompt {part}").inner_text()


def hint_says(page, words: str) -> None:
    page.locator("#prompt .hint", has_text=words).wait_for()


# Presses


@pytest.fixture
def pressing(service, desk):
    """A card is picked, and the button that plays it is held down."""
    here, table, hand = begin(service, desk, POWER)
    hand.give(table.decision(here.seat), here.form, sampled(here.form))
    desk.wait_for_selector("#prompt .foreseen")
    desk.mouse.move(*hand.spot("commit"))
    desk.mouse.down()
    desk.evaluate("document.querySelector('#prompt .commit').dataset.pressed = ''")
    return desk


def test_a_press_counts_although_more_comes_to_be_known_about_the_question(pressing):
    pressing.evaluate("asking.prompt.redraw()")
    pressing.mouse.up()
    assert sent(pressing)


def test_what_has_come_to_be_known_is_drawn_when_the_press_ends(pressing):
    pressing.evaluate("asking.prompt.redraw()")
    pressing.mouse.move(1, 1)
    assert pressing.locator("[data-pressed]").count() == 1
    pressing.mouse.up()
    pressing.wait_for_selector("#prompt .commit:not([data-pressed])")
    assert pressing.evaluate("asking.moves") == []


def test_a_press_does_not_answer_a_question_that_came_while_it_lasted(pressing):
    pressing.evaluate("asking.ask([{ ...asking.prompt.question.decisions[0], id: 'another' }])")
    assert pressing.locator("[data-pressed]").count() == 0
    pressing.mouse.up()
    assert pressing.evaluate("asking.moves") == []


# Drafts


@pytest.fixture
def placing(service, desk):
    """Somebody may place two caballeros or more."""
    here, _ = until(lambda state, decision: decision.forms[0].kind == "place" and decision.forms[0].total.high > 1)
    ask(desk, here.table(service), here.seat)
    first, second, *_ = here.form.fields["to"].limits
    return Mouse(desk, here.rules), first, second


def drafted(page) -> dict:
    return page.evaluate("asking.prompt.draft.now.values.to ?? {}")


def test_taps_are_a_draft_that_can_be_undone_tap_by_tap_or_as_a_whole(desk, placing):
    hand, first, second = placing
    hand.tap(f"place:{first}")
    hand.tap(f"place:{second}")
    assert drafted(desk) == {first: 1, second: 1}
    desk.keyboard.press("z")
    assert drafted(desk) == {first: 1}
    hand.tap(f"place:{first}")
    desk.keyboard.press("Shift+Z")
    assert drafted(desk) == {}
    hand.tap(f"place:{first}")
    hand.press("undo")
    assert drafted(desk) == {}
    assert desk.evaluate("asking.moves") == []


def test_a_badge_takes_one_back_and_so_does_backspace(desk, placing):
    hand, first, _ = placing
    hand.tap(f"place:{first}", 2)
    assert desk.locator(".plus text").all_text_contents() == ["+2"]
    desk.locator(".plus.back").click()
    assert drafted(desk) == {first: 1}
    desk.evaluate("id => asking.prompt.stage.focus(id)", f"place:{first}")
    desk.keyboard.press("Backspace")
    assert drafted(desk) == {}


def test_a_long_press_places_as_many_as_possible(desk, placing):
    hand, first, _ = placing
    most = hand.page.evaluate("asking.prompt.draft.tally.maximum")
    desk.mouse.move(*hand.spot(f"place:{first}"))
    desk.mouse.down()
    desk.wait_for_selector(".plus")
    desk.mouse.up()
    assert drafted(desk) == {first: most}


def test_the_button_says_what_will_happen_and_the_hint_what_is_left(desk, placing):
    hand, first, _ = placing
    assert text(desk, ".commit") == "Place"
    assert desk.locator("#prompt .commit").is_disabled()
    most = desk.evaluate("asking.prompt.draft.tally.maximum")
    hint_says(desk, f"{most} left, court of")
    hand.tap(f"place:{first}", 2)
    assert text(desk, ".commit") == "Place 2"
    assert desk.locator(".tally .full").count() == 2


def test_what_would_follow_is_told_before_it_is_sent(desk, placing):
    hand, first, _ = placing
    hand.tap(f"place:{first}", 2)
    hint_says(desk, "places 2 caballeros in")
    assert desk.evaluate("asking.moves") == []


def test_a_question_that_is_asked_again_unchanged_keeps_the_draft(desk, placing):
    hand, first, _ = placing
    hand.tap(f"place:{first}")
    desk.evaluate("asking.next(asking.prompt.seat)")
    assert drafted(desk) == {first: 1}


# What is not legal


def test_a_space_that_is_not_legal_says_why_and_nothing_is_sent(desk, placing):
    hand, *_ = placing
    barred = desk.locator('.prompt-targets [aria-disabled="true"]').first.get_attribute("data-focus")
    hand.press(barred)
    desk.locator("#prompt .hint[role=alert]", has_text="king").wait_for()
    assert drafted(desk) == {}
    hand.press(next(id for id in desk.evaluate("asking.prompt.stage.stops.filter((s) => s.isLegal).map((s) => s.id)")))
    assert desk.locator("#prompt.refused").count() == 0


def test_a_card_that_was_played_by_another_says_so(service, desk):
    here, _ = until(lambda state, decision: decision.kind == "power" and state.board.power)
    ask(desk, here.table(service), here.seat)
    gone = desk.locator('#prompt .pc[aria-disabled="true"]').first.get_attribute("data-focus")
    Mouse(desk, here.rules).press(gone)
    desk.locator("#prompt .hint[role=alert]", has_text="power card").wait_for()


def test_a_refusal_of_the_server_is_shown_and_the_draft_stays(service, desk):
    here, table, hand = begin(service, desk, POWER)
    table.play([TimeUp(here.seat, table.decision(here.seat).id)])
    hand.choose(here.form.fields["value"].values[0])
    hand.press("commit")
    desk.locator("#prompt.refused").wait_for()
    assert "waiting for" in text(desk, ".message")
    assert desk.locator("#prompt .commit").is_enabled()


# Second thoughts


def test_a_turn_in_which_nothing_was_done_ends_only_when_that_is_said_twice(service, desk):
    here, _ = until(lambda state, decision: any(form.words.confirm for form in decision.forms))
    ask(desk, here.table(service), here.seat)
    hand = Mouse(desk, here.rules)
    hand.press("way:end_turn")
    assert "End your turn?" in text(desk, ".message")
    desk.keyboard.press("Escape")
    hand.press("way:end_turn")
    assert desk.evaluate("asking.moves") == []
    hand.press("way:end_turn")
    assert [move["kind"] for move in sent(desk)] == ["end_turn"]


def test_a_disk_on_the_king_is_asked_about_and_marked(service, desk):
    here, _, hand = begin(service, desk, GENERAL)
    [(king, _)] = here.form.fields["region"].confirm
    assert desk.locator(".dial .warned").count() == 1
    hand.press(f"place:{king}")
    assert desk.locator(".sector.chosen").count() == 1, "the dial mirrors the map"
    hand.press("commit")
    assert "go back to court" in text(desk, ".message")
    hand.press("commit")
    assert sent(desk) == [{"kind": "set_disk", "region": king}]


# Interruptions


def test_a_veto_window_takes_the_focus_shows_what_it_is_about_and_needs_two_presses_to_spend_it(service, desk):
    here = found()[VETO]
    ask(desk, here.table(service), here.seat)
    assert desk.locator("#prompt").get_attribute("role") == "alertdialog"
    assert desk.evaluate(FOCUS) == "answer:allow"
    desk.keyboard.press("v")
    assert desk.evaluate("asking.moves") == []
    desk.keyboard.press("v")
    assert sent(desk) == [{"kind": "veto_response", "answer": "veto"}]


def test_a_second_thought_outlives_that_the_same_is_asked_again(service, desk):
    here = found()[VETO]
    ask(desk, here.table(service), here.seat)
    desk.keyboard.press("v")
    desk.evaluate("asking.next(asking.prompt.seat)")
    desk.keyboard.press("v")
    assert sent(desk) == [{"kind": "veto_response", "answer": "veto"}]


def test_the_move_that_is_to_be_let_through_is_drawn_as_an_arrow(service, desk):
    here, _ = until(lambda state, decision: decision.kind == "veto" and state.agenda[0].announced)
    ask(desk, here.table(service), here.seat)
    desk.locator(".prompt-marks .mark-arrow").wait_for()


# Steps


def steps_at_once(state, decision) -> bool:
    sources = {
        form.fields["from"].values[0] for form in decision.forms if "to" in form.fields and "from" in form.fields
    }
    return decision.kind == "step" and decision.at_once > 2 and len(sources) > 2


def test_steps_are_put_together_with_numbered_arrows_and_sent_as_one(service, desk):
    here, _ = until(steps_at_once)
    ask(desk, here.table(service), here.seat)
    hand = Mouse(desk, here.rules)
    for _ in range(2):
        move_something(desk, hand)
    assert desk.locator(".mark-arrow text").all_text_contents() == ["1", "2"]
    assert text(desk, ".commit") == "Move 2"
    hand.press("commit")
    [move] = sent(desk)
    assert move["kind"] == "several"
    assert len(move["steps"]) == 2


def move_something(page, hand):
    """A piece, unless there is only one, and a space for it."""
    for name in ("from", "to"):
        if name == "to" or page.evaluate("asking.prompt.draft.value('from')") is None:
            hand.press(page.evaluate("asking.prompt.stage.stops.find((each) => each.isLegal).id"))
        if name == "from":
            assert page.locator(".draft.lifted").count() == 1
    hand.settle()


def test_escape_lets_go_of_a_piece_that_was_picked(service, desk):
    here, _ = until(steps_at_once)
    ask(desk, here.table(service), here.seat)
    hand = Mouse(desk, here.rules)
    hand.press(desk.evaluate("asking.prompt.stage.stops.find((each) => each.isLegal).id"))
    desk.keyboard.press("Escape")
    assert desk.locator(".draft.lifted").count() == 0
    assert desk.locator('.prompt-targets .piece[role="button"]').count() > 0


def two_colours(state, decision) -> bool:
    return decision.kind == "step" and any(
        isinstance(owner := form.fields.get("owner"), Choice) and len(owner.values) > 1 for form in decision.forms
    )


def test_a_space_with_pieces_of_several_colours_asks_whose_is_meant(service, desk):
    here, decision = until(two_colours)
    ask(desk, here.table(service), here.seat)
    form = next(form for form in decision.forms if len(form.fields["owner"].values) > 1)
    [place] = form.fields["from"].values
    hand = Mouse(desk, here.rules)
    hand.press(f"around:{place}")
    assert desk.locator("#prompt .drawer [role=radio]").count() >= 2
    desk.locator("#prompt .drawer [role=radio]").first.click()
    assert set(desk.evaluate("asking.prompt.draft.now.values")) == {"owner", "from"}


def test_without_previews_steps_are_sent_one_by_one(service, page):
    here, _ = until(steps_at_once)
    table = here.table(service)
    ask(ready(page, table, previews=False), table, here.seat)
    hand = Mouse(page, here.rules)
    move_something(page, hand)
    assert text(page, ".commit") == "Move 1"
    hand.press("commit")
    assert [move["kind"] for move in sent(page)] == ["step"]


# Questions that no control is made for


STRANGE = {
    "id": "9-red",
    "kind": "strange",
    "seat": "red",
    "text": "what next?",
    "at_once": 1,
    "schema": {
        "anyOf": [
            {
                "title": "do something unheard of",
                "properties": {
                    "decision": {"const": "9-red"},
                    "kind": {"const": "strange"},
                    "turn": {"enum": [0, 90, 180, 270]},
                    "agree": {"enum": [True, False], "x-labels": ["yes, gladly", "no"]},
                    "paid": {"type": "integer", "minimum": 1, "maximum": 3},
                    "goods": {
                        "type": "object",
                        "additionalProperties": False,
                        "properties": {"gold": {"type": "integer", "minimum": 1, "maximum": 2}},
                    },
                    "cell": {"type": "array"},
                    "word": {"type": "string"},
                },
            }
        ]
    },
}


def test_a_question_of_a_kind_that_nobody_has_drawn_is_answered_by_a_plain_form(desk):
    desk.evaluate("decision => asking.ask([decision])", STRANGE)
    hand = Mouse(desk, BASE)
    hand.choose(180)
    desk.get_by_role("radio", name="no").click()
    hand.press("paid:more")
    hand.press("goods-gold:more")
    desk.get_by_label("Cell").fill("[3, 4]")
    desk.get_by_label("Word").fill("so")
    desk.get_by_label("Word").blur()
    hand.press("commit")
    assert sent(desk) == [
        {"kind": "strange", "turn": 180, "agree": False, "paid": 2, "goods": {"gold": 1}, "cell": [3, 4], "word": "so"}
    ]


def test_of_several_seats_that_are_asked_one_is_chosen(desk):
    both = [{**STRANGE, "seat": seat, "id": f"9-{seat}", "text": f"what next, {seat}?"} for seat in ("red", "blue")]
    desk.evaluate("decisions => asking.ask(decisions)", both)
    assert text(desk, "h2") == "What next, red?"
    Mouse(desk, BASE).press("seat:blue")
    assert text(desk, "h2") == "What next, blue?"


# Focus


@pytest.mark.parametrize("way", [MOVE, PLACE, GENERAL], ids=str)
def test_arrows_lead_to_every_button_of_the_map(service, desk, way):
    begin(service, desk, way)
    stops = desk.evaluate("asking.prompt.stage.stops.map((each) => each.id)")
    assert len(stops) > 1
    for stop in stops:
        assert desk.evaluate(WAY, stop) is not None, stop


def test_a_number_leads_to_its_space_and_the_space_is_told_in_a_sentence(service, desk):
    begin(service, desk, PLACE)
    desk.keyboard.press("0")
    assert desk.evaluate(FOCUS) == "place:castillo"
    said = desk.evaluate("document.activeElement.getAttribute('aria-label')")
    assert said.startswith("Castillo, worth 5/3/1:")
    assert said.endswith("Can be chosen.")


def test_who_plays_by_keyboard_finds_the_focus_at_the_next_question(service, desk):
    here, _, _ = begin(service, desk, POWER)
    desk.evaluate("asking.prompt.focus()")
    hand = Keys(desk, here.rules)
    hand.choose(here.form.fields["value"].values[0])
    desk.keyboard.press("Control+Enter")
    sent(desk)
    desk.evaluate("asking.next()")
    assert desk.evaluate("document.getElementById('prompt').contains(document.activeElement)")


# For everybody


@pytest.mark.parametrize("width", [390, 1280], ids=["telephone", "desktop"])
def test_no_question_keeps_people_out(service, desk, width):
    desk.set_viewport_size({"width": width, "height": 844})
    for way in (CARD, PLACE, GENERAL, VETO) if width < 760 else (POWER, DRAW, MOVE, SCOREBOARD):
        begin(service, desk, way)
        assert findings_by_day_and_night(desk) == [], way
        assert desk.evaluate("document.documentElement.scrollWidth") <= width, way
    desk.set_viewport_size({"width": 1280, "height": 800})


# Whole games


@pytest.mark.parametrize(("players", "rules"), [(2, BASE), (3, ANNIVERSARY), (2, INTRIGUE)])
def test_whoever_presses_only_what_glows_is_never_refused(service, desk, players, rules):
    play_by_what_glows(service, desk, players, rules, 20)


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("rules", [BASE, ANNIVERSARY, INTRIGUE])
def test_whole_games_can_be_played_by_what_glows(service, desk, players, rules):
    play_by_what_glows(service, desk, players, rules, 10_000)
    assert desk.evaluate("fetch(`/api/v1/games/${asking.game}`).then((answer) => answer.json())")["status"] == "over"


def play_by_what_glows(service, page, players, rules, moves):
    table = Table(service, players, rules, f"glow {players} {rules}")
    page.evaluate("([game, tokens]) => asking.open(game, tokens)", [table.game, table.tokens])
    made = page.evaluate("([seed, most]) => asking.play(seed, most)", [players + 7, moves])
    assert page.evaluate("asking.refusals") == []
    assert made >= min(moves, 40)
