"""Everything that clients receive has a schema: facts, positions, decisions, moves, notices, of whole games."""

from collections import Counter
from random import Random

import pytest
from jsonschema_rs import ValidationError

from events import history
from events.games import Games
from events.table.commands import Abort, Join, Leave
from events.table.decider import GAME
from events.table.facts import TABLE_FACTS
from rules.catalogue import GAMES
from rules.codec import KERNEL_FACTS
from rules.kernel import EVERYTHING, SPECTATOR, Fact, options, waiting
from rules.simulation import moves
from service.api.components import definitions
from service.games import representations
from service.games.representations import Moment
from service.notifications.notices import (
    ABOUT_GAMES,
    FAILING,
    KINDS,
    concerned,
    may_have_notices,
    notices,
    representation,
    webhook_disabled,
)
from service.notifications.tournament_texts import ABOUT_TOURNAMENTS
from service.notifications.webhooks import COMMIT, TEST
from tests.events.played import finished, tables, with_a_removed_player
from tests.events.timed import decided, eventful
from tests.rules.expanding import expanded
from tests.service.schemas import check, schema, service

WHOLE = {
    "two players": lambda: finished(2),
    "three players": lambda: finished(3, length="full"),
    "five players with anniversary": lambda: finished(5, rules="el_grande+anniversary"),
    "three players with king and intrigue": lambda: finished(3, rules="el_grande+king_and_intrigue"),
    "everything that can happen to time": lambda: (eventful().games, eventful().id),
    "over before its end": lambda: (decided().games, decided().id),
    "a removed player": lambda: removed(),
    "aborted": lambda: aborted(),
}


def removed() -> tuple[Games, str]:
    games = tables()
    return games, with_a_removed_player(games)


def aborted() -> tuple[Games, str]:
    games = tables()
    game = games.create("el_grande", 2, owner="ana").id
    for command in (Join("ana"), Join("ben"), Leave("ben"), Abort("ana")):
        games.submit(game, command)
    return games, game


def transitions(games, game):
    entries = games.log.read(game, 0)
    before = None
    for entry in entries:
        [transition] = history.replay(GAME, [GAME.read(entry, before)], before)
        yield transition
        before = transition.after


@pytest.mark.parametrize("name", WHOLE)
def test_everything_that_any_viewer_sees_of_a_whole_game_fits_its_schema(name):
    games, game = WHOLE[name]()
    for number, transition in enumerate(transitions(games, game)):
        after = transition.after
        viewers = (*after.players, SPECTATOR, *([EVERYTHING] if after.status == "over" else []))
        for viewer in viewers:
            check("Event", representations.event(after.rules, transition.commit, viewer))
            if number % 5 == 0 or after.status == "over":
                check("State", representations.position(after, viewer, Moment(after.at)))
        for player in after.asked:
            check("Decisions", representations.decisions(after, player))
        check("Game", representations.game_resource(after, "ana", dict.fromkeys, Moment(after.at)))
        for account in concerned(transition):
            found = notices(transition, account)
            assert may_have_notices(transition, account) or not found
            for notice in found:
                check("Notice", representation(notice))


def test_positions_in_the_middle_of_a_special_action_fit_their_schema():
    checked: Counter[str] = Counter()
    for game in GAMES.values():
        sets = list(game.combinations(tuple(game.expansions)))
        for seed in range(6):
            _, state = game.start(game.rules(sets[-1 - seed % min(4, len(sets))]), 4, bytes([seed]))
            for move in moves(state, Random(seed).randrange):
                seen = game.view(move.after, SPECTATOR)
                if seen.get("action"):
                    check("Position", seen)
                    checked.update(step["step"] for step in seen["action"]["steps"])
    assert len(checked) > 5, checked


def test_every_answer_that_a_decision_offers_is_a_move():
    games, game = finished(5, rules="el_grande+anniversary")
    kinds = set()
    for transition in transitions(games, game):
        state = transition.after.state
        for player in waiting(state) if transition.after.started else ():
            [decision] = options(state, player)
            kinds.add(decision.kind)
            for form in decision.forms:
                check("Move", {"decision": decision.id, **form.example()})
    assert len(kinds) > 5, kinds


def test_a_move_with_a_field_too_many_is_none():
    with pytest.raises(ValidationError):
        check("Move", {"decision": "1-red", "kind": "play_power_card", "value": 7, "colour": "red"})


def test_every_kind_of_fact_notice_delivery_and_decision_has_a_schema():
    found = definitions()
    facts: list[type[Fact]] = [*TABLE_FACTS, *KERNEL_FACTS]
    for game in GAMES.values():
        for chosen in game.combinations(tuple(game.expansions)):
            facts += game.rules(chosen).facts
            assert set(game.rules(chosen).decisions) <= tags(found["Decision"])
            assert {str(kind.__struct_config__.tag) for kind in game.rules(chosen).commands} <= tags(found["Move"])
    assert {str(fact.__struct_config__.tag) for fact in facts} == tags(found["Fact"])
    assert set(KINDS) == tags(found["Notice"])
    assert {*ABOUT_GAMES, *ABOUT_TOURNAMENTS, COMMIT, TEST} == tags(found["Delivery"])
    check("Notice", representation(webhook_disabled("w_1", FAILING, 1)))


def tags(union) -> set[str]:
    return set(union["discriminator"]["mapping"])


def test_a_fact_that_nobody_has_described_does_not_fit():
    for fact in ({"fact": "sky_fallen"}, {"fact": "king_moved"}, {"fact": "king_moved", "region": "galicia", "by": 1}):
        with pytest.raises(ValidationError):
            check("Fact", fact)


def test_a_new_fact_of_an_expansion_brings_its_schema(monkeypatch):
    class SkyFallen(Fact, frozen=True, tag="sky_fallen"):
        """It is over."""

        pieces: int

    expanded(monkeypatch, facts=(*GAMES["el_grande"].base.facts, SkyFallen))
    found = definitions()
    assert found["Fact"]["discriminator"]["mapping"]["sky_fallen"].endswith("/ElGrandeSkyFallenFact")
    assert found["ElGrandeSkyFallenFact"] == {
        "description": "It is over.",
        "type": "object",
        "properties": {"fact": {"const": "sky_fallen"}, "pieces": {"type": "integer"}},
        "required": ["fact", "pieces"],
    }


def test_schemas_are_listed_and_complete_in_themselves():
    names = [each["name"] for each in service().get("/api/v1/schemas").get_json()["schemas"]]
    assert {"Fact", "Event", "Notice", "Delivery", "Decision", "Move", "Position", "DecisionSchema"} <= set(names)
    for name in names:
        found = schema(name)
        assert found["$id"] == f"urn:hidalgo:schema:{name}"
        assert "#/components" not in repr(found)
        assert set(found["$defs"]) >= {each.rpartition("/")[2] for each in references(found)}


def references(part) -> set[str]:
    inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    own = {part["$ref"]} if isinstance(part, dict) and isinstance(part.get("$ref"), str) else set()
    return own.union(*(references(each) for each in inner))


def test_the_keywords_beyond_json_schema_are_described():
    found = schema("Decision")["$defs"]
    assert "x-at-once" in found["DecisionSchema"]["properties"]
    assert "x-total" in found["FormSchema"]["properties"]
    assert "x-labels" in found["FieldSchema"]["properties"]


def test_an_unknown_schema_is_not_found():
    answer = service().get("/api/v1/schemas/Nonsense")
    assert (answer.status_code, answer.get_json()["code"]) == (404, "not_found")


@pytest.mark.parametrize("word", ["React", "UseHeld", "Character", "OpenDone"])
def test_a_word_that_two_expansions_use_is_told_for_both(word):
    found = definitions()
    for name in (f"ElGrande{word}Command", f"ElGrande{word}Move"):
        told = found[name]["description"]
        assert "Grand Inquisitor & Colonies: " in told
        assert "Grandissimo: " in told
