"""A broadcast over HTTP: no answer to a spectator tells anything that the delay still hides."""

import pytest

from events.buckets import USUAL
from tests.service.api.asking import Described
from tests.service.api.tournaments.event import Event, handle_of

HOUR = 3_600_000


class Broadcast(Event):
    """A round of one table under way."""

    def __init__(self, described: Described) -> None:
        super().__init__(described, spectators_delay_ms=HOUR, size=2, sizes=[])
        self.ana, _ = self.player(), self.player()
        self.acted("start")
        self.draw()
        services = described.app.services
        services.round_worker.attend(USUAL.all)
        self.game = services.tournaments.load(self.id).rounds[0].games[0]


@pytest.fixture
def event(described):
    return Broadcast(described)


PATHS = ("", "/state", "/events?after=0", "/clock", "/timeline", "/outline", "/scene", "/export", "/board.svg")


@pytest.mark.parametrize("path", PATHS)
def test_spectators_see_nothing_but_the_table(event, path):
    now = event.ana.get(f"/games/{event.game}").get_json()
    assert now["version"] > 1
    answer = event.guest().get(f"/games/{event.game}{path}")
    assert answer.status_code == 200
    text = answer.get_data(as_text=True)
    assert now["head"] not in text
    assert event.ana.account not in text, "who sits there is told by the second commit"
    if path in ("", "/state", "/clock", "/scene"):
        assert answer.get_json()["version"] == 1


def test_lists_and_positions_do_not_tell_either(event):
    for path in ("/games", f"/positions?games={event.game}", f"/players/{handle_of(event.ana)}/games"):
        answer = event.guest().get(path)
        assert answer.status_code == 200
        head = event.ana.get(f"/games/{event.game}").get_json()["head"]
        assert head not in answer.get_data(as_text=True)


def test_players_see_their_game_as_it_is(event):
    one = event.ana.get(f"/games/{event.game}/state").get_json()
    assert one["status"] == "running"
    assert one["state"]
