"""Pages of tournaments for strangers, players, arbiters and organisers: each sees what it may, and nothing else."""

import re

import pytest

from service.web.tournaments import desk, printed
from tests.markup import words
from tests.service.web.tournaments.event import Event
from tournaments.commands import Announce, Penalise, ProposeRound, StartTournament
from tournaments.options import Stage

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'{{7*7}}"
PUBLIC = ["", "/standings", "/crosstable", "/players", "/log", "/wall", "/rounds/1/print", "/rounds/1/certificate"]
TABS = ["Round 1", "Standings", "Crosstable", "Players 4", "Announcements and log"]


def tabs(page: str) -> list[str]:
    [nav] = re.findall(r'<nav class="tabs".*?</nav>', page, re.DOTALL)
    return [" ".join(re.sub("<[^>]*>", "", link).split()) for link in re.findall(r"<a .*?</a>", nav, re.DOTALL)]


@pytest.mark.parametrize("path", PUBLIC)
def test_everybody_reads_a_public_tournament(running, stranger, ana, ari, olga, path):
    for visitor in (stranger, ana, ari, olga):
        answer = visitor.get(running.address + path)
        assert answer.status_code == 200, answer.text
        assert "Club evening" in answer.text
        assert words(answer.text)


@pytest.mark.parametrize("path", [*PUBLIC, "/desk"])
def test_a_private_tournament_is_hidden_from_others(app, olga, ana, ari, stranger, path):
    event = Event(app, "Olga", visibility="private")
    event.enter("Ana", bots=3)
    event.start()
    assert [visitor.get(event.address + path).status_code for visitor in (stranger, ari)] == [404, 404]
    assert olga.get(event.address + path).status_code == 200
    assert ana.get(event.address + path).status_code == (403 if path == "/desk" else 200)
    assert event.id not in stranger.get("/tournaments").text + stranger.get("/").text
    assert event.id in ana.get("/tournaments").text


def test_the_pairings_of_a_large_round_are_several_pages_and_everybody_stands_on_one(running, stranger, monkeypatch):
    address = f"{running.address}/rounds/1/print"
    assert 'aria-label="Pages"' not in stranger.get(address).text
    monkeypatch.setattr(printed, "TABLES", 1)
    pages = [stranger.get(f"{address}?page={number}").text for number in (1, 2)]
    assert [re.findall(r"<h2>Table (\d+)</h2>", page) for page in pages] == [["1"], ["2"]]
    by_name = [re.findall(r'<li><span translate="no">([^<]*)</span><b', page) for page in pages]
    assert [len(names) for names in by_name] == [2, 2]
    assert by_name == [sorted(names, key=str.lower) for names in by_name]
    assert by_name[0][-1].lower() <= by_name[1][0].lower()
    assert "Page 2 of 2" in pages[1]
    assert stranger.get(f"{address}?page=3").status_code == 200


def test_a_proposed_round_of_many_tables_is_looked_through_in_parts(app, olga, ari, monkeypatch):
    event = Event(app, "Olga")
    event.enter(bots=6)
    for command in (StartTournament, ProposeRound):
        event.do(command(event.organiser))
    monkeypatch.setattr(desk, "MOST_CARDS", 2)
    parts = [olga.get(f"{event.address}/desk?page={number}").text for number in (1, 2)]
    assert [re.findall(r"<li><b>(\d)</b><span>", part) for part in parts] == [["1", "2"], ["3"]]
    assert "desk?page=2" in parts[0]


def test_the_desk_is_for_staff(running, stranger, ana, ari, olga):
    statuses = [visitor.get(f"{running.address}/desk").status_code for visitor in (stranger, ana, ari, olga)]
    assert statuses == [403, 403, 200, 200]
    assert tabs(ana.get(running.address).text) == TABS
    assert tabs(ari.get(running.address).text) == [*TABS, "Organiser&#39;s desk"]


def test_a_player_finds_the_table(running, ana, stranger):
    page = ana.get(running.address).text
    assert re.search(r'class="btn primary" href="/games/[^"/]+"', page)
    assert "yours" in page
    assert "yours" not in stranger.get(running.address).text


def test_before_the_start_the_page_tells_what_is_agreed(opened, stranger, ana):
    page = stranger.get(opened.address).text
    assert "Sign in to take part" in page
    assert f"/sign-in?next=/tournaments/{opened.id}" in page.replace("%2F", "/")
    assert "2 rounds by standings" in page
    assert 'value="register"' in ana.get(opened.address).text
    for path in ("/standings", "/crosstable", "/rounds/1/print", "/rounds/1/certificate"):
        assert stranger.get(opened.address + path).status_code == 404, path
    for path in ("/players", "/log", "/wall"):
        assert stranger.get(opened.address + path).status_code == 200, path


def test_results_and_standings_follow_the_games(closed, stranger):
    page = stranger.get(closed.address).text
    assert page.count("finished") == 2
    assert "TP" in page
    rows = closed.now.standings()
    standings = stranger.get(f"{closed.address}/standings").text
    assert re.findall(r'id="rank-([^"]+)"', standings) == [row.player for row in rows]
    assert "Ana" in stranger.get(f"{closed.address}/crosstable").text
    card = stranger.get(f"{closed.address}/players/{rows[0].player}").text
    assert re.search(r"/games/[^/]+/replay", card)


def test_hidden_standings_are_for_staff_until_the_end(app, olga, ana, stranger):
    event = Event(app, "Olga", hides_standings=True)
    event.enter("Ana", bots=3)
    event.start()
    event.play()
    for path in ("/standings", "/crosstable"):
        assert [visitor.get(event.address + path).status_code for visitor in (stranger, ana, olga)] == [404, 404, 200]
    player = event.now.player_of(event.account("Ana"))
    for path in ("", "/wall", f"/players/{player}"):
        assert 'class="grid-table standings' not in ana.get(event.address + path).text, path
    assert "you are in place" not in ana.get("/tournaments").text


def test_scores_of_running_tables_are_not_told_where_spectators_see_later(app, olga, ana, stranger):
    event = Event(app, "Olga", spectators_delay_ms=600_000)
    event.enter("Ana", bots=3)
    event.start()
    scores = r'class="pts num">\d'
    assert len(re.findall(scores, stranger.get(event.address).text)) == 0
    assert len(re.findall(scores, ana.get(event.address).text)) == 2
    assert len(re.findall(scores, olga.get(event.address).text)) == 4
    assert '<svg class="board' not in stranger.get(f"{event.address}/wall").text


def test_hostile_words_are_shown_as_words(app, olga, ana, stranger):
    event = Event(app, "Olga", title=HOSTILE, description=HOSTILE)
    event.enter("Ana", bots=3)
    event.start()
    event.do(Announce(event.organiser, HOSTILE))
    player = event.now.player_of(event.account("Ana"))
    event.do(Penalise(event.organiser, HOSTILE, player, "warning", 0))
    for path in [*PUBLIC, f"/players/{player}", "/desk"]:
        page = olga.get(event.address + path).text
        assert "&lt;script&gt;alert(1)" in page, path
        assert "<script>alert" not in page, path
        assert "onerror=alert(2)&gt;" in page, path
        assert "49" not in re.findall(r"<h1[^>]*>(.*?)</h1>", page, re.DOTALL)[0], path
    assert "<script>alert" not in stranger.get("/tournaments").text + stranger.get("/").text


@pytest.mark.parametrize(
    "path",
    [
        "?round=0",
        "?round=2",
        "?round=x",
        "?round=٣",
        "/rounds/0/print",
        "/rounds/9/print",
        "/rounds/9/certificate",
        "/players/nobody",
        "/nothing",
    ],
)
def test_what_is_not_there_is_not_found(running, olga, path):
    assert olga.get(running.address + path).status_code == 404


@pytest.mark.parametrize(
    "query", ["?page=0", "?page=99999", "?page=-1", "?page=x", "?before=-1", "?before=99999999999", "?part=else"]
)
def test_odd_addresses_do_no_harm(running, olga, query):
    for path in ("", "/standings", "/crosstable", "/players", "/log", "/desk", "/rounds/1/certificate"):
        assert olga.get(running.address + path + query).status_code == 200, path


def test_there_is_no_tournament_of_that_name(stranger):
    assert stranger.get("/tournaments/nowhere").status_code == 404
    assert stranger.get("/tournaments/nowhere/desk").status_code == 404


def test_a_page_that_has_not_changed_is_not_sent_again(running, stranger):
    for path in ("", "/wall"):
        page = stranger.get(f"{running.address}{path}?part=games")
        assert page.status_code == 200
        assert "<html" not in page.text
        again = stranger.get(f"{running.address}{path}?part=games", **{"If-None-Match": page.headers["ETag"]})
        assert (again.status_code, again.text) == (304, "")
    running.play([0])
    assert stranger.get(f"{running.address}?part=games", **{"If-None-Match": page.headers["ETag"]}).status_code == 200


def test_a_large_field_comes_in_pages(app, olga, stranger):
    event = Event(app, "Olga", size=4, stages=(Stage(rounds=1),))
    event.enter(bots=104)
    event.start()
    first = stranger.get(event.address).text
    assert first.count('<li class="match') == 24
    assert "page=2" in first
    assert stranger.get(f"{event.address}?page=2").text.count('<li class="match') == 2
    assert stranger.get(f"{event.address}/players?page=2").text.count("/players/") == 4
    assert stranger.get(f"{event.address}/standings?page=2").text.count('id="rank-') == 4


def test_the_lists(running, opened, stranger, ana):
    page = stranger.get("/tournaments").text
    assert page.count(f'href="{running.address}"') == 1
    assert page.count(f'href="{opened.address}"') == 1
    assert running.id not in stranger.get("/tournaments?show=open").text
    assert opened.id not in stranger.get("/tournaments?show=running").text
    assert stranger.get("/tournaments?show=nonsense&cursor=nonsense").status_code == 200
    assert "Yours" in ana.get("/tournaments").text
    assert running.id in stranger.get("/").text
