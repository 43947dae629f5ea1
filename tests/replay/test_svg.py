"""Scenes as SVG: well formed, with unique ids, and no text can break out of it."""

from xml.etree import ElementTree

from msgspec.structs import replace

from replay.svg import board, layered
from rules.catalogue import GAMES
from rules.drawing import rendered
from rules.picture import Ground, Sprite
from rules.texts import ENGLISH
from tests.events.played import finished

SVG = "{http://www.w3.org/2000/svg}"
PLAIN = Ground((0, 0, 10, 10), '<path id="~p" d=""/>', {"word": '<text data-text="0"></text>'}, ("only",))


def drawn(version=100, id="b"):
    games, name = finished(4, rules="el_grande+anniversary")
    game = games.load(name, version)
    played = GAMES["el_grande"]
    scene = played.picture.scene(played.view(game.state, "everything"))
    sprites = rendered(scene.sprites, ENGLISH, game.state.board.rules.names.get)
    return board(played.picture.ground(game.state.board.rules), sprites, id=id, label="the board"), scene


def test_every_sprite_is_drawn_in_its_layer():
    markup, scene = drawn()
    root = ElementTree.fromstring(markup)
    layers = {group.get("data-layer"): group for group in root.iter(f"{SVG}g") if group.get("data-layer")}
    for sprite in scene.sprites:
        assert any(child.get("data-key") == sprite.key for child in layers[sprite.layer])


def test_ids_are_unique_and_every_reference_is_found():
    markup, _ = drawn(id="one")
    root = ElementTree.fromstring(markup)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert all(str(id).startswith("one-") for id in ids)
    used = {element.get("href", "")[1:] for element in root.iter(f"{SVG}use")}
    assert used <= set(ids)


def test_what_moves_can_be_drawn_apart_from_the_ground():
    ground = replace(PLAIN, symbols={"pawn": '<use href="#~p"/>'})
    below, above = ElementTree.fromstring(f"<p>{layered(ground, [Sprite('k', 'pawn', 'only')])}</p>")
    assert [below.get("data-board"), above.get("data-board")] == [None, "b"]
    [drawn], [used] = below.iter(f"{SVG}path"), above.iter(f"{SVG}use")
    assert f"#{drawn.get('id')}" == used.get("href") == "#b-p"


def test_nothing_is_styled_in_the_markup():
    markup, _ = drawn()
    assert "style=" not in markup
    assert "<script" not in markup


def test_a_text_cannot_become_markup_or_an_id():
    markup = board(PLAIN, [Sprite("k", "word", "only", texts=('"><script>alert(1)</script>~',))])
    root = ElementTree.fromstring(markup)
    [text] = root.iter(f"{SVG}text")
    assert text.text == '"><script>alert(1)</script>~'
    assert root.find(f".//{SVG}script") is None


def test_a_label_is_escaped():
    root = ElementTree.fromstring(board(PLAIN, [], label='"<&'))
    assert root.get("aria-label") == '"<&'
