"""The sentences of the table's scripts, which its page gives to them as data."""

from __future__ import annotations

from typing import Any

from rules.texts import say
from service.web.prompt_texts import TEXTS as PROMPT
from service.web.replay_texts import TEXTS as REPLAY
from service.web.replay_texts import rendered_texts

FROM_THE_VIEWER = (
    "round", "points", "power", "places", "taken", "scoring", "noPoints", "general", "spaces", "trouble",
)  # fmt: skip

TEXTS: dict[str, Any] = {
    "you": say("{name} (you)", name="{name}"),
    "yourself": say("you"),
    "bot": say("bot"),
    "yourTurn": say("Your turn"),
    "yourTurnAt": say("Your turn · {title}", title="{title}"),
    "turnOf": say("{names} · {title}", names="{names}", title="{title}"),
    "states": {
        "acting": say("to move"),
        "asked": say("is asked"),
        "done": say("turn over"),
        "late": say("was late"),
        "automatic": say("played automatically"),
        "forfeited": say("out of the game"),
    },
    "sealed": say("has decided"),
    "soFar": say("{count} if all were scored now", count="{count}"),
    "left": say("time left"),
    "until": say("till {moment}", moment="{moment}"),
    "credited": say("The time of an outage was given back."),
    "noClock": say("no clock"),
    "debt": say("over"),
    "paused": say("The clocks stand still."),
    "goOn": say("Let the clocks run"),
    "pauseWanted": say("{names} would like a pause.", names="{names}"),
    "pauseToo": say("Pause"),
    "lost": say("The connection is lost. What you have picked stays here."),
    "back": say("Connected again"),
    "looking": say("You are looking at step {version}", version="{version}"),
    "backToNow": say("Back to now"),
    "asksYou": say("Your turn: back to now"),
    "takeBack": say("Take it back"),
    "askBack": say("Ask to take it back"),
    "askedBack": say("You have asked to take your move back: the others must agree."),
    "wantsBack": say("{name} wants to take the last move back.", name="{name}"),
    "agree": say("Agree"),
    "automatic": say("Your seat is played automatically."),
    "play": say("Play again"),
    "wins": say("{names} wins with {points} points", names="{names}", points="{points}"),
    "win": say("You win with {points} points", points="{points}"),
    "share": say("{names} share the victory with {points} points", names="{names}", points="{points}"),
    "ended": say("The game is over"),
    "replay": say("Look at the game again"),
    "inSeconds": say("In {seconds} s: {deed}", seconds="{seconds}", deed="{deed}"),
    "inSecondsPlain": say("In {seconds} s the default is taken", seconds="{seconds}"),
    "secondsLeft": say("{seconds} seconds left", seconds="{seconds}"),
    "ifLate": say("If your time runs out: {deed}.", deed="{deed}"),
    "noRegrets": say("Try what you like: nothing counts until you press the button."),
    "and": say("{names} and {last}", names="{names}", last="{last}"),
    "noCards": say("The cards of the round are not turned up yet."),
    "ledger": {
        "title": say("The clock of {name}", name="{name}"),
        "at": say("Step"),
        "what": say("What"),
        "used": say("Used"),
        "left": say("Left"),
        "nothing": say("Nothing has happened to it yet."),
    },
    "resigned": say("You have left this game."),
    "sound": {"on": say("Sound is on"), "off": say("Sound is off")},
    "notices": {
        "on": say("This browser tells you when it is your turn"),
        "off": say("No notices of this browser"),
        "denied": say("This browser does not allow notices. Allow them in its settings first."),
        "body": say("{title} waits for you", title="{title}"),
    },
    "hints": {"on": say("Hints are on"), "off": say("Hints are off")},
    "coach": {"learned": say("Got it"), "none": say("No hints")},
    "ahead": {
        "planned": say("{card} is played for you as soon as you are asked. Only you know.", card="{card}"),
        "nothing": say("Nothing is answered for you ahead."),
        "plan": say("Play {card} next", card="{card}"),
        "forget": say("Do not play {card} by itself", card="{card}"),
    },
}


def table_texts() -> dict[str, Any]:
    """All of them in the language of the request; a script fills in what stands in braces."""
    from_the_viewer = {name: REPLAY[name] for name in FROM_THE_VIEWER}
    return {name: rendered_texts(part) for name, part in {**from_the_viewer, **TEXTS, "prompt": PROMPT}.items()}
