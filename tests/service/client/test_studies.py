"""Studies with the Python client, of a game that ended early."""

import pytest

from service.client import NotFound
from tests.service.client.tables import guests

pytestmark = pytest.mark.usefixtures("described")


@pytest.fixture(scope="module")
def people(service):
    with guests(service.url, 2) as both:
        yield both


@pytest.fixture(scope="module")
def game(people) -> str:
    host, other = people
    game = other.join(host.create_game(players=2))
    host.start(game)
    other.resign(game)
    return game.id


@pytest.fixture
def study(people, game):
    return people[0].studies.create("Vetoes", game=game)


def test_moves_are_tried_and_written_about(people, game, study):
    studies = people[0].studies
    version = people[0].game(game).version - 1
    decision = studies.position(study, "k1", version)["decisions"][0]
    assert studies.preview(study, "k1", version, decision["seat"], decision["example"])["step"]["story"]
    tried = studies.try_move(study, "k1", version, decision["seat"], decision["example"])
    studies.edit(study, "write_comment", chapter="k1", node=tried["node"]["id"], text="*Aha*")
    chapter = studies.chapter(study, "k1")
    assert chapter["notes"][tried["node"]["id"]]["comments"][0]["html"] == "<p><em>Aha</em></p>"
    guessed = studies.guess(study, "k1", version, decision["seat"], decision["example"])
    assert guessed["variation"]["node"] == tried["node"]["id"]
    assumed = studies.assume(study, "k1", version, "order_of_cards", 7)
    assert assumed["node"]["kind"] == "assumption"
    assert [edit["kind"] for edit in studies.history(study)][:2] == ["assume", "write_comment"]


@pytest.mark.parametrize("format", ["json", "text"])
def test_a_file_comes_back(people, study, format):
    studies = people[0].studies
    studies.edit(study, "write_comment", chapter="k1", node="2", text="Aha")
    file = studies.export(study, format)
    assert studies.export(studies.import_file(file, format), format) == file


def test_edits_arrive(people, study):
    studies = people[0].studies
    listening = studies.stream(study, after=study["version"])
    studies.edit(study, "rename", title="Kings", seen=study["version"])
    assert next(listening)["kind"] == "rename"
    listening.close()


def test_studies_are_found_shared_and_deleted(people, study):
    owner, other = (each.studies for each in people)
    assert study["id"] in {found["id"] for found in owner.find(owner="me")}
    with pytest.raises(NotFound):
        other.look(study)
    owner.edit(study, "set_visibility", visibility="link")
    key = owner.look(study)["link"].partition("?key=")[2]
    assert other.look(study, key=key)["title"] == "Vetoes"
    owner.present(study, "k1", "2", is_writing=True)
    assert owner.look(study)["presence"][0]["node"] == "2"
    owner.delete(study)
    with pytest.raises(NotFound):
        owner.look(study)
