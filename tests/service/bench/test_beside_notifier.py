"""The notifier beside the moves of `hidalgo bench api`."""

import json

import pytest
from click.testing import CliRunner

from events.log import BUCKETS
from events.log.redis import RedisLog
from service.bench.beside_notifier import beside_notifier, commits_behind
from service.bench.clients import Hall, Plan
from service.bench.command import bench
from service.notifications.notifier import CONSUMER


def test_the_notifier_is_measured_beside_the_moves(tmp_path):
    figures = {figure.name: figure for figure in beside_notifier(tmp_path, Plan(1, tables=2, seconds=0.05, rounds=1))}
    assert figures["moves with a notifier beside"].value > 0
    assert figures["the notifier behind, after a sample"].unit == "commits"
    assert figures["the notifier behind, until it has caught up"].at_most == 0.25


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_commits_that_the_notifier_has_not_read_are_counted(store):
    """A table of four is created, joined four times, and started."""
    hall, log = Hall(store), RedisLog(store)
    hall.started(hall.table())
    assert commits_behind(store) == 6
    bucket = next(bucket for bucket in range(BUCKETS) if log.feed(bucket))
    log.set_checkpoint(bucket, CONSUMER, log.feed(bucket)[3].position)
    assert commits_behind(store) == 2
    log.set_checkpoint(bucket, CONSUMER, log.feed(bucket)[-1].position)
    assert commits_behind(store) == 0


@pytest.mark.long
def test_all_of_it_is_one_command():
    few = ["--tables", "2", "--seconds", "0.1", "--rounds", "2"]
    answer = CliRunner().invoke(bench, ["api", *few, "--no-limits", "--json"])
    names = [figure["name"] for figure in json.loads(answer.output)["figures"]]
    assert {"accepted moves", "requests to bare FastAPI", "moves with a notifier beside"} <= set(names)
