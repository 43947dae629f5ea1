"""Who plays whom in the next round, and on which seat. Pure, and the same for the same seed.

`sizes` says into which tables a number of players is split; `order` puts them into the order of the standings; `tables`
seats three and more at a table, with `costs` (what a good round is), `search` (swaps) and `annealing` (small fields);
`seats` gives everyone a seat; `pairs` is the fast way for two players, `dutch` the FIDE way; `byes` chooses players who
sit out.

What may not enter: tie-breaks (they never influence pairing), results of a game, the store, the time of day, and chance
that does not come from the seed. `program` alone starts another program, if an operator has named one.
"""
