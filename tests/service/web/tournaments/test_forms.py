"""Forms of tournaments: players come and go, staff run the event, and forged forms do nothing."""

import re

import pytest

from tests.markup import form_values
from tests.service.web.conftest import BROWSER
from tests.service.web.tournaments.conftest import signed_up
from tests.service.web.tournaments.event import Event
from tournaments.commands import StartTournament


def csrf_of(visitor, address="/account") -> str:
    return re.findall(r'name="csrf" value="([^"]+)"', visitor.get(address).text)[0]


def act(visitor, event, kind, **fields):
    data = {"act": kind, "csrf": csrf_of(visitor), "page": "desk", **fields}
    return visitor.client.post(event.address, data=data, headers=BROWSER)


def rule(visitor, event, kind, **fields):
    data = {"act": "rule", "csrf": csrf_of(visitor), "round": "1", "table": "1", "kind": kind, **fields}
    return visitor.client.post(f"{event.address}/desk", data=data, headers=BROWSER)


# Players


def test_a_player_registers_checks_in_and_withdraws(opened, ana):
    assert ana.submit(opened.address, opened.address, act="register").status_code == 303
    me = opened.account("Ana")
    assert opened.now.player_of(me)
    assert "You take part" in ana.get(opened.address).text
    players = f"{opened.address}/players"
    for kind in ("check_in", "withdraw"):
        assert ana.submit(players, opened.address, act=kind).headers["Location"] == players
    assert not opened.now.player_of(me)


def test_a_player_sits_out_and_comes_back(running, ana):
    player = running.now.player_of(running.account("Ana"))
    players = f"{running.address}/players"
    assert ana.submit(players, running.address, act="withdraw").status_code == 303
    assert running.now.participants[player].is_withdrawn
    assert "You have withdrawn." in ana.get(players).text
    assert ana.submit(players, running.address, act="return").status_code == 303
    assert not running.now.participants[player].is_withdrawn


def test_a_refusal_is_told_in_the_page(running, opened, ana, cid):
    again = act(ana, running, "register", player="", page="event")
    assert (again.status_code, 'role="alert"' in again.text) == (409, True)
    late = act(cid, running, "register", player="", page="players")
    assert (late.status_code, 'role="alert"' in late.text) == (409, True)


@pytest.mark.parametrize("kind", ["start", "pause", "cancel", "announce", "set_staff", "propose_round", "close_round"])
def test_players_do_not_run_the_event(running, ana, kind):
    version = running.now.version
    fields = {"text": "hear", "handle": "Ana", "role": "organiser", "reason": "why"}
    answer = act(ana, running, kind, **fields)
    assert answer.status_code in (403, 409), answer.text
    assert running.now.version == version


def test_a_player_signs_up_nobody_else(opened, ana, cid):
    for name in ("El_Cid", "bot:greedy:77"):
        assert act(ana, opened, "register", player=name, page="event").status_code == 403
    assert len(opened.now.participants) == 4


def test_an_arbiter_runs_the_event_but_not_its_staff(running, ari):
    assert act(ari, running, "announce", text="Lunch at noon").status_code == 303
    assert "Lunch at noon" in ari.get(f"{running.address}/log").text
    assert act(ari, running, "set_staff", handle="Ari", role="organiser").status_code == 403
    assert act(ari, running, "cancel", reason="rain").status_code == 403


@pytest.mark.parametrize("path", ["", "/desk"])
def test_forged_forms_do_nothing(running, olga, path):
    version = running.now.version
    data = {"act": "announce", "text": "forged", "csrf": csrf_of(olga), "kind": "replay", "table": "1", "reason": "x"}
    address = running.address + path
    for wrong in ({"csrf": ""}, {"csrf": "0" * 64}):
        assert olga.client.post(address, data=data | wrong, headers=BROWSER).status_code == 403
    foreign = BROWSER | {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
    assert olga.client.post(address, data=data, headers=foreign).status_code == 403
    assert running.now.version == version


def test_a_stranger_is_sent_to_sign_in(running, stranger):
    for path in (running.address, f"{running.address}/desk"):
        answer = stranger.client.post(path, data={"act": "announce", "text": "hear"}, headers=BROWSER)
        assert answer.status_code in (401, 403), answer.text
    page = stranger.get("/tournaments/new").text
    assert 'href="/sign-in?next=/tournaments/new"' in page.replace("%2F", "/")
    assert 'value="open"' not in page
    changed = stranger.submit("/tournaments/new", "/tournaments/new", act="players:more")
    assert (changed.status_code, 'value="31"' in changed.text) == (200, True)
    assert stranger.submit("/tournaments/new", "/tournaments/new", act="open", title="Spring").status_code == 401


@pytest.mark.parametrize(
    "fields",
    [
        {"act": ""},
        {"act": "nonsense"},
        {"act": "add_bots", "count": "-4", "bot": "greedy"},
        {"act": "add_bots", "count": "999", "bot": "greedy"},
        {"act": "add_bots", "count": "4", "bot": "../etc"},
        {"act": "add_bots"},
        {"act": "register", "player": "nobody_at_all"},
        {"act": "register", "player": "bot:greedy:0"},
        {"act": "request_bye", "player": "", "round": "٣"},
        {"act": "pin_tables", "tables": "nobody, nowhere"},
        {"act": "set_staff", "handle": "Olga", "role": "emperor"},
        {"act": "forbid_pair", "one": "", "other": ""},
        {"act": "announce", "text": ""},
        {"act": "announce", "text": "x" * 100_000},
    ],
    ids=str,
)
def test_hostile_fields_are_refused_in_the_page(opened, olga, fields):
    version = opened.now.version
    answer = act(olga, opened, fields["act"], **{name: value for name, value in fields.items() if name != "act"})
    assert 400 <= answer.status_code < 500, answer.text
    assert opened.now.version == version


# The desk


def test_an_organiser_adds_players_and_bots_and_starts(opened, olga, ana):
    desk = f"{opened.address}/desk"
    assert olga.get(desk).status_code == 200
    assert act(olga, opened, "register", player="Ana").headers["Location"] == desk
    assert "1 invitation is not answered" in olga.get(desk).text
    assert "Take back" in olga.get(f"{opened.address}/players").text
    assert "Take back" not in ana.get(f"{opened.address}/players").text
    assert "The staff of this tournament invites you" in ana.get(opened.address).text
    assert ana.submit(opened.address, opened.address, act="register").status_code == 303
    assert act(olga, opened, "add_bots", count="3", bot="random").status_code == 303
    assert len(opened.now.participants) == 8
    assert act(olga, opened, "start").status_code == 303
    opened.attend()
    for kind, says in (("propose_round", "Round 1 is proposed"), ("publish_round", "Round 1 is published")):
        if kind != "propose_round" or not opened.now.proposal:
            assert act(olga, opened, kind).status_code == 303
        assert says in olga.get(desk).text
    assert act(olga, opened, "start_round").status_code == 303
    opened.attend()
    assert "Ruling at table" not in olga.get(desk).text
    assert "Ruling at table 2" in olga.get(f"{desk}?table=2").text


def test_an_invitation_is_declined(opened, olga, ana):
    act(olga, opened, "register", player="Ana")
    assert ana.submit(opened.address, opened.address, act="withdraw").status_code == 303
    assert opened.now.declined == (opened.account("Ana"),)
    assert "invites you" not in ana.get(opened.address).text
    assert "has declined" in act(olga, opened, "register", player="Ana").text


def test_an_arbiter_lays_the_role_down(running, ari):
    assert "Leave the staff" in ari.get(f"{running.address}/desk").text
    assert act(ari, running, "leave_staff").status_code == 303
    assert not running.now.staff
    assert ari.get(f"{running.address}/desk").status_code == 403


def test_a_pair_of_a_player_who_has_left_does_not_break_the_desk(opened, olga, ana):
    assert ana.submit(opened.address, opened.address, act="register").status_code == 303
    other, me = next(iter(opened.now.participants)), opened.account("Ana")
    act(olga, opened, "forbid_pair", one="Ana", other=other)
    ana.submit(f"{opened.address}/players", opened.address, act="withdraw")
    assert olga.get(f"{opened.address}/desk").status_code == 200
    assert act(olga, opened, "allow_pair", one=me, other=other).status_code == 303
    assert not opened.now.forbidden


def test_an_organiser_keeps_players_apart_and_pairs_by_hand(opened, olga):
    one, other, *_ = opened.now.participants
    assert act(olga, opened, "forbid_pair", one=one, other=other).status_code == 303
    assert opened.now.forbidden
    assert olga.get(f"{opened.address}/desk").status_code == 200
    assert act(olga, opened, "allow_pair", one=one, other=other).status_code == 303
    assert not opened.now.forbidden


def test_clocks_are_paused_for_all(running, olga, stranger):
    assert act(olga, running, "pause").status_code == 303
    assert "all clocks stand still" in stranger.get(running.address).text
    assert 'value="resume"' in olga.get(running.address).text
    assert 'value="resume"' not in stranger.get(running.address).text
    assert act(olga, running, "resume").status_code == 303
    assert "all clocks stand still" not in stranger.get(running.address).text


@pytest.mark.parametrize("kind", ["adjudicate", "rewind", "replay", "penalise", "substitute"])
def test_every_ruling_is_foreseen_on_the_desk(running, ari, kind):
    version = running.now.version
    running.play_on(0, 3)
    page = ari.get(f"{running.address}/desk?table=1&kind={kind}&substitute=Olga")
    assert page.status_code == 200
    assert "If the table ended now" in page.text, page.text
    assert running.now.version == version


def test_an_adjudication_stands_until_it_is_taken_back(running, ari, stranger):
    fields = {"place-0": "2", "place-1": "1", "score-0": "10", "score-1": "99"}
    assert rule(ari, running, "adjudicate", **fields, reason="").status_code == 400
    assert not running.now.rounds[0].round.tables[0].result
    assert rule(ari, running, "adjudicate", **fields, reason="The board fell").status_code == 303
    assert running.now.rounds[0].round.tables[0].result.places == (2, 1)
    page = stranger.get(f"{running.address}/log").text
    assert "The board fell" in page
    assert 'value="reverse"' not in page
    desk = f"{running.address}/desk"
    [ruling] = re.findall(r'name="ruling" value="([^"]+)"', ari.get(desk).text)
    data = {"act": "reverse", "csrf": csrf_of(ari), "ruling": ruling, "reason": "It did not"}
    assert ari.client.post(desk, data=data, headers=BROWSER).status_code == 303
    assert not running.now.rounds[0].round.tables[0].result


def test_players_make_no_rulings(running, ana, stranger):
    version = running.now.version
    assert rule(ana, running, "replay", reason="I lost").status_code == 403
    data = {"act": "rule", "kind": "replay", "table": "1", "reason": "I lost"}
    assert stranger.client.post(f"{running.address}/desk", data=data, headers=BROWSER).status_code in (303, 401, 403)
    assert running.now.version == version


@pytest.mark.parametrize("answer", ["accept_seat", "decline_seat"])
def test_a_substitute_is_asked_on_the_page_and_answers_there(running, ari, browser, answer):
    cid = signed_up(browser, "Cid")
    table = next(n for n, t in enumerate(running.now.rounds[0].round.tables) if running.account("Ana") in t.players)
    player, substitute = running.account("Ana"), running.account("Cid")
    fields = {"table": str(table + 1), "player": player, "substitute": "Cid", "stops_clocks": "yes"}
    assert rule(ari, running, "substitute", **fields, reason="Ana is ill").status_code == 303
    desk = ari.get(f"{running.address}/desk").text
    assert "is asked to play for" in desk
    assert "The clocks of the table stand still." in desk
    page = cid.get(running.address).text
    assert "asks you to play for Ana" in page
    assert "asks you to play for" not in ari.get(running.address).text
    assert cid.submit(running.address, running.address, act=answer).status_code == 303
    assert running.now.player_of(substitute) == (player if answer == "accept_seat" else "")
    assert "asks you to play for" not in cid.get(running.address).text


@pytest.mark.parametrize(
    "fields",
    [
        {"table": "0"},
        {"table": "99"},
        {"table": "x"},
        {"round": "7"},
        {"round": "x"},
        {"place-0": "x"},
        {"place-0": "7", "place-1": "7"},
        {"score-0": "9" * 30},
        {"kind": "rewind", "version": "x"},
        {"kind": "substitute", "substitute": "nobody_at_all"},
    ],
    ids=str,
)
def test_hostile_rulings_are_refused(running, ari, fields):
    version = running.now.version
    answer = rule(ari, running, fields.pop("kind", "adjudicate"), reason="a reason", **fields)
    assert 400 <= answer.status_code < 500, answer.text
    query = "&".join(f"{name}={value}" for name, value in ({"table": "1"} | fields).items())
    assert ari.get(f"{running.address}/desk?{query}").status_code in (200, 400, 404)
    assert running.now.version == version


# Calls


def test_a_player_calls_the_arbiter_who_stops_the_clocks_and_answers(running, ana, ari, stranger):
    table = next(n for n, t in enumerate(running.now.rounds[0].round.tables) if running.account("Ana") in t.players)
    assert "Call the arbiter to your table" in ana.get(running.address).text
    assert "Call the arbiter to your table" not in stranger.get(running.address).text
    assert ana.submit(running.address, running.address, act="call_arbiter", text="It <jumped>").status_code == 303
    assert "arbiter called" in stranger.get(running.address).text
    desk = ari.get(f"{running.address}/desk").text
    assert "disputed" in desk
    assert "It &lt;jumped&gt;" in desk
    of_table = {"round": "1", "table": str(table + 1)}
    assert act(ari, running, "hold_table", **of_table).status_code == 303
    assert "its clocks are stopped" in ari.get(f"{running.address}/desk").text
    assert act(ari, running, "answer_call", **of_table, reason="").status_code == 400
    assert act(ari, running, "answer_call", **of_table, reason="It did not").status_code == 303
    desk = ari.get(f"{running.address}/desk").text
    assert "disputed" not in desk
    assert "its clocks are stopped" not in desk
    assert "It did not" in stranger.get(f"{running.address}/log").text


def test_the_desk_offers_the_step_before_the_answer_that_was_disputed(running, ana, ari):
    table = next(n for n, t in enumerate(running.now.rounds[0].round.tables) if running.account("Ana") in t.players)
    running.play_on(table, 6)
    called = running.wired.games.load(running.games()[table])
    assert ana.submit(running.address, running.address, act="call_arbiter", text="Not that one").status_code == 303
    assert act(ari, running, "hold_table", round="1", table=str(table + 1)).status_code == 303
    running.play_on(table, 2)
    page = ari.get(f"{running.address}/desk?kind=rewind").text
    step = called.answers[-1].version - 1
    assert f'name="version" inputmode="numeric" pattern="[0-9]+" maxlength="7" value="{step}"' in page
    assert f"Rewind to step {step}" in page
    earlier = called.answers[-2].version - 1
    assert f"version={earlier}#ruling" in page
    assert "the game can go back" not in page


def test_what_is_agreed_can_be_changed_at_the_desk(opened, running, olga):
    desk = f"{opened.address}/desk"
    shown = olga.get(desk).text
    assert 'value="change_options"' in shown
    fields = {"title": "Another evening", "rounds": "4", "most": "32", "late_until": "2", "no_show": "7", "delay": "0"}
    more = {"starts": "2030-01-02T03:04", "description": "Bring\r\nbiscuits", "hides_standings": "yes"}
    assert act(olga, opened, "change_options", **fields, **more).status_code == 303
    options = opened.now.options
    assert (options.title, options.stages[0].rounds, options.entry.most) == ("Another evening", 4, 32)
    assert (options.entry.late_until, options.schedule.no_show_ms) == (2, 420_000)
    assert (options.schedule.starts_at, options.schedule.rule) == (1893553440000, "by-hand")
    assert (options.description, options.hides_standings) == ("Bring\nbiscuits", True)
    assert 'value="2030-01-02T03:04"' in olga.get(desk).text
    for wrong in ({"rounds": "0"}, {"rounds": "x"}, {"most": "1"}, {"title": ""}, {"starts": "2030-99-99T99:99"}):
        assert act(olga, opened, "change_options", **(fields | more | wrong)).status_code == 400, wrong
    assert opened.now.options == options
    assert act(olga, running, "change_options", **fields).status_code == 400, "a reason is needed now"
    assert act(olga, running, "change_options", **fields, reason="More came").status_code == 303
    assert "More came" in olga.get(f"{running.address}/log").text


def test_a_published_round_is_taken_back_at_the_desk(opened, olga):
    opened.do(StartTournament(opened.organiser))
    for kind in ("propose_round", "publish_round"):
        assert act(olga, opened, kind).status_code == 303
    assert "Take the round back" in olga.get(f"{opened.address}/desk").text
    assert act(olga, opened, "retract_round", reason="").status_code == 400
    assert act(olga, opened, "retract_round", reason="Two came late").status_code == 303
    assert not opened.now.rounds


# A new tournament


def open_with(visitor, **fields):
    return visitor.submit("/tournaments/new", "/tournaments/new", **({"act": "open"} | fields))


def test_a_tournament_is_opened_with_a_name(app, olga):
    answer = open_with(olga, title="Spring")
    assert answer.status_code == 303, answer.text
    made = app.services.tournament_service.look(answer.headers["Location"].split("/")[2], None)
    assert (made.options.title, made.options.size, len(made.options.stages)) == ("Spring", 4, 2)
    assert olga.get(answer.headers["Location"]).status_code == 200


def test_a_form_that_is_sent_twice_opens_one(app, olga):
    _, values = form_values(olga.get("/tournaments/new").text, "/tournaments/new")
    sent = [
        olga.client.post("/tournaments/new", data=values | {"act": "open", "title": "Spring"}, headers=BROWSER)
        for _ in range(2)
    ]
    assert sent[0].headers["Location"] == sent[1].headers["Location"]


@pytest.mark.parametrize("preset", ["casual-evening", "weekend-swiss", "correspondence-league", "two-player-fide"])
def test_every_preset_opens(app, olga, preset):
    page = olga.get(f"/tournaments/new?preset={preset}")
    assert f'id="preset-{preset}"' in page.text
    answer = olga.submit(f"/tournaments/new?preset={preset}", "/tournaments/new", act="open", title="Spring")
    assert answer.status_code == 303, answer.text


def test_a_refusal_keeps_what_was_filled_in(olga):
    answer = open_with(olga, title="", rounds="4", points="win")
    assert (answer.status_code, 'role="alert"' in answer.text) == (400, True)
    assert re.search(r'name="rounds" value="4" checked', answer.text)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"act": "players:more"}, 'value="31"'),
        ({"act": "players:fewer", "players": "2"}, 'value="2"'),
        ({"act": "preset:two-player-fide"}, "Dutch"),
        ({"act": "show", "players": "13"}, "What happens with 13 players?"),
        ({"act": "show", "size": "5"}, 'name="size" value="5" checked'),
    ],
    ids=str,
)
def test_a_button_changes_the_draft(app, olga, fields, says):
    answer = olga.submit("/tournaments/new", "/tournaments/new", title="Spring", **fields)
    assert answer.status_code == 200
    assert says in answer.text
    assert 'value="Spring"' in answer.text


def test_tie_breaks_are_put_in_order(app, olga):
    page = olga.get("/tournaments/new").text
    codes = re.findall(r'name="ties" value="([^"]+)"', page)
    moved = olga.submit("/tournaments/new", "/tournaments/new", act=f"up:{codes[2]}", ties=codes).text
    assert re.findall(r'name="ties" value="([^"]+)"', moved) == [codes[0], codes[2], codes[1], *codes[3:]]


HOSTILE = {
    "size": "٣",
    "rounds": "999999",
    "players": "-1",
    "way": "<script>",
    "time": "never",
    "points": "../..",
    "most": "1e9",
    "starts": "9999-99-99T99:99",
    "game": "chess",
    "length": "endless",
    "visibility": "everywhere",
    "preset": "none",
    "title": "<script>alert(1)</script>",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_draft_does_no_harm(olga, name):
    for act in ("show", "open"):
        answer = olga.submit(
            "/tournaments/new", "/tournaments/new", **({"title": "Spring", "act": act, name: HOSTILE[name]})
        )
        assert answer.status_code in (200, 303, 400), answer.text
        assert "<script>alert" not in answer.text


# Notices


def test_a_player_is_told_of_the_pairing_in_the_inbox(running, ana, stranger):
    page = ana.get("/account").text
    assert "Notices, " in page
    inbox = ana.get("/inbox").text
    assert "Club evening" in inbox
    assert re.search(r'href="/(games|tournaments)/', inbox)
    assert "Notices, " not in ana.get("/account").text
    assert stranger.get("/inbox").status_code in (303, 401)


@pytest.mark.parametrize("cookie", ["x", "a.b", "..", "a_1.999999999999999999", ".9"])
def test_a_foreign_memory_of_the_inbox_does_no_harm(running, ana, cookie):
    ana.client.set_cookie("hidalgo_seen", cookie)
    assert ana.get("/inbox").status_code == 200


def test_events_are_made_by_their_forms_alone(app, olga):
    event = Event(app, "Olga")
    assert olga.client.put(event.address, headers=BROWSER).status_code == 405


def test_the_cards_of_an_expansion_are_chosen_in_the_wizard(olga):
    chosen = {"expansions": "grandissimo", "deck": "own", "deck.number": [str(number) for number in range(1, 12)]}
    shown = olga.submit("/tournaments/new", "/tournaments/new", act="show", **chosen).text
    assert len(re.findall(r'name="deck.number" value="\d+" checked', shown)) == 11
    refused = olga.submit(
        "/tournaments/new", "/tournaments/new", act="open", title="Few", **chosen | {"deck.number": ["1"]}
    )
    assert "1 was chosen" in refused.text
    opened = olga.submit("/tournaments/new", "/tournaments/new", act="open", title="Spring", **chosen)
    assert opened.status_code == 303
    event = opened.headers["Location"].removesuffix("/desk")
    assert "Grandissimo, deck" in olga.get(event).text
