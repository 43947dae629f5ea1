"""The decisions of El Grande, explained to players who meet them for the first time."""

from __future__ import annotations

from rules.guide import Guide, Lesson
from rules.texts import say

SEALS = say("{player} turns a secret disk", player="{player}")


GUIDE: Guide = {
    "power": Lesson(
        say("{player} chooses a power card", player="{player}"),
        say("Power cards decide who goes first"),
        say(
            "A high card lets you choose an action card early; a low one brings more caballeros to your court. No two "
            "players may play the same number in a round, and every card is played once."
        ),
    ),
    "draw": Lesson(
        say("{player} brings caballeros to court", player="{player}"),
        say("From the province to the court"),
        say("Only caballeros at your court can be placed. Take all that your power card brings, unless you save them."),
    ),
    "choose_card": Lesson(
        say("{player} chooses an action card", player="{player}"),
        say("One action card in each turn"),
        say(
            "The squares on a card are the caballeros that you may place. The text is its special action. Cards with "
            "few squares do more."
        ),
    ),
    "menu": Lesson(
        say("{player} places caballeros or acts", player="{player}"),
        say("Place and act, in either order"),
        say(
            "Caballeros go to regions next to the King, or into the castillo; never into the region of the King. What "
            "glows is possible. The special action may be left out."
        ),
    ),
    "step": Lesson(
        say("{player} moves caballeros", player="{player}"),
        say("One caballero after the other"),
        say("Choose a ringed piece, then a space that glows. Steps are a draft until you press the button."),
    ),
    "veto": Lesson(
        say("{player} is asked for a veto", player="{player}"),
        say("You hold the veto"),
        say(
            "The arrow shows what is about to happen. Allow it, allow all the rest of this action, or spend your card "
            "and stop it. What was done before stands."
        ),
    ),
    "return": Lesson(
        say("{player} gives caballeros up", player="{player}"),
        say("The King wants caballeros back"),
        say("They go back to your province. From your court they cost you no place on the map."),
    ),
    "disk_remove_two": Lesson(
        SEALS, say("A secret disk"), say("Two of your caballeros leave the region on your disk.")
    ),
    "disk_remove_all": Lesson(SEALS, say("A secret disk"), say("All your caballeros leave the region on your disk.")),
    "disk_expulsion": Lesson(
        SEALS, say("A secret disk"), say("Your caballeros that are expelled go to the region on your disk.")
    ),
    "disk_scoring": Lesson(
        SEALS, say("A secret disk"), say("A region that only one player has chosen is scored. Disks open together.")
    ),
    "disk_general": Lesson(
        SEALS,
        say("The castillo opens"),
        say(
            "Your caballeros in the castillo go to the region on your disk, before all regions are scored. The disks "
            "of all players open together."
        ),
    ),
}
