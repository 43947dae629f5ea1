"""The schemas of everything that clients can meet of a game and its table: facts above all."""

from __future__ import annotations

from events.table.facts import TABLE_FACTS
from rules import schemas
from rules.schemas import schema_name
from rules.shapes import Schema, Shapes, reference, tag_of, union_of_games


def definitions() -> dict[str, Schema]:
    """Schemas by name; `Fact` is any fact, whatever game it is of."""
    shapes = Shapes(schema_name, {})
    for fact in TABLE_FACTS:
        shapes.define(fact)
    of_the_table = [(tag_of(fact), reference(schema_name(fact))) for fact in TABLE_FACTS]
    every = union_of_games("Fact", "fact", [*of_the_table, *schemas.facts()])
    return schemas.definitions() | shapes.definitions | every
