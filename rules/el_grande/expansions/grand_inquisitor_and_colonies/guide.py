"""The decisions of Grand Inquisitor & Colonies, explained to players who meet them for the first time."""

from __future__ import annotations

from rules.el_grande.guide import SEALS
from rules.guide import Guide, Lesson
from rules.texts import say

GUIDE: Guide = {
    "disk_two_first": Lesson(
        SEALS,
        say("Two caballeros before the first round"),
        say("Two caballeros of your province go to the region on your disk. The disks of all players open together."),
    ),
    "ship_departure": Lesson(
        say("{player} may leave the ship", player="{player}"),
        say("The ship arrives"),
        say(
            "Caballeros that came aboard in an earlier round may go to America, to Africa or to a coast of Spain, for "
            "nothing. They may stay as well. Tokens that they carry bring points in Spain."
        ),
    ),
    "limit_fill": Lesson(
        say("{player} fills the limit board", player="{player}"),
        say("Free spaces on the limit board"),
        say("Only caballeros on the limit board count in its region. Choose who takes the free spaces."),
    ),
    "plagiarise": Lesson(
        say("{player} may repeat an action", player="{player}"),
        say("Plagiarist"),
        say(
            "You may perform the special action again that you have just seen, as if it were yours. The card is "
            "spent then. You may wait for a better one."
        ),
    ),
}
