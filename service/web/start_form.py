"""The start form: what it says, and the table that is made of it. What is not said is as most people want it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import to_builtins

from events.table.calendar import DAY
from events.table.game import PRIVATE, PUBLIC
from events.table.time_control import BOT, FORFEIT, TimeControl
from rules.bots import BOTS, USUAL
from rules.catalogue import DEFAULT, GAMES, game_named
from rules.texts import Text, say, say_many
from service.games.game_service import LONGEST_TITLE
from service.text_patterns import is_written
from service.web.game_options import OPTION_WORDS, further_options, read_further, words_of
from service.web.times import MINUTE, SECOND, pace

Form = Mapping[str, Sequence[str]]

LIVE, DAILY = "live", "daily"
WITH_BOTS, WITH_FRIENDS, WITH_ANYONE = "bots", "friends", "anyone"
AS_USUAL = ""
"""The choice that follows from the others."""
SEATS = 4

PACES: Mapping[str, Text] = {LIVE: say("Live"), DAILY: say("A move a day")}
COMPANIES: Mapping[str, Text] = {
    WITH_ANYONE: say("Anyone"),
    WITH_FRIENDS: say("Friends"),
    WITH_BOTS: say("Bots"),
}

TIMES: Mapping[str, TimeControl | None] = {
    "10-10": TimeControl(bank_ms=10 * MINUTE, increment_ms=10 * SECOND, cap_ms=10 * MINUTE, policy=BOT),
    "20-15": TimeControl(bank_ms=20 * MINUTE, increment_ms=15 * SECOND, cap_ms=20 * MINUTE, policy=BOT),
    "45-20": TimeControl(bank_ms=45 * MINUTE, increment_ms=20 * SECOND, cap_ms=45 * MINUTE, policy=BOT),
    "1-day": TimeControl(limit_ms=DAY, strikes=2, policy=BOT),
    "3-days": TimeControl(limit_ms=3 * DAY, strikes=2, policy=BOT),
    "7-days": TimeControl(limit_ms=7 * DAY, strikes=1, policy=FORFEIT),
    "none": None,
}
"""Time controls to choose from. A game that was left ends by itself, but for the last."""

USUAL_TIMES = {LIVE: "20-15", DAILY: "1-day"}
AGAINST_BOTS = "7-days"
"""No bot grows tired of waiting."""

BOT_PACES: Mapping[str, tuple[int | None, Text]] = {
    "brisk": (300, say("brisk")),
    AS_USUAL: (None, say("as people do")),
    "slow": (3000, say("slow")),
}
"""Milliseconds before each answer of a bot."""

IF_ALL_AGREE, NEVER = "agreed", "never"
TAKE_BACKS: Mapping[str, Text] = {IF_ALL_AGREE: say("if all agree"), NEVER: say("never")}


class Start(NamedTuple):
    """What the form says."""

    pace: str = LIVE
    company: str = WITH_BOTS
    players: int = SEATS
    game: str = DEFAULT
    expansions: tuple[str, ...] = ()
    options: Mapping[str, str] = {}
    time: str = AS_USUAL
    visibility: str = AS_USUAL
    take_back: str = IF_ALL_AGREE
    bot: str = USUAL
    bot_pace: str = AS_USUAL
    title: str = ""

    def request(self) -> dict[str, Any]:
        """The table, as `POST /games` would be asked for it."""
        control = self.control()
        return {
            "rules": self.game,
            "expansions": list(self.expansions),
            "players": self.players,
            "options": dict(self.options),
            "visibility": self.visibility or (PUBLIC if self.company == WITH_ANYONE else PRIVATE),
            "time": to_builtins(control) if control else None,
            "may_resign": True,
            "may_take_back": self.take_back == IF_ALL_AGREE,
            "title": self.title,
            "starts_when_full": True,
            "join": True,
            "nonce": "",
        }

    def control(self) -> TimeControl | None:
        if self.time:
            return TIMES[self.time]
        return TIMES[AGAINST_BOTS if self.company == WITH_BOTS else USUAL_TIMES[self.pace]]

    def seat_bot(self) -> dict[str, Any]:
        """A bot's seat, as `POST /games/{game}/seats` would be asked for it."""
        return {"bot": self.bot, "seat": "", "pace_ms": BOT_PACES[self.bot_pace][0]}


def read_start(form: Form) -> Start:
    """What a form says. What it does not say, or says wrongly, is as usual."""

    def given(name: str) -> str:
        return next((value for value in reversed(form.get(name, ())) if value), "")

    def one_of(name: str, known: Mapping[str, Any], otherwise: str) -> str:
        return given(name) if given(name) in known else otherwise

    usual = Start()
    game = game_named(one_of("game", GAMES, usual.game))
    ticked = set(form.get("expansions", ()))
    expansions = tuple(name for name in game.expansions if name in ticked)
    title = " ".join(given("title").split())[:LONGEST_TITLE]
    return Start(
        pace=one_of("pace", PACES, usual.pace),
        company=one_of("with", COMPANIES, usual.company),
        players=next((number for number in game.players if str(number) == given("players")), usual_players(game)),
        game=game.name,
        expansions=expansions,
        options={
            **{option: given(option) for option in game.options if given(option) in game.options[option]},
            **({} if game.kept_apart(expansions) else read_further(form, game, expansions)),
        },
        time=one_of("time", TIMES, AS_USUAL),
        visibility=given("visibility") if given("visibility") in (PUBLIC, PRIVATE) else AS_USUAL,
        take_back=one_of("take_back", TAKE_BACKS, usual.take_back),
        bot=one_of("bot", BOTS, usual.bot),
        bot_pace=one_of("bot_pace", BOT_PACES, AS_USUAL),
        title=title if is_written(title) else "",
    )


def usual_players(game: Any) -> int:
    """Four, or as near to that as the game allows."""
    return min(game.players, key=lambda number: abs(number - SEATS))


NAMES = {
    "pace": "pace",
    "company": "with",
    "players": "players",
    "bot_pace": "bot_pace",
    "may_take_back": "take_back",
}
"""The fields of the form."""


def choices(start: Start) -> dict[str, Any]:
    """What the form offers, and what is chosen in it."""
    return {
        "start": start,
        "names": NAMES,
        "paces": PACES,
        "companies": COMPANIES,
        "players": {number: number for number in sorted({n for game in GAMES.values() for n in game.players})},
        "games": GAMES,
        "options": {name: options_of(name) for name in GAMES},
        "further": {name: further_options(game) for name, game in GAMES.items()},
        "option_words": OPTION_WORDS,
        "take_backs": TAKE_BACKS,
        "times": {name: pace(control) for name, control in TIMES.items()},
        "bots": BOTS.values(),
        "bot_paces": {name: told for name, (_, told) in BOT_PACES.items()},
        "summary": summary(start),
        "summaries": {name: summary(start if name == start.game else Start(game=name)) for name in GAMES},
        "longest_title": LONGEST_TITLE,
    }


def options_of(game: str) -> dict[str, dict[str, Text | str]]:
    """What can be agreed in a game, and the values of each agreement in words."""
    return {option: words_of(values) for option, values in game_named(game).options.items()}


def summary(start: Start) -> Text:
    """What is agreed unless somebody changes it.

    >>> str(summary(Start())), str(summary(Start(options={"game_length": "short"}, expansions=("anniversary",))))
    ('El Grande, full game, no expansions.', 'El Grande, short game, 1 expansion.')
    >>> str(summary(Start(game="el_caballero")))
    'El Caballero, basic game.'
    """
    game = game_named(start.game)
    option, values = next(iter(game.options.items()))
    length = OPTION_WORDS[start.options.get(option, values[0])]
    if not game.expansions:
        return say("{game}, {length}.", game=game.title, length=length)
    return say(
        "{game}, {length}, {expansions}.",
        game=game.title,
        length=length,
        expansions=say_many("{count} expansion", "{count} expansions", len(start.expansions))
        if start.expansions
        else say("no expansions"),
    )
