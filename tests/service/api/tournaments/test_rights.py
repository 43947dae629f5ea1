"""Rights: every action of a tournament, asked by every role. A cell says whether the role may give it at all."""

from typing import Any

import pytest

from service.api.schemas.tournament_actions import ActionRequest, RulingRequest
from service.tournaments.actions import COMMANDS, RULINGS, command
from tests.service.api.asking import ApiClient, problem
from tests.service.api.tournaments.event import Event, handle_of
from tournaments.commands import SERVICE

TABLE = """
                organiser arbiter player spectator
register        yes       yes     yes    yes
check_in        yes       yes     yes    no
withdraw        yes       yes     yes    no
return          yes       yes     yes    no
accept_seat     no        no      no     no
decline_seat    no        no      no     no
request_bye     yes       yes     yes    no
forbid_pair     yes       yes     no     no
allow_pair      yes       yes     no     no
change_options  yes       no      no     no
set_staff       yes       no      no     no
announce        yes       yes     no     no
pause           yes       yes     no     no
resume          yes       yes     no     no
cancel          yes       no      no     no
start           yes       no      no     no
finish          yes       no      no     no
pin_tables      yes       yes     no     no
propose_round   yes       yes     no     no
publish_round   yes       yes     no     no
retract_round   yes       yes     no     no
start_round     yes       yes     no     no
record_result   yes       yes     no     no
close_round     yes       yes     no     no
call_arbiter    yes       yes     yes    no
answer_call     yes       yes     no     no
hold_table      yes       yes     no     no
release_table   yes       yes     no     no
adjudicate      yes       yes     no     no
replay          yes       yes     no     no
rewind          yes       yes     no     no
adjust          yes       yes     no     no
penalise        yes       yes     no     no
substitute      yes       yes     no     no
reverse         yes       yes     no     no
"""
HEADER, *LINES = (line.split() for line in TABLE.strip().splitlines())
CELLS = [(kind, role, cell == "yes") for kind, *cells in LINES for role, cell in zip(HEADER, cells, strict=True)]

OF_TABLE = {"round": 1, "table": 0}
RESULT = {"result": {"places": [1, 2, 3, 4]}}
WHY: dict[str, Any] = {"reason": "It is right"}
BODIES: dict[str, dict[str, Any]] = {
    "request_bye": {"round": 2},
    "forbid_pair": {"one": "bot:greedy:1", "other": "bot:greedy:2"},
    "allow_pair": {"one": "bot:greedy:1", "other": "bot:greedy:2"},
    "change_options": {"options": {"title": "Another"}, **WHY},
    "announce": {"text": "Welcome"},
    "cancel": WHY,
    "pin_tables": {"tables": [["bot:greedy:1", "bot:greedy:2"]]},
    "retract_round": WHY,
    "record_result": OF_TABLE | RESULT,
    "call_arbiter": {"text": "The clock jumped"},
    "answer_call": OF_TABLE | {"text": "It did not"},
    "hold_table": OF_TABLE,
    "release_table": OF_TABLE,
    "adjudicate": OF_TABLE | RESULT | WHY,
    "replay": OF_TABLE | WHY,
    "rewind": OF_TABLE | WHY | {"version": 1},
    "adjust": {"player": "bot:greedy:1", "units": 60, **WHY},
    "penalise": {"player": "bot:greedy:1", "penalty": "warning", **WHY},
    "substitute": {"player": "bot:greedy:1", "substitute": "bot:greedy:99", **WHY},
    "reverse": {"ruling": "r1", **WHY},
}


class Cast:
    """A tournament in its first round, and somebody of each role."""

    def __init__(self, described: Any, **options: Any) -> None:
        self.event = Event(described, entry={"late_until": 2}, **options)
        player = self.event.guest()
        self.event.acted("register", player=handle_of(player))
        self.event.acted("register", by=player)
        self.event.started(7)
        self.roles: dict[str, ApiClient] = {
            "organiser": self.event.olga,
            "arbiter": self.event.arbiter(),
            "player": player,
            "spectator": self.event.guest(),
        }

    def begun(self) -> "Cast":
        self.event.draw()
        return self

    def body(self, kind: str) -> dict[str, Any]:
        member = {"handle": handle_of(self.roles["spectator"]), "role": ""} if kind == "set_staff" else {}
        return {"kind": kind, **BODIES.get(kind, {}), **member}

    def ask(self, kind: str, role: str, path: str = "/actions") -> Any:
        return self.roles[role].post(self.event.path + path, self.body(kind))


@pytest.fixture(scope="module")
def refused(described) -> Cast:
    """Where all is asked that is refused: nothing changes."""
    return Cast(described).begun()


@pytest.fixture(scope="module")
def private(described) -> Cast:
    return Cast(described, visibility="private").begun()


def test_every_action_has_its_row():
    assert {kind for kind, *_ in LINES} == set(ActionRequest.by_kind) == set(COMMANDS)
    assert set(RulingRequest.by_kind) == set(RULINGS)


@pytest.mark.parametrize(("kind", "role"), [(kind, role) for kind, role, may in CELLS if not may])
def test_an_action_is_refused_to_other_roles(refused, kind, role):
    before = refused.event.read()["version"]
    assert problem(refused.ask(kind, role)) == (403, "forbidden")
    assert refused.event.read()["version"] == before


@pytest.mark.parametrize(("kind", "role"), [(kind, role) for kind, role, may in CELLS if may])
def test_an_action_is_open_to_its_roles(described, kind, role):
    """Perhaps not now, but neither for want of a right."""
    answer = Cast(described).begun().ask(kind, role)
    assert answer.status_code in (201, 409), answer.text


@pytest.mark.parametrize("kind", COMMANDS)
def test_a_private_tournament_does_not_exist_for_strangers(private, kind):
    assert problem(private.ask(kind, "spectator")) == (404, "not_found")
    nowhere = private.roles["spectator"].post("/tournaments/nowhere/actions", private.body(kind))
    assert problem(nowhere) == (404, "not_found")


@pytest.mark.parametrize("kind", RULINGS)
def test_rulings_are_looked_at_by_those_who_may_make_them(refused, private, kind):
    for role in ("player", "spectator"):
        assert problem(refused.ask(kind, role, "/actions/preview")) == (403, "forbidden")
    assert problem(private.ask(kind, "spectator", "/actions/preview")) == (404, "not_found")
    before = refused.event.read()["version"]
    assert refused.ask(kind, "arbiter", "/actions/preview").status_code in (200, 409)
    assert refused.event.read()["version"] == before


def test_only_rulings_can_be_looked_at(refused):
    assert problem(refused.ask("start", "organiser", "/actions/preview")) == (422, "invalid")


def test_a_substitute_of_a_private_tournament_sees_it_when_asked_and_plays_after_agreeing(described):
    event = Event(described, visibility="private")
    eve, zoe = event.guest(), event.guest()
    event.started(8)
    event.draw()
    described.app.services.round_worker._do_due(event.id)
    asked: dict[str, Any] = {
        "player": "bot:greedy:1",
        "substitute": handle_of(eve),
        "stops_clocks": True,
        "answer_ms": 60_000,
    }
    event.acted("substitute", **asked, **WHY)
    seen = event.read(by=eve)
    assert (seen["role"], seen["asked"]) == (None, [])
    assert (seen["asks_you"]["player"]["bot"], seen["asks_you"]["stops_clocks"]) == (True, True)
    assert [each["substitute"]["handle"] for each in event.read()["asked"]] == [handle_of(eve)]
    assert [each["id"] for each in eve.get("/tournaments?mine=true").get_json()["tournaments"]] == [event.id]
    assert problem(event.act("accept_seat", by=zoe)) == (404, "not_found")
    event.acted("accept_seat", by=eve)
    assert (event.read(by=eve)["role"], event.read(by=eve)["asks_you"], event.read()["asked"]) == ("player", None, [])


def test_a_substitute_who_declines_is_nobody_in_the_tournament(described):
    event = Event(described)
    eve = event.guest()
    event.started(8)
    event.acted("substitute", player="bot:greedy:1", substitute=handle_of(eve), **WHY)
    event.acted("decline_seat", by=eve)
    assert event.read(by=eve)["role"] is None
    again = event.act("substitute", player="bot:greedy:2", substitute=handle_of(eve), **WHY)
    assert problem(again) == (409, "not_now")


@pytest.mark.parametrize("kind", ["check_in", "withdraw", "return"])
def test_players_act_for_themselves_alone(refused, kind):
    answer = refused.event.act(kind, by=refused.roles["player"], player="bot:greedy:1")
    assert problem(answer) == (403, "forbidden")


def test_nobody_enters_another_or_gives_themselves_a_rating(refused):
    by = refused.roles["spectator"]
    assert problem(refused.event.act("register", by=by, player="bot:greedy:9")) == (403, "forbidden")
    assert problem(refused.event.act("register", by=by, rating=2800)) == (403, "forbidden")


def test_a_private_tournament_is_entered_through_its_staff(described):
    event = Event(described, visibility="private")
    ana = event.guest()
    assert problem(event.act("register", by=ana)) == (404, "not_found")
    event.acted("register", player=handle_of(ana))
    asked = event.read(by=ana)
    assert (asked["role"], asked["is_invited"], asked["invited"]) == (None, True, [])
    assert [each["handle"] for each in event.read()["invited"]] == [handle_of(ana)]
    event.acted("register", by=ana)
    assert event.read(by=ana)["role"] == "player"
    assert [each["id"] for each in ana.get("/tournaments?mine=true").get_json()["tournaments"]] == [event.id]
    assert event.id not in str(ana.get("/tournaments?limit=100").get_json())


@pytest.mark.parametrize("kind", COMMANDS)
def test_the_service_may_do_everything_and_no_client_is_the_service(refused, described, kind):
    service = described.app.services.tournament_service
    fields = ActionRequest().load(refused.body(kind))
    tournament = service.look(refused.event.id, None)
    command(service, tournament, SERVICE, fields.pop("kind"), fields).permit(tournament)
    assert problem(ApiClient(described).post(f"{refused.event.path}/actions", refused.body(kind))) == (
        401,
        "unauthorized",
    )


def test_the_owner_stays_the_owner(refused):
    handle = handle_of(refused.event.olga)
    assert problem(refused.event.act("set_staff", handle=handle, role="")) == (409, "not_now")
