"""Programs that play over the service's API: the proof that a client needs to know no rules.

What may not enter: rules, the store, the service itself. A bot knows what every client can know.
"""

from service.bots.choosing import BOTS, Bot, Table
from service.bots.playing import play, sit_down

__all__ = ["BOTS", "Bot", "Table", "play", "sit_down"]
