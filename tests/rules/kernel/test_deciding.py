"""Who may answer, what is recorded, and what a refusal leaves alone."""

import pytest

from rules import kernel
from rules.errors import NotYourDecision, RuleBroken
from rules.kernel import (
    Answer,
    AnsweredForPlayer,
    AnswerSealed,
    Outcome,
    SealDropped,
    State,
    Step,
    StepTaken,
    TimeUp,
    begin,
    decide,
    dry_run,
    fold,
    options,
    play,
)
from tests.rules.kernel.toys import (
    CaballeroMoved,
    CaballeroPlaced,
    EndTurn,
    Game,
    Menu,
    Move,
    MoveCaballeros,
    NextTurn,
    Perform,
    Place,
    Score,
    SpecialAction,
    Stop,
    Take,
    TurnEnded,
    table,
)


def moving(*more: Step) -> Game:
    return Game(table("granada: red 2; sevilla: blue 1"), MoveCaballeros("red", own=2), *more)


def test_only_the_player_who_is_asked_may_answer():
    refusal = moving().refusal(Answer("blue", "1-blue", Stop()))
    assert isinstance(refusal, NotYourDecision)
    assert refusal.sentence == "it is not blue's turn to answer: waiting for red"


def test_an_answer_to_an_earlier_decision_is_refused():
    game = moving()
    earlier = Answer("red", game.decision("red").id, Move("red", "granada", "sevilla"))
    game.says("red", earlier.command)
    refusal = game.refusal(earlier)
    assert isinstance(refusal, NotYourDecision)
    assert refusal.sentence == f"decision {earlier.decision} is not open: red is asked {game.decision('red').id}"


def test_no_player_may_answer_after_the_end():
    game = moving().says("red", Stop())
    assert game.refusal(Answer("red", "1-red", Stop())).sentence == "the game is over"
    assert game.refusal(TimeUp("red", "1-red")).sentence == "the game is over"
    assert options(game.state, "red") == ()


def test_a_forbidden_answer_names_the_rule_and_changes_nothing():
    game = moving()
    refusal = game.refusal(Answer("red", game.decision("red").id, Move("blue", "sevilla", "granada")))
    assert isinstance(refusal, RuleBroken)
    assert (refusal.rule, refusal.code) == ("move", "rule_broken")
    assert "blue in sevilla" in refusal.sentence


def test_others_are_not_shown_a_players_decisions():
    game = moving()
    assert options(game.state, "blue") == options(game.state, "spectator") == ()


def test_an_answer_that_has_no_alternative_is_given_for_the_player_and_recorded():
    game = Game(table(), Menu("red", "score_five", done=("place",))).says("red", Perform())
    [automatic] = game.facts_of(AnsweredForPlayer)
    assert automatic == AnsweredForPlayer("red", "menu", "only_option")
    assert isinstance(game.facts[game.facts.index(automatic) + 2], TurnEnded)


def test_the_default_is_taken_when_time_is_up_and_recorded():
    game = moving().time_up("red")
    assert game.facts[-2:] == (AnsweredForPlayer("red", "move", "time_up"), StepTaken(0, ()))


def test_time_cannot_be_up_for_a_decision_that_was_taken():
    game = moving().says("red", Move("red", "granada", "sevilla"))
    assert isinstance(game.refusal(TimeUp("red", "1-red")), NotYourDecision)
    assert isinstance(game.refusal(TimeUp("blue", "2-blue")), NotYourDecision)


def test_time_up_and_the_default_lead_to_the_same_state():
    game, silent = moving(), moving()
    game.says("red", game.decision("red").default)
    assert silent.time_up("red").state == game.state


# The agenda


def test_only_a_step_taken_changes_the_agenda():
    game = moving(Score("blue", 3))
    facts = decide(game.state, Answer("red", "1-red", Move("red", "granada", "valencia")))
    assert [type(fact) for fact in facts] == [CaballeroMoved, StepTaken]
    assert fold(game.state, facts[:-1]).agenda is game.state.agenda
    assert fold(game.state, facts).agenda == (MoveCaballeros("red", own=1), Score("blue", 3))


def test_a_step_taken_keeps_the_untouched_tail():
    waits, scores = Menu("blue", "score_five"), Score("blue", 3)
    game = moving(waits, scores)
    [taken] = [fact for fact in decide(game.state, Answer("red", "1-red", Stop())) if isinstance(fact, StepTaken)]
    assert taken == StepTaken(2, ())
    [taken] = game.says("red", Move("red", "granada", "valencia")).facts_of(StepTaken)[1:]
    assert taken == StepTaken(2, (MoveCaballeros("red", own=1),))
    assert game.state.agenda[1] is waits
    assert game.state.agenda[2] is scores


def test_steps_equal_to_those_behind_them_are_still_counted_one_by_one():
    game = Game(table("granada: red 2"), MoveCaballeros("red", own=1), MoveCaballeros("red", own=1))
    game.says("red", Stop())
    assert game.facts_of(StepTaken)[-1] == StepTaken(1, ())


def test_all_that_follows_by_itself_is_one_step_taken():
    game = Game(table(queue=("red", "blue")), NextTurn()).says("red", Take("score_five"), Place("granada"), Perform())
    assert game.waiting == ("blue",)
    assert isinstance(game.facts[-1], StepTaken)
    assert len(game.facts_of(StepTaken)) == 1 + 3, "one at the beginning, one an answer"


def test_the_steps_of_the_beginning_are_facts_too():
    facts, state = begin(table(), Score("red", 5), Menu("red", "score_five"))
    assert fold(State(table()), facts) == state
    assert facts[-1] == StepTaken(0, (Menu("red", "score_five"),))


def test_the_same_step_asking_anew_is_another_decision():
    class AskAgain(Menu, frozen=True, tag="toy_ask_again"):
        def answer(self, state, player, command):
            return Outcome((CaballeroPlaced(player, "granada"),), (self,))

    game = Game(table(), AskAgain("red", "score_five"), Score("red", 5))
    first = Answer("red", game.decision("red").id, Perform())
    game.says("red", Perform())
    assert game.facts_of(StepTaken)[-1] == StepTaken(1, (AskAgain("red", "score_five"),))
    assert isinstance(game.refusal(first), NotYourDecision)


def test_the_same_step_asking_two_players_in_turn_asks_two_decisions():
    class AskWhoeverIsAtTurn(Menu, frozen=True, tag="toy_ask_whoever"):
        def waits_for(self, state):
            return ("blue" if state.board.regions["granada"].get(self.by, 0) % 2 else self.by,)

        def answer(self, state, player, command):
            return Outcome((CaballeroPlaced(self.by, "granada"),), (self,))

    game = Game(table(), AskWhoeverIsAtTurn("red", "score_five"))
    first = Answer("red", game.decision("red").id, Perform())
    game.says("red", Perform()).says("blue", Perform())
    assert game.waiting == ("red",)
    assert isinstance(game.refusal(first), NotYourDecision)


def test_a_step_that_never_asks_a_player_is_an_error_and_not_a_hang():
    class Forever(Step, frozen=True, tag="toy_forever"):
        def run(self, state):
            return Outcome((), (self,))

    with pytest.raises(AssertionError, match=f"nobody asked after {kernel.SETTLE_LIMIT} steps: Forever"):
        begin(table(), Forever())


def test_a_step_that_always_answers_for_the_player_is_an_error_too():
    class Forced(Menu, frozen=True, tag="toy_forced"):
        def forced(self, state, player):
            return EndTurn()

        def answer(self, state, player, command):
            return Outcome((), (self,))

    with pytest.raises(AssertionError, match="nobody asked"):
        begin(table(), Forced("red", "score_five"))


# Trying an answer


def test_trying_an_answer_changes_nothing():
    game = moving()
    answer = Answer("red", game.decision("red").id, Move("red", "granada", "sevilla"))
    before = game.state
    preview = dry_run(before, answer)
    assert preview.accepted
    assert preview.facts == decide(before, answer)
    assert fold(game.empty, game.facts) == before == game.state


def test_trying_a_forbidden_answer_tells_the_rule():
    game = moving()
    preview = dry_run(game.state, Answer("red", game.decision("red").id, Move("blue", "sevilla", "granada")))
    assert (preview.accepted, preview.rule, preview.facts) == (False, "move", ())


def test_trying_anothers_decision_is_refused_as_giving_it():
    preview = dry_run(moving().state, Answer("blue", "1-blue", Stop()))
    assert (preview.accepted, preview.rule) == (False, "not_your_decision")


def test_trying_an_answer_stops_before_a_card_is_turned_up():
    class CardTurnedUp(CaballeroPlaced, frozen=True, tag="card_turned_up"):
        turns_up = True

    class TurnUp(Step, frozen=True, tag="toy_turn_up"):
        def run(self, state):
            return Outcome((CardTurnedUp("red", "granada"), CaballeroPlaced("red", "sevilla")))

    state = moving(TurnUp(), Menu("red", "score_five")).state
    facts, _ = play(state, Answer("red", "1-red", Stop()))
    assert len(facts) == 3
    assert dry_run(state, Answer("red", "1-red", Stop())).facts == ()


def test_trying_an_answer_stops_where_anothers_sealed_answer_is_at_work():
    class UseSealed(Step, frozen=True, tag="toy_use_sealed"):
        def run(self, state):
            return Outcome((SealDropped("blue"), CaballeroPlaced("blue", state.sealed["blue"].region)))

    game = moving(UseSealed())
    state = fold(game.state, (AnswerSealed("blue", Place("sevilla")),))
    assert CaballeroPlaced("blue", "sevilla") in decide(state, Answer("red", "1-red", Stop()))
    assert dry_run(state, Answer("red", "1-red", Stop())).facts == ()


def test_a_decision_describes_itself():
    game = Game(table("granada: red 1"), SpecialAction("red", "one_and_one", (MoveCaballeros("red", own=1),)))
    decision = game.decision("red")
    assert (decision.kind, decision.player, decision.size()) == ("move", "red", 4)
    assert decision.example() == {
        "decision": decision.id,
        "kind": "move",
        "owner": "red",
        "source": "granada",
        "target": "granada",
    }
    assert [form["title"] for form in decision.schema()["anyOf"]] == ["move a caballero", "stop here"]
