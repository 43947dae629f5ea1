"""Every sentence of the rules can be found by Babel, and none gets past the catalogue."""

import ast
from collections.abc import Iterator
from functools import cache
from string import Formatter
from typing import Any

from babel.messages.pofile import read_po
from msgspec import to_builtins

from rules.catalogue import rules
from rules.codec import codec_for
from rules.el_grande.commands import Special
from rules.errors import RuleBroken, Unreadable
from rules.fairness import Chance
from rules.forms import Choice, Form
from rules.kernel import EVERYTHING, SPECTATOR, Decision, State, options, play
from rules.narration import tell
from rules.texts import Catalogue, Text
from tests.repository.checkout import ROOT
from tests.rules.foreign import Foreign, latin
from tests.rules.properties.test_refusals import ONE_OF_EACH
from tests.rules.random_games import RandomGame, random_game

# The code


def calls(*names: str) -> Iterator[tuple[str, ast.Call]]:
    """Where these functions are called in the rules."""
    for path in sorted((ROOT / "rules").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def literals(call: ast.Call) -> list[str]:
    """The templates of a call, if they are written out."""
    number = 2 if isinstance(call.func, ast.Name) and call.func.id == "say_many" else 1
    return [arg.value for arg in call.args[:number] if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]


def placeholders(template: str) -> set[str]:
    """The names in braces; nothing but names may be there."""
    fields = [(name, spec, how) for _, name, spec, how in Formatter().parse(template) if name is not None]
    assert all(name.isidentifier() and not spec and not how for name, spec, how in fields), template
    return {name for name, _, _ in fields}


SAID = list(calls("say"))
SAID_MANY = list(calls("say_many"))


def test_there_are_sentences():
    assert len(SAID) > 150
    assert len(SAID_MANY) > 15


def test_every_template_is_written_out():
    assert [where for where, call in SAID if len(literals(call)) != 1] == []
    assert [where for where, call in SAID_MANY if len(literals(call)) != 2] == []


def test_every_placeholder_has_its_value_and_every_value_its_placeholder():
    for where, call in SAID:
        [template] = literals(call)
        assert placeholders(template) == {keyword.arg for keyword in call.keywords}, where
        assert len(call.args) == 1, where


def test_singular_and_plural_have_the_same_placeholders():
    for where, call in SAID_MANY:
        one, many = (placeholders(template) for template in literals(call))
        assert one == many, where
        assert one | {"count"} == {keyword.arg for keyword in call.keywords} | {"count"}, where


def test_texts_are_made_in_no_other_way():
    assert {where.partition(":")[0] for where, _ in calls("Text")} == {"rules/texts.py"}


# The template of all translations


@cache
def known() -> frozenset[str]:
    """Every template in `locale/hidalgo.pot`, singular and plural."""
    with (ROOT / "locale/hidalgo.pot").open("rb") as file:
        ids = [message.id for message in read_po(file) if message.id]
    return frozenset(template for one in ids for template in ([one] if isinstance(one, str) else one))


def test_the_catalogue_holds_every_sentence_in_the_code():
    said = {template for _, call in (*SAID, *SAID_MANY) for template in literals(call)}
    assert said == known()


# Whole games


EXPANDED = rules("el_grande", ("anniversary",))
GAMES = [(players, expansions) for players in (2, 3, 4, 5) for expansions in ((), ("anniversary",))]


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
        if isinstance(field, Choice):
            yield from field.labels


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


def test_babel_knows_everything_that_was_said():
    catalogue = Foreign()
    for lines in (narrated, questions, refused):
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
    *("allow", "allow_rest", "veto", "place_two", "move_all_own"),
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
