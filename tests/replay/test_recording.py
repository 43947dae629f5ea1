"""An exported file is told as the stored game is."""

import pytest

from events.audit.export import export
from replay.recording import NotGenuine, read_recording
from replay.timeline import steps
from rules.errors import Unreadable
from rules.kernel import EVERYTHING, SPECTATOR
from tests.events.played import finished, running


def test_a_finished_game_is_open_to_every_viewer():
    games, game = finished(3)
    recording = read_recording(export(games, game, EVERYTHING))
    assert recording.viewers == (EVERYTHING, "red", "blue", "yellow", SPECTATOR)
    for viewer in recording.viewers:
        assert list(steps(recording.commits, viewer)) == list(steps(games.commits(game), viewer))


@pytest.mark.parametrize("rules", ["el_grande", "el_grande+anniversary"])
@pytest.mark.parametrize("seed", range(1, 7))
@pytest.mark.parametrize("viewer", ["red", SPECTATOR])
def test_a_file_that_hides_facts_shows_what_its_viewer_saw(rules, seed, viewer):
    games, game = running(4, 70, rules, seed)
    recording = read_recording(export(games, game, viewer))
    assert recording.viewer(None) == viewer
    assert list(steps(recording.commits, viewer)) == list(steps(games.commits(game), viewer))


def test_a_file_that_hides_facts_is_for_its_viewer_alone():
    games, game = running(3, 20)
    recording = read_recording(export(games, game, "red"))
    for viewer in ("blue", EVERYTHING, "no one"):
        with pytest.raises(Unreadable, match="this file can be seen as red"):
            recording.viewer(viewer)


def test_a_file_that_was_changed_is_not_shown():
    games, game = finished(3)
    forged = export(games, game, EVERYTHING).replace(b'"value":13', b'"value":12', 1)
    with pytest.raises(NotGenuine):
        read_recording(forged)
