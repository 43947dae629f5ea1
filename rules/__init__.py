"""The rules of the games, and nothing else.

Pure: the standard library and msgspec. No input or output, clock, chance, identity or environment may enter;
their results come in as arguments and stay as facts. Start reading at `kernel.py`.

`game.py` says what a game brings, `catalogue.py` which games there are. Everything else here knows no game: it asks.
"""
