"""The stage: made-up people, and games that bots have played for them by the rules. The same seeds, the same games."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from events.games import Games
from events.submission import Submission
from events.table.commands import Join, Pause, Play, Start
from events.table.game import PRIVATE, PUBLIC, Game
from events.table.time_control import TimeControl
from rules.bots import BOTS, answer
from rules.fairness import Chance
from rules.kernel import Answer, decision_id, waiting
from service.games.game_service import GameService
from service.pictures.shelf import DAY, HOUR, MINUTE, SECOND, write_all
from service.services import Services

PASSWORD = "tizona y colada"

HOST = "Ines"
"""The account that looks at the pages."""
PROGRAM = "Mesa_Bot"
"""An account that says that a program plays for it."""
NEWCOMER = "Pau"
"""An account that has played one game, and written nothing."""

VIEWER_OF_BOARDS = "Pilar"
"""An account that has played a private game of each expansion."""

APP_ADDRESS = "https://mesa-stats.example/back"
"""Of an app that wants to use accounts."""


@dataclass(frozen=True)
class Table:
    """A game to be played: by whom, how far, and how long ago its last move was made."""

    name: str
    people: Sequence[str]
    moves: int = 0
    """So many were made; by default all of them, to its end."""
    ago: int = HOUR
    rules: str = "el_grande"
    length: str = "full"
    mode: str = ""
    """What is agreed in games that come in modes and not in lengths."""
    time: TimeControl | None = None
    seats: int = 0
    """It waits for so many players; by default it has as many as it needs."""
    deal: str = ""
    """Dealt and played as the game of this name; by default as that of its own."""
    title: str = ""
    is_private: bool = False
    is_paused: bool = False
    is_packed: bool = False
    """Whether its chain was checked, after its end."""


A_MOVE_A_DAY = TimeControl(limit_ms=DAY)
THREE_HOURS = TimeControl(limit_ms=3 * HOUR)
HALF_AN_HOUR = TimeControl(limit_ms=30 * MINUTE)
TWENTY_MINUTES = TimeControl(bank_ms=20 * MINUTE, increment_ms=15 * SECOND)

FINISHED, LIVE = "final", "tuesday"
"""The games whose replay is shown."""
WAITING = "friday"
"""The table that waits for players, with a link for friends."""

TABLES = (
    *(
        Table(
            name,
            (VIEWER_OF_BOARDS, "Hugo", "Owen", "Yuki"),
            ago=6 * DAY,
            rules=f"el_grande+{expansion}",
            deal=deal,
            is_private=True,
            is_packed=True,
        )
        for name, (expansion, deal) in {
            "intrigue": ("king_and_intrigue", "intrigue"),
            "colonies": ("grand_inquisitor_and_colonies", "colonies"),
            "grandissimo": ("grandissimo", "porto"),
        }.items()
    ),
    Table("duel-1", ("Noor", "Ines"), ago=5 * DAY, time=A_MOVE_A_DAY, is_packed=True),
    Table("islands", ("Daan", "Ines", "Chiara"), ago=4 * DAY, rules="el_caballero", mode="advanced", is_packed=True),
    Table("toledo", ("Rafael", "Elsa", "Hugo", "Pilar"), ago=3 * DAY, length="short", is_packed=True),
    Table("harbour", ("Daan", "Yuki", "Owen"), ago=2 * DAY, rules="el_grande+anniversary", is_packed=True),
    Table("final", ("Chiara", "Bruno", "Ines", "Emile"), ago=DAY, is_packed=True),
    Table("programs", (PROGRAM, "Hugo", "Klara"), ago=DAY, length="short", is_packed=True),
    Table("slowly-1", ("Emile", NEWCOMER, "Klara", "Daan"), ago=22 * HOUR, length="short", is_packed=True),
    Table("evening", ("Elsa", "Bruno", "Noor", "Rafael", "Pilar"), ago=20 * MINUTE, length="short"),
    Table("friends", ("Hugo", "Rafael", "Elsa", "Yuki"), 150, ago=3 * MINUTE),
    Table("harbour-2", ("Yuki", "Daan", "Owen"), 40, ago=28 * MINUTE - 30 * SECOND, time=THREE_HOURS),
    Table("stopped", ("Klara", "Owen", "Hugo", "Pilar"), 70, ago=2 * HOUR, time=THREE_HOURS, is_paused=True),
    Table("klara", ("Klara", "Daan", "Owen", "Pilar"), 200, ago=10 * MINUTE),
    Table("duel-2", ("Noor", "Ines"), 65, ago=20 * HOUR + 30 * MINUTE, time=A_MOVE_A_DAY),
    Table(
        "tuesday", ("Bruno", "Chiara", "Emile", "Ines", "Daan"), 126, ago=88 * MINUTE - 30 * SECOND, time=THREE_HOURS
    ),
    *(
        Table(name, ("Bruno", "Chiara", "Emile", "Ines", "Daan"), moves, 40 * SECOND, time=HALF_AN_HOUR, deal="plaza-1")
        for name, moves in {"disk": 79, "scoring": 84, "placing": 94, "veto": 145}.items()
    ),
    Table(
        WAITING,
        ("Ines", "Bruno"),
        seats=4,
        ago=MINUTE,
        title="Friday, eight o'clock",
        time=TWENTY_MINUTES,
        is_private=True,
    ),
    Table("slowly", ("Emile",), seats=4, ago=9 * MINUTE, title="First game, slowly"),
    Table("duel-3", ("Yuki",), seats=2, ago=6 * MINUTE, time=A_MOVE_A_DAY),
    Table(
        "quick",
        ("Owen", "Noor", "Pilar"),
        seats=4,
        ago=4 * MINUTE,
        length="short",
        time=TWENTY_MINUTES,
        title="Quick evening game",
    ),
)


def set_up(wired: Services) -> dict[str, str]:
    """Everybody, all of the games and studies, in an empty store; and what addresses of pages are filled in with."""
    names = dict.fromkeys(name for table in TABLES for name in table.people)
    accounts = {name: wired.accounts.register(name, PASSWORD).id for name in names}
    wired.accounts.declare_bot(accounts[PROGRAM], True)
    for table in TABLES:
        play(wired, table, accounts)
    write_all(wired, accounts)
    talk(wired, accounts)
    app = wired.apps.register(accounts[PROGRAM], "Mesa Stats", [APP_ADDRESS])
    return {"app": app.id, "link": link(wired)}


TALK = (
    ("Chiara", "Good evening. Who begins?"),
    ("Bruno", "The King decides."),
    ("Ines", "Have fun, everybody"),
    ("Emile", "Aragon was mine until the last scoring"),
    ("Chiara", "Thanks for the game"),
)


def talk(wired: Services, accounts: dict[str, str]) -> None:
    """What people have written at a table."""
    for name, text in TALK:
        wired.chat.chat.write(f"picture-{FINISHED}/players", accounts[name], text)
    wired.chat.chat.write(f"picture-{FINISHED}/spectators", accounts["Noor"], "What a last round")


def link(wired: Services) -> str:
    """The word of the table that waits."""
    game = f"picture-{WAITING}"
    return wired.game_service.link(game, wired.games.load(game).owner).word


def play(wired: Services, table: Table, accounts: dict[str, str]) -> None:
    clock = Clock(wired.games.now() - table.ago - 2 * HOUR)
    games = Games(wired.games.log, now=clock, draw=random.Random(table.deal or table.name).randbytes)
    service = replace(wired.game_service, games=games)
    game = seated(service, table, [accounts[name] for name in table.people])
    if table.seats:
        return
    service.submit(game, Start(accounts[table.people[0]]), Submission())
    play_on(service, game, table, clock)
    if table.is_paused:
        for name in table.people:
            service.submit(game, Pause(accounts[name]), Submission())
    if table.is_packed:
        assert wired.packer.pack(game), "it is over"


class Clock:
    """It goes on by a quarter of a minute from question to question."""

    def __init__(self, at: int) -> None:
        self.at = at

    def __call__(self) -> int:
        self.at += 15 * SECOND
        return self.at


def seated(service: GameService, table: Table, people: Sequence[str]) -> str:
    seats = table.seats or len(people)
    game = service.games.create(
        table.rules,
        seats,
        {"mode": table.mode} if table.mode else {"game_length": table.length},
        owner=people[0],
        time=table.time,
        title=table.title,
        starts_when_full=bool(table.seats),
        visibility=PRIVATE if table.is_private else PUBLIC,
        game=f"picture-{table.name}",
    ).id
    for account in people:
        service.submit(game, Join(account, invited=True), Submission())
    return game


def play_on(service: GameService, game: str, table: Table, clock: Clock) -> None:
    """To the end, or so far; then the last move is made as long ago as it should be."""
    chance, until, known = Chance((table.deal or table.name).encode()), clock.at + 2 * HOUR, service.games.load(game)
    for number in range(table.moves or sys.maxsize):
        if not known.is_running:
            break
        if number + 1 == table.moves:
            clock.at = until
        known = service.submit(game, next_move(known, chance), Submission()).after


def next_move(game: Game, chance: Chance) -> Play:
    """As a bot of the service would play."""
    player = waiting(game.state)[0]
    return Play(Answer(player, decision_id(game.state, player), answer(BOTS["greedy"], game.state, player, chance)))
