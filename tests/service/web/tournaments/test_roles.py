"""Pages and forms of tournaments by role: each is asked by organiser, arbiter, player, spectator and stranger.

A stranger has not signed in, a spectator has, and neither plays nor works here. A new address fails the first test
until it has its rows. A cell is the status of the answer.
"""

from typing import Any, NamedTuple

import pytest
from werkzeug.test import TestResponse

from events.table.time_control import TimeControl
from service.web.tournaments.acts import FIELDS
from tests.service.web.conftest import BROWSER, Visitor
from tests.service.web.tournaments.conftest import signed_up
from tests.service.web.tournaments.event import Event
from tests.service.web.tournaments.test_forms import csrf_of
from tournaments.commands import Adjudicate, ForbidPair, HoldTable, PauseTournament, SetStaff
from tournaments.options import Entry
from tournaments.results import Result

PAGES = """
                                                     kind    organiser arbiter player spectator stranger
/tournaments                                         public  200       200     200    200       200
/tournaments/new                                     public  200       200     200    200       200
/tournaments/<tournament>                            public  200       200     200    200       200
/tournaments/<tournament>                            private 200       200     200    404       404
/tournaments/<tournament>/standings                  public  200       200     200    200       200
/tournaments/<tournament>/standings                  private 200       200     200    404       404
/tournaments/<tournament>/standings                  hidden  200       200     404    404       404
/tournaments/<tournament>/crosstable                 public  200       200     200    200       200
/tournaments/<tournament>/crosstable                 private 200       200     200    404       404
/tournaments/<tournament>/crosstable                 hidden  200       200     404    404       404
/tournaments/<tournament>/players                    public  200       200     200    200       200
/tournaments/<tournament>/players                    private 200       200     200    404       404
/tournaments/<tournament>/players/<player>           public  200       200     200    200       200
/tournaments/<tournament>/players/<player>           private 200       200     200    404       404
/tournaments/<tournament>/log                        public  200       200     200    200       200
/tournaments/<tournament>/log                        private 200       200     200    404       404
/tournaments/<tournament>/wall                       public  200       200     200    200       200
/tournaments/<tournament>/wall                       private 200       200     200    404       404
/tournaments/<tournament>/rounds/<int:number>/print  public  200       200     200    200       200
/tournaments/<tournament>/rounds/<int:number>/print  private 200       200     200    404       404
/tournaments/<tournament>/rounds/<int:number>/certificate public  200       200     200    200       200
/tournaments/<tournament>/rounds/<int:number>/certificate private 200       200     200    404       404
/tournaments/<tournament>/desk                       public  200       200     403    403       403
/tournaments/<tournament>/desk                       private 200       200     403    404       404
"""

FORMS = """
                kind    organiser arbiter player spectator stranger
register        public  303       303     409    303       401
register        private 303       303     409    404       401
check_in        public  409       409     409    403       401
withdraw        public  409       409     303    403       401
return          public  409       409     409    403       401
accept_seat     public  403       403     403    403       401
decline_seat    public  403       403     403    403       401
decline_seat    private 403       403     403    404       401
request_bye     public  409       409     303    403       401
forbid_pair     public  303       303     403    403       401
allow_pair      public  303       303     403    403       401
change_options  public  303       403     403    403       401
change_options  private 303       403     403    404       401
set_staff       public  303       403     403    403       401
set_staff       private 303       403     403    404       401
announce        public  303       303     403    403       401
announce        private 303       303     403    404       401
pause           public  303       303     403    403       401
resume          public  303       303     403    403       401
cancel          public  303       403     403    403       401
start           public  409       403     403    403       401
finish          public  409       403     403    403       401
pin_tables      public  303       303     403    403       401
propose_round   public  409       409     403    403       401
publish_round   public  409       409     403    403       401
start_round     public  409       409     403    403       401
close_round     public  409       409     403    403       401
add_bots        public  303       303     403    403       401
add_bots        private 303       303     403    404       401
rule            public  303       303     403    403       401
rule            private 303       303     403    404       401
preview         public  200       200     403    403       401
reverse         public  303       303     403    403       401
retract_round   public  409       409     403    403       401
call_arbiter    public  409       409     303    403       401
answer_call     public  409       409     403    403       401
hold_table      public  303       303     403    403       401
release_table   public  303       303     403    403       401
release_table   private 303       303     403    404       401
"""

KINDS: dict[str, dict[str, Any]] = {
    "public": {},
    "private": {"visibility": "private"},
    "hidden": {"hides_standings": True},
}
ROLES = ("organiser", "arbiter", "player", "spectator", "stranger")
AT_DESK = ("rule", "preview", "reverse")
"""Forms of the desk; the others are sent to the tournament itself."""

DONE = (200, 303)
OF_TABLE = {"round": "1", "table": "2"}
GIVEN: dict[str, dict[str, str]] = {
    "register": {"player": ""},
    "request_bye": {"round": "2"},
    "forbid_pair": {"one": "bot:greedy:1", "other": "bot:greedy:3"},
    "allow_pair": {"one": "bot:greedy:1", "other": "bot:greedy:2"},
    "change_options": {
        "title": "Another",
        "rounds": "3",
        "most": "64",
        "late_until": "2",
        "no_show": "5",
        "delay": "0",
        "reason": "More came",
    },
    "set_staff": {"handle": "Sam", "role": "arbiter"},
    "announce": {"text": "Welcome"},
    "cancel": {"reason": "Rain"},
    "finish": {"reason": "Rain"},
    "retract_round": {"reason": "Rain"},
    "pin_tables": {"tables": "bot:greedy:1, bot:greedy:2"},
    "add_bots": {"count": "1", "bot": "greedy"},
    "call_arbiter": {"text": "My clock jumped"},
    "answer_call": {**OF_TABLE, "reason": "It did not"},
    "hold_table": {"round": "1", "table": "1"},
    "release_table": OF_TABLE,
    "rule": {**OF_TABLE, "kind": "replay", "reason": "A power failure"},
    "preview": {**OF_TABLE, "kind": "replay", "reason": "A power failure"},
    "reverse": {"reason": "It did not fail"},
}


class Row(NamedTuple):
    name: str
    kind: str
    cells: dict[str, int]


def rows(table: str) -> list[Row]:
    header, *lines = (line.split() for line in table.strip().splitlines())
    assert tuple(header) == ("kind", *ROLES)
    return [Row(name, kind, dict(zip(ROLES, map(int, cells), strict=True))) for name, kind, *cells in lines]


class Cast:
    """A browser of each role, and tournaments in their first rounds."""

    def __init__(self, app, browser, kind: str) -> None:
        named = {"organiser": "Olga", "arbiter": "Ari", "player": "Ana", "spectator": "Sam"}
        self.browsers: dict[str, Visitor] = {role: signed_up(browser, name) for role, name in named.items()}
        self.browsers["stranger"] = browser()
        self.tokens = {role: csrf_of(self.browsers[role]) for role in named}
        self._app, self._options = app, KINDS[kind]
        self.event = self.another_event()

    def another_event(self) -> Event:
        event = Event(self._app, "Olga", entry=Entry(late_until=2), time=TimeControl(bank_ms=600_000), **self._options)
        event.do(SetStaff(event.organiser, event.account("Ari"), "arbiter"))
        event.enter("Ana", bots=3)
        event.start()
        self.event = event
        return event

    def address(self, path: str) -> str:
        player = self.event.account("Ana")
        names = {"<tournament>": self.event.id, "<player>": player, "<int:number>": "1"}
        for name, value in names.items():
            path = path.replace(name, value)
        return path

    def prepare(self, act: str) -> dict[str, str]:
        """What must have happened for the form to make sense; and its fields."""
        given = dict(GIVEN.get(act, {}))
        organiser = self.event.organiser
        if act == "resume":
            self.event.do(PauseTournament(organiser))
        if act == "allow_pair":
            self.event.do(ForbidPair(organiser, "bot:greedy:1", "bot:greedy:2"))
        if act == "release_table":
            self.event.do(HoldTable(organiser, 1, 1))
        if act == "reverse":
            ruled = self.event.do(Adjudicate(organiser, "It failed", 1, 1, Result((1, 2))))
            given["ruling"] = next(iter(ruled.rulings))
        return given

    def send(self, role: str, act: str, given: dict[str, str]) -> TestResponse:
        data = {"act": act, "csrf": self.tokens.get(role, ""), "page": "event", **given}
        path = self.event.address + ("/desk" if act in AT_DESK else "")
        return self.browsers[role].client.post(path, data=data, headers=BROWSER)


def test_every_page_and_form_has_its_row(app):
    rules = [rule for rule in app.url_map.iter_rules() if rule.endpoint.startswith("tournaments_page.")]
    assert {rule.rule for rule in rules if "GET" in (rule.methods or ())} == {row.name for row in rows(PAGES)}
    assert {row.name for row in rows(FORMS)} == {*FIELDS, *AT_DESK, "add_bots"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_for_these_roles(app, browser, kind):
    cast = Cast(app, browser, kind)
    for row in (row for row in rows(PAGES) if row.kind == kind):
        found = {role: cast.browsers[role].get(cast.address(row.name)).status_code for role in ROLES}
        assert found == row.cells, row.name


@pytest.mark.parametrize("row", rows(FORMS), ids=lambda row: f"{row.name}-{row.kind}")
def test_a_form_is_for_these_roles(app, browser, row):
    cast = Cast(app, browser, row.kind)
    assert refusals(cast, row) | acceptances(cast, row) == row.cells


def refusals(cast: Cast, row: Row) -> dict[str, int]:
    """The answers to those who are refused; nothing changes."""
    found: dict[str, int] = {}
    for role in (role for role in ROLES if row.cells[role] not in DONE):
        version = cast.event.now.version
        found[role] = cast.send(role, row.name, dict(GIVEN.get(row.name, {}))).status_code
        assert cast.event.now.version == version, (row.name, role)
    return found


def acceptances(cast: Cast, row: Row) -> dict[str, int]:
    """The answers to those who may, each in a tournament of its own."""
    found: dict[str, int] = {}
    for role in (role for role in ROLES if row.cells[role] in DONE):
        if found:
            cast.another_event()
        found[role] = cast.send(role, row.name, cast.prepare(row.name)).status_code
    return found
