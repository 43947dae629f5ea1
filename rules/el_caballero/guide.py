"""The decisions of El Caballero, explained to players who meet them for the first time."""

from __future__ import annotations

from rules.guide import Guide, Lesson
from rules.texts import say

GUIDE: Guide = {
    "power": Lesson(
        say("{player} chooses a power card", player="{player}"),
        say("Power cards decide who goes first"),
        say(
            "A high card goes first and has more tiles to choose from; a low one brings more Caballeros to your court. "
            "No two players may play the same number in a round, and every card is played once. The 9 places two tiles."
        ),
    ),
    "turn": Lesson(
        say("{player} has a turn", player="{player}"),
        say("A tile must be placed; all else is up to you"),
        say(
            "Actions come in any order. The number of a card that touches land counts there, and is paid from your "
            "court. No two players may have the same number in a region. Ships score the sea beside them, castles "
            "protect a card from a second land."
        ),
    ),
}
