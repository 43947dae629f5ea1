"""The sentences of the prompt's script. What belongs to a decision comes with the decision."""

from __future__ import annotations

from typing import Any

from rules.texts import say
from service.web.replay_texts import rendered_texts

TEXTS: dict[str, Any] = {
    "decision": say("Your decision"),
    "seats": say("For whom do you decide?"),
    "ways": say("What do you want to do?"),
    "undo": say("Undo the last tap"),
    "again": say("Start again"),
    "sending": say("Sending"),
    "sure": say("Yes: {deed}", deed="{deed}"),
    "commit": say("Answer"),
    "left": say("{count} left", count="{count}"),
    "done": say("all of {count}", count="{count}"),
    "tally": say("{count} of {most}", count="{count}", most="{most}"),
    "places": say("places up to {count}", count="{count}"),
    "taken": say("taken by {name}", name="{name}"),
    "less": say("One less: {name}", name="{name}"),
    "more": say("One more: {name}", name="{name}"),
    "back": say("Take one back: {name}", name="{name}"),
    "several": say("Whose piece in {place}?", place="{place}"),
    "turn": say("Turn"),
    "turnKey": say("Turn it: key R, or the wheel"),
    "nothing": say("{name} cannot be chosen now. Choose one that glows.", name="{name}"),
    "unknown": say("That could not be sent: {problem}", problem="{problem}"),
    "can": say("Can be chosen."),
    "cannot": say("Cannot be chosen now."),
    "picked": say("Chosen."),
    "added": say("{count} added.", count="{count}"),
    "taking": say("{count} taken.", count="{count}"),
    "how": {
        "place": say("tap a space that glows"),
        "counts": say("tap a space to add, a badge to take back"),
        "taking": say("tap your pieces, a badge puts one back"),
        "piece": say("tap a piece with a ring"),
        "target": say("now a space; Esc lets go"),
        "card": say("tap a card"),
        "dial": say("turn the dial or tap the map"),
        "number": say("more or less"),
    },
}


def prompt_texts() -> dict[str, Any]:
    """All of them in the language of the request; a script fills in what stands in braces."""
    return rendered_texts(TEXTS)
