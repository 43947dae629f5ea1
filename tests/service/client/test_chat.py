"""What players say at a table with the Python client, and the table after it."""

import pytest

from service.client import Forbidden, NotNow
from tests.service.client.tables import guests

pytestmark = pytest.mark.usefixtures("described")


@pytest.fixture(scope="module")
def people(service):
    with guests(service.url, 3) as all_of_them:
        yield all_of_them


@pytest.fixture
def game(people):
    host, other, _ = people
    return host.start(other.join(host.create_game(players=2)))


def test_messages_arrive_in_their_room_as_they_are_written(people, game):
    host, other, spectator = people
    listening = other.chat.stream(game, pause=0.05)
    host.chat.write(game, "Have *fun*")
    spectator.chat.write(game, "who wins?")
    host.chat.write(game, "everybody")
    assert [next(listening)["text"] for _ in range(2)] == ["Have *fun*", "everybody"]
    listening.close()
    [alone] = spectator.chat.look(game)["messages"]
    assert (alone["room"], alone["text"]) == ("spectators", "who wins?")
    assert [each["text"] for each in other.chat.look(game, after=1)["messages"]] == ["everybody"]


def test_a_removed_message_leaves_its_place_and_a_stream_tells_of_it(people, game):
    host, other, _ = people
    message = other.chat.write(game, "oops")
    with pytest.raises(Forbidden):
        other.chat.remove(game, host.chat.write(game, "mine"))
    host.chat.remove(game, message)
    assert host.chat.look(game)["messages"][0]["removed"]
    listening = other.chat.stream(game, after=message["id"])
    assert [each["removes"] for each in (next(listening), next(listening))] == [None, message["id"]]
    listening.close()


def test_nothing_of_a_muted_player_is_read(people, game):
    host, other, _ = people
    message = other.chat.write(game, "blah")
    host.chat.complain(game, message, "boring")
    host.chat.mute(other.me().id)
    assert [each["id"] for each in host.chat.mutes()] == [other.me().id]
    assert host.chat.look(game)["messages"] == []
    host.chat.unmute(other.me().id)
    assert [each["text"] for each in host.chat.look(game)["messages"]] == ["blah"]


def test_after_the_end_the_same_people_sit_down_again(people, game):
    host, other, _ = people
    with pytest.raises(NotNow):
        host.rematch(game)
    other.resign(game)
    table = host.rematch(game)
    assert table.status == "open"
    again = other.rematch(game)
    assert (again.id, again.status) == (table.id, "running")
    assert again.mine != other.game(game).mine
