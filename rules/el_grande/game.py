"""El Grande, put together for the catalogue."""

from rules.el_grande.base import BASE
from rules.el_grande.board import COLOURS, Board
from rules.el_grande.coverage import DECLINED, EXECUTED, VETOED, special_actions
from rules.el_grande.drawing import DRAWING
from rules.el_grande.expansions.anniversary import anniversary
from rules.el_grande.extension import Rules, register
from rules.el_grande.notation import called, move, parse_move, parse_position, position
from rules.el_grande.regions import NAMES
from rules.el_grande.rulebook import rulebook
from rules.el_grande.setup import CHANCE, OPTIONS, PLAYERS, empty_table, start
from rules.el_grande.view import view
from rules.game import Coverage, Game, Notation

EL_GRANDE: Game[Board, Rules] = Game(
    name="el_grande",
    title="El Grande",
    version=2,
    base=BASE,
    expansions={"anniversary": anniversary},
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
    notation=Notation(position, parse_position, move, parse_move, NAMES, called),
    drawing=DRAWING,
    coverage=Coverage("special action", lambda rules: rules.cards, (EXECUTED, DECLINED, VETOED), special_actions),
)
