"""What a hostile client sends: it is refused with a reason, and nothing happens."""

from typing import Any

import pytest

from tests.service.api.asking import problem
from tests.service.api.tournaments.event import OPTIONS, Event, guest

HUGE = 10**30
SCRIPT = "<script>alert(1)</script>"

OPTION_VALUES: list[tuple[str, Any]] = [
    ("title", ""),
    ("title", "x" * 121),
    ("title", "a\nb"),
    ("title", "a\x00b"),
    ("title", "a\u202eb"),
    ("title", 7),
    ("title", None),
    ("game", "../../etc/passwd\n"),
    ("game", ["el_grande"]),
    ("game_options", {"a": "b\n"}),
    ("game_options", dict.fromkeys(map(str, range(17)), "x")),
    ("size", 1),
    ("size", 7),
    ("size", HUGE),
    ("size", -4),
    ("size", "4"),
    ("size", 4.5),
    ("size", True),
    ("sizes", [9]),
    ("sizes", [3] * 7),
    ("stages", []),
    ("stages", [{"rounds": 1}] * 6),
    ("stages", [{"rounds": 0}]),
    ("stages", [{"rounds": HUGE}]),
    ("stages", [{"rounds": 3, "kind": "lottery"}]),
    ("schedule", {"starts_at": -1}),
    ("schedule", {"starts_at": HUGE}),
    ("schedule", {"dates": [1] * 51}),
    ("schedule", {"rule": "never"}),
    ("schedule", []),
    ("entry", {"most": HUGE}),
    ("entry", {"fewest": -2}),
    ("time", {"bank_ms": HUGE}),
    ("points", {"preset": "own", "places": [HUGE]}),
    ("points", {"preset": "own", "places": [-1]}),
    ("tiebreaks", ["XYZ"]),
    ("tiebreaks", ["TP"] * 21),
    ("visibility", "secret"),
    ("spectators_delay_ms", -1),
    ("hides_standings", "yes"),
    ("description", "x" * 4001),
    ("description", "a\x07b"),
    ("secret", "00"),
    ("owner", "a_xxxxxxxxxxxxxxxx"),
    ("preset", "cheap"),
]


@pytest.mark.parametrize(("name", "value"), OPTION_VALUES)
def test_options_that_are_none_are_refused(described, name, value):
    assert problem(guest(described).post("/tournaments", OPTIONS | {name: value})) == (422, "invalid")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("game", "mystery"),
        ("size", 6),
        ("game_options", {"no_such": "option"}),
        ("game_options", {"x" * 65: "y"}),
        ("game_options", {"a\n\x00": "y"}),
        ("stages", [{"kind": "final", "rounds": 1, "players": 4}]),
        ("schedule", {"rule": "interval"}),
        ("schedule", {"rule": "dates"}),
        ("tiebreaks", ["W"]),
        ("points", {"preset": "own"}),
        ("entry", {"fewest": 9, "most": 8}),
        ("time", {}),
        ("title", "   "),
    ],
)
def test_options_by_which_nobody_can_play_are_refused(described, name, value):
    status, code = problem(guest(described).post("/tournaments", OPTIONS | {name: value}))
    assert (status, code) in [(400, "unreadable"), (422, "rule_broken")]


@pytest.fixture(scope="module")
def running(described) -> Event:
    event = Event(described).started()
    event.draw()
    return event


TABLE_OF = {"round": 1, "table": 0}
RESULT = {"places": [1, 2, 3, 4]}
ACTIONS: list[dict[str, Any]] = [
    {},
    {"kind": None},
    {"kind": "TournamentCommand"},
    {"kind": ["register"]},
    {"kind": {"$gt": ""}},
    {"kind": "attach_game", "round": 1, "table": 0, "game": "g"},
    {"kind": "remind_players"},
    {"kind": "register", "account": ""},
    {"kind": "register", "rating": -1},
    {"kind": "register", "rating": HUGE},
    {"kind": "register", "team": "a\u2028b"},
    {"kind": "register", "player": "x" * 65},
    {"kind": "register", "player": "a\nb"},
    {"kind": "register", "player": 7},
    {"kind": "withdraw", "player": ["bot:greedy:1"]},
    {"kind": "request_bye", "round": 0},
    {"kind": "request_bye", "round": 51},
    {"kind": "request_bye", "round": 2, "bye": "golden"},
    {"kind": "forbid_pair", "one": "bot:greedy:1"},
    {"kind": "set_staff", "handle": "x", "role": "owner"},
    {"kind": "announce", "text": ""},
    {"kind": "announce", "text": "x" * 4001},
    {"kind": "announce", "text": "a\x1b[2Jb"},
    {"kind": "cancel"},
    {"kind": "pin_tables", "tables": [["bot:greedy:1"]]},
    {"kind": "pin_tables", "tables": [["bot:greedy:1"] * 7]},
    {"kind": "pin_tables", "tables": "bot:greedy:1"},
    {"kind": "record_result", "round": 1, "table": -1, "result": RESULT},
    {"kind": "record_result", "round": 1, "table": HUGE, "result": RESULT},
    {"kind": "record_result", **TABLE_OF, "result": {"places": [0, 1, 2, 3]}},
    {"kind": "record_result", **TABLE_OF, "result": {"places": []}},
    {"kind": "record_result", **TABLE_OF, "result": RESULT | {"victory_points": [HUGE] * 4}},
    {"kind": "record_result", **TABLE_OF, "result": RESULT | {"absent": [-1]}},
    {"kind": "record_result", **TABLE_OF, "result": RESULT, "game": "another"},
    {"kind": "rewind", **TABLE_OF, "version": 0, "reason": "x"},
    {"kind": "rewind", **TABLE_OF, "version": HUGE, "reason": "x"},
    {"kind": "adjust", "player": "bot:greedy:1", "units": HUGE, "reason": "x"},
    {"kind": "adjust", "player": "bot:greedy:1", "units": 0.5, "reason": "x"},
    {"kind": "penalise", "player": "bot:greedy:1", "penalty": "prison", "reason": "x"},
    {"kind": "penalise", "player": "bot:greedy:1", "penalty": "points", "units": -60, "reason": "x"},
    {"kind": "adjudicate", **TABLE_OF, "result": RESULT},
]


@pytest.mark.parametrize("body", ACTIONS, ids=str)
def test_actions_that_are_none_are_refused(running, body):
    before = running.read()["version"]
    assert problem(running.olga.post(f"{running.path}/actions", body)) == (422, "invalid")
    assert running.read()["version"] == before


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"kind": "register", "player": "bot:nobody:1"}, "not_found"),
        ({"kind": "register", "player": "bot:greedy:0"}, "not_found"),
        ({"kind": "register", "player": "bot:greedy"}, "not_found"),
        ({"kind": "register", "player": f"bot:{SCRIPT}:1"}, "not_found"),
        ({"kind": "register", "player": SCRIPT}, "not_found"),
        ({"kind": "record_result", "round": 1, "table": 9, "result": RESULT}, "not_now"),
        ({"kind": "record_result", "round": 9, "table": 0, "result": RESULT}, "not_now"),
        ({"kind": "record_result", **TABLE_OF, "result": {"places": [1, 2]}}, "unreadable"),
        ({"kind": "record_result", **TABLE_OF, "result": {"places": [1, 1, 2, 2]}}, "unreadable"),
        ({"kind": "record_result", **TABLE_OF, "result": RESULT | {"absent": [1, 1]}}, "unreadable"),
        ({"kind": "adjust", "player": "bot:greedy:1", "units": 0, "reason": "x"}, "unreadable"),
        ({"kind": "reverse", "ruling": "r99", "reason": "x"}, "not_now"),
        ({"kind": "pin_tables", "tables": [["bot:greedy:1", "bot:greedy:1"]]}, "unreadable"),
        ({"kind": "announce", "text": "  \n "}, "unreadable"),
    ],
    ids=str,
)
def test_actions_that_cannot_be_taken_say_why(running, body, code):
    before = running.read()["version"]
    answer = running.olga.post(f"{running.path}/actions", body)
    assert problem(answer)[1] == code, answer.text
    assert running.read()["version"] == before


@pytest.mark.parametrize(
    "path",
    [
        "/rounds/-1",
        "/rounds/0",
        "/rounds/99999999999999999999",
        "/rounds/1/tables/-1",
        "/rounds/1/tables/99999999999999",
        "/rounds/%C2%B2",
        "/rounds/1/tables/%D9%A1",
    ],
)
def test_addresses_of_nothing_lead_nowhere(running, path):
    assert problem(running.olga.get(running.path + path)) == (404, "not_found")


@pytest.mark.parametrize(
    "query",
    ["?limit=0", "?limit=201", "?begin=-1", f"?begin={HUGE}", "?limit=x", "?unknown=1", "?query=%0a"],
)
def test_parts_that_are_none_are_refused(running, query):
    assert problem(running.olga.get(f"{running.path}/players{query}")) == (422, "invalid")


def test_markup_is_text(running):
    running.acted("announce", text=SCRIPT)
    assert running.read()["announcements"][-1] == SCRIPT
    assert running.olga.get(running.path).mimetype == "application/json"


def test_a_cursor_of_another_hand_gives_a_page(described):
    olga = guest(described)
    for cursor in ("(", "[zzz", "-", "0000000000000/x", "%22"):
        assert olga.get(f"/tournaments?cursor={cursor}").status_code == 200


@pytest.mark.parametrize("time", [{"limit_ms": 1}, {"bank_ms": 86_400_000, "limit_ms": 4_999}])
def test_a_tournament_with_less_time_than_a_player_needs_is_refused(described, time):
    """Its tables would be answered by the clock alone, as fast as the store can write."""
    answer = guest(described).post("/tournaments", OPTIONS | {"time": time})
    assert problem(answer) == (400, "unreadable")
    assert "at least 5000 ms for a decision" in answer.get_json()["detail"]
    event = Event(described)
    assert problem(event.act("change_options", options={"time": time})) == (400, "unreadable")
