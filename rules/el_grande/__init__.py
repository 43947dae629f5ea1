"""El Grande, 2 to 5 players, full and short; its expansions plug in from `expansions/`.

`board.py` holds the position and the questions one can ask about it, `cards.py` the 45 action cards, `steps/` the
course of a round, `extension.py` the points where an expansion may change an answer. Nothing here may ask which
expansion is played; only `game.py`, which puts everything together for the catalogue, imports them.
"""
