"""Whole games over HTTP, played by programs that know no rules."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing

import pytest
from click.testing import CliRunner

from service.cli import main
from service.client import Hidalgo, NotFound, NotNow, NotYourDecision, RuleBroken, Unauthorized, Unavailable
from service.client.connection import Connection
from service.client.problems import unreachable
from service.client.streams import listen
from tests.running import running
from tests.service.client.tables import HIDALGO, checked, guests, seated, short

pytestmark = pytest.mark.usefixtures("described")


@pytest.mark.parametrize(
    ("bots", "fields"),
    [
        (["sampler"] * 4, {"options": short()}),
        (["sampler", "random"], {"options": short(castillo_display="open"), "expansions": ["anniversary"]}),
        pytest.param(
            ["sampler", "random", "sampler", "greedy", "sampler"], {"options": short()}, marks=pytest.mark.long
        ),
        (["sampler", "sampler", "greedy"], {"options": short(), "expansions": ["king_and_intrigue"]}),
    ],
    ids=["four samplers", "two, with an expansion", "five of all kinds", "three, with cards of their own"],
)
def test_bots_play_a_whole_game(service, described, tmp_path, bots, fields):
    with guests(service.url, len(bots)) as players:
        game = seated(players, bots, **fields).to_the_end()
        assert 50 < checked(players[0], game) == described.checked["post /api/v1/games/{game}/moves 201"]
        assert sorted(game.places or {}) == sorted(seat.seat for seat in game.seats)
        file = tmp_path / "game.json"
        file.write_bytes(players[0].export(game))
    verified = CliRunner().invoke(main, ["verify", str(file)])
    assert verified.exit_code == 0, verified.output
    seats = ", ".join(seat.seat for seat in game.seats)
    assert f"added to the chance: {seats}\n" in verified.output


def test_a_player_finds_its_nonce_in_the_game(service):
    with guests(service.url, 2) as (host, other):
        game = other.join(host.create_game(players=2))
        facts = [fact for commit in host.events(game) for fact in commit.facts]
        nonces = {fact["player"]: fact["nonce"] for fact in facts if fact["fact"] == "nonce_added"}
        assert nonces == {"red": host.nonce(game), "blue": other.nonce(game)}
        assert len(set(nonces.values())) == 2


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_a_hundred_games_of_samplers_end(service, capsys):
    moves, began = 0, time.monotonic()
    for number in range(100):
        with guests(service.url, 2 + number % 4) as players:
            expansions = [[], ["anniversary"], ["king_and_intrigue"]][number % 3]
            play = seated(players, ["sampler"] * len(players), number, expansions=expansions)
            moves += checked(players[0], play.to_the_end())
    seconds = time.monotonic() - began
    with capsys.disabled():
        print(f"\n100 games, {moves} moves, {moves / seconds:.0f} moves/s")


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_greed_beats_chance(service, capsys):
    scores = {"greedy": 0, "random": 0}
    names = ["greedy", "random"]
    for number in range(10):
        with guests(service.url, 2) as players:
            order = names if number % 2 else names[::-1]
            game = seated(players, order, number, options=short()).to_the_end()
            seats = [seat.seat for seat in game.seats]
            for name, seat in zip(order, seats, strict=True):
                scores[name] += (game.scores or {})[seat]
    with capsys.disabled():
        print(f"\n{scores}")
    assert scores["greedy"] > scores["random"]


def test_the_same_key_is_one_move(service):
    with guests(service.url, 2) as players:
        table = asked(seated(players, ["sampler"] * 2))
        [decision] = table.hidalgo.decisions(table.game)
        moves = [table.hidalgo.move(table.game, **decision.example, idempotency_key="once") for _ in range(3)]
        assert moves[0] == moves[1] == moves[2]
        assert table.hidalgo.game(table.game).version == moves[0].version


def test_a_write_whose_answer_got_lost_is_done_once(service, monkeypatch):
    exchange, lost = Connection._exchange, set()

    def lose_the_first_answer(self, method, target, body, headers):
        answer = exchange(self, method, target, body, headers)
        if (key := headers.get("Idempotency-Key")) and key not in lost:
            lost.add(key)
            raise unreachable(self.url, TimeoutError())
        return answer

    with guests(service.url, 2) as players:
        monkeypatch.setattr(Connection, "_exchange", lose_the_first_answer)
        table = asked(seated(players, ["sampler"] * 2))
        [decision] = table.hidalgo.decisions(table.game)
        moved = table.hidalgo.move(table.game, **decision.example)
        assert len(lost) == len(["create", "join", "join", "start", "move"])
        assert [commit.version for commit in table.hidalgo.events(table.game)] == list(range(1, moved.version + 1))
        mine = players[0].games(player=players[0].me().id)
        assert [game.version for game in mine] == [moved.version]


def test_the_same_answer_under_another_key_answers_nothing_any_more(service):
    with guests(service.url, 2) as players:
        table = asked(seated(players, ["sampler"] * 2))
        [decision] = table.hidalgo.decisions(table.game)
        table.hidalgo.move(table.game, **decision.example)
        with pytest.raises(NotYourDecision):
            table.hidalgo.move(table.game, **decision.example)


def test_a_rule_is_named_before_and_after_it_is_broken(service):
    with guests(service.url, 2) as players:
        table = asked(seated(players, ["sampler"] * 2))
        [decision] = table.hidalgo.decisions(table.game)
        preview = table.hidalgo.dry_run(table.game, decision, "play_power_card", value=99)
        assert not preview.accepted
        with pytest.raises(RuleBroken) as refused:
            table.hidalgo.move(table.game, decision, "play_power_card", value=99)
        assert (refused.value.detail, refused.value.rule) == (preview.refusal, preview.rule)


def test_a_preview_has_the_facts_that_the_move_then_brings(service):
    with guests(service.url, 2) as players:
        table = asked(seated(players, ["sampler"] * 2))
        [decision] = table.hidalgo.decisions(table.game)
        preview = table.hidalgo.dry_run(table.game, **decision.example)
        assert preview.facts == table.hidalgo.move(table.game, **decision.example).facts[: len(preview.facts)]


def asked(play):
    return next(table for table in play.tables if table.hidalgo.decisions(table.game))


def test_positions_are_those_that_the_viewer_may_see(service):
    with guests(service.url, 2) as players, Hidalgo(service.url) as spectator:
        play = seated(players, ["sampler"] * 2)
        own, open_to_all = players[0].state(play.game), spectator.state(play.game)
        assert own.viewer == play.tables[0].seat
        assert own.state
        assert own.state["hands"][own.viewer]["cards"]
        assert open_to_all.state
        assert open_to_all.state["hands"][own.viewer]["cards"] is None


def test_a_stream_tells_what_the_list_of_events_tells(service):
    with guests(service.url, 2) as players, Hidalgo(service.url) as spectator:
        play = seated(players, ["sampler"] * 2, options=short())
        with ThreadPoolExecutor(1) as threads:
            # A client that asks instead of listening would be asleep for too long.
            heard = threads.submit(lambda: list(spectator.stream(play.game, pause=100)))
            play.to_the_end()
            versions = [commit.version for commit in heard.result()]
        assert versions == [commit.version for commit in spectator.events(play.game, limit=7)]


def test_bots_play_on_when_all_streams_are_taken(tmp_path):
    with ExitStack() as stack:
        service = stack.enter_context(running([HIDALGO, "serve", "--threads", str(16 + 16)], tmp_path))
        players = stack.enter_context(guests(service.url, 2))
        play = seated(players, ["sampler", "random"], options=short())
        for spectator in [stack.enter_context(Hidalgo(service.url)) for _ in range(16)]:
            next(stack.enter_context(closing(spectator.stream(play.game))))
        with pytest.raises(Unavailable, match="streams"):
            next(listen(players[0]._connection, f"/games/{play.game.id}/stream", 0))
        assert checked(players[0], play.to_the_end(pause=0.02)) > 50


def test_tables_are_found_joined_left_and_cleared(service):
    with guests(service.url, 2) as [host, other]:
        game = host.create_game(players=3)
        assert game.id in [open.id for open in other.games(status="open", limit=2)]
        assert other.join(game, "yellow").mine == "yellow"
        other.leave(game)
        assert other.join(game).mine
        assert host.remove(game, other.me().id).version == 6
        assert host.game(game).free_seats == [seat.seat for seat in game.seats if not seat.player]
        assert host.abort(game).status == "aborted"
        assert list(host.stream(game))[-1].version == host.game(game).version


def test_friends_come_to_a_private_table_by_invitation(service):
    with guests(service.url, 3) as [host, friend, stranger]:
        game = host.create_game(players=2, visibility="private")
        with pytest.raises(NotFound):
            stranger.game(game)
        assert friend.join(game, invitation=host.invite(game)).mine


def test_a_table_has_a_title_and_a_link_and_starts_when_it_is_full(service):
    with guests(service.url, 1) as [host]:
        game = host.create_game(players=2, title="Tuesday", starts_when_full=True)
        word = host.link(game).rpartition("/")[2]
        assert host.request("GET", f"/games/{game.id}")["title"] == "Tuesday"
        with Hidalgo(service.url).guest() as friend:
            assert friend.join(game, invitation=word).status == "running"


def test_a_bot_has_a_pace(service):
    with guests(service.url, 1) as [host]:
        game = host.seat_bot(host.create_game(players=2), "random", pace_ms=5000)
        [seated] = [each for commit in host.events(game) for each in commit.facts if each["fact"] == "bot_seated"]
        assert seated["pace_ms"] == 5000


def test_every_other_operation_is_a_request(service):
    """Without a method of its own: here webhooks, with a key, and an answer without a body."""
    with guests(service.url, 1) as [host]:
        hook = {"url": "https://receiver.example/hidalgo"}
        made = [host.request("POST", "/me/webhooks", hook, idempotency_key="hook-1") for _ in range(2)]
        assert made[0] == made[1]
        assert [each["id"] for each in host.request("get", "/me/webhooks")["webhooks"]] == [made[0]["id"]]
        assert host.request("DELETE", f"/me/webhooks/{made[0]['id']}") is None
        game = host.create_game(players=2)
        assert host.request("GET", f"/games/{game.id}/board.svg").startswith(b"<svg")
        with pytest.raises(NotFound):
            host.request("GET", f"/me/webhooks/{made[0]['id']}")


def test_an_account_is_found_again_by_its_token(service):
    with Hidalgo(service.url).register("client_tester", "caballeros y grandes") as player:
        assert player.me().handle == "client_tester"
        with Hidalgo(service.url, player.token) as again:
            assert again.me().id == player.me().id


def test_a_client_without_an_account_cannot_play(service):
    with Hidalgo(service.url) as anonymous, pytest.raises(Unauthorized):
        anonymous.create_game(players=2)


def test_a_game_with_free_seats_does_not_begin(service):
    with guests(service.url, 1) as [host], pytest.raises(NotNow, match="free"):
        host.start(host.create_game(players=2))


def test_the_rules_of_a_game_are_read(service):
    with Hidalgo(service.url) as anonymous:
        assert "el_grande" in json.dumps(anonymous.rules())
        assert "granada" in json.dumps(anonymous.rules("el_grande"))
