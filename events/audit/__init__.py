"""Copies and proofs of games: exports, backups, and what verifies them.

What may not enter: anything that changes a game.
"""
