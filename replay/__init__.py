"""Looking back at a game: its timeline, the text of every step, its pictures, and the script of the viewer.

`timeline` tells what happened commit by commit, as one viewer may know it; `positions` finds any position fast; `svg`
draws one; `recording` reads an exported file; `viewer/` is what a browser needs to show all of it.

What may not enter: rules of a game, in any language, and anything from `tournaments` or `service`.
"""
