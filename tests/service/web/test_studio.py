"""Studies as pages of the server: the list, a new one, every node without scripts, and nothing for others."""

import random
import re

import pytest

from events.submission import Submission
from events.table.commands import Join, Start
from replay.study.commands import Draw, SetGlyph, SetMember, SetVisibility, WriteComment
from replay.study.variations import decisions
from replay.study.variations import tried as try_line
from tests.events.played import play_on
from tests.service.web.tables import ended

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'"


def game_of(app, *accounts, moves=None) -> str:
    games = app.services.games
    game = str(games.create("el_grande", 2, {"game_length": "short"}, owner="a_1").id)
    for account in accounts or ("a_1", "a_2"):
        games.submit(game, Join(account))
    games.submit(game, Start("a_1"))
    play_on(games, game, random.Random(3).randrange, moves)
    return game


def account_of(app, handle="El_Cid") -> str:
    return app.services.accounts.account_named(handle).id


def submitted(app, study, command) -> None:
    service = app.services.study_service
    service.submit(service.look(study, command.account), command, Submission(command.account))


def begun(visitor, game, **fields) -> str:
    answer = visitor.submit("/studies", "/studies", game=game, **fields)
    assert answer.status_code == 303, answer.text
    return re.findall(r"/studies/([^?]+)", answer.headers["Location"])[0]


@pytest.fixture
def game(app) -> str:
    return game_of(app)


@pytest.fixture
def study(app, cid, game) -> str:
    return begun(cid, game, title="Vetoes")


def test_a_study_is_begun_with_the_address_of_a_game(app, cid, game):
    study = begun(cid, f"http://hidalgo.example/games/{game}/replay?step=9", title="Vetoes")
    page = cid.get(f"/studies/{study}").text
    assert f'data-game="{game}"' in page
    assert "<h1" in page
    assert "Vetoes" in page


def test_an_empty_shelf_offers_the_last_game_of_its_owner_and_studies_of_others(app, browser, cid, study):
    submitted(app, study, SetVisibility(account_of(app), "public"))
    newcomer = browser()
    newcomer.sign_up("Pau")
    assert "Study my last game" not in newcomer.get("/studies").text
    last = ended(app.services, [account_of(app, "Pau"), account_of(app)])
    page = newcomer.get("/studies").text
    assert "Vetoes" in page.partition("To read meanwhile")[2]
    assert f'name="game" value="{last}"' in page
    begun(newcomer, last)
    assert "Study my last game" not in newcomer.get("/studies").text


def test_trying_a_move_makes_a_study_at_that_step(cid, game):
    answer = cid.submit(f"/games/{game}/replay?step=30&as=red", "/studies")
    page = cid.get(answer.headers["Location"]).text
    assert 'data-node="30"' in page
    assert 'data-viewer="red"' in page
    assert "data-trying" in page


def test_a_game_that_is_named_by_nonsense_is_refused_in_the_page(cid):
    answer = cid.submit("/studies", "/studies", title="Vetoes", game="what is this?")
    assert (answer.status_code, "this is not the address of a game" in answer.text) == (400, True)
    assert 'value="Vetoes"' in answer.text


def test_a_study_without_chapters_leads_on(app, cid, game):
    study = begun(cid, "", title="Empty")
    assert "Begin with a game." in cid.get(f"/studies/{study}").text
    wrong = cid.submit(f"/studies/{study}", f"/studies/{study}/chapters", game="nowhere")
    assert (wrong.status_code, 'role="alert"' in wrong.text) == (404, True)
    assert cid.submit(f"/studies/{study}", f"/studies/{study}/chapters", game=game).status_code == 303
    assert f'data-game="{game}"' in cid.get(f"/studies/{study}").text


def test_lists_show_own_shared_and_public_studies(app, browser, cid, game):
    mine = begun(cid, game, title="Mine alone")
    other = browser()
    other.sign_up("Jimena")
    assert "Mine alone" not in other.get("/studies?show=public").text
    assert "No study is shared with you." in other.get("/studies?show=shared").text
    submitted(app, mine, SetMember(account_of(app), account_of(app, "Jimena"), "reader"))
    assert "Mine alone" in other.get("/studies?show=shared").text
    submitted(app, mine, SetVisibility(account_of(app), "public"))
    assert "Mine alone" in browser().get("/studies").text
    assert "Nothing found for" in browser().get("/studies?query=nonsense").text
    assert "Mine alone" in browser().get("/studies?query=alone").text


def test_private_studies_are_not_there_for_others(browser, cid, study):
    for visitor in (browser(), browser()):
        assert visitor.get(f"/studies/{study}").status_code == 404


def test_the_link_opens_a_study_to_whoever_has_it(app, browser, cid, study):
    submitted(app, study, SetVisibility(account_of(app), "link"))
    key = app.services.study_service.link_key(app.services.studies.load(study))
    assert browser().get(f"/studies/{study}").status_code == 404
    page = browser().get(f"/studies/{study}?key={key}").text
    assert f"key={key}" in page
    assert 'data-part="note-text"' not in page


def test_readers_get_the_page_without_its_tools(app, browser, cid, study):
    submitted(app, study, SetVisibility(account_of(app), "public"))
    tools = (
        'data-part="tools"',
        'data-part="note-text"',
        'data-act="try"',
        'data-change="undo"',
        'data-share="delete"',
    )
    writing, reading = cid.get(f"/studies/{study}").text, browser().get(f"/studies/{study}").text
    assert all(tool in writing for tool in tools)
    assert not any(tool in reading for tool in tools)


def test_without_scripts_a_tried_move_is_a_page_with_its_notes(app, cid, study, game):
    me, node = account_of(app), tried(app, study, game)
    submitted(app, study, WriteComment(me, "k1", node, "Rather **this**"))
    submitted(app, study, SetGlyph(me, "k1", node, "!?"))
    submitted(app, study, Draw(me, "k1", node, "arrow", "aragon", "valencia"))
    page = cid.get(f"/studies/{study}?node={node}").text
    assert f'data-node="{node}"' in page
    assert "Note in A, move 1" in page
    assert page.count("Rather <strong>this</strong>") == 2  # in the story, and beside it
    assert re.search(r'class="fact now">.*!\?', page)
    assert "Aragon → Valencia" in page


def tried(app, study, game) -> str:
    """A move that was tried after the first step at which a player decides; its node."""
    services = app.services
    me, loaded = account_of(app), services.games.load(game)
    moment = services.timelines.moment(loaded, 20)
    [first, *_] = decisions(moment.game.state)
    command, _ = try_line(me, "k1", "20", loaded.rules, moment.game.state, first.player, first.example())
    submitted(app, study, command)
    return str(next(iter(services.studies.load(study).chapter("k1").moves)))


def test_hostile_words_are_words(app, cid, game):
    study = begun(cid, game, title=HOSTILE)
    submitted(
        app,
        study,
        WriteComment(account_of(app), "k1", "20", f"{HOSTILE}\n\n[x](javascript:alert(3)) ![y](http://evil)"),
    )
    for page in (cid.get(f"/studies/{study}?node=20").text, cid.get("/studies").text):
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "javascript:" not in re.sub(r"\[x\]\(javascript:alert\(3\)\)", "", page)


def test_a_player_of_a_running_game_reads_nothing_of_what_is_written_about_it(app, browser, cid):
    other = browser()
    other.sign_up("Jimena")
    game = game_of(app, "a_1", account_of(app, "Jimena"), moves=12)
    study = begun(cid, game, title="Live")
    submitted(app, study, WriteComment(account_of(app), "k1", "8", "She holds a veto"))
    submitted(app, study, SetVisibility(account_of(app), "public"))
    assert "She holds a veto" in browser().get(f"/studies/{study}?node=8").text
    closed = other.get(f"/studies/{study}?node=8").text
    assert "She holds a veto" not in closed
    assert "What is written about it opens when it is over." in closed
