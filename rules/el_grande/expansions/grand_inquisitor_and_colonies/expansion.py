"""Grand Inquisitor & Colonies, put together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rules.el_grande.board import Step
from rules.el_grande.commands import SetDisk
from rules.el_grande.expansions.grand_inquisitor_and_colonies import (
    cards,
    commands,
    conspiracy,
    facts,
    held,
    inquisitor,
    limit_board,
    opening,
    picture,
    regions,
    scorings,
    shown,
    soundness,
    stacks,
    tokens,
    travel,
)
from rules.el_grande.extension import Rules, extend, restated
from rules.el_grande.names import titles
from rules.el_grande.regions import PROVINCE
from rules.el_grande.steps import general
from rules.el_grande.steps.turns import DrawCaballeros, SpecialPart
from rules.kernel import Command
from rules.picture import ANSWER, Control

STEPS = (
    opening.SetColonistsDisks,
    travel.LeaveShip,
    tokens.PlaceTokens,
    tokens.TokenWindow,
    tokens.BringTokens,
    inquisitor.HolyInquisition,
    inquisitor.TakeInquisitor,
    inquisitor.MoveBlack,
    limit_board.FillLimitBoard,
    limit_board.MoveLimitBoard,
    scorings.ScoreNewRegions,
    scorings.ScoreBlack,
    scorings.MarkSpace,
    scorings.ScoreMarked,
    scorings.ScoreLastMarked,
    conspiracy.Conspire,
    held.HoldCard,
    held.ExecuteLater,
    held.PerformCard,
    held.Plagiarise,
    held.UseFreeWill,
    held.LayFreeWillAside,
)

FREE_ACTIONS = {
    "sail": travel.ComeAboard(),
    "claim": tokens.ClaimToken(),
    "character": inquisitor.ExtraCaballero(),
    "use_held": held.UseHeldCard(),
}

ALWAYS = (travel.LeaveShip, DrawCaballeros, limit_board.FillLimitBoard, held.Plagiarise)
"""The steps of a turn that are the same with hands of own action cards."""

EXTRA_IN_PROVINCE = 6
"""So many more caballeros every player has."""


def grand_inquisitor_and_colonies(rules: Rules) -> Rules:
    """New regions to travel to, black caballeros, tokens, and a board that limits who counts."""
    whole = extend(
        _changed(rules),
        facts.NAME,
        neutral=(facts.BLACK,),
        slots=regions.PLAINEST_FIRST,
        uncounted=regions.UNCOUNTED,
        carried=("goods", "gold"),
        cards=cards.CARDS,
        setup=(opening.first_tokens,),
        opening=(opening.SetColonistsDisks,),
        drawn=lambda former: lambda apart: (*former(apart[: -opening.SET_APART]), *opening.drawn(apart)),
        chance=(facts.FurtherRegionsDrawn,),
        taken=(tokens.PlaceTokens,),
        free_actions=FREE_ACTIONS,
        round_end=(scorings.ScoreMarked,),
        holder=lambda former: inquisitor.holder,
        counted=regions.counted,
        extras=(regions.bonuses_of_slots,),
        beside_king=regions.beside_king,
        free_placement=regions.free_placement,
        destinations=regions.destinations,
        arrival=regions.arrival,
        arrivals=regions.arrivals,
        aftermath=(tokens.deliveries,),
        performed=lambda former: (
            lambda board, by, card: (
                *former(board, by, card),
                *held.told_once(board, by, card),
            )
        ),
        stays=lambda former: lambda board, card: former(board, card) or card in facts.colonies(board).held,
        decisions={
            **_with_free_actions(rules),
            opening.SetColonistsDisks.kind: (SetDisk,),
            travel.LeaveShip.kind: (commands.Sail, commands.OpenDone),
            limit_board.FillLimitBoard.kind: (commands.Fill,),
            held.Plagiarise.kind: (commands.React,),
        },
        finishing=("open_done",),
        facts=facts.FACTS,
        steps=STEPS,
        commands=commands.COMMANDS,
        sentences=shown.SENTENCES,
        untold=shown.UNTOLD,
        names={**titles(cards.CARDS), **shown.names(_changed(rules))},
        signs={"+gold": "¤", "+goods": "▣", ":captain": "⚓", ":viceroy": "♛", ":beside": "…"},
        symbols=picture.symbols(),
        overseas=(picture.OVERSEAS,),
        sprites=(picture.sprites,),
        controls=picture.CONTROLS,
        views={facts.NAME: shown.view},
        clauses=shown.CLAUSES,
        faces=cards.FACES,
        figures=(shown.figures,),
        invariants=soundness.FURTHER,
    )
    return _with_hands(whole) if rules.hand_cards else whole


def _with_hands(rules: Rules) -> Rules:
    """With hands of own action cards, those of the stacks are an offer beside them."""
    use = next(step for step in rules.turn if step not in ALWAYS)
    return replace(
        rules,
        opening=(rules.opening[0], opening.SetColonistsDisks, *rules.opening[1:-1]),
        turn=(stacks.ChooseStack, *(stacks.UseChosenCard if step is use else step for step in rules.turn)),
        allowance=stacks.allowance(rules.allowance),
        in_use=stacks.in_use(rules.in_use),
        places_in_use=stacks.places_in_use(rules.places_in_use),
        decisions={**rules.decisions, stacks.ChooseStack.kind: (commands.UseStack,)},
        steps=(*rules.steps, stacks.ChooseStack, stacks.UseChosenCard),
        commands=(*rules.commands, commands.UseStack),
        controls={**rules.controls, "use_stack": Control(ANSWER, names=stacks.NAMES, shortcuts=stacks.SHORTCUTS)},
    )


def _changed(rules: Rules) -> Rules:
    """The rules on the larger map, with more caballeros and a longer turn."""
    special = rules.parts["special"]
    assert isinstance(special, SpecialPart), "special actions are performed by a part of the turn"
    return replace(
        rules,
        board=facts.table(rules.board),
        regions=regions.with_new_regions(rules.regions),
        pieces={**rules.pieces, PROVINCE: rules.pieces[PROVINCE] + EXTRA_IN_PROVINCE},
        set_apart=rules.set_apart + opening.SET_APART,
        turn=(travel.LeaveShip, *rules.turn, limit_board.FillLimitBoard, held.Plagiarise),
        parts={**rules.parts, "special": held.SpecialWithCards(special)},
        general_scoring=_with_moves_after_the_castillo(rules),
        invariants=restated(rules.invariants, *soundness.RESTATED),
    )


def _with_moves_after_the_castillo(rules: Rules) -> tuple[Callable[[], Step], ...]:
    """The limit board is filled, and free will used, before the regions are scored; the marked space comes last."""
    steps = rules.general_scoring
    at = steps.index(general.ReleaseCastillo) + 1
    fill = _fill_by_the_last
    return (*steps[:at], fill, held.UseFreeWill, fill, *steps[at:], scorings.ScoreLastMarked)


def _fill_by_the_last() -> limit_board.FillLimitBoard:
    """Without a Grand Inquisitor the last player of the round chooses."""
    return limit_board.FillLimitBoard("")


def _with_free_actions(rules: Rules) -> dict[str, tuple[type[Command], ...]]:
    """What may be done at any time of the own turn; elsewhere than in the menu it is never an example or a default."""
    return {"menu": (*rules.decisions["menu"], commands.Sail, commands.Claim, commands.AskInquisitor, commands.UseHeld)}
