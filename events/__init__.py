"""The log: commits of facts, their chain, their store, and the clock that is folded from them.

What may not enter: rules of a game, HTTP, pages. This package knows `rules` and nothing above itself.
"""
