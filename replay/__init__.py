"""Room for looking back at a game: its timeline, the text of every step, annotations and variations. Empty so far.

What may not enter: rules of a game, in any language, and anything from `tournaments` or `service`.
"""
