"""Lists of games and players."""

import pytest

from events.table.commands import Join, Start
from tests.service.api.asking import begun, play_on, problem


def ids(client, path: str) -> list[str]:
    return [game["id"] for game in client.get(path).get_json()["games"]]


def test_public_games_are_listed_by_status(ana, ben, anonymous):
    waiting, running, cleared = ana.makes(), begun(ana, ben), ana.makes()
    ana.post(f"/games/{cleared}/abort")
    assert set(ids(anonymous, "/games")) == {waiting, running, cleared}
    assert ids(anonymous, "/games?status=open") == [waiting]
    assert ids(anonymous, "/games?status=running") == [running]
    assert ids(anonymous, "/games?status=aborted") == [cleared]
    play_on(running, ana, ben)
    assert ids(anonymous, "/games?status=over") == [running]
    assert ids(anonymous, "/games?status=running") == []


def test_a_program_gets_the_list_whatever_it_accepts(ana, anonymous):
    """A browser is led to a page: `tests/service/web/test_api_lists.py`."""
    ana.makes()
    for accept in ("*/*", "application/json", "application/json, text/html;q=0.9", ""):
        assert len(anonymous.get("/games", Accept=accept).get_json()["games"]) == 1, accept
    assert ana.get("/games", Accept="text/html").get_json()["games"], "whoever shows a token is a program"


def test_games_are_listed_by_their_rules(ana, anonymous):
    plain, party = ana.makes(), ana.makes(expansions=["anniversary"])
    assert ids(anonymous, "/games?rules=el_grande") == [plain]
    assert ids(anonymous, "/games?rules=el_grande%2Banniversary&status=open") == [party]
    assert ids(anonymous, "/games?rules=chess") == []


def test_games_are_listed_by_player(ana, ben, anonymous):
    game, other = ana.makes(), ana.makes(expansions=["anniversary"])
    ben.post(f"/games/{game}/seats")
    assert ids(anonymous, f"/games?player={ben.account}") == [game]
    assert ids(anonymous, f"/games?player={ana.account}&rules=el_grande%2Banniversary") == [other]
    assert ids(anonymous, f"/players/{ben.account}/games?status=running") == []
    ben.delete(f"/games/{game}/seats/mine")
    assert ids(anonymous, f"/games?player={ben.account}") == []


def test_pages_follow_each_other_newest_first(ana, anonymous):
    made = [ana.makes() for _ in range(7)]
    found: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        page = anonymous.get(f"/games?limit=3&cursor={cursor}").get_json()
        found += [game["id"] for game in page["games"]]
        assert len(page["games"]) <= 3
        cursor = page["next"]
    ordered = [game["created_at"] for game in anonymous.get("/games").get_json()["games"]]
    assert sorted(found) == sorted(made)
    assert ordered == sorted(ordered, reverse=True)
    assert found == ids(anonymous, "/games")


def test_a_page_that_was_never_given_out_is_refused(anonymous):
    for cursor in ("!", "%ff", "a", "%00"):
        assert problem(anonymous.get(f"/games?cursor={cursor}"))[0] in (400, 422)
    for query in ("limit=0", "limit=101", "limit=x", "status=lost", "colour=red"):
        assert problem(anonymous.get(f"/games?{query}")) == (422, "invalid")


def test_the_index_is_made_anew_when_it_is_missing(ana, ben, anonymous, service):
    game, private = begun(ana, ben), ana.makes(visibility="private")
    redis = service.services.store.commands
    listed = ids(anonymous, "/games")
    for key in {
        *redis.scan_iter("hidalgo:{games*"),
        *redis.scan_iter("hidalgo:{a_*:private:*"),
        *redis.scan_iter("*:notes"),
    }:
        redis.delete(key)
    assert anonymous.get("/games").get_json() == {"games": [], "next": None, "is_complete": False}
    browser = service.test_client()
    assert "made anew" in browser.get("/watch").text
    while not service.services.index_rebuild.attend():
        pass
    assert anonymous.get("/games").get_json()["is_complete"]
    assert "made anew" not in browser.get("/watch").text
    assert ids(anonymous, "/games") == listed == [game]
    assert ids(ana, f"/players/{ana.account}/games?status=open") == [private]


def test_an_index_that_was_left_behind_is_mended_by_looking(ana, ben, anonymous, service):
    game = ana.makes()
    games = service.services.games
    games.submit(game, Join(ben.account))
    games.submit(game, Start(ana.account))  # and the process ends before it writes to the index
    assert ids(anonymous, "/games?status=open") == []
    assert ids(anonymous, "/games?status=running") == [game]


def test_a_late_writer_does_not_undo_what_came_after(ana, ben, anonymous, service):
    game = ana.makes()
    index, games = service.services.index, service.services.games
    early = games.load(game)
    ben.post(f"/games/{game}/seats")
    ana.post(f"/games/{game}/start")
    index.put(early)
    assert ids(anonymous, "/games?status=running") == [game]
    assert ids(anonymous, "/games?status=open") == []


def test_a_game_that_was_taken_out_is_not_listed(ana, anonymous, service):
    games = service.services.games
    game = ana.makes()
    games.log.remove(game)
    games._cache._states.clear()
    assert ids(anonymous, "/games") == []


def test_a_player_is_shown_with_the_number_of_public_games(ana, anonymous):
    ana.makes()
    shown = anonymous.get(f"/players/{ana.account}").get_json()
    assert (shown["id"], shown["games"]) == (ana.account, 1)
    assert shown["handle"].startswith("guest-")
    assert problem(anonymous.get("/players/a_nobody")) == (404, "not_found")
    assert ids(anonymous, "/players/a_nobody/games") == []


@pytest.mark.parametrize("kind", ["cluster", "debian"])
def test_other_stores_serve_as_well(ana, ben, anonymous):
    game = begun(ana, ben, visibility="private")
    play_on(game, ana, ben, moves=6)
    public = ana.makes()
    assert ids(anonymous, "/games") == [public]
    assert set(ids(ana, f"/players/{ana.account}/games")) == {game, public}
