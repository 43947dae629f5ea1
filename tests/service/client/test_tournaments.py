"""Tournaments with the Python client."""

from contextlib import closing

import pytest

from service.client import NotFound, NotNow
from tests.service.client.tables import guests
from tournaments.audit import verify

pytestmark = pytest.mark.usefixtures("described")

DUELS = {"size": 2, "points": {"preset": "chess"}, "stages": [{"rounds": 2}], "schedule": {"rule": "by-hand"}}


@pytest.fixture(scope="module")
def people(service):
    with guests(service.url, 2) as both:
        yield both


@pytest.fixture
def event(people):
    """With four bots."""
    tournaments = people[0].tournaments
    made = tournaments.create("Duels", "el_grande", **DUELS)
    for number in range(1, 5):
        tournaments.act(made, "register", player=f"bot:greedy:{number}")
    return made


def play(tournaments, event) -> None:
    """A round, in which the first seats win: by ruling, for the scheduler begins the games, and closes the round."""
    for kind in ("propose_round", "publish_round", "start_round"):
        tournaments.act(event, kind)
    begun = tournaments.look(event)
    for table in tournaments.round(event, begun["current"], limit=1)["tables"]:
        ruling = {"table": table["table"], "result": {"places": [1, 2]}, "reason": "Not played"}
        tournaments.act(event, "adjudicate", round=begun["current"], **ruling)
    with closing(tournaments.stream(event, after=begun["version"])) as commits:
        next(commit for commit in commits if "round_closed" in [fact["fact"] for fact in commit["facts"]])


def test_an_event_is_run_and_read(people, event):
    tournaments = people[0].tournaments
    tournaments.act(event, "start")
    play(tournaments, event)
    play(tournaments, event)
    assert len(list(tournaments.players(event, limit=3))) == 4
    assert tournaments.table(event, 1, 0)["why"]
    rows = list(tournaments.standings(event, limit=3))
    assert (len(rows), rows[0]["place"]) == (4, 1)
    assert len(list(tournaments.standings(event, round=1))) == 4
    assert len(list(tournaments.crosstable(event, limit=3))) == 4
    ruling = {"round": 1, "table": 0, "result": {"places": [2, 1]}, "reason": "Two results were swapped"}
    assert tournaments.preview(event, "adjudicate", **ruling)["changes"]
    tournaments.act(event, "adjudicate", **ruling)
    assert [made["reason"] for made in tournaments.rulings(event)].count(ruling["reason"]) == 1
    versions = [commit["version"] for commit in tournaments.history(event)]
    assert versions == sorted(versions, reverse=True)


def test_what_others_may_not_do_is_a_problem(people, event):
    with pytest.raises(NotFound):
        people[1].tournaments.look("nowhere")
    with pytest.raises(NotNow):
        people[0].tournaments.act(event, "propose_round")


def test_tournaments_are_found_and_planned(people, event):
    mine = people[0].tournaments.find(mine=True, limit=1)
    assert event["id"] in [found["id"] for found in mine]
    assert event["id"] not in [found["id"] for found in people[1].tournaments.find(mine=True)]
    assert people[0].tournaments.plan(22, 4, sizes=[3])["text"] == "4 tables of 4 and 2 tables of 3"
    assert "two-player-fide" in [preset["name"] for preset in people[0].tournaments.presets()]


def test_what_happens_arrives(people, event):
    tournaments = people[0].tournaments
    listening = tournaments.stream(event, after=tournaments.look(event)["version"])
    tournaments.act(event, "announce", text="Welcome")
    assert next(listening)["facts"][0]["fact"] == "announcement_made"
    listening.close()


def test_files_leave_and_come_back(people, event):
    tournaments = people[0].tournaments
    assert verify(tournaments.export(event)).players == 4
    assert tournaments.standings_csv(event).count(b"\r\n") == 5
    report = tournaments.report(event)
    again = tournaments.import_report(report, "el_grande", title="Again")
    assert (again["title"], again["players"]) == ("Again", 4)
