"""ETags, If-Match, If-None-Match and Idempotency-Key: nothing is done twice, and nothing to a game unseen."""

import json
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from events.audit.backup import backup, restore
from events.audit.verify import verify_stored
from events.buckets import USUAL
from events.errors import StoreUnavailable
from events.games import Games
from events.log import chain
from events.log.service_secret import ServiceSecret
from events.submission import Submission
from events.table.commands import Join, Leave
from rules.texts import say
from service.games.game_service import guessable_game_id
from tests.service.api.asking import TWO, ApiClient, asked, begun, problem, spelled

KEY = {"Idempotency_Key": "once"}


@pytest.fixture
def game(ana, ben) -> str:
    return begun(ana, ben)


# Versions


def test_an_answer_that_the_client_has_is_not_sent_again(ana, ben, anonymous, game):
    for path in ("", "/state", "/events"):
        first = anonymous.get(f"/games/{game}{path}")
        assert first.headers["ETag"] == f'"{ana.game(game)["version"]}.spectator"'
        again = anonymous.get(f"/games/{game}{path}", If_None_Match=first.headers["ETag"])
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == first.headers["ETag"]
    person, decision = asked(game, ana, ben)
    person.post(f"/games/{game}/moves", decision["example"])
    assert anonymous.get(f"/games/{game}", If_None_Match=first.headers["ETag"]).status_code == 200


def test_an_answer_that_depends_on_the_account_says_so(anonymous, game):
    answer = anonymous.get(f"/games/{game}")
    assert {"authorization", "cookie", "accept"} <= set(answer.vary.as_set())
    assert answer.cache_control.private
    assert answer.cache_control.no_cache


def test_viewers_of_the_same_version_have_different_etags(ana, ben, anonymous, game):
    """A cache, or a client that changes its token, must not take one for the other."""
    for path in ("", "/state", "/events", "/decisions"):
        people = [ana, ben] if path == "/decisions" else [ana, ben, anonymous]
        names = [person.get(f"/games/{game}{path}").headers["ETag"] for person in people]
        assert len(set(names)) == len(people)
        assert ben.get(f"/games/{game}{path}", If_None_Match=names[0]).status_code == 200


PRIVATE = {"private", "no-cache"}
NEVER = {"no-store"}


def test_no_shared_cache_may_keep_anything_of_the_interface(ana, ben, anonymous, game):
    """Neither an answer nor a refusal, for any client and any path."""
    paths = [
        "/rules",
        "/games",
        f"/games/{game}",
        f"/players/{ana.account}",
        "/games/none",
        "/nowhere",
    ]
    paths += [f"/games/{game}/{view}" for view in ("state", "events", "export", "decisions")]
    for answer in [person.get(path) for path in paths for person in (ana, anonymous)]:
        assert {"authorization", "cookie"} <= answer.vary.as_set()
        assert set(answer.headers["Cache-Control"].split(", ")) >= PRIVATE
    for path in ("/me", "/tokens"):
        for answer in (ana.get(path), anonymous.get(path)):
            assert {"authorization", "cookie"} <= answer.vary.as_set()
            assert set(answer.headers["Cache-Control"].split(", ")) >= NEVER


def test_the_etag_of_a_read_is_accepted_by_a_write(ana, ben):
    game = ana.makes()
    seen = ana.get(f"/games/{game}").headers["ETag"]
    assert seen == '"2.red"'
    assert ben.post(f"/games/{game}/seats", {}, If_Match=seen).status_code == 200
    assert problem(ana.post(f"/games/{game}/start", If_Match=seen)) == (412, "precondition_failed")


def test_a_game_that_has_changed_is_left_alone(ana, ben, game):
    person, decision = asked(game, ana, ben)
    version = person.game(game)["version"]
    answer = person.post(f"/games/{game}/moves", decision["example"], If_Match=f'"{version - 1}"')
    assert problem(answer) == (412, "precondition_failed")
    assert person.game(game)["version"] == version
    assert person.post(f"/games/{game}/moves", decision["example"], If_Match=f'"{version}"').status_code == 201


@pytest.mark.parametrize("etag", ['"x"', "x", '""', 'W/"2"', ","], ids=str)
def test_a_version_that_never_was_is_not_the_one(ana, etag):
    game = ana.makes()
    assert problem(ana.post(f"/games/{game}/abort", If_Match=etag))[0] in (400, 412)


def test_a_star_matches_any_version(ana):
    assert ana.post(f"/games/{ana.makes()}/abort", If_Match="*").status_code == 200


def test_sitting_down_and_beginning_heed_the_version_too(ana, ben):
    game = ana.makes()
    assert problem(ben.post(f"/games/{game}/seats", {}, If_Match='"1"')) == (412, "precondition_failed")
    ben.post(f"/games/{game}/seats", {}, If_Match='"2"')
    assert problem(ana.post(f"/games/{game}/start", If_Match='"2"')) == (412, "precondition_failed")
    assert problem(ben.delete(f"/games/{game}/seats/mine", If_Match='"2"')) == (412, "precondition_failed")
    assert ana.post(f"/games/{game}/start", If_Match='"3"').status_code == 200


# Keys


def test_the_same_key_makes_the_same_table(ana, ben):
    first, again = (ana.post("/games", TWO, **KEY) for _ in range(2))
    assert (again.status_code, again.get_json()) == (201, first.get_json())
    assert len(ana.get("/games").get_json()["games"]) == 1
    assert ben.post("/games", TWO, **KEY).get_json()["id"] != first.get_json()["id"]


def test_a_table_that_was_made_but_not_sat_down_at_is_sat_down_at(ana, service, monkeypatch):
    """The store went away between the two commits; the client sends the same again."""

    def away(*_, **__):
        raise StoreUnavailable(say("the store cannot be reached"))

    with monkeypatch.context() as between:
        between.setattr("events.games.Games.submit", away)
        assert problem(ana.post("/games", TWO, **KEY)) == (503, "store_away")
    again = ana.post("/games", TWO, **KEY).get_json()
    assert (again["version"], again["mine"]) == (2, "red")


def test_the_same_key_moves_once_and_is_answered_as_the_first_time(ana, ben, game):
    person, decision = asked(game, ana, ben)
    first = person.post(f"/games/{game}/moves", decision["example"], **KEY)
    person_2, decision_2 = asked(game, ana, ben)
    person_2.post(f"/games/{game}/moves", decision_2["example"])
    again = person.post(f"/games/{game}/moves", decision["example"], **KEY)
    assert (again.status_code, again.get_json()) == (201, first.get_json())
    assert again.headers["ETag"] == first.headers["ETag"]


def test_a_repeated_move_is_answered_even_if_the_game_has_gone_on(ana, ben, game):
    person, decision = asked(game, ana, ben)
    version = person.game(game)["version"]
    send = dict(If_Match=f'"{version}"', **KEY)
    first = person.post(f"/games/{game}/moves", decision["example"], **send)
    assert person.post(f"/games/{game}/moves", decision["example"], **send).get_json() == first.get_json()


def test_sitting_down_standing_up_and_beginning_are_done_once(ana, ben):
    game = ana.makes()
    answers = [ben.post(f"/games/{game}/seats", {}, Idempotency_Key="sit").get_json() for _ in range(2)]
    assert answers[0] == answers[1]
    answers = [ben.delete(f"/games/{game}/seats/mine", Idempotency_Key="stand").get_json() for _ in range(2)]
    assert answers[0] == answers[1]
    ben.post(f"/games/{game}/seats", {}, Idempotency_Key="sit again")
    ben.post(f"/games/{game}/seats", {}, Idempotency_Key="sit-again")
    answers = [ana.post(f"/games/{game}/start", Idempotency_Key="start").get_json() for _ in range(2)]
    assert answers[0] == answers[1]
    assert answers[0]["status"] == "running"


def test_the_same_key_writes_the_same_invitation(ana):
    game = ana.makes(visibility="private")
    words = [ana.post(f"/games/{game}/invitations", {}, Idempotency_Key=key).get_json() for key in "aab"]
    assert words[0] == words[1] != words[2]


REUSED = (422, "key_reused")


@pytest.mark.parametrize(
    "other", [{"players": 3}, {"visibility": "private"}, {"join": False}, {"nonce": "mine"}], ids=str
)
def test_one_key_for_two_tables_is_a_mistake(ana, other):
    ana.post("/games", TWO, **KEY)
    assert problem(ana.post("/games", TWO | other, **KEY)) == REUSED
    assert len(ana.get("/games").get_json()["games"]) == 1


def test_one_key_for_two_moves_is_a_mistake(ana, ben, game):
    person, decision = asked(game, ana, ben)
    person.post(f"/games/{game}/moves", decision["example"], **KEY)
    for other in ({"decision": "99-red"}, {"value": decision["example"]["value"] - 1}, {"kind": "stop"}, {"x": 1}):
        assert problem(person.post(f"/games/{game}/moves", decision["example"] | other, **KEY)) == REUSED
    other_bytes = json.dumps(decision["example"], indent=1)
    about = {"data": other_bytes, "content_type": "application/json", "headers": spelled(KEY)}
    assert problem(person.ask("POST", f"/games/{game}/moves", **about)) == REUSED


def test_one_key_for_two_doings_at_a_table_is_a_mistake(ana, ben):
    game = ana.makes(players=3)
    assert ben.post(f"/games/{game}/seats", {"seat": "blue"}, **KEY).status_code == 200
    assert problem(ben.post(f"/games/{game}/seats", {"seat": "green"}, **KEY)) == REUSED
    assert problem(ben.post(f"/games/{game}/seats", {"seat": "blue", "nonce": "mine"}, **KEY)) == REUSED
    assert problem(ben.delete(f"/games/{game}/seats/mine", **KEY)) == REUSED
    assert ana.post(f"/games/{game}/abort", **KEY).status_code == 200
    assert problem(ana.post(f"/games/{game}/start", **KEY)) == REUSED
    assert problem(ana.delete(f"/games/{game}/seats/mine", **KEY)) == REUSED


def test_one_key_for_two_invitations_is_a_mistake(ana):
    game = ana.makes(visibility="private")
    assert ana.post(f"/games/{game}/invitations", {"seat": "blue"}, **KEY).status_code == 201
    assert problem(ana.post(f"/games/{game}/invitations", {"seat": "red"}, **KEY)) == REUSED
    assert problem(ana.post(f"/games/{game}/invitations", {}, **KEY)) == REUSED


def test_a_key_is_its_owners_and_its_tables_alone(ana, ben):
    tables = [ana.makes(), ana.makes()]
    for table in tables:
        assert ben.post(f"/games/{table}/seats", {}, **KEY).status_code == 200
        assert ana.post(f"/games/{table}/start", **KEY).status_code == 200


def test_the_log_does_not_show_the_body_of_a_request(ana, ben, game, service):
    """A reader who knows all possible moves must not find the one that was made."""
    person, decision = asked(game, ana, ben)
    person.post(f"/games/{game}/moves", decision["example"], **KEY)
    [*_, last] = person.get(f"/games/{game}/export").get_json()["commits"]
    fingerprint = last["header"]["command"].partition(" #")[2]
    request = f"POST\0/api/v1/games/{game}/moves\0{service.json.dumps(decision['example'])}".encode()
    assert fingerprint != sha256(request).hexdigest()[:24]
    assert fingerprint == chain.fingerprint(service.services.games.log.secret(game), request)


def test_the_key_of_another_player_cannot_be_read(ana, ben, game, service):
    """A client that makes its keys of its moves would give a secret answer away."""
    person, decision = asked(game, ana, ben)
    other = ben if person is ana else ana
    key = sha256(json.dumps(decision["example"]).encode()).hexdigest()
    person.post(f"/games/{game}/moves", decision["example"], Idempotency_Key=key)
    for path in ("/export", "/events", "/state", "/clock", ""):
        answer = other.get(f"/games/{game}{path}")
        assert key not in answer.text
        assert key not in str(answer.headers)
    entries = b"".join(service.services.games.log.read(game))
    assert key.encode() not in entries
    assert key not in str(service.services.store.commands.hkeys(USUAL.key_of(game, f"ids:{game}")))


def test_the_same_key_has_another_name_in_every_game(ana, ben):
    """What was opened in a finished game must not tell what the same key means in one that runs."""
    names = set()
    for table in (ana.makes(), ana.makes()):
        ben.post(f"/games/{table}/seats", {}, **KEY)
        [*_, last] = ana.get(f"/games/{table}/export").get_json()["commits"]
        names.add(last["header"]["command"].partition(" #")[0])
    assert len(names) == 2


def test_the_secret_that_the_end_reveals_does_not_confirm_the_key_of_another_player(ana, ben, service):
    game = begun(ana, ben)
    person, decision = asked(game, ana, ben)
    person.post(f"/games/{game}/moves", decision["example"], **KEY)
    [*_, last] = ana.get(f"/games/{game}/export").get_json()["commits"]
    name, revealed = last["header"]["command"].partition(" #")[0], service.services.games.log.secret(game)
    guess = ServiceSecret(service.services.store)
    assert name == guess.command_name(game, f"{person.account}/once")
    guess._known = revealed
    assert name != guess.command_name(game, f"{person.account}/once")


def test_a_key_of_a_game_that_was_stored_with_plain_keys_is_still_recognised(ana, ben, service):
    log = service.services.games.log
    game = Games(log).create("el_grande", 3, owner=ana.account, game="before").id
    sit = f"POST\0/api/v1/games/{game}/seats\0{{}}".encode()
    Games(log).submit(game, Join(ben.account), Submission(ben.account, "once", sit))
    Games(log).submit(game, Leave(ben.account), Submission(ben.account, "leave", sit))
    assert ben.post(f"/games/{game}/seats", {}, **KEY).get_json()["version"] == 2
    assert problem(ben.post(f"/games/{game}/seats", {"seat": "red"}, **KEY)) == REUSED
    assert ben.game(game)["version"] == 3
    Games(log).submit(game, Join(ben.account), Submission(ben.account, "again", sit))
    assert ben.post(f"/games/{game}/seats", {}, Idempotency_Key="again").get_json()["version"] == 4
    verify_stored(service.services.games, game)


def test_the_id_of_a_table_is_not_made_of_account_and_key_alone(ana):
    made = ana.post("/games", TWO, **KEY).get_json()["id"]
    assert made != guessable_game_id(f"{ana.account}/once")
    assert ana.post("/games", TWO, **KEY).get_json()["id"] == made


def test_a_table_that_was_made_before_is_not_made_again(ana, service):
    """Its id was made of account and key alone."""
    id = guessable_game_id(f"{ana.account}/once")
    made = Games(service.services.games.log).create(
        "el_grande", 2, {"game_length": "short"}, owner=ana.account, game=id, submission=Submission(ana.account, "once")
    )
    assert ana.post("/games", TWO | {"join": False}, **KEY).get_json()["id"] == made.id


def test_a_repeated_key_is_recognised_after_a_backup_was_put_back(ana, ben, game, service):
    log = service.services.games.log
    person, decision = asked(game, ana, ben)
    first = person.post(f"/games/{game}/moves", decision["example"], **KEY)
    verify_stored(service.services.games, game)
    with TemporaryDirectory() as place:
        backup(log, Path(place) / "backup", now=0)
        log.remove(game)
        restore(log, Path(place) / "backup")
    again = person.post(f"/games/{game}/moves", decision["example"], **KEY)
    assert (again.status_code, again.get_json()) == (201, first.get_json())
    assert problem(person.post(f"/games/{game}/moves", decision["example"] | {"x": 1}, **KEY)) == REUSED


def test_the_same_key_makes_the_same_token(ana):
    token_request = {"name": "my bot", "scopes": ["read"]}
    first, again, another = (ana.post("/tokens", token_request, Idempotency_Key=key) for key in "aab")
    assert (again.status_code, again.get_json()) == (201, first.get_json())
    assert another.get_json()["token"] != first.get_json()["token"]
    assert len(ana.get("/tokens").get_json()["tokens"]) == 3
    assert problem(ana.post("/tokens", token_request | {"name": "another"}, Idempotency_Key="a")) == REUSED
    assert problem(ana.post("/tokens", token_request | {"scopes": ["play"]}, Idempotency_Key="a")) == REUSED


def test_a_revoked_token_does_not_come_back_with_the_request_that_made_it(ana, described):
    token_request = {"name": "my bot", "scopes": ["read"]}
    made = ana.post("/tokens", token_request, **KEY).get_json()
    assert ana.delete(f"/tokens/{made['id']}").status_code == 204
    assert problem(ana.post("/tokens", token_request, **KEY)) == (410, "revoked")
    assert problem(ApiClient(described, made["token"]).get("/me")) == (401, "unauthorized")
    assert ana.post("/tokens", token_request, Idempotency_Key="another").status_code == 201


def test_the_same_key_with_another_token_makes_another_token(ana, described):
    """A name is easy to guess; it must not give away what was made by it."""
    token_request = {"name": "my bot"}
    other = ApiClient(described, ana.post("/tokens", token_request, Idempotency_Key="first").get_json()["token"])
    tokens = {person.post("/tokens", token_request, Idempotency_Key="a").get_json()["token"] for person in (ana, other)}
    assert len(tokens) == 2


@pytest.mark.parametrize("key", ["", " ", "a b", "ñ", "x" * 65], ids=["empty", "blank", "space", "not ASCII", "long"])
def test_a_key_is_short_and_visible(ana, key):
    assert problem(ana.post("/games", TWO, Idempotency_Key=key)) == (400, "unreadable")


# Round trips


def test_a_move_is_one_round_trip_to_the_store(ana, ben, game, service):
    """Now and then an account is looked up anew besides: the cheapest of some moves counts."""
    costs = []
    for _ in range(3):
        person, decision = asked(game, ana, ben)
        before = scripts(service)
        assert person.post(f"/games/{game}/moves", decision["example"]).status_code == 201
        costs.append(scripts(service) - before)
    assert min(costs) == 1


def scripts(service) -> int:
    """How many commands the server was sent, but for the one that asks."""
    stats = service.services.store.commands.info("commandstats")
    inside_the_script = ("hget", "hset", "hsetnx", "xrevrange", "xadd", "zadd", "zrem", "publish", "time", "info")
    return sum(row["calls"] for name, row in stats.items() if name.partition("_")[2] not in inside_the_script)
