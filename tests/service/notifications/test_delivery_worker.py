"""Deliveries: everything arrives, in the order of each game, whatever the receiver does."""

import json
from collections import defaultdict
from random import Random
from threading import Event, Lock, Thread
from time import time

import pytest

from events.errors import NotNow
from events.log import bucket_of
from events.table.commands import Join, Leave, Start
from events.table.game import redact
from rules.codec import encode
from rules.kernel import SPECTATOR
from service.client import verify_signature
from service.notifications import deliveries as waiting_deliveries
from service.notifications.delivery_worker import AT_ONCE_FOR_ONE, DeliveryWorker
from service.notifications.retry_policy import RetryPolicy
from service.notifications.webhooks import EVENTS, NoSuchWebhook, TooManyWebhooks
from tests.events.servers import eventually
from tests.service.notifications.receiver import CLOSE, HANG, Got, Receiver, receiver
from tests.service.notifications.town import SOON, Town

ONCE = RetryPolicy(attempts=1)
"""What fails once is parked."""


def events(got: list[Got]) -> dict[str, list[int]]:
    """The versions of the commits that have arrived, by game; what came again is counted once."""
    found: dict[str, list[int]] = defaultdict(list)
    known = set()
    for one in got:
        if one.delivery not in known:
            known.add(one.delivery)
            found[one.told["game"]].append(one.told["event"]["version"])
    return found


def whole(town: Town, *games: str) -> dict[str, list[int]]:
    return {game: list(range(1, town.games.load(game).version + 1)) for game in games}


@pytest.mark.parametrize("town", ["embedded", "debian", "cluster"], indirect=True)
def test_a_commit_arrives_as_the_seat_may_know_it_and_a_notice_as_in_the_inbox(town: Town, bot: Receiver):
    ana, ben = town.people(2)
    hook = town.hook(ana, bot.url, *EVENTS)
    game = town.begun(ana, ben)
    town.play(game, moves=30)
    town.notify()
    with town.delivering():
        town.until_nothing_waits(ana)
    commits = [got.told["event"] for got in bot.got if got.told["kind"] == "commit"]
    notices = [got.told["notice"] for got in bot.got if got.told["kind"] != "commit"]
    seen = [SPECTATOR] + ["red"] * (len(commits) - 1)
    expected = [redact(commit, viewer) for commit, viewer in zip(town.games.commits(game), seen, strict=True)]
    assert [event["facts"] for event in commits] == [json.loads(encode(facts)) for facts in expected]
    assert notices == [json.loads(encode(notice)) for notice in town.notices(ana)]
    assert [got.delivery for got in bot.got] == [f"{hook.id}.{n}" for n in range(1, len(bot.got) + 1)]
    for got in bot.got:
        assert (got.told["delivery"], got.told["kind"]) == (got.delivery, got.headers["Hidalgo-Event"])
        assert verify_signature(hook.secret, got.headers, got.body)


def test_secrets_of_others_never_arrive(town: Town, bot: Receiver):
    ana, ben, cai = town.people(3)
    town.hook(ana, bot.url, "commit")
    game = town.begun(ana, ben, cai)
    town.play(game, moves=60)
    town.notify()
    with town.delivering():
        town.until_nothing_waits(ana)
    sent = b"".join(got.body for got in bot.got)
    facts = [fact for commit in town.games.commits(game) for fact in commit.facts]
    hidden = [encode(fact) for fact in facts if fact.seen_by("red") != fact]
    own = [encode(fact) for fact in facts if fact.seen_by("red") == fact != fact.seen_by("blue")]
    assert hidden
    assert own
    assert all(fact in sent for fact in own)
    assert not any(fact in sent for fact in hidden)
    assert town.log.secret(game).hex().encode() not in sent


def test_who_has_left_a_private_table_gets_nothing_more_of_it(town: Town, bot: Receiver):
    ana, ben, cai = town.people(3)
    town.hook(ben, bot.url, *EVENTS)
    game = town.table(ana, ben, visibility="private")
    town.games.submit(game, Leave(ben))
    town.games.submit(game, Join(cai, invited=True))
    town.games.submit(game, Start(ana))
    town.play(game, moves=10)
    town.notify()
    with town.delivering():
        town.until_nothing_waits(ben)
    assert events([got for got in bot.got if got.told["kind"] == "commit"]) == {game: [3, 4]}
    assert [got.told["kind"] for got in bot.got] == ["commit", "seat_taken", "commit", "seat_left"]


# Order


def test_everything_arrives_in_order_at_a_receiver_that_fails_at_random(town: Town):
    chance, lock = Random(3), Lock()

    def fickle(told) -> int:
        with lock:
            return chance.choices([204, 500, 429, CLOSE, HANG], [60, 20, 10, 10, 1])[0]

    ana, ben = town.people(2)
    with receiver(fickle) as bot, town.delivering():
        town.sender._seconds = 0.3
        town.hook(ana, bot.url, "commit")
        games = [town.begun(ana, ben) for _ in range(4)]
        for game in games:
            town.play(game, moves=15)
            town.notify()
        town.until_nothing_waits(ana)
    assert events(bot.taken) == whole(town, *games)
    assert len({got.delivery for got in bot.taken}) == len(bot.taken)
    assert len(bot.got) > len(bot.taken)


def test_a_failing_delivery_holds_back_its_own_game_only(town: Town):
    ana, ben = town.people(2)
    stuck, other = town.begun(ana, ben), town.begun(ana, ben)
    with receiver(lambda told: 500 if told["game"] == stuck else 204) as bot, town.delivering():
        town.hook(ana, bot.url, "commit")
        town.notify()
        eventually(lambda: events(bot.taken) == whole(town, other), SOON)
        eventually(lambda: len([got for got in bot.got if got.told["game"] == stuck]) > 3, SOON)
        assert {got.told["event"]["version"] for got in bot.got if got.told["game"] == stuck} == {1}
        bot.behaviour = lambda told: 204
        town.until_nothing_waits(ana)
    assert events(bot.taken) == whole(town, stuck, other)


def test_several_delivery_workers_and_notifiers_at_once_keep_the_order_too(town: Town, bot: Receiver):
    ana, ben = town.people(2)
    town.hook(ana, bot.url, "commit")
    games = [town.begun(ana, ben) for _ in range(4)]
    for game in games:
        town.play(game, moves=15)
    with town.delivering(), town.delivering(), town.delivering():
        notifiers = [Thread(target=town.notify) for _ in range(2)]
        for notifier in notifiers:
            notifier.start()
        for notifier in notifiers:
            notifier.join(timeout=SOON)
        town.until_nothing_waits(ana)
    assert events(bot.got) == whole(town, *games)


def test_claims_that_run_out_double_deliveries_and_lose_and_reorder_none(town: Town, bot: Receiver):
    """As if every delivery worker were too slow for its own claims."""
    ana, ben = town.people(2)
    town.hook(ana, bot.url, "commit")
    games = [town.begun(ana, ben) for _ in range(2)]
    for game in games:
        town.play(game, moves=10)
    town.notify()
    with town.delivering(claimed_for=0), town.delivering(claimed_for=0):
        town.until_nothing_waits(ana)
    assert events(bot.got) == whole(town, *games)


def test_slow_receivers_of_one_account_keep_no_other_waiting(town: Town, bot: Receiver):
    ana, ben = town.people(2)
    with town.delivering(), receiver(lambda told: HANG) as slow:
        town.sender._seconds = 600
        town.hook(ana, slow.url, "game_started")
        town.hook(ben, bot.url, "game_started")
        games = [town.begun(ana, ben) for _ in range(50)]
        town.notify()
        eventually(lambda: len(bot.taken) == len(games), SOON)
        assert len(slow.got) <= AT_ONCE_FOR_ONE


# When it goes on failing


def parked(town: Town, bot: Receiver, retry_policy: RetryPolicy = ONCE):
    """A hook of whose game the first commit is parked."""
    ana, ben = town.people(2)
    hook = town.hook(ana, bot.url, "commit")
    game = town.table(ana, ben)
    bot.behaviour = lambda told: 500 if told["event"]["version"] == 1 else 204
    town.notify()
    with town.delivering(retry_policy):
        town.until_nothing_waits(ana)
    return ana, hook, game


def test_what_fails_too_often_is_parked_and_the_game_goes_on(town: Town, bot: Receiver):
    ana, hook, game = parked(town, bot, RetryPolicy(attempts=3, first_pause=1))
    assert events(bot.taken) == {game: [2, 3]}
    assert town.states(hook, ana) == ["delivered", "delivered", "parked"]
    [delivery] = town.webhooks.deliveries(ana, hook.id, "parked", 10**9, 10)
    assert (delivery.number, delivery.attempts, delivery.status) == (1, 3, 500)
    assert delivery.why == "the receiver answered 500"


def test_what_is_parked_can_be_tried_again(town: Town, bot: Receiver):
    ana, hook, game = parked(town, bot)
    bot.behaviour = lambda told: 204
    assert town.webhooks.retry(ana, hook.id, "1").state == "waiting"
    assert town.webhooks.retry(ana, hook.id, "1").state == "waiting"
    with town.delivering():
        town.until_nothing_waits(ana)
    assert events(bot.taken) == {game: [2, 3, 1]}
    first, last = bot.got[0], bot.got[-1]
    assert (first.delivery, first.body) == (last.delivery, last.body)
    assert town.states(hook, ana) == ["delivered"] * 3
    with pytest.raises(NotNow):
        town.webhooks.retry(ana, hook.id, "1")
    for number in ("9", "-1", "x", "1" * 30):
        with pytest.raises(NoSuchWebhook):
            town.webhooks.retry(ana, hook.id, number)


def test_a_hook_that_fails_for_long_is_disabled_and_its_owner_told(town: Town, bot: Receiver):
    ana, ben = town.people(2)
    hook = town.hook(ana, bot.url, "commit")
    bot.behaviour = lambda told: 500
    game = town.table(ana, ben)
    town.notify()
    with town.delivering(RetryPolicy(attempts=1, disable_after=0)):
        town.until_nothing_waits(ana)
    assert town.webhooks.look(ana, hook.id).disabled == "nothing has arrived for too long"
    told = town.notices(ana)[-1]
    assert (told.kind, told.webhook) == ("webhook_disabled", hook.id)
    assert town.states(hook, ana) == ["waiting", "waiting", "parked"]
    with pytest.raises(NotNow, match="enable it first"):
        town.webhooks.retry(ana, hook.id, "1")
    town.games.submit(game, Start(ana))
    town.notify()
    assert len(town.states(hook, ana)) == 3, "nothing more waits for a hook that is disabled"

    bot.behaviour = lambda told: 204
    assert town.webhooks.change(ana, hook.id, {"enabled": True}).disabled == ""
    with town.delivering():
        town.until_nothing_waits(ana)
    assert events(bot.taken) == {game: [2, 3]}


def test_a_success_in_between_keeps_a_hook_alive(town: Town, bot: Receiver):
    ana, hook, _ = parked(town, bot)
    assert town.webhooks.look(ana, hook.id).failing_since == 0


def test_a_hook_for_which_too_much_waits_is_disabled(town: Town, bot: Receiver, monkeypatch):
    monkeypatch.setattr("service.notifications.notifier.MOST_WAITING", 2)
    ana, ben = town.people(2)
    hook = town.hook(ana, bot.url, "commit")
    town.begun(ana, ben)
    town.notify()
    assert town.webhooks.look(ana, hook.id).disabled == "too many deliveries wait for it"
    assert town.states(hook, ana) == ["waiting", "waiting"]
    assert town.kinds(ana).count("webhook_disabled") == 1
    assert [notice.id for notice in town.notices(ana)] == list(range(1, len(town.notices(ana)) + 1))


def test_old_deliveries_are_forgotten(town: Town, bot: Receiver, monkeypatch):
    monkeypatch.setattr(waiting_deliveries, "MOST", {"parked": 2, "delivered": 3})
    ana, ben = town.people(2)
    hook = town.hook(ana, bot.url, "commit")
    bot.behaviour = lambda told: 500 if told["event"]["version"] % 2 else 204
    game = town.begun(ana, ben)
    town.play(game, moves=10)
    town.notify()
    with town.delivering(ONCE):
        town.until_nothing_waits(ana)
    assert sorted(town.states(hook, ana)) == ["delivered"] * 3 + ["parked"] * 2
    assert town.store.commands.hlen(f"hidalgo:{{{ana}}}:deliveries") == 5


def test_what_has_arrived_is_not_kept(town: Town, bot: Receiver):
    ana, hook, _ = parked(town, bot)
    kept = {delivery.state: delivery.body for delivery in town.webhooks.deliveries(ana, hook.id, "", 10**9, 10)}
    assert kept["delivered"] == ""
    assert kept["parked"]


# Hooks


def test_an_account_has_so_many_hooks_and_the_same_request_makes_one(town: Town):
    [ana] = town.people(1)
    hooks = [town.hook(ana, f"https://bot.example/{number}") for number in range(10)]
    assert town.hook(ana, "https://bot.example/3") == hooks[3]
    assert {hook.id for hook in town.webhooks.all(ana)} == {hook.id for hook in hooks}
    with pytest.raises(TooManyWebhooks):
        town.hook(ana, "https://bot.example/more")


def test_a_deleted_hook_gets_nothing_more_and_leaves_nothing(town: Town, bot: Receiver):
    ana, ben = town.people(2)
    hook, other = town.hook(ana, bot.url, "commit"), town.hook(ana, bot.url + "/other", "commit")
    town.begun(ana, ben)
    town.notify()
    town.webhooks.delete(ana, hook.id)
    with town.delivering():
        town.until_nothing_waits(ana)
    assert {got.path for got in bot.got} == {"/other"}
    assert not [name for name in town.store.commands.hkeys(f"hidalgo:{{{ana}}}:deliveries") if hook.id.encode() in name]
    assert [found.id for found in town.webhooks.all(ana)] == [other.id]


def test_a_new_secret_signs_and_for_a_day_the_former_one_does_too(town: Town, bot: Receiver):
    [ana] = town.people(1)
    old = town.hook(ana, bot.url)
    new = town.webhooks.rotate(ana, old.id, "again")
    assert town.webhooks.rotate(ana, old.id, "again").secret == new.secret != old.secret
    assert town.webhooks.test(ana, old.id).has_arrived
    [got] = bot.got
    assert verify_signature(new.secret, got.headers, got.body)
    assert verify_signature(old.secret, got.headers, got.body)
    assert not verify_signature("hdw_another", got.headers, got.body)


def test_an_account_without_deliveries_is_not_due(town: Town, bot: Receiver):
    ana, hook, _ = parked(town, bot)
    bucket = bucket_of(ana)
    when_claims_have_run_out = DeliveryWorker(town.store, town.sender, clock=lambda: time() + 3600)
    assert when_claims_have_run_out.attend(bucket) == 0
    assert town.store.commands.zcard(f"hidalgo:{{{bucket:02}}}:rounds") == 0
    assert town.states(hook, ana) == ["delivered", "delivered", "parked"]


def test_a_delivery_worker_that_is_told_to_stop_stops(town: Town):
    stop = Event()
    thread = Thread(target=town.delivery_worker().run, args=(stop,), daemon=True)
    thread.start()
    stop.set()
    thread.join(timeout=20)
    assert not thread.is_alive()
