"""A game that no service has seen, as the file that a service would export.

The file has nothing of the moment or the machine: names are counted, the clock ticks a second for each commit from the
beginning of 1970, and the secret is given. The same answers make the same bytes. No player adds a nonce, so that
the shuffles follow from the secret alone, by `chain.seed(secret, {})`.

>>> from events.audit.verify import verify
>>> from events.log import chain
>>> from rules.catalogue import rules
>>> from rules.el_grande.setup import start
>>> from rules.fairness import Chance
>>> from rules.simulation import moves
>>> secret = bytes(32)
>>> _, state = start(rules("el_grande"), 2, chain.seed(secret, {}), game_length="short")
>>> answers = (move.answer for move in moves(state, Chance(b"players").below))
>>> verified = verify(record("el_grande", 2, {"game_length": "short"}, secret, answers))
>>> verified.game, verified.finished, verified.nonces
('recorded-777a9f1f77ee', True, ())
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count

from events.audit.export import export
from events.games import Games
from events.log import chain
from events.log.memory import MemoryLog
from events.submission import Submission
from events.table.commands import Play, Start
from rules.kernel import SPECTATOR, Answer, TimeUp

SECOND = 1000
"""In milliseconds."""

NAME_LENGTH = 12


def record(
    rules: str, players: int, options: Mapping[str, str], secret: bytes, answers: Iterable[Answer | TimeUp]
) -> bytes:
    """The export of the game that these answers make: all of it if they lead to the end."""
    games = Games(MemoryLog(), now=count(0, SECOND).__next__, draw=lambda _: secret)
    name = f"recorded-{chain.commitment(secret)[:NAME_LENGTH]}"
    game = games.create(rules, players, options, game=name).id
    games.submit(game, Start(), Submission(key="start"))
    for number, answer in enumerate(answers, start=1):
        games.submit(game, Play(answer), Submission(key=f"move {number}"))
    return export(games, game, SPECTATOR)
