"""Grand Inquisitor & Colonies: new regions, black caballeros, gold and goods, a board that limits who counts.

| rule | here |
|---|---|
| two regions begin with two black caballeros each, a third with the limit board | `opening.drawn` |
| before the first round every player puts two caballeros from the province into a secret region | `opening` |
| France, the ship, America and Africa: who may enter, special places and what they bring | `regions` |
| free travel: off the ship at the start of the turn, back aboard at any time of it | `travel` |
| gold and goods: brought by cards, claimed in the colonies, delivered in Spain | `tokens` |
| the Grand Inquisitor: one more caballero in each round; the black caballeros are his | `inquisitor` |
| only caballeros on the limit board count in its region; who fills it, and how it moves | `limit_board` |
| cards that are held: execute an action, plagiarist, free will | `held` |
| scorings: the new regions, the black ones, one that is delayed | `scorings` |
| conspiracy: a Grande in the castillo | `conspiracy`, base |
| the cards of stacks 6 and 7 | `cards` |

Rulings 96 and following (`docs/rulings.md`) tell what no rulebook says; numbers that none gives are in `cards` and
`tokens`.
"""

from rules.el_grande.expansions.grand_inquisitor_and_colonies.expansion import grand_inquisitor_and_colonies

__all__ = ["grand_inquisitor_and_colonies"]
