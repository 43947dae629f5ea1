"""King & Intrigue, put together."""

from __future__ import annotations

from dataclasses import replace

from rules.el_grande.commands import SetDisk
from rules.el_grande.expansions.king_and_intrigue import actions, cards, facts, opening, region_cards, rounds, shown
from rules.el_grande.expansions.king_and_intrigue.soundness import RESTATED, region_cards_are_held_once
from rules.el_grande.expansions.king_and_intrigue.turn import RankedSpecial, freed_placement, has_vetoed, number_of_rank
from rules.el_grande.extension import Rules, extend, inserted, restated, with_room_for
from rules.el_grande.names import titles
from rules.el_grande.steps import general, turns
from rules.picture import HAND, Control

WITHOUT = ("choose_card", "disk_remove_two", "disk_remove_all", "disk_expulsion", "disk_scoring")
"""Decisions of action cards that are not played with."""

STEPS = (
    opening.SetFirstDisks,
    opening.KeepCards,
    rounds.BidCard,
    rounds.DealRanks,
    rounds.UsePlayedCard,
    rounds.LeaveCard,
    region_cards.TakeRegionCard,
    region_cards.ShowRegionCards,
    region_cards.ReturnRegionCards,
    *actions.STEPS,
)


def king_and_intrigue(rules: Rules) -> Rules:
    """Own action cards in place of power cards and the action cards of the table."""
    return extend(
        _without_base_cards(rules),
        facts.NAME,
        opening=(opening.SetFirstDisks, opening.KeepCards),
        before_turns=(rounds.DealRanks,),
        parts={"special": RankedSpecial()},
        duties=("special",),
        has_acted=lambda former: has_vetoed,
        allowance=number_of_rank,
        placement=freed_placement,
        units=region_cards.doubled,
        decisions={
            opening.SetFirstDisks.kind: (SetDisk,),
            opening.KeepCards.kind: (opening.KeptCards,),
            actions.ScoreTogether.kind: (SetDisk,),
        },
        facts=facts.FACTS,
        steps=STEPS,
        commands=(opening.KeptCards,),
        sentences=shown.SENTENCES,
        untold=("caballero_cards_dealt", "region_cards_returned"),
        names={**titles(cards.CARDS), **shown.NAMES},
        controls={"kept_card": Control(HAND)},
        views={facts.NAME: shown.view},
        clauses=shown.CLAUSES,
        faces=cards.FACES,
        figures=(shown.figures,),
        invariants=(region_cards_are_held_once,),
    )


def _without_base_cards(rules: Rules) -> Rules:
    """The rules with the hands of this expansion in place of power cards and stacks."""
    return replace(
        rules,
        board=with_room_for(rules.board, facts.NAME, facts.Intrigue),
        cards=cards.CARDS,
        power_cards=cards.MUSTERS,
        hand_cards=cards.HAND_CARDS,
        bid=rounds.BidCard,
        turn=(turns.DrawCaballeros, rounds.UsePlayedCard),
        general_scoring=(
            *inserted(rules.general_scoring, region_cards.ShowRegionCards, before=general.ScoreRegions),
            region_cards.ReturnRegionCards,
        ),
        decisions={kind: commands for kind, commands in rules.decisions.items() if kind not in WITHOUT},
        table_cards=shown.table_cards,
        in_use=shown.in_use,
        places_in_use=shown.places_in_use,
        invariants=restated(rules.invariants, *RESTATED),
    )
