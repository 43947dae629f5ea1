"""Many positions, read at once."""

import pytest

from tests.service.client.fake import Say, fake
from tests.service.client.tables import guests


@pytest.mark.usefixtures("described")
def test_many_positions_are_read_at_once_as_each_viewer_may_see_them(service):
    with guests(service.url, 2) as (host, other):
        tables = [other.join(host.create_game(players=2)) for _ in range(3)]
        host.start(tables[0])
        hidden = host.create_game(players=2, visibility="private")
        found = {each.game.id: each for each in host.positions([*tables, hidden, "gone"])}
        assert list(found) == [table.id for table in [*tables, hidden]]
        assert found[tables[0].id].position == host.state(tables[0])
        assert hidden.id not in {each.game.id for each in other.positions([*tables, hidden])}
        account = other.me().id
        running = list(other.positions(player=account, status="running", limit=1))
        assert [each.game.id for each in running] == [tables[0].id]


def test_more_games_than_fit_into_a_request_are_read_by_several():
    page = Say(body={"positions": [], "missing": [], "next": None})
    with fake(page, page) as server:
        assert list(server.client("t").positions(map(str, range(150)))) == []
        assert [len(heard.path.split("%2C")) for heard in server.heard] == [100, 50]
