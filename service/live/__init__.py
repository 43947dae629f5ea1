"""Event streams: the commits of a game, the notices of an inbox."""
