"""How the things that decisions ask for are shown and picked: a row for each kind (`x-of`)."""

from __future__ import annotations

from rules.el_grande.regions import COURT, PROVINCE, SCOREBOARDS
from rules.el_grande.steps.special import ALLOW, ALLOW_REST, VETO
from rules.picture import ANSWER, CARD, DIAL, HAND, NUMBER, PIECE, PLACE, TILE, Control
from rules.texts import say

FACES = {board: tuple(map(str, points)) for board, points in SCOREBOARDS.items()}
OWN = "{value}/{seat}"
CHOSEN = "{from}/{owner}"

CONTROLS = {
    "power_card": Control(HAND),
    "action_card": Control(CARD, by="stack"),
    "space": Control(PLACE),
    "placement": Control(PLACE, puts=OWN),
    "destination": Control(PLACE, puts="{value}/{owner}"),
    "piece": Control(PIECE, CHOSEN, takes=CHOSEN),
    "own_piece": Control(PIECE, OWN, takes=OWN),
    "king_goes": Control(PLACE, lifts="king"),
    "grande_goes": Control(PLACE, lifts="grande/{seat}"),
    "scoreboard": Control(TILE, symbol="scoreboard", faces=FACES),
    "scoreboard_goes": Control(PLACE, lifts="{board}"),
    "disk": Control(DIAL),
    PROVINCE: Control(NUMBER, starts_full=True),
    COURT: Control(NUMBER),
    "veto": Control(
        ANSWER,
        names={ALLOW: say("Allow"), ALLOW_REST: say("Allow the rest"), VETO: say("Veto")},
        icons={VETO: "veto"},
        shortcuts={ALLOW: "a", ALLOW_REST: "r", VETO: "v"},
    ),
}
