"""Making a table, sitting down, beginning: permissions and moments."""

import pytest

from tests.service.api.asking import SHORT, TWO, begun, problem


def seats(game) -> list[str | None]:
    return [seat["player"] and seat["player"]["id"] for seat in game["seats"]]


# Making one


def test_a_new_table_is_owned_by_its_maker_who_sits_on_the_first_seat(ana):
    answer = ana.post("/games", TWO)
    game = answer.get_json()
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"/api/v1/games/{game['id']}"
    assert answer.headers["ETag"] == f'"{game["version"]}"'
    assert (game["status"], game["owner"], game["mine"]) == ("open", ana.account, "red")
    assert seats(game) == [ana.account, None]
    assert game["waiting"] == []
    assert game["options"] == SHORT


def test_a_table_can_be_made_for_others(ana):
    game = ana.post("/games", TWO | {"join": False}).get_json()
    assert (game["owner"], game["mine"], seats(game)) == (ana.account, None, [None, None])


def test_expansions_are_named_apart_or_with_the_game(ana):
    apart = ana.post("/games", TWO | {"rules": "el_grande", "expansions": ["anniversary"]}).get_json()
    together = ana.post("/games", TWO | {"rules": "el_grande+anniversary"}).get_json()
    assert apart["rules"] == together["rules"] == "el_grande+anniversary"
    assert (apart["game"], apart["expansions"]) == ("el_grande", ["anniversary"])


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"rules": "chess"}, (400, "unreadable")),
        ({"expansions": ["submarines"]}, (400, "unreadable")),
        ({"players": 6}, (400, "unreadable")),
        ({"players": 0}, (422, "invalid")),
        ({"players": 2.5}, (422, "invalid")),
        ({"players": "2"}, (422, "invalid")),
        ({"players": True}, (422, "invalid")),
        ({"options": {"game_length": "endless"}}, (400, "unreadable")),
        ({"options": {"weather": "fine"}}, (400, "unreadable")),
        ({"options": {"game_length": 1}}, (422, "invalid")),
        ({"visibility": "secret"}, (422, "invalid")),
        ({"join": "yes"}, (422, "invalid")),
        ({"nonce": "x" * 129}, (422, "invalid")),
        ({"nonce": "\x00"}, (422, "invalid")),
        ({"colour": "red"}, (422, "invalid")),
    ],
    ids=str,
)
def test_a_table_that_cannot_be_is_not_made(ana, fields, expected):
    assert problem(ana.post("/games", TWO | fields)) == expected
    assert ana.get("/games").get_json()["games"] == []


def test_a_whole_number_may_be_written_with_a_point(ana):
    assert ana.post("/games", TWO | {"players": 2.0}).status_code == 201


def test_every_wrong_field_is_named(ana):
    errors = ana.post("/games", {"players": "two", "colour": "red"}).get_json()["errors"]["json"]
    assert errors.keys() == {"players", "colour"}


# Sitting down


def test_any_account_may_sit_down_at_a_public_table(ana, ben):
    game = ana.makes()
    shown = ben.post(f"/games/{game}/seats", {}).get_json()
    assert shown["mine"] == "blue"
    assert seats(shown) == [ana.account, ben.account]
    assert shown["seats"][1]["player"]["handle"].startswith("guest-")


def test_a_seat_can_be_chosen_and_chance_added(ana, ben):
    game = ana.makes(players=3)
    shown = ben.post(f"/games/{game}/seats", {"seat": "yellow", "nonce": "sand"}).get_json()
    assert shown["mine"] == "yellow"
    assert [seat["nonce"] for seat in shown["seats"]] == [False, False, True]


def test_a_seat_that_is_taken_unknown_or_ones_second_is_refused(ana, ben):
    game = ana.makes(players=3)
    assert problem(ben.post(f"/games/{game}/seats", {"seat": "red"})) == (409, "not_now")
    assert problem(ben.post(f"/games/{game}/seats", {"seat": "purple"})) == (400, "unreadable")
    assert problem(ana.post(f"/games/{game}/seats", {})) == (409, "not_now")


def test_a_full_table_has_no_seat_left(ana, ben, eve):
    game = ana.makes()
    ben.post(f"/games/{game}/seats")
    assert problem(eve.post(f"/games/{game}/seats")) == (409, "not_now")


def test_a_player_may_stand_up_before_the_game_begins(ana, ben):
    game = ana.makes()
    ben.post(f"/games/{game}/seats")
    assert seats(ben.delete(f"/games/{game}/seats/mine").get_json()) == [ana.account, None]
    assert problem(ben.delete(f"/games/{game}/seats/mine")) == (403, "not_seated")
    ben.post(f"/games/{game}/seats")
    ana.post(f"/games/{game}/start")
    assert problem(ben.delete(f"/games/{game}/seats/mine")) == (409, "not_now")


# Removing


def removed(owner, game, player):
    return owner.delete(f"/games/{game}/players/{player.account}")


def test_the_owner_removes_a_stranger_before_the_game_begins(ana, ben, eve):
    game = ana.makes()
    eve.post(f"/games/{game}/seats")
    assert problem(removed(eve, game, ana)) == (403, "forbidden")
    assert problem(removed(ben, game, eve)) == (403, "forbidden")
    assert seats(removed(ana, game, eve).get_json()) == [ana.account, None]
    assert eve.game(game)["mine"] is None
    assert ben.post(f"/games/{game}/seats").status_code == 200
    assert ana.post(f"/games/{game}/start").status_code == 200
    assert problem(removed(ana, game, ben)) == (409, "not_now")


def test_only_a_player_who_sits_there_is_removed_and_never_the_owner(ana, ben, eve):
    game = ana.makes(players=3)
    ben.post(f"/games/{game}/seats")
    before = ana.game(game)["version"]
    assert problem(removed(ana, game, eve)) == (409, "not_now")
    assert problem(removed(ana, game, ana)) == (409, "not_now")
    assert problem(removed(eve, game, eve)) == (403, "forbidden")
    assert ana.game(game)["version"] == before


def test_a_removed_player_comes_back_only_with_an_invitation(ana, eve):
    game = ana.makes()
    eve.post(f"/games/{game}/seats")
    removed(ana, game, eve)
    assert problem(eve.post(f"/games/{game}/seats")) == (403, "forbidden")
    word = ana.post(f"/games/{game}/invitations").get_json()["invitation"]
    assert eve.post(f"/games/{game}/seats", {"invitation": word}).status_code == 200
    eve.delete(f"/games/{game}/seats/mine")
    assert eve.post(f"/games/{game}/seats").status_code == 200


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_the_invitation_that_a_removed_player_had_used_does_not_open_the_table_again(ana, ben, eve, visibility):
    game = ana.makes(visibility=visibility, players=3)
    words = [
        ana.post(f"/games/{game}/invitations", {}, Idempotency_Key=key).get_json()["invitation"] for key in ("b", "e")
    ]
    for person, word in zip((ben, eve), words, strict=True):
        assert person.post(f"/games/{game}/seats", {"invitation": word}).status_code == 200
    assert removed(ana, game, eve).status_code == 200
    # A stranger learns nothing of a private table.
    refusal = (404, "not_found") if visibility == "private" else (403, "not_invited")
    assert problem(eve.post(f"/games/{game}/seats", {"invitation": words[1]})) == refusal
    assert problem(ana.post(f"/games/{game}/invitations", {}, Idempotency_Key="e")) == (410, "revoked")
    assert ana.post(f"/games/{game}/invitations", {}, Idempotency_Key="b").get_json()["invitation"] == words[0]
    ben.delete(f"/games/{game}/seats/mine")
    assert ben.post(f"/games/{game}/seats", {"invitation": words[0]}).status_code == 200


def test_removing_a_player_is_done_once(ana, eve):
    game = ana.makes()
    eve.post(f"/games/{game}/seats")
    path = f"/games/{game}/players/{eve.account}"
    first, again = (ana.delete(path, Idempotency_Key="out").get_json() for _ in range(2))
    assert first == again
    word = ana.post(f"/games/{game}/invitations").get_json()["invitation"]
    eve.post(f"/games/{game}/seats", {"invitation": word})
    assert ana.delete(path, Idempotency_Key="out").get_json() == first
    assert ana.game(game)["seats"][1]["player"]["id"] == eve.account


def test_a_removed_player_finds_the_table_no_more_among_the_own_ones(ana, eve, anonymous):
    game = ana.makes(visibility="private")
    word = ana.post(f"/games/{game}/invitations").get_json()["invitation"]
    eve.post(f"/games/{game}/seats", {"invitation": word})
    removed(ana, game, eve)
    assert problem(eve.get(f"/games/{game}")) == (404, "not_found")
    assert eve.get(f"/games?player={eve.account}").get_json()["games"] == []


# Beginning


def test_the_owner_begins_when_all_are_there(ana, ben):
    game = ana.makes()
    assert problem(ana.post(f"/games/{game}/start")) == (409, "not_now")
    ben.post(f"/games/{game}/seats")
    assert problem(ben.post(f"/games/{game}/start")) == (403, "forbidden")
    shown = ana.post(f"/games/{game}/start").get_json()
    assert shown["status"] == "running"
    assert len(shown["waiting"]) == 1
    assert problem(ana.post(f"/games/{game}/start")) == (409, "not_now")


def test_an_empty_table_does_not_begin(ana):
    assert problem(ana.post(f"/games/{ana.makes(join=False)}/start")) == (409, "not_now")


def test_the_owner_may_clear_the_table_before_the_game_begins(ana, ben):
    game = ana.makes()
    assert problem(ben.post(f"/games/{game}/abort")) == (403, "forbidden")
    assert ana.post(f"/games/{game}/abort").get_json()["status"] == "aborted"
    assert problem(ben.post(f"/games/{game}/seats")) == (409, "not_now")
    assert problem(ana.post(f"/games/{begun(ana, ben)}/abort")) == (409, "not_now")


# Private tables


@pytest.fixture
def private(ana) -> str:
    return ana.makes(visibility="private")


def test_a_private_table_does_not_exist_for_strangers(ana, eve, anonymous, private):
    for stranger in (eve, anonymous):
        for part in ("", "/state", "/events", "/export"):
            assert problem(stranger.get(f"/games/{private}{part}")) == (404, "not_found")
    for path in ("seats", "start", "abort", "invitations"):
        assert problem(eve.post(f"/games/{private}/{path}", {})) == (404, "not_found")
    assert problem(eve.get(f"/games/{private}/decisions")) == (404, "not_found")
    assert problem(eve.post(f"/games/{private}/moves", {"decision": "1-red", "kind": "stop"})) == (404, "not_found")
    assert problem(eve.delete(f"/games/{private}/seats/mine")) == (404, "not_found")


def test_a_private_table_looks_to_strangers_like_a_missing_one(eve, private):
    shown = [eve.get(f"/games/{game}").get_json()["detail"] for game in (private, "none")]
    assert [detail.rpartition(" ")[0] for detail in shown] == ["there is no game"] * 2


def test_a_private_table_is_listed_for_its_players_alone(ana, ben, anonymous, private):
    for asking in (ben, anonymous):
        assert asking.get("/games").get_json()["games"] == []
        assert asking.get(f"/players/{ana.account}/games").get_json()["games"] == []
    assert [game["id"] for game in ana.get(f"/players/{ana.account}/games").get_json()["games"]] == [private]


def test_an_invitation_opens_a_private_table_to_one(ana, ben, eve, private):
    word = ana.post(f"/games/{private}/invitations", {}).get_json()["invitation"]
    assert ben.post(f"/games/{private}/seats", {"invitation": word}).get_json()["mine"] == "blue"
    assert problem(eve.post(f"/games/{private}/seats", {"invitation": word})) == (404, "not_found")
    assert ben.get(f"/games/{private}").status_code == 200


def test_a_used_invitation_belongs_to_its_user(ana, ben, private):
    word = ana.post(f"/games/{private}/invitations").get_json()["invitation"]
    ben.post(f"/games/{private}/seats", {"invitation": word})
    ben.delete(f"/games/{private}/seats/mine")
    assert ben.post(f"/games/{private}/seats", {"invitation": word}).status_code == 200


def test_an_invitation_is_not_used_up_by_a_player_of_the_table(ana, ben, private):
    word = ana.post(f"/games/{private}/invitations").get_json()["invitation"]
    assert problem(ana.post(f"/games/{private}/seats", {"invitation": word})) == (409, "not_now")
    assert ben.post(f"/games/{private}/seats", {"invitation": word}).status_code == 200


def test_an_invitation_may_be_for_one_seat(ana, ben):
    game = ana.makes(players=4, visibility="private")
    word = ana.post(f"/games/{game}/invitations", {"seat": "green"}).get_json()["invitation"]
    assert ben.post(f"/games/{game}/seats", {"invitation": word}).get_json()["mine"] == "green"


def test_an_invitation_is_for_one_table(ana, ben, private):
    word = ana.post(f"/games/{ana.makes(visibility='private')}/invitations").get_json()["invitation"]
    assert problem(ben.post(f"/games/{private}/seats", {"invitation": word})) == (404, "not_found")
    assert problem(ben.post(f"/games/{ana.makes()}/seats", {"invitation": "guess"})) == (403, "not_invited")


def test_only_those_at_the_table_invite(ana, ben, eve):
    game = ana.makes(players=3)
    ben.post(f"/games/{game}/seats")
    assert ben.post(f"/games/{game}/invitations").status_code == 201
    assert problem(eve.post(f"/games/{game}/invitations")) == (403, "forbidden")
    assert problem(ana.post(f"/games/{game}/invitations", {"seat": "purple"})) == (400, "unreadable")


def test_an_invitation_is_not_kept_as_it_is_given(ana, private, service):
    word = ana.post(f"/games/{private}/invitations").get_json()["invitation"]
    redis = service.services.store.commands
    for key in redis.scan_iter("hidalgo:*invitations*"):
        assert word.encode() not in repr(redis.hgetall(key)).encode()


def test_there_is_an_end_to_invitations(ana, private, monkeypatch):
    monkeypatch.setattr("service.games.game_service.MOST", 2)
    answers = [ana.post(f"/games/{private}/invitations").status_code for _ in range(3)]
    assert answers == [201, 201, 409]


# Accounts


def test_a_write_without_an_account_is_refused(anonymous, ana):
    game = ana.makes()
    for path in ("/games", f"/games/{game}/seats", f"/games/{game}/start", f"/games/{game}/moves"):
        answer = anonymous.post(path, {"players": 2})
        assert problem(answer) == (401, "unauthorized")
        assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_token_that_may_only_read_changes_nothing(guest, ana):
    reader, game = guest("read"), ana.makes()
    assert problem(reader.post("/games", TWO)) == (403, "forbidden")
    assert problem(reader.post(f"/games/{game}/seats", {})) == (403, "forbidden")
    assert reader.get(f"/games/{game}").status_code == 200


def test_a_former_player_has_no_handle(ana, ben, anonymous):
    game = begun(ana, ben)
    assert ben.delete("/me").status_code == 204
    assert anonymous.game(game)["seats"][1]["player"] == {"id": ben.account, "handle": None, "bot": False}
    former = {"id": ben.account, "handle": None, "bot": False}
    assert anonymous.get(f"/players/{ben.account}").get_json() == former | {"games": 1, "ratings": []}
