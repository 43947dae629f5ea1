"""King & Intrigue: every player has an own hand of action cards, whose values decide the order of turns.

| rule | here |
|---|---|
| before the first round every player puts a caballero from court into a secret region | `opening.SetFirstDisks` |
| every player secretly keeps 13 of 18 action cards; the others leave the game unseen | `opening.KeepCards` |
| a card is played face up; no value twice in a round; the lowest of a round opens the next | `rounds.BidCard`, base |
| highest value: King card; lowest: Intrigue card; caballero cards by rank | `rounds.DealRanks`, `ranks` |
| draw by the card played, place by the caballero card | `cards.MUSTERS`, `ranks.caballero_card` |
| first and last use the King or the Intrigue card, with 2 or 3 players also the own action | `turn.RankedSpecial` |
| own actions are compulsory but for some; first and last may end their turns without any | `cards`, `turn` |
| the 18 cards, the King card and the Intrigue card | `cards`, `actions` |
| the veto lasts for its round, and not beside the King or Intrigue card | `rounds.DealRanks`, `turn` |
| a region card that is held in secret doubles the points of its region in the next general scoring | `region_cards` |

Rulings 60 to 71 (`docs/rulings.md`) tell what no rulebook says; numbers that none gives are in `cards.py`.
"""

from rules.el_grande.expansions.king_and_intrigue.expansion import king_and_intrigue

__all__ = ["king_and_intrigue"]
