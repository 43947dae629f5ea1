"""No sentence of the rules gets past the catalogue."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from msgspec import to_builtins

from rules.catalogue import rules
from rules.codec import codec_for
from rules.drawing import Block, rendered
from rules.el_grande.commands import Special
from rules.el_grande.game import EL_GRANDE
from rules.errors import RuleBroken, Unreadable
from rules.fairness import Chance
from rules.forms import Choice, Form, Some
from rules.kernel import EVERYTHING, SPECTATOR, Decision, State, options, play
from rules.narration import tell
from rules.texts import Catalogue, Text
from tests.rules.foreign import Foreign, latin
from tests.rules.properties.test_refusals import ONE_OF_EACH
from tests.rules.random_games import RandomGame, random_game
from tests.sentences import known

# Whole games


EXPANDED = rules("el_grande", ("king_and_intrigue", "anniversary"))
GAMES = [(players, chosen) for players in (2, 3, 4, 5) for chosen in ((), ("anniversary",), ("king_and_intrigue",))]


@cache
def games() -> list[RandomGame]:
    return [random_game(players, seed, expansions) for seed, (players, expansions) in enumerate(GAMES)]


def narrated(catalogue: Catalogue) -> Iterator[str]:
    """The games as everybody is told them."""
    for game in games():
        for viewer in (*game.table.board.players, SPECTATOR, EVERYTHING):
            yield from tell(game.table.board.rules, [fact.seen_by(viewer) for fact in game.facts], catalogue)


def questions(catalogue: Catalogue) -> Iterator[str]:
    """Every question in these games, and every way to answer it."""
    for state, decision in asked():
        for text in (decision.text, *(text for form in decision.forms for text in texts(form))):
            yield text.rendered(catalogue, state.board.rules.names.get)


def texts(form: Form) -> Iterator[Text]:
    yield form.text
    for field in form.fields.values():
        if isinstance(field, (Choice, Some)):
            yield from field.labels


def drawn(catalogue: Catalogue) -> Iterator[str]:
    """The words on the drawn table, before every tenth answer and at the end."""
    for game in games():
        drawing, you = EL_GRANDE.drawing, game.table.board.players[0]
        for state in [turn.before for turn in game.turns][::10]:
            yield from words(drawing.table(EL_GRANDE.view(state, you, catalogue), you), state, catalogue)
        yield from words(drawing.end(EL_GRANDE.view(game.state, you, catalogue), you), game.state, catalogue)


def words(blocks: tuple[Block, ...], state: State, catalogue: Catalogue) -> Iterator[str]:
    """Every string in the blocks, save styles and frames."""
    for part in rendered(blocks, catalogue, state.board.rules.names.get):
        yield from strings(to_builtins(part))


def strings(part: Any) -> Iterator[str]:
    match part:
        case dict():
            for name, value in part.items():
                yield from () if name in ("style", "frame") else strings(value)
        case list() | tuple():
            for item in part:
                yield from strings(item)
        case str() if part.strip():
            yield part


def refused(catalogue: Catalogue) -> Iterator[str]:
    for state, text in refusals():
        yield text.rendered(catalogue, state.board.rules.names.get)


def test_a_whole_game_is_told_in_another_language():
    assert [line for line in narrated(Foreign()) if latin(line)] == []


def test_every_question_is_asked_in_another_language():
    assert [line for line in questions(Foreign()) if latin(line)] == []


def test_every_refusal_is_told_in_another_language():
    assert [line for line in refused(Foreign()) if not latin(line) <= SENT] == []
    assert len({text.template for _, text in refusals()}) > 30


def test_the_whole_table_is_drawn_in_another_language():
    assert [line for line in drawn(Foreign()) if not latin(line) <= {"flag"}] == []


def test_babel_knows_everything_that_was_said():
    catalogue = Foreign()
    for lines in (narrated, questions, refused, drawn):
        assert all(lines(catalogue))
    assert catalogue.asked <= known()
    assert len(catalogue.asked) > 150


def test_the_titles_of_a_schema_are_translated():
    for _, decision in asked():
        schema = decision.schema(Foreign())
        titles = [schema["title"], *(form["title"] for form in schema["anyOf"])]
        assert titles == [text.rendered(Foreign()) for text in (decision.text, *(form.text for form in decision.forms))]


def test_the_labels_of_a_schema_are_translated():
    [form, *_] = (form for _, decision in asked() for form in decision.forms if form.kind == "choose_action_card")
    stack = form.schema("1-red", Foreign())["properties"]["stack"]
    assert len(stack["x-labels"]) == len(stack["enum"])
    assert not any(latin(label) for label in stack["x-labels"])


def asked() -> Iterator[tuple[State, Decision]]:
    for game in games():
        for turn in game.turns:
            for decision in options(turn.before, turn.answer.player):
                yield turn.before, decision


# Refusals


WRONG_NAMES = ("nowhere", "castillo", "court", "granada", "aragon", "red", "blue", "board_840")
WRONG_NUMBERS = (-1, 0, 1, 5, 99)

SENT = {
    *WRONG_NAMES,
    *Special.__struct_fields__,
    *(command.__struct_config__.tag for command in EXPANDED.commands),
    *("allow", "allow_rest", "veto", "place_two", "move_all_own", "king", "intrigue", "own"),
}
"""Words that programs send and read: told as they are."""


def refusals() -> Iterator[tuple[State, Text]]:
    """What is refused in these games."""
    chance = Chance(b"refusals")
    for state, decision in asked():
        for answer in bad_answers(decision, chance):
            try:
                play(state, codec_for(state.board.variant).answer(decision.player, answer))
            except RuleBroken as refusal:
                yield state, refusal.text
            except Unreadable:
                pass


def bad_answers(decision: Decision, chance: Chance) -> Iterator[dict[str, Any]]:
    """A command of another kind, and a legal answer with a word or a number changed, or left out."""
    yield {"decision": decision.id, **to_builtins(ONE_OF_EACH[chance.below(len(ONE_OF_EACH))])}
    answer = decision.forms[chance.below(len(decision.forms))].sample(chance.below)
    for field, value in answer.items():
        if field != "kind":
            yield {"decision": decision.id, **answer, field: changed(value, chance)}
            yield {"decision": decision.id, **{name: kept for name, kept in answer.items() if name != field}}


def changed(value: Any, chance: Chance) -> Any:
    if isinstance(value, dict):
        return {**value, WRONG_NAMES[chance.below(len(WRONG_NAMES))]: WRONG_NUMBERS[chance.below(len(WRONG_NUMBERS))]}
    wrong = WRONG_NAMES if isinstance(value, str) else WRONG_NUMBERS
    return wrong[chance.below(len(wrong))]
