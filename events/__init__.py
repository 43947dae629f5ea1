"""Tables and their games as stored facts: a command is decided, and what follows from it is one commit in a log.

`table` decides (pure: commands, facts, clocks), `log` keeps commits and chains them, `store` opens Redis, `audit`
exports, verifies and backs up, `workers` listen to new commits and watch deadlines. `games.py` is the way in;
`decider.py`, `repository.py` and `history.py` are the frame around it, which knows no game.

What may not enter: rules of a game, HTTP, pages. This package knows `rules` and nothing above itself.
"""
