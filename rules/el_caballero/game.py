"""El Caballero, put together for the catalogue."""

from rules.el_caballero.assumptions import ASSUMPTIONS
from rules.el_caballero.base import BASE
from rules.el_caballero.board import ADVANCED, COLOURS, Board
from rules.el_caballero.coverage import WAYS, shown, things
from rules.el_caballero.drawing import DRAWING
from rules.el_caballero.extension import Rules, register
from rules.el_caballero.guide import GUIDE
from rules.el_caballero.landmarks import LANDMARKS
from rules.el_caballero.notation import called, move, parse_move, parse_position, position
from rules.el_caballero.outlook import outlook
from rules.el_caballero.picture import PICTURE
from rules.el_caballero.rulebook import rulebook
from rules.el_caballero.setup import CHANCE, OPTIONS, PLAYERS, empty_table, start
from rules.el_caballero.view import view
from rules.game import Coverage, Game, Notation, Promises

EL_CABALLERO: Game[Board, Rules] = Game(
    name="el_caballero",
    title="El Caballero",
    version=1,
    base=BASE,
    expansions={},
    register=register,
    seats=COLOURS,
    players=PLAYERS,
    options=OPTIONS,
    board=Board,
    empty_table=empty_table,
    start=start,
    chance=CHANCE,
    view=view,
    rulebook=rulebook,
    notation=Notation(position, parse_position, move, parse_move, {}, called),
    drawing=DRAWING,
    picture=PICTURE,
    landmarks=LANDMARKS,
    coverage=Coverage("action", things, WAYS, shown),
    promises=Promises({"mode": ADVANCED}, move=0.03, slow_move=0.25, fold=2.1, options=1.2, games=16),
    outlook=outlook,
    guide=GUIDE,
    assumptions=ASSUMPTIONS,
)
