"""The manners of the table: live, resumed, looking back, taking back, answers ahead, leaving, hints; its secrets."""

from __future__ import annotations

import json
import random
import re
from contextlib import contextmanager

from playwright.sync_api import Route, expect

from events.games import Games
from events.table.commands import Join, Play, Start
from events.table.game import redact
from events.table.time_control import TimeControl
from rules.codec import encode
from rules.kernel import options, waiting
from tests.browser.conftest import SECONDS
from tests.browser.playing import TablePlayer, agree, gathered
from tests.browser.playing import play_on as play_on_pages
from tests.browser.replaying import behind, play_one, played
from tests.browser.studying import answer, dealt, guests, seated, until
from tests.browser.test_accessibility import findings_by_day_and_night
from tests.events.played import play_on

expect.set_options(timeout=SECONDS * 1000)

MINUTES = TimeControl(bank_ms=1_200_000)
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@contextmanager
def two(service, chromium, **options):
    """A game of two, and who is asked first."""
    with gathered(service, chromium, 2, **{"time": MINUTES} | options) as (game, players):
        players.sort(key=lambda player: not player.offered["asked"])
        yield game, *players


def play_a_card(player: TablePlayer, *others: TablePlayer) -> None:
    """The first power card that can be played; all have seen it then."""
    until(lambda: player.offered["radios"])
    before = player.version
    player.press(player.offered["radios"][0])
    player.press("commit")
    for each in (player, *others):
        follow(each, before + 1)


def test_a_table_without_clocks_shows_a_player_and_no_clock(service, chromium):
    with two(service, chromium, time=None) as (_, first, _second):
        player = first.part("players").locator("li").first
        expect(player.locator(".facts .power")).to_be_visible()
        assert player.locator("[data-clock]").count() == 0
        assert "false" not in player.inner_text()


# Live


def test_a_move_is_seen_by_the_others_and_in_another_tab_without_loading_anything_again(service, chromium):
    with two(service, chromium) as (game, first, second):
        tab = TablePlayer(service, first.page.context.new_page(), first.guest, first.seat).sit(game)
        before = first.version
        play_a_card(first, second, tab)
        assert first.version == before + 1
        expect(second.page.locator("#prompt")).to_be_visible()
        expect(tab.page.locator("#prompt")).to_be_hidden()
        assert second.page.title().startswith("Your turn")
        assert not first.page.title().startswith("Your turn")
        assert [first.complaints, second.complaints, tab.complaints] == [[], [], []]


def test_a_line_that_is_cut_is_told_and_comes_back_with_all_that_was_missed_and_with_the_draft(service, chromium):
    with two(service, chromium) as (_, first, second):
        card = first.offered["radios"][1]
        first.press(card)
        first.page.context.set_offline(True)
        expect(first.part("connection")).to_be_visible()
        first.page.context.set_offline(False)
        expect(first.part("connection")).to_be_hidden()
        assert first.offered["checked"] == [card], "what was picked is still there"
        second.page.context.set_offline(True)
        expect(second.part("connection")).to_be_visible()
        first.press("commit")
        until(lambda: not first.offered["asked"])
        second.page.context.set_offline(False)
        agree([first, second])
        expect(second.page.locator("#prompt")).to_be_visible()


def test_what_is_picked_before_the_line_is_open_is_still_there_when_it_is(service, chromium):
    with two(service, chromium) as (game, first, _):
        held: list[Route] = []
        first.page.route("**/table?*", lambda route: held.append(route))
        first.sit(game)
        card = first.offered["radios"][1]
        first.press(card)
        until(lambda: first.offered["checked"] == [card] and held)
        with first.page.expect_response("**/table?*") as answered:
            held[0].continue_()
        answered.value.finished()
        first.page.evaluate(TWO_FRAMES)
        assert first.offered["checked"] == [card]


def test_a_move_that_is_sent_while_the_line_is_cut_arrives_once_when_it_is_back(service, chromium):
    with two(service, chromium) as (_, first, second):
        first.press(first.offered["radios"][1])
        before = first.version
        first.page.context.set_offline(True)
        first.press("commit")
        expect(first.part("connection")).to_be_visible()
        first.page.context.set_offline(False)
        agree([first, second])
        until(lambda: first.version == second.version == before + 1)


LOOKS = "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/table?')).length"
"""How often a page has asked how the table stands."""


def test_after_a_move_every_page_looks_at_the_table_once(service, chromium):
    with two(service, chromium) as (_, first, second):
        pages = [first.page, second.page]
        until(lambda: all(page.evaluate(LOOKS) == 1 for page in pages))  # when its line to the service held
        play_a_card(first, second)
        play_a_card(second, first)
        until(lambda: all(page.evaluate(LOOKS) >= 3 for page in pages))
        first.page.wait_for_timeout(200)
        assert [page.evaluate(LOOKS) for page in pages] == [3, 3]


LOOK = re.compile(r"/table\?")
LOOK_AGAIN = "document.dispatchEvent(new Event('visibilitychange'))"
"""As when a tab comes to the front: the page asks how the table stands."""

ANSWERABLE = """() => {
  const root = document.querySelector("#prompt"), seen = (window.answerable = []);
  let isSent = false;
  const look = () => {
    if (root.getAttribute("aria-busy") === "true") isSent = true;
    else if (isSent && !root.hidden) seen.push(root.querySelector("h2").textContent);
  };
  new MutationObserver(look).observe(root, { attributes: true, childList: true, subtree: true });
}"""
"""Writes down whenever a question is there to be answered after one was."""


def test_a_question_cannot_be_answered_again_while_the_answer_is_on_its_way(service, chromium):
    with two(service, chromium) as (_, first, second):
        first.press(first.offered["radios"][1])
        moves: list = []
        first.page.route("**/moves", lambda route: moves.append(route))
        first.press("commit")
        until(lambda: first.offered["busy"] and moves)
        with first.page.expect_response(LOOK):
            first.page.evaluate(LOOK_AGAIN)
        first.page.evaluate("new Promise((resolve) => setTimeout(resolve))")
        assert first.offered["busy"], "the same question, asked again"
        moves[0].continue_()
        agree([first, second])
        until(lambda: not first.offered["asked"])
        assert len(moves) == 1


def test_a_look_at_the_table_from_before_a_move_does_not_ask_for_the_move_again(service, chromium):
    with two(service, chromium) as (_, first, _):
        first.press(first.offered["radios"][1])
        before = first.version
        looks: list = []

        def held(route) -> None:
            if looks:
                return route.continue_()
            looks.append((route, route.fetch()))

        first.page.route(LOOK, held)
        first.page.evaluate(LOOK_AGAIN)
        until(lambda: first.offered["asked"] and looks)
        first.page.evaluate(ANSWERABLE)
        with first.page.expect_response("**/moves"):
            first.press("commit")
        until(lambda: not first.offered["asked"])
        [(late, answer)] = looks
        late.fulfill(response=answer)
        until(lambda: first.version == before + 1)
        assert first.page.evaluate("window.answerable") == []


# How the own turn is told


def test_sound_and_notices_are_choices_of_the_account_wherever_they_are_made(service, chromium):
    with two(service, chromium, permissions=["notifications"]) as (_, first, _):
        for name in ("Sound on my turn", "Notices of this browser on my turn"):
            expect(switch(first, name)).to_have_attribute("aria-checked", "false")
            menu(first, name)
            expect(switch(first, name)).to_have_attribute("aria-checked", "true")
        assert first.asked("me/notices") == {"browser": True, "sound": True}
        account = first.page.context.new_page()
        account.goto(f"{service.url}/account")
        account.get_by_label("a sound").uncheck()
        account.get_by_role("button", name="Save the choices").click()
        expect(account.get_by_label("a sound")).not_to_be_checked()
        expect(account.get_by_label("a notification, while I look elsewhere")).to_be_checked()
        first.page.evaluate(LOOK_AGAIN)
        expect(switch(first, "Sound on my turn")).to_have_attribute("aria-checked", "false")
        first.page.reload()
        expect(switch(first, "Sound on my turn")).to_have_attribute("aria-checked", "false")
        expect(switch(first, "Notices of this browser on my turn")).to_have_attribute("aria-checked", "true")


def switch(player: TablePlayer, name: str):
    """A switch of the menu, also while that is shut."""
    return player.page.locator("#table-menu [role=switch]", has_text=name)


# Looking back


def test_looking_back_keeps_the_game_going_and_the_draft(service, chromium):
    with two(service, chromium) as (_, first, second):
        play_a_card(first, second)
        second.page.wait_for_selector("[data-history]")
        card = second.offered["radios"][0]
        second.press(card)
        second.page.keyboard.press(",")
        expect(second.page.locator("[data-looking]")).to_be_visible()
        expect(second.page.locator("#prompt")).to_be_hidden()
        expect(second.part("waiting")).to_contain_text("You are looking at step")
        button = second.part("waiting").get_by_role("button", name="Your turn: back to now")
        button.click()
        expect(second.page.locator("[data-looking]")).to_have_count(0)
        assert second.offered["checked"] == [card]


def test_a_question_that_comes_while_one_looks_back_is_a_button_and_no_jump(service, chromium):
    with two(service, chromium) as (_, first, second):
        play_a_card(first, second)
        play_a_card(second, first)
        until(lambda: first.offered["asked"] or second.offered["asked"])
        mover, looker = (first, second) if first.offered["asked"] else (second, first)
        looker.page.wait_for_selector("[data-history]")
        looker.page.keyboard.press(",")
        looking = looker.page.locator("[data-looking]").get_attribute("data-looking")
        expect(looker.part("waiting").get_by_role("button", name="Back to now", exact=True)).to_be_visible()
        button = looker.part("waiting").get_by_role("button", name="Your turn: back to now")
        play_on_pages([mover], lambda: not button.is_visible())
        assert looker.page.locator("[data-looking]").get_attribute("data-looking") == looking
        looker.page.keyboard.press("Escape")
        expect(looker.page.locator("#prompt")).to_be_visible()


# Taking back, leaving


def test_a_move_is_taken_back_while_no_other_was_made(service, chromium):
    with two(service, chromium) as (_, first, second):
        play_a_card(first, second)
        first.part("waiting").get_by_role("button", name="Take it back").click()
        expect(first.page.locator("#prompt")).to_be_visible()
        expect(second.page.locator("#prompt")).to_be_hidden()


def test_later_the_others_are_asked_and_agree(service, chromium):
    with two(service, chromium) as (_, first, second):
        play_a_card(first, second)
        play_a_card(second, first)
        menu(first, "Ask to take it back")
        expect(first.part("request")).to_contain_text("the others must agree")
        second.part("request").get_by_role("button", name="Agree").click()
        until(lambda: first.offered["kind"] == "power" and first.offered["asked"])
        expect(second.part("request")).to_be_hidden()


def menu(player: TablePlayer, name: str) -> None:
    player.page.get_by_role("button", name="Menu").click()
    player.page.locator("#table-menu").get_by_text(name).click()


def test_resigning_asks_first_and_a_rematch_is_offered_at_once(service, chromium):
    with two(service, chromium) as (game, first, second):
        expect(second.part("waiting").get_by_role("button", name="Rematch")).to_be_hidden()
        menu(first, "Resign")
        first.page.keyboard.press("Escape")
        expect(first.page.locator("#sure")).to_be_hidden()
        menu(first, "Resign")
        first.page.locator("#sure").get_by_role("button", name="Resign").click()
        for player in (first, second):
            expect(player.part("waiting")).to_contain_text(re.compile("wins? with"))
        assert second.part("waiting").get_by_role("link", name="Look at the game again").is_visible()
        second.part("waiting").get_by_role("button", name="Rematch").click()
        expect(second.page.get_by_role("heading", name="Table of")).to_be_visible()
        assert second.page.url != f"{service.url}/games/{game}"


# Answers ahead


def test_a_planned_card_is_played_by_the_service_and_nobody_else_sees_the_plan(service, chromium):
    with two(service, chromium) as (_, first, second):
        seen: list[str] = []
        first.page.on("response", lambda response: seen.append(response.url))
        card = second.page.locator("[data-part=hand] [data-act=plan]").nth(3)
        value = card.get_attribute("data-card")
        card.click()
        expect(second.page.locator("[data-part=hand] .planned")).to_have_count(1)
        before = second.version
        first.press(next(id for id in first.offered["radios"] if not id.endswith(f":{value}")))
        first.press("commit")
        until(lambda: second.version == before + 2)
        assert not any("/ahead" in url for url in seen)
        expect(second.page.locator("[data-part=hand] .planned")).to_have_count(0)


def test_a_veto_window_is_allowed_for_a_player_who_has_said_so(service, chromium):
    people = guests(service, 3)
    with behind(service) as wired:
        game = dealt(Games(wired.games.log, draw=random.Random(5).randbytes), [each.account for each in people])
        pick = random.Random(7).randrange
        asked = None
        while not asked:
            state = wired.games.load(game).state
            seat = waiting(state)[0]
            [decision] = options(state, seat)
            if decision.kind == "veto":
                asked = seat
            else:
                wired.games.submit(game, Play(answer(state, decision, pick)))
        holder = wired.games.load(game).seats[asked]
    [guest] = [each for each in people if each.account == holder]
    with seated(chromium, service, guest) as desk:
        player = TablePlayer(service, desk.page, guest, asked).sit(game)
        before = player.version
        player.page.get_by_label("allow every time").check()
        until(lambda: player.version > before)
        player.page.get_by_role("button", name="Menu").click()
        item = player.page.get_by_role("switch", name="Allow every veto window")
        expect(item).to_have_attribute("aria-checked", "true")
        item.click()
        expect(player.part("toast")).to_contain_text("Nothing is answered for you ahead")


# Looking at a place


def test_the_place_under_the_pointer_or_a_finger_is_told_to_everybody(service, chromium):
    with two(service, chromium, has_touch=True) as (_, first, second):
        for player in (first, second):
            box = player.page.locator("[data-part=players]").bounding_box()
            told = player.page.locator(".glance")
            x, y = player.page.evaluate(PLACE, "sevilla")
            player.page.mouse.move(x, y)
            expect(told).to_contain_text("Seville, worth 4/3/1:")
            player.page.mouse.move(box["x"], box["y"])
            expect(told).to_be_hidden()
            player.page.touchscreen.tap(x, y)
            expect(told).to_contain_text("Seville")


PLACE = """(key) => {
  const area = document.querySelector(`.glance-area[data-place="${key}"]`);
  const { left, top, width, height } = area.getBoundingClientRect();
  return [left + width * 0.4, top + height * 0.4];
}"""
"""A point of a region."""


# Hints


def test_newcomers_are_told_about_each_kind_of_question_once_and_anybody_may_ask(service, chromium):
    with two(service, chromium) as (_, first, _):
        coach = first.part("coach")
        expect(coach).to_contain_text("Power cards decide who goes first")
        coach.get_by_role("button", name="Got it").click()
        expect(coach).to_be_hidden()
        first.page.reload()
        first.page.wait_for_selector("[data-ready]")
        expect(coach).to_be_hidden()
        first.page.keyboard.press("?")
        sheet = first.page.locator("#help")
        expect(sheet).to_contain_text("A high card lets you choose")
        expect(sheet).to_contain_text("If your time runs out")
        first.page.keyboard.press("Escape")
        expect(sheet).to_be_hidden()


def test_a_card_of_the_round_tells_its_whole_text(service, chromium):
    with two(service, chromium) as (_, first, second):
        play_a_card(first, second)
        play_a_card(second, first)
        card = first.page.locator("[data-part=cards] button").first
        card.click()
        sheet = first.page.locator("#card")
        expect(sheet.locator("h2")).to_have_text(card.locator(".name").inner_text())
        assert len(sheet.locator("p").inner_text()) > 10


def test_the_ledger_of_a_clock_opens_at_the_clock(service, chromium):
    with two(service, chromium) as (_, first, second):
        play_a_card(first, second)
        first.page.locator(f"[data-clock={first.seat}]").click()
        expect(first.page.locator("#ledger tbody tr").first).to_be_visible()


# For all eyes and ears


def test_nothing_keeps_people_out(service, chromium):
    with two(service, chromium, bypass_csp=True) as (_, first, second):
        for player in (first, second):
            page = player.page
            for width in (390, 1280):
                page.set_viewport_size({"width": width, "height": 844})
                assert findings_by_day_and_night(page) == []
            for width in (320, 390, 768, 900, 1100, 1920):
                page.set_viewport_size({"width": width, "height": 700})
                assert page.evaluate("document.documentElement.scrollWidth") <= width
        second.page.get_by_role("button", name="Menu").click()
        assert findings_by_day_and_night(second.page) == []
        second.page.keyboard.press("Escape")
        second.page.keyboard.press("?")
        assert findings_by_day_and_night(second.page) == []


def test_the_question_and_what_happens_are_told_to_ears(service, chromium):
    with two(service, chromium) as (_, first, second):
        expect(first.page.locator("#prompt h2")).to_have_attribute("aria-live", "polite")
        expect(second.part("waiting").locator("[aria-live=polite]")).to_contain_text("chooses a power card")
        play_a_card(first)
        expect(second.part("now")).to_contain_text("plays power card")
        expect(second.page.locator("[data-part=players] [data-panel]").first).to_be_visible()


def test_nothing_moves_for_people_who_do_not_want_that_and_what_has_changed_has_a_ring(service, chromium):
    game = played(service, players=3, moves=20)
    with seated(chromium, service) as desk:
        player = TablePlayer(service, desk.page).sit(game)
        play_one(service, game)
        until(lambda: player.page.locator("[data-table]").get_attribute("data-version"))
        assert player.page.locator(".carried, .gain").count() == 0


# Weight, and what comes over the line


def test_the_page_is_light_strict_and_speaks_to_nobody_else(service, chromium):
    with two(service, chromium) as (game, first, _):
        page, scripts, hosts = first.page.context.new_page(), [], set()
        network = page.context.new_cdp_session(page)
        network.send("Network.enable")
        kinds: dict[str, str] = {}
        network.on("Network.responseReceived", lambda e: kinds.update({e["requestId"]: e["type"]}))
        network.on("Network.requestWillBeSent", lambda e: hosts.add(e["request"]["url"].split("/")[2]))
        network.on(
            "Network.loadingFinished",
            lambda e: scripts.append(e["encodedDataLength"]) if kinds.get(e["requestId"]) == "Script" else None,
        )
        response = page.goto(f"{service.url}/games/{game}")
        page.wait_for_selector("[data-ready][data-history]")
        assert sum(scripts) <= 150_000, f"{sum(scripts)} bytes of scripts"
        assert scripts
        assert hosts == {service.url.split("/")[2]}
        policy = response.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert " style=" not in response.text()


HOSTILE = "<img src=x onerror=window.hit=1>\"'&{{7*7}}"


def test_hostile_names_are_text(service, chromium):
    with two(service, chromium) as (game, first, second):
        handles = [each.guest.handle for each in (first, second)]

        def forged(text: str, escaped: str) -> str:
            return re.sub("|".join(map(re.escape, handles)), lambda _: escaped, text)

        def answer(route) -> None:
            fetched = route.fetch()
            body = fetched.text()
            is_page = "text/html" in fetched.headers.get("content-type", "")
            if is_page:
                head, tail = body.split('<script type="application/json"', 1)
                escaped = HOSTILE.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
                inside = (
                    json.dumps(HOSTILE)[1:-1].replace("<", "\\u003c").replace("&", "\\u0026").replace("'", "\\u0027")
                )
                body = forged(head, escaped) + '<script type="application/json"' + forged(tail, inside)
            else:
                body = forged(body, json.dumps(HOSTILE)[1:-1])
            route.fulfill(response=fetched, body=body)

        page = second.page
        page.route(re.compile(r"/games/[^/]+$|/table\?|/timeline\?"), answer)
        page.goto(f"{service.url}/games/{game}")
        page.wait_for_selector("[data-ready][data-history]")
        play_a_card(first)
        until(lambda: page.locator("[data-part=story]").inner_text().count(HOSTILE))
        assert HOSTILE in page.locator("[data-part=players]").inner_text()
        assert page.evaluate("window.hit") is None
        assert page.locator("main img").count() == 0
        page.unroute_all(behavior="ignoreErrors")


def test_a_spectators_browser_never_receives_a_secret(service, chromium):
    people = guests(service, 3)
    with behind(service) as wired, seated(chromium, service) as desk:
        game = str(wired.games.create("el_grande", 3, {"game_length": "short"}, owner=people[0].account).id)
        for person in people:
            wired.games.submit(game, Join(person.account))
        wired.games.submit(game, Start(people[0].account))
        heard = recorded(desk.page)
        spectator = TablePlayer(service, desk.page).sit(game)
        spectator.page.wait_for_selector("[data-history]")
        pick = random.Random(9).randrange
        while wired.games.load(game).is_running:
            play_on(wired.games, game, pick, 12, key=f"after {spectator.version}")
            follow(spectator, wired.games.load(game).version)
        over = wired.games.load(game)
        until(lambda: spectator.version == over.version)
        secret = wired.games.log.secret(game)
        before_the_end = [text for text, version in heard() if version < over.version]
        assert len(before_the_end) > 10
        redacted = {commit.header.version: told(commit) for commit in wired.games.commits(game)}
        for text in before_the_end:
            assert secret.hex() not in text
            for part in objects(text):
                assert_open(part)
                if "facts" in part:
                    assert part["facts"] == redacted[part["version"]]


def follow(player: TablePlayer, version: int) -> None:
    """The page has come so far."""
    until(lambda: player.version >= version)


def told(commit) -> list:
    """The facts of a commit, as the public may know them."""
    found: list = json.loads(encode(redact(commit, "spectator")))
    return found


def recorded(page):
    """Everything that comes over the line: answers, and events of streams, with the version at which they came."""
    network, known, bodies = page.context.new_cdp_session(page), [], []
    network.send("Network.enable")
    network.on("Network.eventSourceMessageReceived", lambda e: bodies.append(e["data"]))
    page.on("response", lambda response: known.append(response) if "/stream" not in response.url else None)

    def heard() -> list[tuple[str, int]]:
        found = [response.text() for response in known if is_text(response)] + bodies
        return [(text, version_of(text)) for text in found]

    return heard


def is_text(response) -> bool:
    kind = response.headers.get("content-type", "")
    return response.ok and ("json" in kind or "html" in kind)


def version_of(text: str) -> int:
    found = re.search(r'data-version="(\d+)"', text)
    return int(found[1]) if found else int(json.loads(text).get("version", 0))


def objects(text: str):
    """Everything inside of an answer, or of the data that a page brings along."""
    if text.startswith("<!doctype"):
        text = text.split('id="game">')[1].split("</script>")[0]
    waiting = [json.loads(text)]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            yield part
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)


def assert_open(part: dict) -> None:
    """Nothing in it is hidden from the public."""
    assert not part.get("hand"), "a hand"
    assert not part.get("decisions"), "what a player may answer"
    assert not part.get("ahead"), "what a player has answered ahead"
    assert not str(part.get("key", "")).startswith("castillo/"), "what stands in the castillo"
