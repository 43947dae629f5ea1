"""The decisions of King & Intrigue, explained to players who meet them for the first time."""

from __future__ import annotations

from rules.el_grande.guide import SEALS
from rules.guide import Guide, Lesson
from rules.texts import say

GUIDE: Guide = {
    "disk_first": Lesson(
        SEALS,
        say("A caballero before the first round"),
        say("One caballero of your court goes to the region on your disk. The disks of all players open together."),
    ),
    "keep_cards": Lesson(
        say("{player} chooses cards in secret", player="{player}"),
        say("Thirteen cards for the whole game"),
        say(
            "High cards come first and move the king, low ones bring caballeros. You play one in each round; nobody "
            "learns which you have put away."
        ),
    ),
    "disk_vote": Lesson(
        SEALS, say("A secret vote"), say("Every region that two players or more have chosen is scored.")
    ),
}
