"""Tournaments: who plays whom, what it is worth, and how everybody stands. Pure; the same for the same seed.

`history` is what everybody may know of a tournament: players, rounds and points. All else follows
from it: `pairing` draws a round, `certificate` says how good it is and `verification` checks that, `reasons` says why.
`standings` ranks by `tiebreaks`, `ratings` rates, `trf` writes files. `decider` is the place in the frame of `events`:
`tournament` is the state, `facts` how it changes, `commands` what people may do, `due` what happens by itself.

What may not enter: rules of a game, floats where people are ranked, chance that does not come from a seed, the store,
the time of day, and anything from `replay` or `service`.
"""
