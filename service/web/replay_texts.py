"""The sentences of the viewer's scripts, which its page gives to them as data."""

from __future__ import annotations

from typing import Any

from rules.texts import Text, say
from service.language import rendered

TEXTS: dict[str, Any] = {
    "round": say("Round {number}", number="{number}"),
    "roundShort": say("Round"),
    "step": say(
        "Step {version}, round {round}. {sentence}", version="{version}", round="{round}", sentence="{sentence}"
    ),
    "chart": say("Scores against the average, round by round. Now: {scores}", scores="{scores}"),
    "chartPoints": say("Scores, round by round. Now: {scores}", scores="{scores}"),
    "atRound": say("Round {number}: {scores}", number="{number}", scores="{scores}"),
    "againstAverage": say("against the average"),
    "asPoints": say("points"),
    "longest": say("Longest: {name}, {time}, at step {version}", name="{name}", time="{time}", version="{version}"),
    "thoughtIn": say("Round {number}: {time}", number="{number}", time="{time}"),
    "seconds": say("{count} s", count="{count}"),
    "points": say("points"),
    "power": say("power card of this round"),
    "left": say("time left"),
    "thought": say("time thought so far"),
    "hand": say("Power cards of {name}", name="{name}"),
    "places": say("places up to {count}", count="{count}"),
    "taken": say("taken by {name}", name="{name}"),
    "scoring": say("general scoring"),
    "noPoints": say("no points"),
    "general": say("General scoring"),
    "spaces": say("{count} spaces", count="{count}"),
    "nobody": say("none"),
    "play": say("Play"),
    "pause": say("Pause"),
    "copied": say("Link copied"),
    "found": say("{count} lines", count="{count}"),
    "trouble": say("The game could not be read: {problem}", problem="{problem}"),
    "eyes": {
        "everything": say("Everything is open."),
        "spectator": say("As the public saw it: what was hidden then stays hidden."),
        "seat": say("As {name} saw it: what the others hid stays hidden.", name="{name}"),
    },
    "proof": {
        "checking": say("Checking"),
        "counting": say("{done} of {all}", done="{done}", all="{all}"),
        "verified": say("Verified"),
        "running": say("Not yet"),
        "broken": say("Broken"),
        "unknown": say("Not checked"),
        "unread": say("This game could not be checked: the scripts that do it cannot be read. Reload the page."),
        "failed": say("This game could not be checked: {problem}", problem="{problem}"),
        "all": say(
            "This browser has checked the chain of {commits} commits, the secret, every salt, and that every shuffle "
            "follows from the seed. Head: {head}",
            commits="{commits}",
            head="{head}",
        ),
        "secret": say(
            "This browser has checked the chain of {commits} commits, the secret and every salt. Head: {head}",
            commits="{commits}",
            head="{head}",
        ),
        "chain": say(
            "The chain of {commits} commits is unbroken. Shuffles can be checked when the game is over. Head: {head}",
            commits="{commits}",
            head="{head}",
        ),
        "where": say("Commit {version}: {problem}.", version="{version}", problem="{problem}"),
        "whole": say("The file is not genuine: {problem}.", problem="{problem}"),
        "problems": {
            "canonical": say("it is not written in the one canonical way"),
            "format": say("it is not an exported game"),
            "header": say("its header has other fields than a header"),
            "place": say("it is not in its place"),
            "previous": say("it does not follow the commit before it"),
            "hash": say("its hash is not that of its contents"),
            "unbound": say("a fact is not bound to it"),
            "creation": say("it does not create a game"),
            "secret": say("it reveals another secret than the first commit has fixed"),
            "salt": say("a salt does not follow from the secret"),
            "chance": say("it needs more chance than there was"),
            "drawn": say("it does not draw what the game draws"),
            "seed": say("what was drawn does not follow from the seed"),
        },
    },
}


def texts() -> dict[str, Any]:
    """All of them in the language of the request; a script fills in what stands in braces."""
    return rendered_texts(TEXTS)


def rendered_texts(part: Any) -> Any:
    if isinstance(part, Text):
        return rendered(part)
    return {name: rendered_texts(value) for name, value in part.items()}
