"""The rules of the games, and nothing else.

Pure: the standard library and msgspec. No input or output, clock, chance, identity or environment may enter;
their results come in as arguments and stay as facts. Start reading at `kernel.py`.
"""
