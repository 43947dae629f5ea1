"""Bots, the autopilot and previews know no more than a player; every position can be drawn, told and assumed."""

import pytest
from msgspec.structs import replace

from rules.assumptions import assumed, offered
from rules.autopilot import autopilot
from rules.bots import BOTS, answer
from rules.catalogue import GAMES
from rules.codec import codec_for, encode
from rules.drawing import rendered
from rules.fairness import Chance
from rules.kernel import SPECTATOR, Answer, dry_run, fold, options, play, waiting
from rules.narration import tell
from rules.texts import ENGLISH
from tests.rules.el_caballero.games import random_game

GAME = GAMES["el_caballero"]
SITUATIONS = [
    (state, decision)
    for players, mode in ((2, "basic"), (4, "advanced"))
    for state, decision, _ in list(random_game(players, mode, 5))[::12]
]
situations = pytest.mark.parametrize(("state", "decision"), SITUATIONS, ids=range(len(SITUATIONS)))


def with_another_stack(state):
    return replace(state, board=replace(state.board, stack=state.board.stack[::-1]))


@situations
def test_what_a_bot_answers_is_legal_and_follows_from_what_it_may_know(state, decision):
    player = decision.player
    for name, bot in BOTS.items():
        given = answer(bot, state, player, Chance(name.encode()))
        play(state, Answer(player, decision.id, given))
        assert answer(bot, with_another_stack(state), player, Chance(name.encode())) == given
    given = autopilot(state, player, Chance(b"away").below)
    assert autopilot(with_another_stack(state), player, Chance(b"away").below) == given


@situations
def test_a_viewer_cannot_tell_the_order_of_the_stack(state, decision):
    for viewer in (*state.board.players, SPECTATOR):
        assert encode(GAME.view(state, viewer)) == encode(GAME.view(with_another_stack(state), viewer))
    example = codec_for("el_caballero").answer(decision.player, decision.example())
    assert dry_run(state, example) == dry_run(with_another_stack(state), example)
    [same] = options(with_another_stack(state), decision.player)
    assert same == decision


@situations
def test_whatever_is_assumed_about_the_stack_the_game_goes_on(state, decision):
    for assumption in offered(GAME.assumptions, state):
        read = codec_for("el_caballero").command
        facts = assumed(GAME.assumptions, state, assumption.id, 3, read)
        other = fold(state, facts)
        assert sorted(other.board.stack) == sorted(state.board.stack)
        assert GAME.assumptions.sentence(assumption.id, 3)
        play(other, Answer(decision.player, decision.id, decision.default))


@situations
def test_every_position_is_drawn_on_its_ground_told_and_printed(state, decision):
    seen = GAME.view(state, SPECTATOR)
    scene, ground = GAME.picture.scene(seen), GAME.picture.ground(GAME.rules())
    framed = scene.framed(ground)
    left, top, wide, high = framed.view
    for sprite in scene.sprites:
        assert sprite.symbol in ground.symbols
        assert sprite.layer in ground.layers
        assert left <= sprite.x <= left + wide
        assert top <= sprite.y <= top + high
    assert len({sprite.key for sprite in scene.sprites}) == len(scene.sprites)
    for place in framed.places:
        assert f"legal-{place.shape}" in ground.symbols
    named = {place.key for place in framed.places}
    cells = {
        value
        for form in decision.forms
        for name, field in form.fields.items()
        if name in ("at", "from")
        for value in field.values
    }
    assert cells <= named
    assert all(str(text) for text in (*GAME.picture.words(seen), *GAME.picture.spaces(seen).values()))
    assert str(GAME.picture.headline(seen).text)
    assert rendered(GAME.drawing.table(seen, decision.player), ENGLISH, GAME.rules().names.get)


def test_every_fact_is_told_and_every_symbol_of_a_beat_is_there():
    ground = GAME.picture.ground(GAME.rules())
    for players, mode in ((3, "basic"), (4, "advanced")):
        for state, _, given in random_game(players, mode, 9):
            facts, after = play(state, given)
            told = tell(GAME.rules(), facts)
            assert all(told)
            before, seen = GAME.view(state, SPECTATOR), GAME.view(after, SPECTATOR)
            for fact in facts:
                brief = GAME.landmarks.brief(fact, facts)
                assert brief is None or brief.text is None or str(brief.text)
                GAME.landmarks.of(fact)
                for beat in GAME.picture.beats(fact, before, seen):
                    assert beat.symbol in ground.symbols
            assert GAME.landmarks.leads(after, seen) is not None
        assert waiting(after) == ()
        assert rendered(GAME.drawing.end(seen, "red"), ENGLISH, GAME.rules().names.get)


def test_everything_that_is_asked_for_has_a_control_or_words():
    """Directions are chosen by their names; all else is picked on the map or beside it."""
    controls = GAME.picture.ground(GAME.rules()).controls
    for _, decision in SITUATIONS:
        for form in decision.forms:
            assert form.words.button
            for field in form.fields.values():
                assert field.of in controls or field.of in ("direction", "card_number", "grande_way"), field
