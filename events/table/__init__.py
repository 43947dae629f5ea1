"""The table around a board, pure: seats, chance, clocks, and what its commands lead to.

What may not enter: input and output, the time of day, the store. Moments and secrets are arguments.
"""
