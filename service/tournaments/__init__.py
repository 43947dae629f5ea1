"""The services behind tournaments, free of the web framework.

`tournament_service` is the way in for views. `round_worker` does what is due: it starts rounds, has the games of
tables created (`table_games`), notes results of games that have ended (`ended_games`), and looks after players who do
not come. `feed_worker` reads what tournaments have decided, and lets it be seen elsewhere: in lists
(`tournament_index`) and in games (`game_effects`). `tournament_representations` is how a tournament leaves the service.

Nothing here decides anything about a tournament: `tournaments.commands` does. Nothing knows a game by name, or reads a
request.
"""
