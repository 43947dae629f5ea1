"""`hidalgo bench scale`: copies are real games, and everything that it measures happens."""

import json

import pytest
from click.testing import CliRunner

from events.audit.verify import verify_chain
from events.games import Games
from events.log.memory import MemoryLog
from service.bench.copies import copy, template
from service.cli import main


@pytest.mark.parametrize("is_over", [True, False])
def test_a_copy_is_a_game_of_its_own(is_over):
    made = template(3, is_over, full=False)
    names = ["a_one", "a_two", "a_three"]
    stored = copy(made, "copied", names, begun_at=1_700_000_000_000)
    verify_chain("copied", stored.entries, stored.secret)
    log = MemoryLog()
    log.restore("copied", stored)
    game = Games(log).load("copied")
    assert (game.id, sorted(game.seats.values()), game.created_at) == ("copied", sorted(names), 1_700_000_000_000)
    assert (game.status == "over") == is_over


@pytest.mark.long
def test_all_is_measured():
    done = CliRunner().invoke(main, ["bench", "scale", "--games", "200", "--archived", "60", "--no-limits", "--json"])
    assert done.exit_code == 0, done.output
    figures = {each["name"]: each for each in json.loads(done.stdout)["figures"]}
    assert figures["games that have left"]["value"] >= 60
    assert figures["read back, equal byte by byte"]["value"] == figures["games that have left"]["value"]
    assert figures["kept of each, lists included"]["value"] > 0
