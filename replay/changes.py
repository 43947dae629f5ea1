"""What differs between two scenes: sprites that came, changed or went, and what lies beside the map."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from rules.drawing import rendered
from rules.picture import Card, Panel, Round, Scene, Sprite
from rules.texts import Catalogue, Names

EMPTY = Scene(())


class Change(Struct, frozen=True, omit_defaults=True):
    """From one scene to the next. Applied to nothing, it is a whole scene."""

    put: tuple[Sprite, ...] = ()
    gone: tuple[str, ...] = ()
    panels: tuple[Panel, ...] | UnsetType = UNSET
    """Of the players for whom something has changed."""
    cards: tuple[Card, ...] | UnsetType = UNSET
    rounds: tuple[Round, ...] | UnsetType = UNSET
    view: tuple[float, float, float, float] | UnsetType = UNSET
    """The part of the ground that is looked at, of a map that grows."""

    def rendered(self, catalogue: Catalogue, names: Names) -> Change:
        return rendered(self, catalogue, names)

    @property
    def keys(self) -> tuple[str, ...]:
        """The things on the board that have changed."""
        return *(sprite.key for sprite in self.put), *self.gone


def change(before: Scene, after: Scene) -> Change:
    """
    >>> king = Sprite("king", "king", "lords", 1, 2)
    >>> moved = Sprite("king", "king", "lords", 5, 6)
    >>> change(Scene((king,)), Scene((moved,))).put == (moved,), change(Scene((king,)), EMPTY).gone
    (True, ('king',))
    """
    old, new = {sprite.key: sprite for sprite in before.sprites}, {sprite.key for sprite in after.sprites}
    panels = tuple(panel for panel in after.panels if panel not in before.panels)
    return Change(
        put=tuple(sprite for sprite in after.sprites if sprite != old.get(sprite.key)),
        gone=tuple(key for key in old if key not in new),
        panels=panels or UNSET,
        cards=_if_other(before.cards, after.cards),
        rounds=_if_other(before.rounds, after.rounds),
        view=_if_other(before.view, after.view),
    )


def _if_other(before: Any, after: Any) -> Any:
    return UNSET if before == after else after
