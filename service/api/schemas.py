"""What clients send and get, as marshmallow schemas: they check what is sent, and describe both.

Answers are made by `service.games.representations` and go out as they are; the tests hold them against these
descriptions.
"""

from __future__ import annotations

from marshmallow import EXCLUDE, INCLUDE, RAISE, Schema, ValidationError, fields, validate

from events.table import clock_ledger
from events.table.game import ABORTED, OPEN, OVER, PRIVATE, PUBLIC, RUNNING
from events.table.time_control import DEFAULTS, LONGEST, POLICIES
from rules.catalogue import GAMES
from service.text_patterns import NAME, WRITTEN, fits

STATUSES = (OPEN, RUNNING, OVER, ABORTED)
LONGEST_NAME = 200
MOST_VERSIONS = 10**9


class Like(validate.Regexp):
    """All of the text is like that: a line break at its end is part of it."""

    def __call__(self, value):
        if not fits(str(self.regex.pattern), value):
            raise ValidationError("Only characters that can be printed.")
        return value


def few(options: dict[str, str]) -> None:
    if len(options) > 16:
        raise ValidationError("At most 16 options.")


def about(description: str, **more) -> dict:
    return {"description": description, **more}


class Whole(fields.Integer):
    """A whole number in JSON, where 2.0 is one, and "2" is not."""

    def _validated(self, value):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value):
            raise self.make_error("invalid", input=value)
        return int(value)


class Flag(fields.Boolean):
    """True or false in JSON, and nothing that is like it."""

    def _deserialize(self, value, attr, data, **kwargs):
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class Sent(Schema):
    """Fields that nobody knows are refused."""

    class Meta:
        unknown = RAISE


def word(description: str, longest: int = 64, like: str = NAME) -> fields.String:
    """A short text that may be left out."""
    return fields.String(
        load_default="", validate=[validate.Length(max=longest), Like(like)], metadata=about(description)
    )


def nonce() -> fields.String:
    return word("Anything: it is mixed into the game's chance, so that nobody else can have chosen it.", 128, WRITTEN)


# What is sent


def milliseconds(description: str) -> Whole:
    return Whole(load_default=0, validate=validate.Range(0, LONGEST), metadata=about(description))


def hour(description: str) -> fields.String:
    return word(description, 5)


class CalendarWish(Sent):
    """When no clock runs."""

    zone = fields.String(
        load_default="UTC", validate=[validate.Length(1, 64), Like(NAME)], metadata=about("Such as `Europe/Madrid`.")
    )
    quiet_from = hour("Quiet hours begin, such as `22:00`.")
    quiet_until = hour("Quiet hours end, such as `08:00`.")
    days_off = fields.List(
        Whole(validate=validate.Range(0, 6)),
        load_default=list,
        validate=validate.Length(max=6),
        metadata=about("Weekdays on which no clock runs; Monday is 0."),
    )
    vacation_days = Whole(
        load_default=0, validate=validate.Range(0, 365), metadata=about("How many days each player may be away.")
    )


class TimeWish(Sent):
    """Clocks for a table. It needs `bank_ms`, or `limit_ms` for each decision, or both."""

    bank_ms = milliseconds("Time of each player for the whole game.")
    increment_ms = milliseconds("Added to the bank after every decision.")
    cap_ms = milliseconds("Increments do not lift the bank above this; 0: they may.")
    delay_ms = milliseconds("The beginning of every decision that costs nothing.")
    limit_ms = milliseconds("The longest for one decision.")
    calendar = fields.Nested(CalendarWish, load_default=dict, metadata=about("When no clock runs."))
    strikes = Whole(
        load_default=3,
        validate=validate.Range(0, 100),
        metadata=about("How often in a row a player may be late before the policy takes over; 0: always."),
    )
    policy = fields.String(
        load_default=DEFAULTS,
        validate=validate.OneOf(POLICIES),
        metadata=about("What becomes of the seat then: its defaults are taken, a bot plays it, or it is forfeited."),
    )


class VacationWish(Sent):
    days = Whole(required=True, validate=validate.Range(1, 365), metadata=about("How long you are away, from now on."))


class NewGame(Sent):
    """A table to be."""

    rules = fields.String(
        load_default="el_grande",
        validate=[validate.Length(max=LONGEST_NAME), Like(NAME)],
        metadata=about("The game, as `GET /rules` lists it."),
    )
    expansions = fields.List(
        fields.String(validate=[validate.Length(max=64), Like(NAME)]),
        load_default=list,
        validate=validate.Length(max=16),
        metadata=about("Expansions to play with."),
    )
    players = Whole(required=True, validate=validate.Range(1, 16), metadata=about("How many seats the table has."))
    options = fields.Dict(
        keys=fields.String(),
        values=fields.String(validate=[validate.Length(max=64), Like(NAME)]),
        load_default=dict,
        validate=few,
        metadata=about("What is agreed before the start, as `GET /rules/{game}` lists it.", maxProperties=16),
    )
    visibility = fields.String(
        load_default=PUBLIC,
        validate=validate.OneOf([PUBLIC, PRIVATE]),
        metadata=about("Private games are seen only by their owner and by those who sit there."),
    )
    time = fields.Nested(
        TimeWish, load_default=None, allow_none=True, metadata=about("Clocks; without, nobody is in a hurry.")
    )
    may_resign = Flag(load_default=True, metadata=about("Whether players may leave a running game."))
    join = Flag(load_default=True, metadata=about("Whether you sit down on the first seat."))
    nonce = nonce()


class SeatWish(Sent):
    """A seat to take."""

    seat = word("Which seat; the first free one if left out.")
    nonce = nonce()
    invitation = word("The word that opens a private table.", 128)


class InvitationWish(Sent):
    """An invitation to be written."""

    seat = word("Only for this seat; for any if left out.")


class Nothing(Sent):
    """No fields."""


class Move(Schema):
    """An answer to a decision. Which further fields there are, the decision's own schema says."""

    class Meta:
        unknown = INCLUDE

    decision = fields.String(
        required=True, validate=[validate.Length(1, 64), Like(NAME)], metadata=about("The decision that this answers.")
    )
    kind = fields.String(
        required=True, validate=[validate.Length(1, 64), Like(NAME)], metadata=about("What kind of answer it is.")
    )


# What is asked for


class MoveQuery(Sent):
    dry_run = fields.Boolean(
        load_default=False, truthy={"true"}, falsy={"false"}, metadata=about("Only tell what would happen.")
    )


class PageQuery(Sent):
    status = fields.String(load_default="", validate=validate.OneOf(STATUSES), metadata=about("Only these."))
    rules = word("Only games with these rules, such as `el_grande+anniversary`.", LONGEST_NAME)
    limit = fields.Integer(load_default=20, validate=validate.Range(1, 100), metadata=about("The most at once."))
    cursor = word("Where the page before ended: its `next`.", 200)


class GamesQuery(PageQuery):
    player = word("Only games in which this account sits.")


class ViewerQuery(Sent):
    viewer = fields.String(
        load_default=lambda: None,
        validate=[validate.Length(1, 64), Like(NAME)],
        metadata=about(
            "Through whose eyes: your own seat, or `spectator`; after the end any seat, or `everything`. "
            "By default your own seat, else `spectator`; after the end `everything`."
        ),
    )


class StateQuery(ViewerQuery):
    version = fields.Integer(
        load_default=lambda: None,
        validate=validate.Range(1, MOST_VERSIONS),
        metadata=about("As it was then; now if left out."),
    )


class EventsQuery(ViewerQuery):
    after = fields.Integer(
        load_default=0, validate=validate.Range(0, MOST_VERSIONS), metadata=about("Only versions after this one.")
    )
    limit = fields.Integer(
        load_default=100, validate=validate.Range(1, 1000), metadata=about("The most at once; not for streams.")
    )


# What is answered


class Told(Schema):
    """More fields may come with time: clients pass over those that they do not know."""

    class Meta:
        unknown = EXCLUDE


class Problem(Told):
    """RFC 9457. Programs look at `code`, people at `detail`."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    code = fields.String(required=True, metadata=about("Stable; see the list of codes in the documentation."))
    detail = fields.String(required=True, metadata=about("A sentence for people."))
    rule = fields.String(metadata=about("Which rule was broken."))
    errors = fields.Dict(metadata=about("What is wrong with each field."))
    request_id = fields.String(required=True, metadata=about("The same as in the header X-Request-Id and in our log."))


class Player(Told):
    id = fields.String(required=True, metadata=about("Never changes, and means nothing by itself."))
    handle = fields.String(required=True, allow_none=True, metadata=about("Null when the account is gone."))


class Seat(Told):
    seat = fields.String(required=True)
    player = fields.Nested(Player, required=True, allow_none=True)
    forfeited = fields.String(
        required=True, allow_none=True, metadata=about("Why this seat is out of the running: `resigned` or `time`.")
    )
    nonce = fields.Boolean(required=True, metadata=about("Whether this seat has added to the game's chance."))


def numbers(description: str) -> fields.Dict:
    return fields.Dict(keys=fields.String(), values=fields.Integer(), required=True, metadata=about(description))


def texts(description: str) -> fields.List:
    return fields.List(fields.String(), required=True, metadata=about(description))


class SeatTime(Told):
    """One player's clock."""

    bank_ms = fields.Integer(required=True, allow_none=True, metadata=about("What is left for the whole game."))
    remaining_ms = fields.Integer(
        required=True, metadata=about("What is left for this decision, or for the next one, at `server_time`.")
    )
    deadline_at = fields.Integer(required=True, allow_none=True, metadata=about("When it is over, if it runs."))
    running = fields.Boolean(required=True)
    strikes = fields.Integer(required=True, metadata=about("How often in a row this player was late."))
    played_by = fields.String(
        required=True, allow_none=True, metadata=about("`defaults` or `bot`, if the player is not waited for.")
    )


class Clock(Told):
    """All clocks of a table. Moments are milliseconds since 1970, as our clock has them."""

    server_time = fields.Integer(required=True, metadata=about("Now, or the moment of the version that was asked for."))
    paused = fields.String(required=True, allow_none=True, metadata=about("`agreement` or `organiser`, in a pause."))
    want_pause = fields.List(fields.String(), required=True, metadata=about("Seats that would like a pause."))
    seats = fields.Dict(keys=fields.String(), values=fields.Nested(SeatTime), required=True)


def clock() -> fields.Nested:
    return fields.Nested(
        Clock, required=True, allow_none=True, metadata=about("Null while no clock counts in this game.")
    )


class LedgerRow(Told):
    """One thing that happened to one player's clock. `bank_before_ms - paid_ms + earned_ms` is `bank_after_ms`."""

    version = fields.Integer(required=True)
    at = fields.Integer(required=True, metadata=about("Milliseconds since 1970."))
    player = fields.String(required=True, metadata=about("The seat."))
    decision = fields.String(required=True, metadata=about("Empty if the player was not asked."))
    what = fields.String(required=True, validate=validate.OneOf(clock_ledger.KINDS))
    used_ms = fields.Integer(required=True, metadata=about("What the decision has cost so far."))
    paid_ms = fields.Integer(required=True, metadata=about("What it took out of the bank."))
    earned_ms = fields.Integer(required=True)
    bank_before_ms = fields.Integer(required=True)
    bank_after_ms = fields.Integer(required=True)
    remaining_ms = fields.Integer(required=True)
    deadline_at = fields.Integer(required=True, metadata=about("0 if the clock does not run."))
    since = fields.Integer(required=True, metadata=about("Of an outage that is given back, or of a vacation; or 0."))
    until = fields.Integer(required=True)


class Ledger(Told):
    """Everything that happened to the clocks of a game, the same for all viewers."""

    version = fields.Integer(required=True)
    clock = clock()
    rows = fields.List(fields.Nested(LedgerRow), required=True)


class Game(Told):
    """A game: what was agreed, who sits where, and how far it has come."""

    id = fields.String(required=True)
    rules = fields.String(required=True, metadata=about("The game and its expansions, joined by `+`."))
    game = fields.String(required=True)
    expansions = texts("Expansions played with.")
    players = fields.Integer(required=True, metadata=about("How many seats there are."))
    options = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    visibility = fields.String(required=True, validate=validate.OneOf([PUBLIC, PRIVATE]))
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    version = fields.Integer(required=True, metadata=about("How many commits there are; also the ETag."))
    head = fields.String(required=True, metadata=about("The hash of the last commit."))
    commitment = fields.String(required=True, metadata=about("Fixes the game's secret without telling it."))
    seats = fields.List(fields.Nested(Seat), required=True)
    mine = fields.String(required=True, allow_none=True, metadata=about("Your seat, if you have one."))
    owner = fields.String(required=True, metadata=about("The account that may start and abort it."))
    waiting = texts("The seats that are asked now.")
    time = fields.Nested(
        TimeWish, required=True, allow_none=True, metadata=about("What was agreed about time, if anything.")
    )
    may_resign = fields.Boolean(required=True)
    clock = clock()
    scores = numbers("Points by seat.")
    places = numbers("Final place by seat, once it is over; who shares a place shares the number.")
    created_at = fields.Integer(required=True, metadata=about("Milliseconds since 1970."))


class GamePage(Told):
    games = fields.List(fields.Nested(Game), required=True)
    next = fields.String(required=True, allow_none=True, metadata=about("The cursor of the next page, if any."))


class Invitation(Told):
    invitation = fields.String(required=True, metadata=about("The word to send along when sitting down; shown once."))
    seat = fields.String(required=True, allow_none=True, metadata=about("The seat it is for."))


class Decision(Told):
    """A question that waits for you, with everything a program needs to answer it."""

    id = fields.String(required=True)
    kind = fields.String(required=True)
    seat = fields.String(required=True)
    text = fields.String(required=True, metadata=about("The question, for people."))
    schema = fields.Dict(required=True, metadata=about("JSON Schema (2020-12) of all legal answers."))
    example = fields.Dict(required=True, metadata=about("An answer that is legal: it can be sent as it is."))
    default = fields.Dict(required=True, metadata=about("What is answered for you when your time is up."))
    at_once = fields.Integer(required=True, metadata=about("How many steps may be sent together."))


class Decisions(Told):
    version = fields.Integer(required=True)
    waiting = texts("The seats that are asked now.")
    decisions = fields.List(fields.Nested(Decision), required=True)


class Fact(Schema):
    """Something that happened: its name, and the numbers. What you may not know is masked."""

    class Meta:
        unknown = INCLUDE

    fact = fields.String(required=True)


def facts() -> fields.List:
    return fields.List(fields.Nested(Fact), required=True)


class Moved(Told):
    """What came of a move."""

    version = fields.Integer(required=True)
    hash = fields.String(required=True)
    facts = facts()
    story = texts("The same in words.")
    waiting = texts("The seats that are asked now.")
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))


class Preview(Told):
    """What would come of a move, as far as you may know."""

    accepted = fields.Boolean(required=True)
    facts = facts()
    story = texts("The same in words.")
    refusal = fields.String(required=True, allow_none=True, metadata=about("Why not, in a sentence."))
    rule = fields.String(required=True, allow_none=True, metadata=about("Which rule forbids it."))


class State(Told):
    """The position as one viewer may see it."""

    version = fields.Integer(required=True)
    viewer = fields.String(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    waiting = texts("The seats that are asked.")
    clock = clock()
    state = fields.Dict(required=True, allow_none=True, metadata=about("Null before the game begins."))


class Event(Told):
    """One accepted command, and what followed from it."""

    version = fields.Integer(required=True)
    at = fields.Integer(required=True, metadata=about("Milliseconds since 1970."))
    by = fields.String(required=True, metadata=about("A seat, an account, `table` or `clock`."))
    decision = fields.String(required=True, metadata=about("The decision answered; empty if there was none."))
    facts = facts()
    story = texts("The same in words.")
    hash = fields.String(required=True)


class EventPage(Told):
    events = fields.List(fields.Nested(Event), required=True)
    next = fields.Integer(required=True, allow_none=True, metadata=about("`after` for the next page, if any."))


class Export(Told):
    """A file for `hidalgo verify`."""

    format = fields.String(required=True)
    schema = fields.Integer(required=True)
    viewer = fields.String(required=True)
    commits = fields.List(fields.Dict(), required=True)


class PlayerPage(Player):
    games = fields.Integer(required=True, metadata=about("How many public games."))


class GameRules(Told):
    game = fields.String(required=True, validate=validate.OneOf(list(GAMES)))
    title = fields.String(required=True)
    expansions = texts("Expansions that there are.")
    players = fields.List(fields.Integer(), required=True, metadata=about("For how many players."))
    options = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.String()),
        required=True,
        metadata=about("What can be agreed; the first value is the default."),
    )


class Catalogue(Told):
    games = fields.List(fields.Nested(GameRules), required=True)


class Region(Told):
    id = fields.String(required=True)
    names = fields.Dict(keys=fields.String(), values=fields.String(), required=True, metadata=about("By language."))
    points = fields.List(fields.Integer(), required=True, metadata=about("For first, second and third."))
    neighbours = texts("Regions beside it.")
    coastal = fields.Boolean(required=True)


class Card(Told):
    id = fields.String(required=True)
    stack = fields.Integer(required=True, metadata=about("Also how many caballeros it places."))
    title = fields.String(required=True)
    text = fields.String(required=True, metadata=about("What its special action does, in a sentence."))
    copies = fields.Integer(required=True)


class PowerCard(Told):
    value = fields.Integer(required=True)
    caballeros = fields.Integer(required=True, metadata=about("How many come to court."))
    text = fields.String(required=True, metadata=about("What it does, in a sentence."))


class RuleBook(GameRules):
    rules = fields.String(required=True, metadata=about("The game and the chosen expansions."))
    seats = texts("The seats, clockwise.")
    regions = fields.List(fields.Nested(Region), required=True)
    castillo = fields.List(fields.Integer(), required=True, metadata=about("Its points."))
    scoreboards = fields.Dict(keys=fields.String(), values=fields.List(fields.Integer()), required=True)
    rounds = fields.Dict(keys=fields.String(), values=fields.List(fields.Integer()), required=True)
    scoring_rounds = fields.List(fields.Integer(), required=True)
    cards = fields.List(fields.Nested(Card), required=True)
    power_cards = fields.List(fields.Nested(PowerCard), required=True)
