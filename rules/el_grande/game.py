"""El Grande, put together for the catalogue."""

from rules.el_grande.ahead import AHEAD
from rules.el_grande.assumptions import ASSUMPTIONS
from rules.el_grande.base import BASE
from rules.el_grande.board import COLOURS, Board
from rules.el_grande.coverage import DECLINED, EXECUTED, VETOED, cards_with, special_actions
from rules.el_grande.drawing import DRAWING
from rules.el_grande.expansions.anniversary import GUIDE as OF_ANNIVERSARY
from rules.el_grande.expansions.anniversary import anniversary
from rules.el_grande.expansions.grand_inquisitor_and_colonies import grand_inquisitor_and_colonies
from rules.el_grande.expansions.grand_inquisitor_and_colonies.guide import GUIDE as OF_COLONIES
from rules.el_grande.expansions.grandissimo import grandissimo
from rules.el_grande.expansions.grandissimo.guide import GUIDE as OF_GRANDISSIMO
from rules.el_grande.expansions.king_and_intrigue import king_and_intrigue
from rules.el_grande.expansions.king_and_intrigue.guide import GUIDE as OF_INTRIGUE
from rules.el_grande.extension import Rules, register
from rules.el_grande.guide import GUIDE
from rules.el_grande.landmarks import LANDMARKS
from rules.el_grande.notation import called, move, parse_move, parse_position, position
from rules.el_grande.outlook import outlook, standing
from rules.el_grande.picture import PICTURE
from rules.el_grande.regions import NAMES
from rules.el_grande.rulebook import rulebook
from rules.el_grande.setup import CHANCE, OPTIONS, PLAYERS, empty_table, start
from rules.el_grande.view import view
from rules.game import About, Coverage, Game, Notation
from rules.texts import say

NO_STACKS = say(
    "Grandissimo adds stacks beside the action cards that King & Intrigue takes away: no rules say how both go together"
)

SAME_STACKS = say(
    "Grandissimo and Grand Inquisitor & Colonies both bring stacks 6 and 7 and the same black caballeros: no rules say "
    "how both go together"
)

EL_GRANDE: Game[Board, Rules] = Game(
    name="el_grande",
    title="El Grande",
    version=2,
    base=BASE,
    expansions={
        "king_and_intrigue": king_and_intrigue,
        "grand_inquisitor_and_colonies": grand_inquisitor_and_colonies,
        "grandissimo": grandissimo,
        "anniversary": anniversary,
    },
    about={
        "king_and_intrigue": About(
            say("King & Intrigue"),
            say(
                "Own action cards for every player: their values decide who comes first, moves the king and intrigues."
            ),
        ),
        "grand_inquisitor_and_colonies": About(
            say("Grand Inquisitor & Colonies"),
            say("France, a ship and colonies; gold and goods; black caballeros, and a board that limits who counts."),
        ),
        "grandissimo": About(
            say("Grandissimo"),
            say(
                "Portugal, ships and a prison; the Queen, the Jester and the Inquisitor; eleven of nineteen new cards."
            ),
        ),
        "anniversary": About(
            say("Anniversary"), say("Every player has a flag bearer, who breaks ties where he stands.")
        ),
    },
    warned={
        frozenset({"king_and_intrigue", "grand_inquisitor_and_colonies"}): say(
            "King & Intrigue with Grand Inquisitor & Colonies: the rulebook advises against it: there is much to mind."
        )
    },
    register=register,
    seats=COLOURS,
    players=PLAYERS,
    options=OPTIONS,
    apart={
        frozenset({"king_and_intrigue", "grandissimo"}): NO_STACKS,
        frozenset({"grand_inquisitor_and_colonies", "grandissimo"}): SAME_STACKS,
    },
    board=Board,
    board_of=lambda rules: rules.board,
    further_chance=lambda rules: rules.chance,
    further_options=lambda rules: rules.options,
    selections=lambda rules: rules.selections,
    views=lambda rules: rules.views,
    empty_table=empty_table,
    start=start,
    chance=CHANCE,
    view=view,
    rulebook=rulebook,
    notation=Notation(position, parse_position, move, parse_move, NAMES, called),
    drawing=DRAWING,
    picture=PICTURE,
    landmarks=LANDMARKS,
    coverage=Coverage("special action", cards_with, (EXECUTED, DECLINED, VETOED), special_actions),
    outlook=outlook,
    standing=standing,
    assumptions=ASSUMPTIONS,
    guide={**GUIDE, **OF_INTRIGUE, **OF_COLONIES, **OF_GRANDISSIMO, **OF_ANNIVERSARY},
    ahead=AHEAD,
)
