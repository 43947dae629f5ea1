"""Answers out of a JSON Schema."""

from random import Random

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from rules.forms import Choice, Counts, Form, Number, Total
from rules.texts import say
from service.client import sample

FORMS = {
    "nothing to say": Form("end_turn", say("end")),
    "a choice": Form("special", say("choose"), {"region": Choice(("granada", "sevilla")), "value": Choice((1, 2, 3))}),
    "a number": Form("draw", say("draw"), {"from_province": Number(2, 5)}),
    "counts without a total": Form("return", say("return"), {"from_regions": Counts({"granada": 2, "sevilla": 1})}),
    "counts that add up": Form("place", say("go"), {"to": Counts({"granada": 3, "sevilla": 2})}, Total(("to",), 1, 3)),
    "none at all": Form("place", say("place"), {"to": Counts({"granada": 3})}, Total(("to",), 0, 1)),
    "a number and counts that add up": Form(
        "return", say("return"), {"from_court": Number(1, 3), "from_regions": Counts({"granada": 2})},
        Total(("from_court", "from_regions"), 2, 4),
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
def test_every_sample_fits_and_every_answer_comes_up(form):
    schema, chance = form.schema("1-red"), Random(1)
    answers = [sample(schema, chance) for _ in range(400)]
    for answer in answers:
        Draft202012Validator(schema).validate(answer)
        if form.total:
            assert form.total.low <= summed(answer, form.total.fields) <= form.total.high
    assert len({str(sorted(map(str, answer.items()))) for answer in answers}) == form.size()


def summed(answer, fields):
    values = [answer[name] for name in fields]
    return sum(sum(value.values()) if isinstance(value, dict) else value for value in values)


@pytest.mark.parametrize(
    "schema",
    [
        {"oneOf": [{"type": "boolean"}, {"enum": ["x"]}]},
        {"type": "array", "items": {"const": 1}, "minItems": 1, "maxItems": 3},
        {"type": "object", "properties": {"a": {"const": 1}, "b": {"const": 2}}, "required": ["b"]},
    ],
    ids=["one of", "array", "optional"],
)
def test_more_of_json_schema_than_decisions_use(schema):
    chance = Random(1)
    for _ in range(50):
        Draft202012Validator(schema).validate(sample(schema, chance))


def test_a_schema_that_it_does_not_know_is_refused():
    with pytest.raises(ValueError, match="no sample for the schema"):
        sample({"type": "string", "pattern": "a+"}, Random(1))
