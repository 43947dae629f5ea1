"""Deliveries arrive, in the order of each game, whatever the receiver does."""

import json
from collections import defaultdict
from random import Random
from threading import Lock, Thread
from time import time

import pytest

from events.buckets import USUAL
from events.errors import NotNow
from events.table.commands import Join, Leave, Start
from events.table.game import redact
from rules.codec import encode
from rules.kernel import SPECTATOR
from service.accounts.records import key
from service.client import verify_signature
from service.language import rendered
from service.notifications import delivery_records
from service.notifications.delivery_queue import DeliveryQueue
from service.notifications.delivery_worker import DeliveryWorker
from service.notifications.notices import representation
from service.notifications.retry_policy import RetryPolicy
from service.notifications.signing import new_secret
from service.notifications.slots import ALL, Slots
from service.notifications.webhooks import EVENTS, NoSuchWebhook, TooManyWebhooks
from tests.events.servers import eventually
from tests.service.notifications.harness import SOON, Harness
from tests.service.notifications.receiver import CLOSE, HANG, Got, Receiver, receiver

ONCE = RetryPolicy(attempts=1)
"""A delivery that fails once is parked."""


def events(got: list[Got]) -> dict[str, list[int]]:
    """The versions of the commits that have arrived, by game; a delivery that came twice counts once."""
    found: dict[str, list[int]] = defaultdict(list)
    seen = set()
    for one in got:
        if one.delivery not in seen:
            seen.add(one.delivery)
            found[one.payload["game"]].append(one.payload["event"]["version"])
    return found


def whole(harness: Harness, *games: str) -> dict[str, list[int]]:
    return {game: list(range(1, harness.games.load(game).version + 1)) for game in games}


@pytest.mark.parametrize("harness", ["embedded", "debian", "cluster"], indirect=True)
def test_a_commit_arrives_as_the_seat_may_know_it_and_a_notice_as_in_the_inbox(harness: Harness, bot: Receiver):
    ana, ben = harness.people(2)
    hook = harness.hook(ana, bot.url, *EVENTS)
    game = harness.begun(ana, ben)
    harness.play(game, moves=30)
    harness.notify()
    with harness.delivering():
        harness.until_all_are_delivered(ana)
    commits = [got.payload["event"] for got in bot.got if got.payload["kind"] == "commit"]
    notices = [got.payload["notice"] for got in bot.got if got.payload["kind"] != "commit"]
    seen = [SPECTATOR] + ["red"] * (len(commits) - 1)
    expected = [redact(commit, viewer) for commit, viewer in zip(harness.games.commits(game), seen, strict=True)]
    assert [event["facts"] for event in commits] == [json.loads(encode(facts)) for facts in expected]
    assert notices == [representation(notice) for notice in harness.notices(ana)]
    assert [got.delivery for got in bot.got] == [f"{hook.id}.{n}" for n in range(1, len(bot.got) + 1)]
    for got in bot.got:
        assert got.payload["delivery"] == got.delivery
        assert verify_signature(hook.secret, got.headers, got.body)


def test_secrets_of_others_never_arrive(harness: Harness, bot: Receiver):
    ana, ben, cai = harness.people(3)
    harness.hook(ana, bot.url, "commit")
    game = harness.begun(ana, ben, cai)
    harness.play(game, moves=60)
    harness.notify()
    with harness.delivering():
        harness.until_all_are_delivered(ana)
    sent = b"".join(got.body for got in bot.got)
    facts = [fact for commit in harness.games.commits(game) for fact in commit.facts]
    hidden = [encode(fact) for fact in facts if fact.seen_by("red") != fact]
    own = [encode(fact) for fact in facts if fact.seen_by("red") == fact != fact.seen_by("blue")]
    assert hidden
    assert own
    assert all(fact in sent for fact in own)
    assert not any(fact in sent for fact in hidden)
    assert harness.log.secret(game).hex().encode() not in sent


def test_a_player_who_has_left_a_private_table_gets_no_more_deliveries_about_it(harness: Harness, bot: Receiver):
    ana, ben, cai = harness.people(3)
    harness.hook(ben, bot.url, *EVENTS)
    game = harness.table(ana, ben, visibility="private")
    harness.games.submit(game, Leave(ben))
    harness.games.submit(game, Join(cai, invited=True))
    harness.games.submit(game, Start(ana))
    harness.play(game, moves=10)
    harness.notify()
    with harness.delivering():
        harness.until_all_are_delivered(ben)
    assert events([got for got in bot.got if got.payload["kind"] == "commit"]) == {game: [3, 4]}
    assert [got.payload["kind"] for got in bot.got] == ["commit", "seat_taken", "commit", "seat_left"]


# Order


def test_all_deliveries_arrive_in_order_at_a_receiver_that_fails_at_random(harness: Harness):
    chance, lock = Random(3), Lock()

    def fickle(payload) -> int:
        with lock:
            return chance.choices([204, 500, 429, CLOSE, HANG], [60, 20, 10, 10, 1])[0]

    ana, ben = harness.people(2)
    with receiver(fickle) as bot, harness.delivering():
        harness.sender._seconds = 0.8
        harness.hook(ana, bot.url, "commit")
        games = [harness.begun(ana, ben) for _ in range(4)]
        for game in games:
            harness.play(game, moves=15)
            harness.notify()
        harness.until_all_are_delivered(ana)
    assert events(bot.taken) == whole(harness, *games)
    assert len({got.delivery for got in bot.taken}) == len(bot.taken)
    assert len(bot.got) > len(bot.taken)


def test_a_failing_delivery_holds_back_its_own_game_only(harness: Harness):
    ana, ben = harness.people(2)
    stuck, other = harness.begun(ana, ben), harness.begun(ana, ben)
    with receiver(lambda payload: 500 if payload["game"] == stuck else 204) as bot, harness.delivering():
        harness.hook(ana, bot.url, "commit")
        harness.notify()
        eventually(lambda: events(bot.taken) == whole(harness, other), SOON)
        eventually(lambda: len([got for got in bot.got if got.payload["game"] == stuck]) > 3, SOON)
        assert {got.payload["event"]["version"] for got in bot.got if got.payload["game"] == stuck} == {1}
        bot.behaviour = lambda _: 204
        harness.until_all_are_delivered(ana)
    assert events(bot.taken) == whole(harness, stuck, other)


def test_several_delivery_workers_and_notifiers_at_once_keep_the_order_too(harness: Harness, bot: Receiver):
    ana, ben = harness.people(2)
    harness.hook(ana, bot.url, "commit")
    games = [harness.begun(ana, ben) for _ in range(4)]
    for game in games:
        harness.play(game, moves=15)
    with harness.delivering(), harness.delivering(), harness.delivering():
        notifiers = [Thread(target=harness.notify) for _ in range(2)]
        for notifier in notifiers:
            notifier.start()
        for notifier in notifiers:
            notifier.join(timeout=SOON)
        harness.until_all_are_delivered(ana)
    assert events(bot.got) == whole(harness, *games)


def test_claims_that_run_out_double_deliveries_and_lose_and_reorder_none(harness: Harness, bot: Receiver):
    """As if every delivery worker were too slow for its own claims."""
    ana, ben = harness.people(2)
    harness.hook(ana, bot.url, "commit")
    games = [harness.begun(ana, ben) for _ in range(2)]
    for game in games:
        harness.play(game, moves=10)
    harness.notify()
    with harness.delivering(claimed_for=0), harness.delivering(claimed_for=0):
        harness.until_all_are_delivered(ana)
    assert events(bot.got) == whole(harness, *games)


def test_slow_receivers_of_one_account_hold_back_no_other_account(harness: Harness, bot: Receiver):
    ana, ben = harness.people(2)
    with harness.delivering(), receiver(lambda _: HANG) as slow:
        harness.sender._seconds = 600
        harness.hook(ana, slow.url, "game_started")
        harness.hook(ben, bot.url, "game_started")
        games = [harness.begun(ana, ben) for _ in range(50)]
        harness.notify()
        eventually(lambda: len(bot.taken) == len(games), SOON)
        assert len(slow.got) == 1


def test_prompt_receivers_of_an_account_come_before_its_others(harness: Harness, bot: Receiver):
    ana, ben = harness.people(2)
    hooks = [harness.hook(ana, f"{bot.url}/{number}", "commit") for number in range(2 * ALL.of_an_account)]
    slots, prompt = Slots(), hooks[ALL.of_an_account :]
    for each in prompt:
        [slot] = slots.room().offer("another account", [each])
        assert slot
        slots.begin(slot)
        slots.end(slot)
    harness.begun(ana, ben)
    harness.notify()
    found = DeliveryQueue(harness.mailboxes).claim([ana], int(time() * 1000), slots.room())
    assert {claim.hook.id for claim in found[ana].claims} == {each.id for each in prompt}


# Failures


def parked(harness: Harness, bot: Receiver, retry_policy: RetryPolicy = ONCE):
    """A webhook, and a game whose first commit is parked."""
    ana, ben = harness.people(2)
    hook = harness.hook(ana, bot.url, "commit")
    game = harness.table(ana, ben)
    bot.behaviour = lambda payload: 500 if payload["event"]["version"] == 1 else 204
    harness.notify()
    with harness.delivering(retry_policy):
        harness.until_all_are_delivered(ana)
    return ana, hook, game


def test_a_delivery_that_fails_too_often_is_parked_and_the_game_goes_on(harness: Harness, bot: Receiver):
    ana, hook, game = parked(harness, bot, RetryPolicy(attempts=3, first_pause=1))
    assert events(bot.taken) == {game: [2, 3]}
    assert harness.states(hook, ana) == ["delivered", "delivered", "parked"]
    [delivery] = harness.webhooks.deliveries(ana, hook.id, "parked", 10**9, 10)
    assert (delivery.number, delivery.attempts, delivery.status) == (1, 3, 500)
    assert str(delivery.why) == "the receiver answered 500"


def test_the_reason_is_stored_as_a_text_and_read_from_records_of_old(harness: Harness, bot: Receiver):
    ana, hook, _ = parked(harness, bot)
    records, field = key(ana, "deliveries"), f"{hook.id} {1:010}"
    stored = json.loads(harness.mailboxes.redis.hget(records, field))
    assert stored["why"] == {"template": "the receiver answered {status}", "values": {"status": 500}}
    harness.mailboxes.redis.hset(records, field, json.dumps(stored | {"why": "the receiver answered 500"}))
    [delivery] = harness.webhooks.deliveries(ana, hook.id, "parked", 10**9, 10)
    assert rendered(delivery.why) == "the receiver answered 500"
    bot.behaviour = lambda _: 204
    harness.webhooks.retry(ana, hook.id, "1")
    with harness.delivering():
        harness.until_all_are_delivered(ana)
    assert harness.states(hook, ana) == ["delivered"] * 3


def test_a_parked_delivery_can_be_tried_again(harness: Harness, bot: Receiver):
    ana, hook, game = parked(harness, bot)
    bot.behaviour = lambda _: 204
    assert harness.webhooks.retry(ana, hook.id, "1").state == "waiting"
    assert harness.webhooks.retry(ana, hook.id, "1").state == "waiting"
    with harness.delivering():
        harness.until_all_are_delivered(ana)
    assert events(bot.taken) == {game: [2, 3, 1]}
    first, last = bot.got[0], bot.got[-1]
    assert (first.delivery, first.body) == (last.delivery, last.body)
    assert harness.states(hook, ana) == ["delivered"] * 3
    with pytest.raises(NotNow):
        harness.webhooks.retry(ana, hook.id, "1")
    for number in ("9", "-1", "x", "1" * 30):
        with pytest.raises(NoSuchWebhook):
            harness.webhooks.retry(ana, hook.id, number)


def test_a_webhook_that_fails_for_long_is_disabled_and_its_owner_gets_a_notice(harness: Harness, bot: Receiver):
    ana, ben = harness.people(2)
    hook = harness.hook(ana, bot.url, "commit")
    bot.behaviour = lambda _: 500
    game = harness.table(ana, ben)
    harness.notify()
    with harness.delivering(RetryPolicy(attempts=1, disable_after=0)):
        harness.until_all_are_delivered(ana)
    assert harness.webhooks.look(ana, hook.id).disabled == "nothing has arrived for too long"
    notice = harness.notices(ana)[-1]
    assert (notice.kind, notice.webhook) == ("webhook_disabled", hook.id)
    assert harness.states(hook, ana) == ["waiting", "waiting", "parked"]
    with pytest.raises(NotNow, match="enable it first"):
        harness.webhooks.retry(ana, hook.id, "1")
    harness.games.submit(game, Start(ana))
    harness.notify()
    assert len(harness.states(hook, ana)) == 3, "no new deliveries wait for a webhook that is disabled"

    bot.behaviour = lambda _: 204
    assert harness.webhooks.change(ana, hook.id, {"enabled": True}).disabled == ""
    with harness.delivering():
        harness.until_all_are_delivered(ana)
    assert events(bot.taken) == {game: [2, 3]}


def test_a_success_in_between_keeps_a_webhook_enabled(harness: Harness, bot: Receiver):
    ana, hook, _ = parked(harness, bot)
    assert harness.webhooks.look(ana, hook.id).failing_since == 0


def test_a_webhook_with_too_many_waiting_deliveries_is_disabled(harness: Harness, bot: Receiver, monkeypatch):
    monkeypatch.setattr("service.notifications.mailbox_update.MOST_WAITING", 2)
    ana, ben = harness.people(2)
    hook = harness.hook(ana, bot.url, "commit")
    harness.begun(ana, ben)
    harness.notify()
    assert harness.webhooks.look(ana, hook.id).disabled == "too many deliveries wait for it"
    assert harness.states(hook, ana) == ["waiting", "waiting"]
    assert harness.kinds(ana).count("webhook_disabled") == 1
    assert [notice.id for notice in harness.notices(ana)] == list(range(1, len(harness.notices(ana)) + 1))


def test_old_deliveries_are_forgotten(harness: Harness, bot: Receiver, monkeypatch):
    monkeypatch.setattr(delivery_records, "MOST_RECORDS", {"parked": 2, "delivered": 3})
    ana, ben = harness.people(2)
    hook = harness.hook(ana, bot.url, "commit")
    bot.behaviour = lambda payload: 500 if payload["event"]["version"] % 2 else 204
    game = harness.begun(ana, ben)
    harness.play(game, moves=10)
    harness.notify()
    with harness.delivering(ONCE):
        harness.until_all_are_delivered(ana)
    assert sorted(harness.states(hook, ana)) == ["delivered"] * 3 + ["parked"] * 2
    assert harness.store.commands.hlen(f"hidalgo:{{{ana}}}:deliveries") == 5


def test_the_body_of_a_delivery_that_has_arrived_is_dropped(harness: Harness, bot: Receiver):
    ana, hook, _ = parked(harness, bot)
    kept = {delivery.state: delivery.body for delivery in harness.webhooks.deliveries(ana, hook.id, "", 10**9, 10)}
    assert kept["delivered"] == ""
    assert kept["parked"]


# Webhooks


def test_an_account_has_ten_webhooks_at_most_and_a_repeated_request_creates_none(harness: Harness):
    [ana] = harness.people(1)
    hooks = [harness.hook(ana, f"https://bot.example/{number}") for number in range(10)]
    assert harness.hook(ana, "https://bot.example/3") == hooks[3]
    assert {hook.id for hook in harness.webhooks.all(ana)} == {hook.id for hook in hooks}
    with pytest.raises(TooManyWebhooks):
        harness.hook(ana, "https://bot.example/more")


def test_a_deleted_webhook_gets_no_more_deliveries_and_leaves_none(harness: Harness, bot: Receiver):
    ana, ben = harness.people(2)
    hook, other = harness.hook(ana, bot.url, "commit"), harness.hook(ana, bot.url + "/other", "commit")
    harness.begun(ana, ben)
    harness.notify()
    harness.webhooks.delete(ana, hook.id)
    with harness.delivering():
        harness.until_all_are_delivered(ana)
    assert {got.path for got in bot.got} == {"/other"}
    assert not [
        name for name in harness.store.commands.hkeys(f"hidalgo:{{{ana}}}:deliveries") if hook.id.encode() in name
    ]
    assert [found.id for found in harness.webhooks.all(ana)] == [other.id]


def test_a_new_secret_signs_and_for_a_day_the_former_one_does_too(harness: Harness, bot: Receiver):
    [ana] = harness.people(1)
    old = harness.hook(ana, bot.url)
    new = harness.webhooks.rotate(ana, old.id, "again")
    assert harness.webhooks.rotate(ana, old.id, "again").secret == new.secret != old.secret
    assert harness.webhooks.test(ana, old.id).has_arrived
    [got] = bot.got
    assert verify_signature(new.secret, got.headers, got.body)
    assert verify_signature(old.secret, got.headers, got.body)
    assert not verify_signature(new_secret(), got.headers, got.body)


def test_a_webhook_that_was_stored_before_standard_webhooks_goes_on_and_gets_a_new_kind_of_secret(
    harness: Harness, bot: Receiver
):
    [ana] = harness.people(1)
    stored = {"id": "w_old", "url": bot.url, "events": ["your_turn"], "secret": "hdw_secret", "created_at": 5}
    harness.store.commands.hset(f"hidalgo:{{{ana}}}:book", "hook:w_old", json.dumps(stored))
    assert harness.webhooks.test(ana, "w_old").has_arrived
    rotated = harness.webhooks.rotate(ana, "w_old", "again")
    assert rotated.secret.startswith("whsec_")
    assert harness.webhooks.test(ana, "w_old").has_arrived
    first, second = bot.got
    assert verify_signature("hdw_secret", first.headers, first.body)
    assert verify_signature("hdw_secret", second.headers, second.body)
    assert verify_signature(rotated.secret, second.headers, second.body)


def test_an_account_without_deliveries_is_not_due(harness: Harness, bot: Receiver):
    ana, hook, _ = parked(harness, bot)
    bucket = USUAL.of(ana)
    when_claims_have_run_out = DeliveryWorker(harness.store, harness.sender, clock=lambda: time() + 3600)
    assert when_claims_have_run_out.attend([bucket]) == 0
    assert harness.store.commands.zcard(f"hidalgo:{{{bucket:02}}}:rounds") == 0
    assert harness.states(hook, ana) == ["delivered", "delivered", "parked"]
