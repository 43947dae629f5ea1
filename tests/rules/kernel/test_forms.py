"""Schema, example, sample and size describe the same set of answers."""

from collections.abc import Iterator, Mapping
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as some
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from rules.forms import MANY, Choice, Counts, Field, Form, Number, Total
from rules.kernel import Decision
from rules.texts import say
from tests.rules.kernel.toys import Stop

DECISION = "7-red"


def fits(form: Form, answer: dict[str, Any]) -> bool:
    """What a client checks: the schema, and the total that plain JSON Schema cannot say."""
    schema = form.schema(DECISION)
    said = {"decision": DECISION, **answer}
    return Draft202012Validator(schema).is_valid(said) and total_fits(schema.get("x-total"), said)


def total_fits(total: Mapping[str, Any] | None, said: Mapping[str, Any]) -> bool:
    if total is None:
        return True
    counts = (said[field] for field in total["fields"])
    number = sum(sum(count.values()) if isinstance(count, dict) else count for count in counts)
    return total["minimum"] <= number <= total["maximum"]


def all_answers(form: Form) -> list[dict[str, Any]]:
    """Every answer that fits, found by trying."""
    values = [list(all_values(field)) for field in form.fields.values()]
    answers = ({"kind": form.kind, **dict(zip(form.fields, chosen, strict=True))} for chosen in product(*values))
    return [answer for answer in answers if fits(form, answer)]


def all_values(field: Field) -> Iterator[Any]:
    match field:
        case Choice(values):
            yield from values
        case Number(low, high):
            yield from range(low, high + 1)
        case Counts(limits):
            for counts in product(*(range(limit + 1) for limit in limits.values())):
                yield {key: count for key, count in zip(limits, counts, strict=True) if count}


VALUES: some.SearchStrategy[str | int] = some.sampled_from(("granada", "sevilla", 1, 2, 3))
choices = some.lists(VALUES, min_size=1, max_size=3, unique=True).map(lambda values: Choice(tuple(values)))
numbers = some.tuples(some.integers(0, 2), some.integers(0, 2)).map(lambda least: Number(least[0], sum(least)))
counts = some.dictionaries(some.sampled_from(["granada", "sevilla"]), some.integers(1, 2), min_size=1).map(Counts)


@some.composite
def forms(draw: some.DrawFn) -> Form:
    """Small forms: some choices, some numbers, perhaps with a limit on the sum of all numbers."""
    chosen = {f"choice_{index}": field for index, field in enumerate(draw(some.lists(choices, max_size=2)))}
    counted = {f"count_{index}": field for index, field in enumerate(draw(some.lists(numbers | counts, max_size=2)))}
    fields: dict[str, Any] = chosen | counted
    if not counted or draw(some.booleans()):
        return Form("move", say("move something"), fields)
    low = draw(some.integers(0, 4))
    form = Form("move", say("move something"), fields, Total(tuple(counted), low, low + draw(some.integers(0, 3))))
    assume(all_answers(form))
    return form


@given(forms(), some.integers(0, 1000))
def test_the_example_and_every_sample_fit_the_schema(form, seed):
    assert fits(form, form.example())
    pick = Random(seed).randrange
    for _ in range(20):
        assert fits(form, form.sample(pick))


@given(forms())
def test_the_size_is_the_number_of_answers_that_fit(form):
    assert form.size() == len(all_answers(form))


@pytest.mark.parametrize(
    "form",
    [
        Form("end_turn", say("end your turn")),
        Form("take", say("take a card"), {"card": Choice((1, 2, 3)), "at_once": Choice((True, False))}),
        Form("draw", say("draw caballeros"), {"from_province": Number(0, 3)}),
        Form("place", say("place"), {"to": Counts({"granada": 2, "castillo": 2})}, Total(("to",), 1, 2)),
        Form(
            "return",
            say("give up"),
            {"court": Number(0, 2), "map": Counts({"aragon": 2})},
            Total(("court", "map"), 3, 3),
        ),
        Form("pay", say("pay"), {"court": Number(1, 3), "ship": Number(1, 2)}, Total(("court", "ship"), 3, 4)),
    ],
    ids=lambda form: form.kind,
)
def test_every_answer_that_fits_can_come_up(form):
    Draft202012Validator.check_schema(form.schema(DECISION))
    pick = Random(1).randrange
    drawn = [form.sample(pick) for _ in range(300)]
    assert all(answer in drawn for answer in all_answers(form))
    assert form.size() == len(all_answers(form))


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "place", "to": {"granada": 0}},
        {"kind": "place", "to": {"granada": 3}},
        {"kind": "place", "to": {"sevilla": 1}},
        {"kind": "place", "to": {}},
        {"kind": "place", "to": {"granada": 2, "castillo": 2}},
        {"kind": "place", "to": {"granada": 1}, "by": "red"},
        {"kind": "move", "to": {"granada": 1}},
        {"kind": "place"},
    ],
    ids=["zero", "too many there", "not that region", "none", "too many", "unknown field", "other kind", "no field"],
)
def test_what_does_not_fit_is_told_apart(wrong):
    form = Form("place", say("place"), {"to": Counts({"granada": 2, "castillo": 2})}, Total(("to",), 1, 3))
    assert not fits(form, wrong)


def test_an_answer_to_another_decision_does_not_fit():
    schema = Form("end_turn", say("end your turn")).schema(DECISION)
    assert not Draft202012Validator(schema).is_valid({"decision": "8-red", "kind": "end_turn"})


def test_a_total_leaves_the_numbers_it_does_not_name_alone():
    fields: dict[str, Field] = {"tile": Number(1, 3), "to": Counts({"granada": 2, "sevilla": 2})}
    form = Form("place", say("place"), fields, Total(("to",), 1, 2))
    assert fits(form, form.example())
    assert form.size() == len(all_answers(form))


def test_large_sizes_are_counted_up_to_many():
    regions = {f"region_{number}": 30 for number in range(9)}
    assert Form("move", say("move any"), {"to": Counts(regions)}).size() == MANY


def test_a_decision_allows_what_any_of_its_forms_allows():
    forms = (Form("draw", say("draw"), {"number": Number(1, 3)}), Form("stop", say("stop here")))
    decision = Decision(DECISION, "draw", "red", say("how many?"), forms, Stop(), at_once=2)
    schema = decision.schema()
    assert all(Draft202012Validator(schema).is_valid({"decision": DECISION, **form.example()}) for form in forms)
    assert Draft202012Validator(schema).is_valid(decision.example())
    assert (decision.size(), schema["x-at-once"], schema["title"]) == (4, 2, "how many?")
