"""Games as cards: a thumbnail, the players with their scores, and how far the game has come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from flask import url_for
from markupsafe import Markup

from events.table.game import ABORTED, OPEN, OVER, PRIVATE, RUNNING
from replay.thumbnails import Sheet
from rules.catalogue import GAMES, game_named, rules_named
from rules.kernel import Player
from rules.texts import Text, Value, say
from service.games.access import seat_of
from service.games.bot_names import bot_names
from service.games.broadcast import broadcast_delay
from service.games.gallery import PicturedGame, Thumbnail
from service.games.game_summary import GameSummary
from service.games.representations import Moment, Profile, clocks
from service.http.context import services
from service.web.addresses import table_address
from service.web.game_titles import table_title
from service.web.player_names import PlayerName, player_name
from service.web.times import left, pace, span


class Place(NamedTuple):
    """A seat of a table."""

    seat: Player
    player: PlayerName | None
    score: int
    leads: bool


class Badge(NamedTuple):
    text: Text
    style: str = ""
    """Classes of its own."""
    icon: str = ""
    about: Text | None = None


VERIFIED = say("The service has checked its chain of commits. Open it, and your browser checks all of it.")


class Card(NamedTuple):
    id: str
    state: str
    """Another, if the card looks otherwise."""
    title: Value
    game: str
    places: list[Place]
    picture: Markup
    badge: Badge
    pace: Text
    is_private: bool
    is_my_turn: bool
    deadline_at: int | None
    left: Text | None
    ended_at: int
    round: Text | None
    address: str
    """Where a click leads: to the table while it waits or goes on, to the replay afterwards."""
    is_mine: bool
    """Whether the visitor sits there."""
    since: int
    begins: Text

    @property
    def taken(self) -> int:
        return sum(place.player is not None for place in self.places)


class Cards:
    """The cards of one page. They share their drawings, and one query for the names of all players."""

    def __init__(self, games: Iterable[PicturedGame], account: str | None) -> None:
        shown = [each.game for each in games]
        seated = {account for game in shown for account in (*game.seats.values(), game.owner)}
        self._profiles: Mapping[str, Profile | None] = services().accounts.profiles(seated)
        self._now = Moment(services().games.now(), tuple(services().games.outages()))
        self._account = account
        self._sheet = Sheet()

    @property
    def shared(self) -> Markup:
        """What the drawings share; to stand once in the page, after all cards were made."""
        return Markup(self._sheet.shared())

    @property
    def left(self) -> Text:
        """The sentence that a script fills in."""
        return say("{time} left", time="{time}")

    @property
    def now(self) -> int:
        return self._now.at

    def card(self, pictured: PicturedGame) -> Card:
        game, thumbnail = pictured.game, pictured.thumbnail
        is_my_turn = any(game.seats.get(seat) == self._account for seat in game.asked)
        deadline, own = self._deadline(game), seat_of(game, self._account)
        return Card(
            id=game.id,
            state=f"{game.version}{'v' if pictured.is_verified else ''}",
            title=self._title(game),
            game=game_line(game),
            places=list(self._places(game)),
            picture=self._picture(game, thumbnail),
            badge=self._badge(pictured, is_my_turn),
            pace=pace(game.time),
            is_private=game.visibility == PRIVATE,
            is_my_turn=is_my_turn,
            deadline_at=deadline,
            left=(span if is_my_turn else left)(max(0, deadline - self.now)) if deadline else None,
            ended_at=game.ended_at,
            round=round_of(game, thumbnail),
            address=address_of(game),
            is_mine=own is not None,
            since=game.created_at,
            begins=say("starts when full") if game.starts_when_full else say("the owner starts it"),
        )

    def name(self, account: str, *, is_bot: bool = False) -> PlayerName:
        return player_name(account, self._profiles.get(account), is_bot=is_bot)

    def _title(self, game: GameSummary) -> Value:
        players = [self.name(account).name for account in game.seats.values()]
        return table_title(game, players, self.name(game.owner).name if self._profiles.get(game.owner) else None)

    def _places(self, game: GameSummary) -> Iterator[Place]:
        """The player who is ahead comes first; before the start, the seats as they are."""
        best = max(game.scores.values(), default=0)
        called = bot_names(game.seats)
        firsts = {seat for seat, place in game.places.items() if place == 1}
        for seat in sorted(game.players, key=lambda seat: (game.places.get(seat, 0), -game.scores.get(seat, 0))):
            account, score = game.seats.get(seat), game.scores.get(seat, 0)
            player = self.name(account, is_bot=seat in game.bots) if account else None
            if player and seat in called:
                player = player._replace(name=called[seat])
            yield Place(seat, player, score, seat in firsts if firsts else 0 < score == best)

    def _picture(self, game: GameSummary, thumbnail: Thumbnail | None) -> Markup:
        if not thumbnail:
            return Markup()
        ground = game_named(game.rules).picture.ground(rules_named(game.rules))
        return Markup(self._sheet.add(ground, thumbnail.drawing, ""))

    def _badge(self, pictured: PicturedGame, is_my_turn: bool) -> Badge:
        game = pictured.game
        if game.status == RUNNING:
            return self._running_badge(game, pictured.thumbnail, is_my_turn)
        if pictured.is_verified:
            return Badge(say("verified"), "", "seal", VERIFIED)
        return {
            OPEN: Badge(say("open")),
            OVER: Badge(say("finished")),
            ABORTED: Badge(say("never begun")),
        }[game.status]

    def _running_badge(self, game: GameSummary, thumbnail: Thumbnail | None, is_my_turn: bool) -> Badge:
        if game.clock and game.clock.paused:
            return Badge(say("paused"), "warn", "pause")
        if is_my_turn:
            return Badge(say("your turn"), "royal live")
        if not thumbnail or not thumbnail.round:
            return Badge(say("live"), "good live")
        if thumbnail.round == thumbnail.last_round:
            return Badge(say("last round"), "royal live")
        return Badge(say("round {number}", number=thumbnail.round), "good live")

    def _deadline(self, game: GameSummary) -> int | None:
        """When the next clock runs out; one's own, if it runs."""
        shown = clocks(game, self._now) if game.status == RUNNING else None
        if not shown or shown["paused"]:
            return None
        running = {seat: each["deadline_at"] for seat, each in shown["seats"].items() if each["deadline_at"]}
        own = seat_of(game, self._account)
        deadline = running.get(own) if own in running else min(running.values(), default=None)
        return deadline + broadcast_delay(game, self._account) if deadline else None


def address_of(game: GameSummary) -> str:
    return url_for("replay_page.viewer", game=game.id) if game.has_ended else table_address(game.id)


def round_of(game: GameSummary, thumbnail: Thumbnail | None) -> Text | None:
    if game.status != RUNNING or not thumbnail or not thumbnail.round:
        return None
    return say("Round {number} of {all}", number=thumbnail.round, all=thumbnail.last_round)


def game_line(game: GameSummary) -> str:
    """The game with its expansions, and what was agreed otherwise than usual: names that no language translates."""
    played = game_named(game.rules)
    name = " + ".join((played.title, *map(expansion_title, game.rules.split("+")[1:])))
    return ", ".join((name, *unusual(game.rules, game.options)))


def unusual(rules: str, options: Mapping[str, str]) -> list[str]:
    """What was agreed otherwise than usual; of a choice from among many things only that there was one.

    >>> unusual("el_grande+grandissimo", {"game_length": "short", "deck": "1,2,3,4,5,6,7,8,9,10,11"})
    ['short', 'deck']
    """
    known = game_named(rules).options_with(rules.split("+")[1:])
    differing = {option: value for option, value in options.items() if value != known.get(option, (value,))[0]}
    return [value if value in known.get(option, (value,)) else option for option, value in differing.items()]


def expansion_title(name: str) -> str:
    """
    >>> expansion_title("king_and_intrigue")
    'King & Intrigue'
    """
    about = next((game.about[name] for game in GAMES.values() if name in game.about), None)
    return str(about.title) if about else name.replace("_", " ").capitalize()
