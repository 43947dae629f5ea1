"""The picture shows what the view shows: every piece, in its place, and nothing that is hidden."""

from collections import Counter

import pytest
from hypothesis import given, settings

from rules.catalogue import GAMES, rules_named
from rules.drawing import rendered
from rules.el_grande.board import space_of
from rules.el_grande.facts import CaballerosMoved, CaballerosPlaced, KingMoved, SpaceScored
from rules.el_grande.picture.faces import FACES
from rules.el_grande.picture.geography import SITES
from rules.el_grande.picture.ground import STATES
from rules.el_grande.regions import CASTILLO
from rules.kernel import EVERYTHING, SPECTATOR
from rules.texts import ENGLISH
from tests.rules.el_grande.table import Table, turn_with
from tests.rules.properties.situations import situations

GAME = GAMES["el_grande"]
PICTURE = GAME.picture


def scene_of(spain: Table, viewer: str = SPECTATOR):
    return PICTURE.scene(GAME.view(spain.state, viewer))


def sprites_of(spain: Table, viewer: str = SPECTATOR):
    return {sprite.key: sprite for sprite in scene_of(spain, viewer).sprites}


@pytest.fixture
def spain() -> Table:
    return turn_with("s1_move_four_own", "king castilla_la_nueva; aragon: red 3, blue 1; castillo: red 2")


def test_a_pile_is_a_shape_with_its_count(spain):
    pile = sprites_of(spain)["aragon/red"]
    assert (pile.symbol, pile.texts) == ("stack-red-2", ("3",))
    assert sprites_of(spain)["aragon/blue"].symbol == "stack-blue-1"


def test_a_seat_has_the_same_place_in_every_region(spain):
    pile = sprites_of(spain)["aragon/red"]
    assert (pile.x, pile.y) == SITES["aragon"].stacks[len(spain.state.board.players)][0]


def test_a_closed_castillo_shows_a_lock_and_no_numbers(spain):
    sprites = sprites_of(spain)
    assert "closed" in sprites
    assert "castillo/red" not in sprites
    assert sprites_of(spain, EVERYTHING)["castillo/red"].texts == ("2",)


def test_the_kings_region_is_hatched(spain):
    assert sprites_of(spain)["taboo"].symbol == "taboo-castilla_la_nueva"


def test_only_the_ranks_that_count_stand_out(spain):
    players = len(spain.state.board.players)
    assert sprites_of(spain)["table/galicia"].style == f"ranks-{GAME.base.ranks[players]}"


def test_every_action_card_has_a_face_with_an_effect_of_its_own():
    assert set(FACES) == set(GAME.base.cards)
    for face in FACES.values():
        assert len(str(face.title).split()) <= 4
        assert len(str(face.text).split()) <= 8


def test_every_space_can_be_marked():
    symbols = PICTURE.ground(GAME.base).symbols
    assert {f"{state}-{space}" for state in STATES for space in SITES} <= set(symbols)
    assert {f"taboo-{region}" for region in GAME.base.regions} <= set(symbols)


def test_every_space_can_be_pointed_at():
    ground = PICTURE.ground(GAME.base)
    assert list(ground.spaces) == [*GAME.base.regions, CASTILLO]
    for x, y in ground.spaces.values():
        assert 0 < x < ground.view[2]
        assert 0 < y < ground.view[3]


def test_the_map_has_the_regions_of_the_rules():
    assert set(SITES) == {*GAME.base.regions, CASTILLO}


def test_a_flight_begins_and_ends_where_the_pieces_stand(spain):
    seen = GAME.view(spain.state, SPECTATOR)
    [placed] = PICTURE.beats(CaballerosPlaced("red", "aragon", 2), seen, seen)
    assert (placed.start, placed.end, placed.text) == ("red", SITES["aragon"].stacks[len(seen["players"])][0], "2")
    [moved] = PICTURE.beats(CaballerosMoved("red", "aragon", "sevilla", 1, "blue"), seen, seen)
    assert moved.symbol == "stack-red-1"
    [king] = PICTURE.beats(KingMoved("granada"), seen, seen)
    assert (king.start, king.end) == (SITES["castilla_la_nueva"].king, SITES["granada"].king)


def test_the_castillo_opens_for_the_moment_of_its_scoring(spain):
    seen = GAME.view(spain.state, SPECTATOR)
    *shown, scored = PICTURE.beats(SpaceScored(CASTILLO, {"red": 2}, ()), seen, seen)
    assert [(beat.kind, beat.text) for beat in shown] == [("turn_up", "2")]
    assert scored.kind == "score"


def test_the_position_is_told_in_words(spain):
    words = [text.rendered(ENGLISH) for text in PICTURE.words(GAME.view(spain.state, SPECTATOR))]
    assert "New Castile, worth 7/4/2: the king is here, empty." in words
    assert "Castillo, worth 5/3/1: closed." in words
    assert any(line.startswith("Aragon, worth 5/4/1: red 3, blue 1") for line in words)


@settings(max_examples=20)
@given(situations())
def test_every_caballero_on_the_map_is_drawn_once(state):
    seen = GAME.view(state, EVERYTHING)
    drawn: Counter[tuple[str, str]] = Counter()
    for sprite in PICTURE.scene(seen).sprites:
        if sprite.symbol.startswith("stack"):
            key, _, owner = sprite.key.partition("/")
            drawn[space_of(key), owner] += int(str(sprite.texts[0]))
    counts = {**seen["regions"], CASTILLO: seen["castillo"]}
    there = {(space, owner): n for space, pieces in counts.items() for owner, n in pieces.items()}
    assert drawn == there


@settings(max_examples=20)
@given(situations())
def test_whatever_is_drawn_has_a_symbol_a_layer_and_a_key_of_its_own(state):
    ground = PICTURE.ground(state.board.rules)
    for viewer in (SPECTATOR, EVERYTHING, *state.board.players):
        scene = rendered(PICTURE.scene(GAME.view(state, viewer)), ENGLISH, rules_named(state.board.variant).names.get)
        assert len({sprite.key for sprite in scene.sprites}) == len(scene.sprites)
        for sprite in scene.sprites:
            assert sprite.symbol in ground.symbols
            assert sprite.layer in ground.layers
            assert sprite.symbol.count("data-text") <= len(sprite.texts)


@settings(max_examples=20)
@given(situations())
def test_a_hand_is_drawn_for_its_owner_alone(state):
    for viewer in (*state.board.players, SPECTATOR):
        for panel in PICTURE.scene(GAME.view(state, viewer)).panels:
            assert (panel.hand is not None) == (panel.seat == viewer)


def test_a_thumbnail_has_the_pieces_of_the_scene_and_nothing_to_read(spain):
    whole, small = scene_of(spain).sprites, tuple(PICTURE.thumbnail(GAME.view(spain.state, SPECTATOR)))
    assert all(sprite in whole for sprite in small)
    left_out = {sprite.symbol for sprite in whole if sprite not in small}
    assert left_out == {"label", "small-label", "table", "ribbon"}


def test_the_headline_tells_where_the_king_is(spain):
    headline = PICTURE.headline(GAME.view(spain.state, SPECTATOR))
    assert (str(headline.text), str(headline.stress)) == ("The King is in New Castile.", "New Castile")
