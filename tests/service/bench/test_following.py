"""The notifier beside the moves of `hidalgo bench api`."""

import json
from contextlib import ExitStack

import pytest
from click.testing import CliRunner

from events.buckets import USUAL
from events.log.redis import RedisLog
from service.bench.clients import Hall, Plan, Room
from service.bench.command import bench
from service.bench.following import Following, commits_behind, followed
from service.bench.servers import WHOLE_SERVICE
from service.notifications.notifier import CONSUMER


def test_the_notifier_has_caught_up_before_anything_else_is_measured(tmp_path):
    with ExitStack() as until_the_end:
        room = Room(tmp_path, Plan([1], tables=2, seconds=0.05, rounds=1), until_the_end)
        following = Following(room.clients(WHOLE_SERVICE))
        following.sample(0.05)
        assert commits_behind(room.store) == 0
    figures = {figure.name: figure for figure in followed(following)}
    assert figures["the scheduler's processor, a move"].value >= 0
    assert figures["the notifier behind, after a sample"].value >= 0
    assert figures["the notifier behind, until it has caught up"].at_most == 0.1


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_commits_that_the_notifier_has_not_read_are_counted(store):
    """A table of four is created, joined four times, and started."""
    hall, log = Hall(store), RedisLog(store)
    hall.started(hall.table())
    assert commits_behind(store) == 6
    bucket = next(bucket for bucket in USUAL.all if log.feed(bucket))
    log.set_checkpoint(bucket, CONSUMER, log.feed(bucket)[3].position)
    assert commits_behind(store) == 2
    log.set_checkpoint(bucket, CONSUMER, log.feed(bucket)[-1].position)
    assert commits_behind(store) == 0


@pytest.mark.long
def test_all_of_it_is_one_command():
    few = ["--tables", "2", "--seconds", "0.1", "--rounds", "2"]
    answer = CliRunner().invoke(bench, ["api", *few, "--no-limits", "--json"])
    names = [figure["name"] for figure in json.loads(answer.output)["figures"]]
    assert {"accepted moves", "requests to bare FastAPI", "the notifier behind, after a sample"} <= set(names)
