"""Messages between people at a table, and complaints about them.

What may not enter: the web framework, and the log of a game, which no message ever touches.
"""
