"""`hidalgo demo`, as a newcomer starts it."""

import json
import signal
import sysconfig
from pathlib import Path

from tests.events.servers import eventually
from tests.running import running

API = "/api/v1"
HIDALGO = str(Path(sysconfig.get_path("scripts"), "hidalgo"))


def test_the_demo_shows_a_tournament_under_way_and_one_that_is_over(tmp_path):
    with running([HIDALGO, "demo", "--pace", "0.2", "--players", "8"], tmp_path) as service:
        assert service.process.stdout
        shown = [service.process.stdout.readline() for _ in range(4)]
        live, table, over, replay = (line.split()[-1].removeprefix(service.url) for line in shown)

        def asked(path: str):
            return json.loads(service.get(API + path))

        standings = asked(over)["rows"]
        assert [row["place"] for row in standings] == sorted(row["place"] for row in standings)
        assert len(standings) == 8
        assert asked(live)["status"] == "running"
        [first, _] = asked(f"{live}/rounds/1")["tables"]
        assert table == f"/games/{first['game']}/replay"
        game = f"/games/{first['game']}"
        version = asked(game)["version"]
        eventually(lambda: asked(game)["version"] > version + 2)
        for page in (live, table, over, replay):
            assert "<html" in service.get(page)
        assert not (service.folder / "data").exists(), "the data of the operator is left alone"
        assert service.stop(signal.SIGINT) == 0
        assert "warning" not in service.error_output(), "a demo is thrown away: it has no moves to lose"
