"""Grandissimo, put together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rules.el_grande import commands
from rules.el_grande.board import COLOURS, Board
from rules.el_grande.expansions.grandissimo import (
    actions,
    cards,
    characters,
    deck,
    facts,
    general,
    incognito,
    kings,
    opening,
    picture,
    questions,
    shown,
    soundness,
    symbols,
    turn,
)
from rules.el_grande.extension import Rules, extend, restated, with_room_for
from rules.el_grande.names import titles
from rules.el_grande.steps.general import ReleaseCastillo, ScoreCastillo, ScoreRegions
from rules.el_grande.steps.turns import DrawCaballeros, TakeActionCard

STEPS = (
    *actions.STEPS,
    *kings.STEPS,
    *symbols.STEPS,
    *characters.STEPS,
    *opening.STEPS,
    *incognito.STEPS,
    *turn.STEPS,
    *general.STEPS,
    questions.ResumeTurn,
)

COMMANDS = (
    symbols.UseSymbol,
    characters.UseCharacter,
    characters.Consent,
    opening.PlaceForeign,
    opening.Land,
    opening.OpeningDone,
    incognito.React,
    turn.UseHeld,
    turn.EndCard,
)

CHARACTER = (characters.UseCharacter,)
DECISIONS = {
    "menu": (commands.Place, commands.Special, symbols.UseSymbol, turn.UseHeld, *CHARACTER, commands.EndTurn),
    turn.UseSecondCard.kind: (commands.Place, commands.Special, *CHARACTER, turn.EndCard),
    opening.PlaceGuests.kind: (opening.PlaceForeign,),
    opening.LandCaballeros.kind: (opening.Land, opening.OpeningDone),
    incognito.AskIncognito.kind: (incognito.React,),
    characters.MercenaryTravels.kind: (characters.Consent,),
    actions.EmptyCastillo.kind: (commands.SetDisk,),
}

GENERAL_SCORING = (
    general.SetDisksBeforeSpy,
    general.ShowDisksToSpy,
    general.SetSpyDisk,
    ScoreCastillo,
    ReleaseCastillo,
    general.ExerciseFreeWill,
    general.ShowBoycott,
    ScoreRegions,
    general.EndEffects,
)


def grandissimo(rules: Rules) -> Rules:
    """Portugal, ships and a prison, three characters, and cards of two more stacks."""
    return extend(
        _with_table(rules),
        facts.NAME,
        regions=questions.regions_with_portugal(),
        cards=cards.CARDS,
        places=(facts.PRISON, *facts.SHIPS, *(facts.foreign_court(player) for player in COLOURS)),
        neutral=(facts.BLACK,),
        options=deck.OPTIONS,
        other_values={deck.DECK: deck.check_deck},
        selections={deck.DECK: deck.SELECTION},
        chance=(facts.MercenariesDrawn,),
        set_apart=lambda former: former + 1,
        drawn=lambda former: lambda cards: (*former(cards[:-1]), facts.MercenariesDrawn(cards[-1])),
        dealt=deck.dealt_from_deck,
        possible=deck.possible_in_deck,
        taken=(lambda player, card: incognito.AskIncognito(player),),
        after_part=(incognito.AskIncognito, turn.BeginSecondCard),
        free_actions={"character": characters.Characters()},
        parts={
            "place": turn.WidePlacement(),
            "special": turn.StoppableSpecial(),
            "symbol": symbols.SymbolPart(),
            "use_held": turn.KeptCardPart(),
        },
        consequences=(questions.turns_of_the_others,),
        decisions=DECISIONS,
        interruptions=(incognito.AskIncognito.kind,),
        nothing_sealed=(
            turn.UseSecondCard.kind,
            opening.PlaceGuests.kind,
            opening.LandCaballeros.kind,
            incognito.AskIncognito.kind,
            characters.MercenaryTravels.kind,
        ),
        finishing=("end_card", "open_done"),
        steps_of_turn=questions.resumed,
        king_region=questions.region_of_king_or_deputy,
        move_king=questions.move_king_or_deputy,
        placement=questions.placement_with_ships,
        free_placement=questions.free_placement_with_ships,
        holder=lambda former: (
            lambda board, owner: questions.holder_of_mercenaries(board, owner) or former(board, owner)
        ),
        counted=questions.counted_with_mercenaries,
        stays=keeps_cards,
        units=general.units_after_boycott,
        facts=facts.FACTS,
        steps=STEPS,
        commands=COMMANDS,
        sentences=shown.SENTENCES,
        untold=("second_card_used", "second_card_laid_aside"),
        names={**titles(cards.CARDS), **shown.NAMES},
        views={facts.NAME: shown.view},
        clauses=shown.CLAUSES,
        faces=cards.FACES,
        figures=(shown.figures,),
        overseas=(picture.MAP,),
        taboo_shown=lambda former: picture.taboo,
        sprites=(picture.sprites,),
        beats=(picture.beats,),
        symbols=picture.SYMBOLS,
        controls=picture.CONTROLS,
        invariants=soundness.FURTHER,
    )


def _with_table(rules: Rules) -> Rules:
    """The rules with room on the table, a wider turn and a longer general scoring."""
    return replace(
        rules,
        board=with_room_for(rules.board, facts.NAME, facts.Grandissimo),
        turn=(incognito.AskIncognito, opening.PlaceGuests, opening.LandCaballeros, DrawCaballeros, TakeActionCard),
        general_scoring=GENERAL_SCORING,
        invariants=restated(rules.invariants, *soundness.RESTATED),
    )


def keeps_cards(former: Callable[[Board, str], bool]) -> Callable[[Board, str], bool]:
    """A second card that is kept for a later turn stays in front of its player."""
    return lambda board, card: card in facts.mine(board).kept or former(board, card)
