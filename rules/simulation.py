"""Random play: legal answers drawn from what the rules offer, and whole games made of them.

Every legal answer can come up. Chance is an argument: `pick(n)` is one of 0 … n-1.

>>> from rules.catalogue import GAMES
>>> from rules.fairness import Chance
>>> game = GAMES["el_grande"]
>>> _, state = game.start(game.rules(), 2, b"an example", game_length="short")
>>> *_, last = moves(state, Chance(b"another").below)
>>> last.after.is_over
True
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rules.codec import codec_for
from rules.errors import RuleBroken
from rules.forms import Form, Pick
from rules.kernel import (
    STEP,
    Answer,
    B,
    Board,
    Command,
    Decision,
    Move,
    Player,
    State,
    TimeUp,
    decide,
    options,
    play,
    waiting,
)

FINISH_ONE_IN = 8
RARE_ONE_IN = 80
TIME_UP_ONE_IN = 40
SEVERAL_ONE_IN = 3
MOST_AT_ONCE = 6

LONGEST_GAME = 20_000
"""More answers than this is a game that does not end."""


def moves(state: State[B], pick: Pick) -> Iterator[Move[B]]:
    """A random game from here to its end."""
    for _ in range(LONGEST_GAME):
        if state.is_over:
            return
        decision = random_decision(state, pick)
        answer = random_answer(state, decision, pick)
        facts, after = play(state, answer)
        yield Move(state, decision, answer, facts, after)
        state = after
    raise AssertionError(f"no end after {LONGEST_GAME} answers")


def random_decision(state: State[Board], pick: Pick) -> Decision:
    """What one of the players is asked now."""
    asked = waiting(state)
    assert asked, f"no player is asked, and yet the game is not over: {state.agenda[0]}"
    [decision] = options(state, asked[pick(len(asked))])
    return decision


def random_answer(state: State[Board], decision: Decision, pick: Pick) -> Answer | TimeUp:
    """A legal answer, or none in time."""
    if pick(TIME_UP_ONE_IN) == 0:
        return TimeUp(decision.player, decision.id)
    if decision.at_once > 1 and pick(SEVERAL_ONE_IN) == 0:
        return Answer(decision.player, decision.id, _several(state, decision, pick))
    return Answer(decision.player, decision.id, random_command(state, decision, pick))


def random_command(state: State[Board], decision: Decision, pick: Pick) -> Command:
    """One of the ways to answer, filled in."""
    assert decision.forms, f"{decision.player} is asked {decision.kind}, and nothing can be answered"
    return _command(state, _form(state, decision.forms, pick).sample(pick))


def _form(state: State[Board], forms: Sequence[Form], pick: Pick) -> Form:
    """Answers that leave something undone come up rarely, and those that undo what was built more rarely still."""
    if rare := [form for form in forms if form.kind in state.board.rules.rare]:
        if len(rare) == len(forms) or pick(RARE_ONE_IN) == 0:
            return rare[pick(len(rare))]
        forms = [form for form in forms if form not in rare]
    going_on = _going_on(state, forms)
    finishing = [form for form in forms if form.kind in state.board.rules.finishing]
    if not going_on or (finishing and pick(FINISH_ONE_IN) == 0):
        return finishing[pick(len(finishing))]
    return going_on[pick(len(going_on))]


def _going_on(state: State[Board], forms: Sequence[Form]) -> list[Form]:
    finishing = state.board.rules.finishing
    return [form for form in forms if form.kind not in finishing]


def _command(state: State[Board], said: Any) -> Command:
    return codec_for(state.board.variant).stored_command(said)


# Steps sent together


def _several(state: State[Board], decision: Decision, pick: Pick) -> Command:
    """Steps that are legal one after the other; the later ones are drawn from where the earlier ones lead."""
    steps = _steps(state, decision, 1 + pick(min(decision.at_once, MOST_AT_ONCE)), pick)
    while len(steps) > 1:
        together = _command(state, {"kind": "several", "steps": steps})
        if _is_legal(state, Answer(decision.player, decision.id, together)):
            return together
        # What happens between two steps (a flag handed over) is not there when all are checked as a whole.
        steps.pop()
    return _command(state, {"kind": "several", "steps": steps})


def _steps(state: State[Board], decision: Decision, wanted: int, pick: Pick) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = []
    following: Decision | None = decision
    while following and len(steps) < wanted:
        single = [form for form in following.forms if form.kind == STEP]
        if not single:
            break
        step = single[pick(len(single))].sample(pick)
        steps.append(step)
        _, state = play(state, Answer(decision.player, following.id, _command(state, step)))
        state = _uninterrupted(state)
        following = _next_step(state, decision)
    return steps


def _uninterrupted(state: State[B]) -> State[B]:
    """Where the game goes on if nobody objects."""
    while state.agenda and state.agenda[0].asks(state) in state.board.rules.interruptions:
        _, state = play(state, _no_answer(state, waiting(state)[0]))
    return state


def _no_answer(state: State[Board], player: Player) -> TimeUp:
    [decision] = options(state, player)
    return TimeUp(player, decision.id)


def _next_step(state: State[Board], decision: Decision) -> Decision | None:
    """The same question again, if the same player is asked it."""
    following = options(state, decision.player)
    return following[0] if following and following[0].kind == decision.kind else None


def _is_legal(state: State[Board], answer: Answer) -> bool:
    try:
        decide(state, answer)
    except RuleBroken:
        return False
    return True
