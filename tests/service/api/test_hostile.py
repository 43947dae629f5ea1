"""What a hostile or broken client may send: it gets a problem, and the service goes on."""

import gzip
import io
import json

import pytest

from events.errors import Busy, StoreUnavailable
from rules.texts import say
from service.operations import logs
from tests.service.api.asking import TWO, begun, problem

JSON = "application/json"


def deep(levels: int) -> bytes:
    return b'{"players":' + b"[" * levels + b"]" * levels + b"}"


BODIES = {
    "nothing": b"",
    "no JSON": b"{",
    "two values": b"{}{}",
    "a list": b"[]",
    "a string": b'"x"',
    "null": b"null",
    "NaN": b'{"players": NaN}',
    "half a character": b'{"nonce": "\\ud800", "players": 2}',
    "Latin-1": '{"nonce": "ñ", "players": 2}'.encode("latin-1"),
    "UTF-16": '{"players": 2}'.encode("utf-16"),
    "a mark of byte order": b'\xef\xbb\xbf{"players": 2}',
    "bytes": bytes(range(256)),
    "an endless number": b'{"players": 1' + b"0" * 5000 + b"}",
    "a huge exponent": b'{"players": 1e9999}',
    "a large float": b'{"players": 1e300}',
    "a negative number": b'{"players": -9223372036854775809}',
    "a deep list": deep(40),
    "a very deep list": deep(20_000),
    "unknown fields": b'{"players": 2, "__proto__": {}}',
    "a zero byte": b'{"players": 2, "rules": "el_grande\\u0000"}',
    "many expansions": json.dumps({"players": 2, "expansions": ["anniversary"] * 100}).encode(),
    "many options": json.dumps({"players": 2, "options": {str(i): "x" for i in range(100)}}).encode(),
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_body_that_is_no_table_is_refused(ana, body):
    assert problem(ana.ask("POST", "/games", data=body, content_type=JSON))[0] in (400, 422)


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_body_that_is_no_move_is_refused(ana, ben, body):
    game = begun(ana, ben)
    assert problem(ana.ask("POST", f"/games/{game}/moves", data=body, content_type=JSON))[0] in (400, 422)


@pytest.mark.parametrize(
    "value",
    ["x" * 60_000, "\x00", "\u202e", [[[[1]]]], {"a": {"b": {}}}, 2**63, -(2**63), 1e300, None, [], {}, True],
    ids=lambda value: repr(value)[:20],
)
@pytest.mark.parametrize("field", ["decision", "kind", "value", "to", "steps", "\x00"], ids=repr)
def test_any_value_in_any_field_of_a_move_is_refused(ana, ben, field, value):
    game = begun(ana, ben)
    move = {"decision": "1-red", "kind": "play_power_card", "value": 1} | {field: value}
    status, code = problem(ana.post(f"/games/{game}/moves", move))
    assert (status, code) in {(400, "unreadable"), (422, "invalid"), (422, "rule_broken"), (409, "not_your_decision")}


def test_a_large_body_is_refused_unread(ana):
    for path in ("/games", "/games/x/start", "/games/x/moves", "/accounts"):
        answer = ana.ask("POST", path, data=b"x" * 10_000_000, content_type=JSON)
        assert problem(answer) == (413, "too_large")
    assert problem(ana.ask("POST", "/games", data=b" " * 65_537, content_type=JSON)) == (413, "too_large")


def test_a_large_body_that_hides_its_length_is_refused(ana):
    def send(size):
        body = io.BytesIO(json.dumps(TWO).encode().ljust(size))
        about = {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"}
        return ana.ask("POST", "/games", input_stream=body, content_type=JSON, environ_overrides=about)

    assert send(65_536).status_code == 201
    assert problem(send(65_537)) == (413, "too_large")
    assert problem(send(200_000)) == (413, "too_large")


def test_a_body_that_is_not_declared_as_json_is_refused(ana):
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        answer = ana.ask("POST", "/games", data=json.dumps(TWO), content_type=kind)
        assert problem(answer) == (415, "unsupported_media_type")


PATHS = [
    "/games/..%2f..%2fetc",
    "/games/%00",
    "/games/%ff%fe",
    "/games/" + "x" * 5000,
    "/games/{games}",
    "/games/*",
    "/games/%0d%0aX-Evil:1",
    "/games/a%20b",
    "/games/😀",
    "/players/%00",
    "/players/..",
    "/rules/%2e%2e",
    "/rules/+",
    "/rules/el_grande+" + "+" * 200,
]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path[:30])
def test_a_path_that_leads_nowhere_is_not_found(ana, path):
    assert problem(ana.get(path))[0] in (404, 400)


@pytest.mark.parametrize("path", ["/games/%00/moves", "/games/%ff/moves", "/games/none/moves", "/games/none/seats"])
def test_a_refused_write_leaves_nothing_in_the_store(ana, service, path):
    assert service.services.store.buckets, "written down when a store is first used"
    before = sorted(service.services.store.commands.keys("hidalgo:*"))
    assert problem(ana.post(path, {"decision": "1-red", "kind": "stop"}))[0] in (404, 422)
    assert sorted(service.services.store.commands.keys("hidalgo:*")) == before


def test_a_method_that_is_not_there_is_answered_with_the_ones_that_are(ana):
    answer = ana.ask("PUT", "/games")
    assert problem(answer) == (405, "method_not_allowed")
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS", "POST"}


@pytest.mark.parametrize("value", ["x" * 3000, "\t", "ñ", '"' * 50], ids=["long", "tab", "not ASCII", "quotes"])
@pytest.mark.parametrize(
    "header", ["If-None-Match", "If-Match", "Accept", "Accept-Encoding", "Authorization", "X-Request-Id", "Cookie"]
)
def test_headers_that_make_no_sense_break_nothing(ana, header, value):
    game = ana.makes()
    for method, path in (("GET", ""), ("POST", "/abort")):
        answer = ana.ask(method, f"/games/{game}{path}", headers={header: value})
        assert answer.status_code < 500


def test_a_request_keeps_the_name_it_has_if_that_is_a_name(anonymous):
    assert anonymous.get("/rules", X_Request_Id="mine-1").headers["X-Request-Id"] == "mine-1"
    for name in ("", "x" * 65, "a b", "ñ"):
        assert anonymous.get("/rules", X_Request_Id=name).headers["X-Request-Id"] != name


def test_a_crash_is_a_problem_without_details_and_a_line_with_all_of_them(anonymous, monkeypatch, capsys):
    def crash(self, game, account):
        raise ZeroDivisionError("the secret of the shuffle is 42")

    monkeypatch.setattr("service.games.game_service.GameService.look", crash)
    answer = anonymous.get("/games/x")
    assert problem(answer) == (500, "internal_server_error")
    assert "shuffle" not in answer.text  # A request id may well have 42 in it.
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    [broken] = [line for line in lines if line["event"] == "broken"]
    assert broken["request_id"] == answer.get_json()["request_id"]
    assert "the secret of the shuffle is 42" in broken["exception"]


def test_a_problem_does_not_show_the_address_of_the_store(service, anonymous, monkeypatch):
    def away(self, game, version=None):
        raise StoreUnavailable(say("the store cannot be reached"), "Error 2 connecting to unix:/secret/place")

    monkeypatch.setattr("events.games.Games.load", away)
    answer = anonymous.get("/games/x")
    assert problem(answer) == (503, "store_away")
    assert answer.headers["Retry-After"] == "2"
    assert answer.get_json()["detail"] == "the store cannot be reached"


def test_a_game_that_is_busy_says_when_to_come_back(ana, ben, monkeypatch):
    def busy(*_, **__):
        raise Busy(say("game changes too fast"))

    monkeypatch.setattr("events.games.Games.submit", busy)
    answer = ana.post("/games/x/start")
    assert problem(answer) == (503, "busy")
    assert answer.headers["Retry-After"] == "1"


# How answers travel


def test_long_answers_are_compressed_for_clients_that_accept_it(anonymous):
    plain = anonymous.get("/rules/el_grande")
    assert "Content-Encoding" not in plain.headers
    packed = anonymous.http.get("/api/v1/rules/el_grande", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data) / 2
    assert gzip.decompress(packed.data) == plain.data
    assert "Accept-Encoding" in packed.headers["Vary"]
    short = anonymous.http.get("/api/v1/me", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in short.headers
    refused = anonymous.http.get("/api/v1/rules/el_grande", headers={"Accept-Encoding": "gzip;q=0, identity"})
    assert "Content-Encoding" not in refused.headers


def test_every_answer_is_safe_to_look_at(anonymous):
    for path in ("/api/v1/rules", "/api/v1/nothing", "/", "/docs"):
        headers = anonymous.http.get(path).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"].replace("style-src 'self' 'unsafe-inline'", "")


def test_words_of_clients_cannot_break_a_line_of_the_log_or_command_a_terminal(anonymous, capsys):
    logs.flush()
    capsys.readouterr()
    anonymous.get("/games/%C2%85%C2%9B31m%E2%80%A8%F0%9F%98%80%0A%1B")
    logs.flush()
    logged = capsys.readouterr().err
    assert logged.isascii()
    assert json.loads(logged)["path"] == "/api/v1/games/\x85\x9b31m\u2028😀\n\x1b"


def test_a_request_leaves_one_line_without_private_words(ana, capsys):
    logs.flush()
    capsys.readouterr()
    ana.get(f"/games?player={ana.account}")
    logs.flush()
    [line] = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert (line["method"], line["path"], line["status"]) == ("GET", "/api/v1/games", 200)
    assert line["account"] == ana.account
    assert ana.token not in json.dumps(line)
