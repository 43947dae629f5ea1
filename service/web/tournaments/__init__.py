"""Pages of tournaments: lists, a new one, the event with its tables and standings, the desk of its staff, the wall.

`event_frame` is what all pages of one tournament share, `table_cards` its tables as they are played now, `desk` the
page of organisers and arbiters, `acts` and `rulings` the forms. What may be done is decided in `tournaments.commands`;
figures come from `service.tournaments`, and nothing is computed in the browser.
"""

from service.web.tournaments import (
    acts,
    certificate_page,
    desk,
    event,
    lists,
    player_card,
    printed,
    rulings,
    wall,
    wizard,
)
from service.web.tournaments.blueprint import pages

__all__ = [
    "acts",
    "certificate_page",
    "desk",
    "event",
    "lists",
    "pages",
    "player_card",
    "printed",
    "rulings",
    "wall",
    "wizard",
]
