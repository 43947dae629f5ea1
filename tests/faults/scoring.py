"""A game brought to a general scoring, where all players are asked at once."""

from events.games import Games
from events.table.commands import Play, Start
from rules.kernel import State, TimeUp, decision_id, waiting


def game_at_a_general_scoring(games: Games) -> tuple[str, State]:
    game = games.create("el_grande", 5).id
    state = games.submit(game, Start()).after.state
    while len(asked := waiting(state)) == 1:
        state = games.submit(game, Play(TimeUp(asked[0], decision_id(state, asked[0])))).after.state
    return game, state
