"""The course of a game, step by step: rounds, turns, special actions, general scorings.

A step says what follows; it never changes the board itself. No card is mentioned here, and no expansion.
"""
