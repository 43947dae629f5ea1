"""The decisions of Grandissimo, explained to players who meet them for the first time."""

from __future__ import annotations

from rules.el_grande.guide import SEALS
from rules.guide import Guide, Lesson
from rules.texts import say

GUIDE: Guide = {
    "place_foreign": Lesson(
        say("{player} places a caballero of another", player="{player}"),
        say("A guest in your court"),
        say("A Jester has sent it to you. Place it before your turn: anywhere but in the king's region."),
    ),
    "landing": Lesson(
        say("{player} may land", player="{player}"),
        say("Your caballeros are at sea"),
        say("All of yours on a ship go ashore together, to regions at the sea, or none does. You may also wait."),
    ),
    "incognito": Lesson(
        say("{player} decides about the king", player="{player}"),
        say("The king may come now"),
        say("You are asked between the parts of every other turn. The king comes once, to the region on your card."),
    ),
    "consent": Lesson(
        say("{player} decides about an escort", player="{player}"),
        say("A mercenary would take one of yours along"),
        say("Without your consent he goes alone."),
    ),
    "second_menu": Lesson(
        say("{player} uses a second card", player="{player}"),
        say("Your second card"),
        say("Place caballeros and perform its special action, each once and in any order."),
    ),
    "disk_castillo": Lesson(
        SEALS,
        say("All leave the castillo"),
        say("Nothing is scored. The disks of all players open together."),
    ),
}
