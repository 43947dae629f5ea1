"""Three ways of a bot to choose its answer."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from service.client import Decision, Fact, Hidalgo, Preview, sample

Answer = Mapping[str, Any]

CONSIDERED = 8
"""How many answers a greedy bot draws before it compares them."""

OFF_THE_BOARD = ("court", "province")


@dataclass(frozen=True)
class Table:
    """The seat of a bot, and the chance it plays with."""

    hidalgo: Hidalgo
    game: str
    seat: str
    chance: Random

    def preview(self, answer: Answer) -> Preview:
        return self.hidalgo.dry_run(self.game, **answer)


Bot = Callable[[Table, Decision], Answer]


def sampled(table: Table, decision: Decision) -> Answer:
    """Anything that the JSON Schema of the decision allows. It looks at nothing else."""
    answer: Answer = sample(decision.schema, table.chance)
    return answer


def at_random(table: Table, decision: Decision) -> Answer:
    """Any answer; several steps at once where they are allowed and go together."""
    answer = sampled(table, decision)
    most = decision.schema.get("x-at-once", 1)
    if most > 1 and answer["kind"] == "step":
        several = _several(table, decision, table.chance.randint(2, most))
        if table.preview(several).accepted:
            return several
    return answer


def greedily(table: Table, decision: Decision) -> Answer:
    """The best of some answers: most points ahead of the best opponent, then most own caballeros on the board."""
    answers = _different([decision.example, *(sampled(table, decision) for _ in range(CONSIDERED))])
    if len(answers) == 1:
        return answers[0]
    table.chance.shuffle(answers)
    return max(answers, key=lambda answer: _worth(table.preview(answer), table.seat))


BOTS: Mapping[str, Bot] = {"random": at_random, "greedy": greedily, "sampler": sampled}


def _several(table: Table, decision: Decision, count: int) -> Answer:
    forms = [form for form in decision.schema["anyOf"] if form["properties"]["kind"] == {"const": "step"}]
    steps = [sample(table.chance.choice(forms), table.chance) for _ in range(count)]
    for step in steps:
        del step["decision"]
    return {"decision": decision.id, "kind": "several", "steps": steps}


def _different(answers: Iterable[Answer]) -> list[Answer]:
    return list({json.dumps(answer, sort_keys=True): answer for answer in answers}.values())


# The worth of an answer


def _worth(preview: Preview, seat: str) -> tuple[bool, int, int]:
    return preview.accepted, _lead(preview.facts, seat), _placed(preview.facts, seat)


def _lead(facts: Sequence[Fact], seat: str) -> int:
    """
    >>> awards = [{"player": "red", "points": 5}, {"player": "blue", "points": 3}]
    >>> _lead([{"fact": "space_scored", "awards": awards}], "red")
    2
    """
    points: Counter[str] = Counter()
    for fact in facts:
        if fact["fact"] == "space_scored":
            for award in fact["awards"]:
                points[award["player"]] += award["points"]
    return points.pop(seat, 0) - max(points.values(), default=0)


def _placed(facts: Sequence[Fact], seat: str) -> int:
    """How many more own caballeros there are on the board.

    >>> moved = {"fact": "caballeros_moved", "owner": "red", "source": "court", "target": "granada", "count": 2}
    >>> _placed([{"fact": "caballeros_placed", "player": "red", "space": "sevilla", "count": 3}, moved], "red")
    5
    """
    own = [fact for fact in facts if seat in (fact.get("player"), fact.get("owner"))]
    return sum(_entered(fact) * fact.get("count", 0) for fact in own)


def _entered(fact: Fact) -> int:
    """1 if a caballero of this fact comes to the board, -1 if it leaves it."""
    match fact["fact"]:
        case "caballeros_placed":
            return 1
        case "caballeros_moved":
            return (fact["source"] in OFF_THE_BOARD) - (fact["target"] in OFF_THE_BOARD)
        case "caballeros_returned" | "caballeros_drawn":
            return -(fact["source"] not in OFF_THE_BOARD)
    return 0
