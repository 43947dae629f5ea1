"""Room for tournaments: registration, pairings, standings, tie-breaks and deadlines. Empty so far.

What may not enter: rules of a game, floats where people are ranked, anything from `replay` or `service`.
"""
