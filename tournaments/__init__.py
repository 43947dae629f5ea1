"""Tournaments: registration, pairings, standings, tie-breaks and the deadlines that drive them.

What may not enter: rules of a game, floats where people are ranked, anything from `replay` or `service`.
"""
