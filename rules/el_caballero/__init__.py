"""El Caballero: sector tiles grow into islands and seas; Caballero cards, ships, castles and governors score them.

What may enter: this game and nothing of another one. What all games share lives in `rules/`.
"""
