"""El Caballero, rule by rule."""
