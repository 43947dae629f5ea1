"""The course of a game, step by step: rounds, turns and the actions in them, scorings.

A step says what follows; it never changes the board itself. Every action has its check and its forms side by side, and
both ask the same questions.
"""
