"""What players of El Grande may answer ahead: veto windows, and the next power card."""

from rules.ahead import Offer
from rules.el_grande.steps.special import ALLOW
from rules.texts import say

AHEAD = (
    Offer(
        decision="veto",
        answer={"kind": "veto_response", "answer": ALLOW},
        text=say("Allow every veto window until I say otherwise"),
        short=say("allow every time"),
        about=say("Every veto window is answered with Allow, until you say otherwise. Only you know."),
        icon="veto",
    ),
    Offer(
        decision="power",
        answer={"kind": "play_power_card"},
        text=say("Plan the next power card"),
        short=say("plan"),
        about=say("The card is played as soon as you are asked, if it can be. Only you know."),
        icon="cards",
        every=False,
        field="value",
        number=True,
    ),
)
