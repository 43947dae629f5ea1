"""The faces of cards: a sign for each effect, a title of three words at most, and what the card does in a line."""

from __future__ import annotations

from collections.abc import Iterator

from rules.drawing import View
from rules.el_grande.extension import RULES, Face, Rules
from rules.kernel import Player
from rules.picture import Card
from rules.texts import say

FACES = {
    "s1_move_all_own": Face("move-out", say("Out of one"), say("Move yours out of one region")),
    "s1_place_two": Face("place", say("Two anywhere"), say("Place two more from your court")),
    "s1_place_two_or_move_all": Face("place-or-move", say("Place or move"), say("Two more, or out of one region")),
    "s1_move_five_one_region": Face("move-out", say("Five out of one"), say("Move any five out of one region")),
    "s1_move_two_own_two_foreign": Face("move-mixed", say("Two and two"), say("Move two of yours, two of others")),
    "s1_move_three_foreign": Face("move-foreign", say("Three of others"), say("Move up to 3 of other players")),
    "s1_move_four_own": Face("move-own", say("Four of yours"), say("Move up to 4 of your caballeros")),
    "s1_move_three_any": Face("move-any", say("Three of any"), say("Move up to 3 of any players")),
    "s1_move_four_any": Face("move-any", say("Four of any"), say("Move up to 4 of any players")),
    "s2_veto": Face("veto", say("Veto"), say("Keep: stop one special action")),
    "s2_rebellion_all": Face("rebellion", say("Empty courts"), say("The others empty their courts")),
    "s2_rebellion_three": Face("rebellion", say("Rebellion"), say("Three leave every other court")),
    "s2_king_angry": Face("king-angry", say("The King is angry"), say("The others give up three each")),
    "s2_return_one_each": Face("return-one", say("One of each"), say("One of each other player leaves")),
    "s2_secret_remove_two": Face("disk-remove", say("Two in secret"), say("The others lose two in secret")),
    "s2_secret_remove_all": Face("disk-remove", say("All in secret"), say("The others empty a secret region")),
    "s2_score_chosen": Face("score-one", say("One region"), say("Score one space of your choice")),
    "s3_score_fours": Face("score-value", say("The fours"), say("Score every region worth 4")),
    "s3_score_fives": Face("score-value", say("The fives"), say("Score every region worth 5")),
    "s3_score_six_sevens": Face("score-value", say("Six and seven"), say("Score every region worth 6 or 7")),
    "s3_score_castillo": Face("score-castillo", say("The castillo"), say("Open and score the castillo")),
    "s3_score_firsts": Face("score-firsts", say("First places"), say("Score every first place")),
    "s3_score_most": Face("score-most", say("The fullest"), say("Score the region with the most")),
    "s3_score_least": Face("score-least", say("The emptiest"), say("Score the region with the fewest")),
    "s3_score_chosen": Face("score-one", say("One region"), say("Score one space of your choice")),
    "s4_scoreboard": Face("scoreboard", say("Scoreboard"), say("Lay or move a scoreboard")),
    "s4_king_step": Face("king-step", say("One step"), say("Move the King to a neighbour")),
    "s4_expulsion": Face("expulsion", say("Expulsion"), say("The others leave a region")),
    "s4_move_grande": Face("grande", say("Your Grande"), say("Move your Grande anywhere")),
    "s4_recover_power": Face("recover", say("A card back"), say("Take a power card back")),
    "s4_court_two": Face("court", say("Two to court"), say("Bring two more to court")),
    "s4_secret_scoring": Face("secret-score", say("Secret scoring"), say("Score regions chosen only once")),
    "s5_king_any": Face("king-any", say("The King"), say("Move the King anywhere")),
}


def action_card(rules: Rules, card: str, taken_by: Player) -> Card:
    """A card that lies face up. One that has no face of its own shows what the rules say of it."""
    name = card.partition("-")[0]
    row, face = rules.cards[name], rules.faces.get(name)
    state = "taken" if taken_by else ""
    if face is None:
        return Card(card, row.title, row.text, row.text, "cards", row.places, taken_by, state, stack=row.stack)
    return Card(card, face.title, face.text, row.text, face.icon, row.places, taken_by, state, stack=row.stack)


def cards_face_up(seen: View) -> Iterator[Card]:
    """The action cards that can be taken, or were, by stack."""
    for card in sorted(seen["face_up"], key=lambda card: (card["stack"], card["card"])):
        yield action_card(RULES[seen["rules"]], card["card"], card["taken_by"] or "")


def card_taken(seen: View, player: Player) -> str:
    """The card that the player has taken in this round."""
    return next((card["card"] for card in seen["face_up"] if card["taken_by"] == player), "")


def number_of_card_taken(seen: View, player: Player) -> int:
    """How many caballeros it places."""
    row = RULES[seen["rules"]].cards.get(card_taken(seen, player).partition("-")[0])
    return row.places if row else 0


def power_card(rules: Rules, value: int, brings: int, state: str) -> Card:
    """A card of a hand. One that is an action card, too, shows what it does."""
    row = rules.cards.get(rules.hand_cards.get(value, ""))
    if row is None:
        return Card(str(value), str(value), f"+{brings}", state=state)
    detail = say("{title}: {text}", title=row.title, text=row.text)
    return Card(str(value), str(value), f"+{brings}", detail, state=state)
