"""Games: create, load, move, look. The one way into a log for everybody who plays.

A game is loaded by folding its commits. Folded games are kept in memory, and only newer commits are read the next
time; the log is the truth, and any of them can be thrown away.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from threading import Lock
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.errors import AnotherRequest, Busy, Conflict, Damaged, NoSuchGame, NotNow, TooLate
from events.log import NO_CHANGE, NO_DEADLINE, NO_FENCE, Log, chain, codec
from events.log.codec import FINGERPRINT, SCHEMA, Commit, Header
from events.table import clock
from events.table.calendar import DAY
from events.table.clock import AGREEMENT, ORGANISER, Clock, Outage
from events.table.facts import (
    AutopilotAnswered,
    ClockCredited,
    ClocksPaused,
    ClocksResumed,
    GameAborted,
    GameCreated,
    GameDecided,
    GameStarted,
    NonceAdded,
    PauseWanted,
    SeatAutomated,
    SeatForfeited,
    SeatLeft,
    SeatTaken,
    SeatTakenBack,
    SecretRevealed,
    TableFact,
    TimeRanOut,
    VacationTaken,
)
from events.table.time_control import BOT, DEFAULTS, FORFEIT, TimeControl, check_control
from rules import VERSION, catalogue
from rules.autopilot import autopilot
from rules.codec import codec_for
from rules.errors import Refused, Unreadable
from rules.fairness import Chance
from rules.kernel import EVERYTHING, Answer, Fact, Player, State, TimeUp, Viewer, decision_id, fold, play, waiting

OPEN, RUNNING, OVER, ABORTED = "open", "running", "over", "aborted"

CLOCK = "clock"
"""Who answers for those who are too late, or not there."""

ATTEMPTS = 20
"""How often a command is decided again because somebody was faster."""

KEPT = 1000
"""How many folded games a process keeps."""


class Game(Struct, frozen=True):
    """A game after some version: what was agreed, and where it stands."""

    id: str
    rules: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    commitment: str
    version: int
    head: str
    """The hash of the last commit."""
    state: State
    created_at: int = 0
    """Milliseconds since 1970."""
    owner: str = ""
    visibility: str = "public"
    seats: Mapping[str, str] = {}
    """Player to who sits there."""
    nonces: Mapping[str, str] = {}
    started: bool = False
    aborted: bool = False
    at: int = 0
    """The moment of the last commit, or the one at which something is decided."""
    time: TimeControl | None = None
    clock: Clock | None = None
    """From the start on, if time counts."""
    may_resign: bool = True
    forfeited: Mapping[str, str] = {}
    """Seats that are out of the running, and why."""
    decided: bool = False
    """Over before its end, because nobody was left to play against."""

    @property
    def status(self) -> str:
        if self.aborted:
            return ABORTED
        if not self.started:
            return OPEN
        return OVER if self.state.is_over or self.decided else RUNNING

    @property
    def asked(self) -> dict[Player, str]:
        """Whom the game waits for, and the decision that each is asked."""
        if self.status != RUNNING:
            return {}
        return {player: decision_id(self.state, player) for player in waiting(self.state)}

    @property
    def unattended(self) -> Mapping[Player, str]:
        """Seats that nobody waits for, and what plays them."""
        return {**(self.clock.automated if self.clock else {}), **dict.fromkeys(self.forfeited, DEFAULTS)}

    @property
    def attention_at(self) -> int:
        """When somebody must look at the game if nobody moves."""
        if self.status == RUNNING and self.clock:
            return self.clock.deadline
        if self.status == RUNNING and any(player in self.forfeited for player in self.asked):
            return self.at
        return NO_DEADLINE if self.time or self.forfeited else NO_CHANGE

    @property
    def places(self) -> Mapping[Player, int]:
        """The final places: those who left come last, together."""
        if self.status != OVER:
            return {}
        by_the_rules: Mapping[Player, int] = self.state.board.places
        stayed = [player for player in self.players if player not in self.forfeited]
        better = {player: by_the_rules.get(player, 1) for player in stayed}
        places = {player: 1 + sum(place < mine for place in better.values()) for player, mine in better.items()}
        return {**places, **dict.fromkeys(self.forfeited, len(stayed) + 1)}

    def seat_of(self, who: str) -> str:
        """The player who this is at the table."""
        for player, sitting in self.seats.items():
            if sitting == who:
                return player
        raise NotNow("you do not sit at this table")


Check = Callable[[Game], None]
"""Raises what forbids a command on the game as it stands. Asked again on the newest game before it is believed."""


def anybody(game: Game) -> None:
    """Nothing forbids it."""


class Accepted(Struct, frozen=True):
    """A command was taken: the commit it made, and the game after it."""

    commit: Commit
    game: Game
    repeated: bool = False


class Games:
    """All games of a log."""

    def __init__(
        self,
        log: Log,
        now: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        draw: Callable[[int], bytes] = secrets.token_bytes,
        outages: Callable[[], Iterable[Outage]] = tuple,
    ) -> None:
        """`outages` are the times in which we did not serve, for which nobody pays."""
        self.log = log
        self._now = now
        self._draw = draw
        self._outages = outages
        self._kept = _Kept(KEPT)

    # Beginning

    def create(
        self,
        rules: str,
        players: int,
        options: Mapping[str, str] | None = None,
        *,
        owner: str = "",
        visibility: str = "public",
        time: TimeControl | None = None,
        may_resign: bool = True,
        game: str = "",
        command: str = "",
        request: bytes = b"",
    ) -> Game:
        """A new table. Its secret is drawn now and fixed by the first commit."""
        if time:
            check_control(time)
        options = dict(options or {})
        named = catalogue.rules_named(rules)
        catalogue.game_named(rules).empty_table(named, players, **options)  # refuses what cannot be played
        game, secret = game or new_id(), self._draw(chain.SECRET_BYTES)
        commitment = chain.commitment(secret)
        created = GameCreated(game, named.name, players, options, commitment, owner, visibility, time, may_resign)
        name = command or "create"
        header = Header(
            game, 1, self._now(), "table", _signed(name, request, secret), "", SCHEMA, VERSION, chain.NO_HASH
        )
        entry, commit = codec.write(header, [created], secret)
        if self.log.append(game, 0, entry, command=name, secret=secret).repeated:
            return self._repeated(game, 1, request).game
        return self._kept.put(new_game(commit, created), secret)

    def join(
        self,
        game: str,
        who: str,
        *,
        player: str = "",
        nonce: str = "",
        command: str = "",
        request: bytes = b"",
        check: Check = anybody,
    ) -> Accepted:
        """Somebody sits down on a free seat, the first one if none is named, and may add to the game's chance."""

        def decide(known: Game, secret: bytes) -> Sequence[Fact]:
            check(known)
            _check_open(known)
            if who in known.seats.values():
                raise NotNow("you sit at this table already")
            free = [seat for seat in known.players if seat not in known.seats]
            if not free:
                raise NotNow("all seats are taken")
            if player and player not in known.players:
                raise Unreadable(f"this table has no seat {player}: choose from {', '.join(free)}")
            if player and player not in free:
                raise NotNow(f"the seat {player} is taken: choose from {', '.join(free)}")
            seat = player or free[0]
            adds = [NonceAdded(seat, nonce)] if nonce and seat not in known.nonces else []
            return [SeatTaken(seat, who), *adds]

        return self._commit(game, decide, by=who, command=command or new_id(), request=request)

    def leave(
        self, game: str, who: str, *, command: str = "", request: bytes = b"", check: Check = anybody
    ) -> Accepted:
        """Somebody stands up before the game begins."""

        def decide(known: Game, secret: bytes) -> Sequence[Fact]:
            check(known)
            _check_open(known)
            return [SeatLeft(known.seat_of(who), who)]

        return self._commit(game, decide, by=who, command=command or new_id(), request=request)

    def abort(
        self, game: str, by: str = "table", *, command: str = "", request: bytes = b"", check: Check = anybody
    ) -> Accepted:
        """Clear the table before the game begins."""

        def decide(known: Game, secret: bytes) -> Sequence[Fact]:
            check(known)
            _check_open(known)
            return [GameAborted()]

        return self._commit(game, decide, by=by, command=command or new_id(), request=request)

    def add_nonce(self, game: str, player: str, nonce: str, *, command: str = "") -> Accepted:
        """A player adds to the game's chance, before it starts."""

        def decide(known: Game, secret: bytes) -> Sequence[Fact]:
            _check_open(known)
            if player not in known.players:
                raise Unreadable(f"nobody at this table is called {player}")
            if player in known.nonces:
                raise NotNow(f"{player} has added to the game's chance already")
            return [NonceAdded(player, nonce)]

        return self._commit(game, decide, by=player, command=command or f"nonce/{player}")

    def start(self, game: str, *, command: str = "", request: bytes = b"", check: Check = anybody) -> Accepted:
        """Fix the seed and set the table."""

        def decide(known: Game, secret: bytes) -> Sequence[Fact]:
            check(known)
            _check_open(known)
            if known.seats and len(known.seats) < len(known.players):
                raise NotNow(f"{len(known.players) - len(known.seats)} seats are still free")
            facts, _ = _set_table(known, chain.seed(secret, known.nonces))
            return [GameStarted(), *facts]

        return self._commit(game, decide, by="table", command=command or "start", request=request)

    # Playing

    def play(self, game: str, answer: Answer | TimeUp, *, command: str = "") -> Accepted:
        """Decide a command and store what follows. The same `command` is taken once, and answered the same again."""

        def decide(known: Game, secret: bytes) -> Sequence[Fact]:
            return _played(known, secret, answer)

        by = answer.player if isinstance(answer, Answer) else CLOCK
        return self._commit(game, decide, by=by, command=command or new_id(), decision=answer.decision)

    def play_as(
        self,
        game: str,
        who: str,
        said: Mapping[str, Any],
        *,
        command: str = "",
        request: bytes = b"",
        check: Check = anybody,
    ) -> Accepted:
        """Read what somebody who sits at the table said, decide it and store what follows, as `play` does.

        The game as this process knows it says which seat that is: nothing is loaded first. Who was away is back.
        """

        def decide(known: Game, secret: bytes) -> Sequence[Fact]:
            check(known)
            seat = known.seat_of(who)
            _check_in_time(known, seat, said["decision"])
            facts = _played(known, secret, codec_for(known.rules).answer(seat, said))
            return [SeatTakenBack(seat), *facts] if seat in known.unattended else facts

        def by(known: Game) -> str:
            return known.seat_of(who)

        return self._commit(
            game, decide, by=by, command=command or new_id(), request=request, decision=said["decision"]
        )

    def resign(
        self, game: str, who: str, *, command: str = "", request: bytes = b"", check: Check = anybody
    ) -> Accepted:
        """Somebody leaves for good: their seat comes last, the others play on."""

        def decide(known: Game, secret: bytes) -> Sequence[Fact]:
            check(known)
            seat = _running_seat(known, who)
            if not known.may_resign:
                raise NotNow("at this table it was agreed that nobody resigns")
            return forfeit(known, secret, seat, "resigned")

        return self._commit(game, decide, by=who, command=command or new_id(), request=request)

    # Time

    def time_up(self, game: str, *, fence: int = NO_FENCE) -> Accepted | None:
        """Answer for somebody whose time is over, or who is not waited for; nothing if there is nobody.

        What this process knows of the game is tried first: mostly it is all there is to know.
        """
        known, _ = self._known(game)
        for _ in range(2):
            try:
                return self._commit(game, overdue, by=CLOCK, command=f"clock/{new_id()}", fence=fence)
            except _NothingToDo:
                if self.load(game) is known:
                    break
        return None

    def take_back(
        self, game: str, who: str, *, command: str = "", request: bytes = b"", check: Check = anybody
    ) -> Accepted:
        """Somebody who was away plays again."""

        def decide(known: Game, secret: bytes) -> Sequence[Fact]:
            check(known)
            seat = _running_seat(known, who)
            if seat not in known.unattended:
                raise NotNow("nobody plays your seat but you")
            return [SeatTakenBack(seat)]

        return self._commit(game, decide, by=who, command=command or new_id(), request=request)

    def pause(
        self, game: str, who: str, *, organiser: bool, command: str = "", request: bytes = b"", check: Check = anybody
    ) -> Accepted:
        """Stop the clocks: at once if an organiser says so, or when all who play have asked for it."""

        def decide(known: Game, secret: bytes) -> Sequence[Fact]:
            check(known)
            if _running_clock(known).paused:
                raise NotNow("the clocks stand still already")
            if organiser:
                return [ClocksPaused(ORGANISER)]
            seat = _running_seat(known, who)
            wanted = _running_clock(known).want_pause
            if all_want_a_pause(known, (*wanted, seat)):
                return [PauseWanted(seat), ClocksPaused(AGREEMENT)]
            if seat in wanted:
                raise NotNow("you have asked for a pause already")
            return [PauseWanted(seat)]

        return self._commit(game, decide, by=who, command=command or new_id(), request=request)

    def resume(
        self, game: str, who: str, *, organiser: bool, command: str = "", request: bytes = b"", check: Check = anybody
    ) -> Accepted:
        """Let time run again. What all have agreed on, each can end; an organiser's pause only an organiser."""

        def decide(known: Game, secret: bytes) -> Sequence[Fact]:
            check(known)
            paused = _running_clock(known).paused
            if not paused:
                raise NotNow("the clocks run already")
            if not organiser:
                _running_seat(known, who)
                if paused == ORGANISER:
                    raise NotNow("an organiser has stopped the clocks, and only an organiser can let them run")
            return [ClocksResumed()]

        return self._commit(game, decide, by=who, command=command or new_id(), request=request)

    def take_vacation(
        self, game: str, who: str, days: int, *, command: str = "", request: bytes = b"", check: Check = anybody
    ) -> Accepted:
        """Somebody is away from now on, for some of the days that were agreed."""

        def decide(known: Game, secret: bytes) -> Sequence[Fact]:
            check(known)
            seat, clocks = _running_seat(known, who), _running_clock(known)
            away = clocks.away.get(seat, ())
            if away and away[-1][1] > known.at:
                raise NotNow("you are away already")
            left = clock.days_left(clocks, seat)
            if not 1 <= days <= left:
                raise NotNow(f"{left} days of your vacation are left")
            return [VacationTaken(seat, known.at, known.at + days * DAY)]

        return self._commit(game, decide, by=who, command=command or new_id(), request=request)

    def _commit(
        self,
        game: str,
        decide: Callable[[Game, bytes], Sequence[Fact]],
        *,
        by: str | Callable[[Game], str],
        command: str,
        request: bytes = b"",
        decision: str = "",
        fence: int = NO_FENCE,
    ) -> Accepted:
        """Decide on what is known, append, and decide again when somebody was faster.

        `request` is all that was asked by this command, if it can come again: then it must be the same.
        """
        known, secret = self._known(game)
        for _ in range(ATTEMPTS):
            now, credits = credited(replace(known, at=max(self._now(), known.at)), self._outages)
            try:
                facts = [*credits, *decide(now, secret)]
            except (Refused, NotNow, NoSuchGame):
                # What looks refused may have been accepted before, or the game has moved on.
                if version := self.log.command_version(game, command):
                    return self._repeated(game, version, request)
                if (newest := self._catch_up(known)) is known:
                    raise
                known = newest
                continue
            if not facts:
                raise _NothingToDo
            who = by if isinstance(by, str) else by(known)
            told, following = with_clocks(now, facts, who if decision else "")
            signed = _signed(command, request, secret)
            header = Header(game, known.version + 1, now.at, who, signed, decision, SCHEMA, VERSION, known.head)
            entry, commit = codec.write(header, told, secret)
            try:
                appended = self.log.append(
                    game, known.version, entry, command=command, deadline=following.attention_at, fence=fence
                )
            except Conflict as faster:
                known = self._kept.put(
                    after(known, (codec.read(entry, known.rules) for entry in faster.entries)), secret
                )
                continue
            if appended.repeated:
                return self._repeated(game, appended.version, request)
            return Accepted(commit, self._kept.put(sealed(following, commit), secret))
        raise Busy(f"game {game} changes too fast")

    def _repeated(self, game: str, version: int, request: bytes) -> Accepted:
        known = self.load(game, version)
        [entry] = self.log.read(game, version - 1, version)
        commit = codec.read(entry, known.rules)
        made_by = commit.header.fingerprint
        if request and made_by and made_by != chain.fingerprint(self._known(game)[1], request):
            raise AnotherRequest("this name was given to another request before")
        return Accepted(commit, known, repeated=True)

    # Looking

    def now(self) -> int:
        """Milliseconds since 1970, as the clocks of the games have it."""
        return self._now()

    def load(self, game: str, version: int | None = None) -> Game:
        """The game now, or as it was after a version."""
        if version is None:
            return self._catch_up(self._known(game)[0])
        if version < 1:
            raise NoSuchGame(f"there is no version {version}")
        known = fold_entries(self.log.read(game, until=version))
        if known is None or known.version != version:
            raise NoSuchGame(f"there is no version {version} of game {game}")
        return known

    def commits(self, game: str, after: int = 0, until: int | None = None) -> list[Commit]:
        """The commits after a version."""
        known, _ = self._known(game)
        return [codec.read(entry, known.rules) for entry in self.log.read(game, after, until)]

    def _known(self, game: str) -> tuple[Game, bytes]:
        """The game as this process last saw it, and its secret."""
        if kept := self._kept.get(game):
            return kept
        known = fold_entries(self.log.read(game))
        if known is None:
            raise NoSuchGame(f"there is no game {game}")
        secret = self.log.secret(game)
        if chain.commitment(secret) != known.commitment:
            raise Damaged(f"the secret of game {game} is not the one it was created with")
        return self._kept.put(known, secret), secret

    def _catch_up(self, known: Game) -> Game:
        entries = self.log.read(known.id, known.version)
        if not entries:
            return known
        return self._kept.put(after(known, (codec.read(entry, known.rules) for entry in entries)))


class _Kept:
    """The games used last, and their secrets."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._games: OrderedDict[str, tuple[Game, bytes]] = OrderedDict()

    def get(self, game: str) -> tuple[Game, bytes] | None:
        with self._lock:
            if game in self._games:
                self._games.move_to_end(game)
            return self._games.get(game)

    def put(self, game: Game, secret: bytes | None = None) -> Game:
        """Keep this game unless a newer version is kept already; gives back what was put."""
        with self._lock:
            kept, known_secret = self._games.get(game.id, (None, b""))
            if kept is None or kept.version < game.version:
                self._games[game.id] = game, known_secret if secret is None else secret
                self._games.move_to_end(game.id)
            while len(self._games) > self._most:
                self._games.popitem(last=False)
        return game


# Folding


def fold_entries(entries: Sequence[bytes]) -> Game | None:
    """The game that these stored commits tell; None if there are none."""
    if not entries:
        return None
    commit, created = codec.read_creation(entries[0])
    return after(new_game(commit, created), (codec.read(entry, created.rules) for entry in entries[1:]))


def after(game: Game, commits: Iterable[Commit]) -> Game:
    """The game after more commits."""
    for commit in commits:
        if commit.header.version != game.version + 1:
            raise Damaged(f"commit {commit.header.version} of game {game.id} follows {game.version}")
        game = _after_commit(game, commit)
    return game


def new_game(commit: Commit, created: GameCreated) -> Game:
    """The game after its first commit."""
    board: Any = catalogue.game_named(created.rules).empty_table(
        catalogue.rules_named(created.rules), created.players, **created.options
    )
    return Game(
        id=created.game,
        rules=created.rules,
        players=board.players,
        options=created.options,
        commitment=created.commitment,
        version=commit.header.version,
        head=commit.hash,
        state=State(board),
        created_at=commit.header.at,
        owner=created.owner,
        visibility=created.visibility,
        at=commit.header.at,
        time=created.time,
        may_resign=created.may_resign,
    )


def _after_commit(game: Game, commit: Commit) -> Game:
    return sealed(after_facts(game, commit.facts), commit)


def sealed(game: Game, commit: Commit) -> Game:
    """The game after the facts of a commit is the game after the commit."""
    return replace(game, version=commit.header.version, head=commit.hash, at=commit.header.at)


def after_facts(game: Game, facts: Iterable[Fact]) -> Game:
    """The game after these facts, but not yet after a commit."""
    moves: list[Fact] = []
    for fact in facts:
        if isinstance(fact, TableFact):
            game = _after_table_fact(game, fact)
        else:
            moves.append(fact)
    return replace(game, state=fold(game.state, moves)) if moves else game


def _after_table_fact(game: Game, fact: TableFact) -> Game:
    match fact:
        case SeatTaken(player, who):
            return replace(game, seats={**game.seats, player: who})
        case SeatLeft(left):
            # A nonce stays when its seat is left: it was public, and taking it back would be a choice.
            return replace(game, seats={player: who for player, who in game.seats.items() if player != left})
        case NonceAdded(player, nonce):
            return replace(game, nonces={**game.nonces, player: nonce})
        case GameStarted():
            return replace(game, started=True, clock=clock.set_up(game.time, game.players) if game.time else None)
        case GameAborted():
            return replace(game, aborted=True)
        case SeatForfeited(player, because):
            game = replace(game, forfeited={**game.forfeited, player: because})
        case GameDecided():
            return replace(game, decided=True)
    return replace(game, clock=clock.apply(game.clock, fact)) if game.clock else game


def credited(game: Game, outages: Callable[[], Iterable[Outage]]) -> tuple[Game, list[Fact]]:
    """The game after everybody has got back the time that we have taken from them, and the facts of that."""
    facts: list[Fact] = []
    if game.status != RUNNING or not game.clock:
        return game, facts
    clocks = game.clock
    for outage in clock.owed(clocks, outages()):
        if given := clock.credited(clocks, outage, game.at):
            credit = [ClockCredited(outage.since, outage.until), given]
            for fact in credit:
                clocks = clock.apply(clocks, fact)
            facts += credit
    return replace(game, clock=clocks), facts


def with_clocks(game: Game, facts: Sequence[Fact], answered: Player) -> tuple[Sequence[Fact], Game]:
    """The facts with what they do to the clocks, and the game after them. What reveals the secret stays the last."""
    following = after_facts(game, facts)
    if not following.clock:
        return facts, following
    before, asked = game.asked, following.asked
    if before == asked and game.clock:
        set_ = clock.adjusted(game.clock, following.clock, game.at)
    else:
        late = next((fact.player for fact in facts if isinstance(fact, TimeRanOut)), "")
        set_ = clock.asked(following.clock, game.at, before, asked, answered=late or answered, in_time=not late)
    if set_ is None:
        return facts, following
    last = len(facts) - isinstance(facts[-1], SecretRevealed)
    return [*facts[:last], set_, *facts[last:]], _after_table_fact(following, set_)


def _signed(command: str, request: bytes, secret: bytes) -> str:
    """A command's name, and what tells its request from any other."""
    return f"{command}{FINGERPRINT}{chain.fingerprint(secret, request)}" if request else command


def _check_open(game: Game) -> None:
    if game.status == ABORTED:
        raise NotNow("the table was cleared before the game began")
    if game.status != OPEN:
        raise NotNow("the game has begun")


def _played(game: Game, secret: bytes, answer: Answer | TimeUp) -> Sequence[Fact]:
    if not game.started:
        raise NotNow("the game has not begun")
    if game.decided:
        raise NotNow("the game is over")
    facts, after = play(game.state, answer)
    return [*facts, SecretRevealed(secret.hex())] if after.is_over else facts


def overdue(game: Game, secret: bytes) -> Sequence[Fact]:
    """What follows for the first of those who are not waited for, or not any longer. In a pause all are."""
    if game.clock and game.clock.paused:
        return ()
    if absent := [player for player in game.asked if player in game.unattended]:
        return _stood_in(game, secret, absent[0])
    expired = game.clock.expired(game.at) if game.status == RUNNING and game.clock else ()
    return _late(game, secret, expired[0]) if expired else ()


def _stood_in(game: Game, secret: bytes, player: Player) -> Sequence[Fact]:
    decision = game.asked[player]
    if game.unattended[player] != BOT:
        return _played(game, secret, TimeUp(player, decision))
    # The chance of a bot was fixed with that of the shuffles: nobody can have chosen it.
    chance = Chance(chain.autopilot_seed(secret, game.nonces, decision))
    command = autopilot(game.state, player, chance.below)
    return [AutopilotAnswered(player), *_played(game, secret, Answer(player, decision, command))]


def _late(game: Game, secret: bytes, player: Player) -> Sequence[Fact]:
    """The default is taken; and after too many times in a row, what was agreed for that."""
    assert game.clock, "nobody is late where time does not count"
    decision, control = game.asked[player], game.clock.control
    facts = [TimeRanOut(player, decision), *_played(game, secret, TimeUp(player, decision))]
    strikes = game.clock.hands[player].strikes + 1
    if isinstance(facts[-1], SecretRevealed) or not control.strikes or strikes < control.strikes:
        return facts
    if control.policy == FORFEIT:
        return [*facts, *forfeit(game, secret, player, "time")]
    return [*facts, SeatAutomated(player, control.policy)]


def forfeit(game: Game, secret: bytes, player: Player, because: str) -> Sequence[Fact]:
    """What follows when a player leaves for good: with one left, the game is over."""
    facts = [SeatForfeited(player, because)]
    if len(game.players) - len(game.forfeited) - 1 > 1:
        return facts
    return [*facts, GameDecided(), SecretRevealed(secret.hex())]


def all_want_a_pause(game: Game, wanted: Iterable[Player]) -> bool:
    return set(wanted) >= {player for player in game.players if player not in game.unattended}


def _running_seat(game: Game, who: str) -> Player:
    """The seat of somebody who plays."""
    seat = game.seat_of(who)
    if game.status != RUNNING:
        raise NotNow("the game does not run")
    if seat in game.forfeited:
        raise NotNow("you have left this game for good")
    return seat


def _running_clock(game: Game) -> Clock:
    if game.status != RUNNING or not game.clock:
        raise NotNow("no clock runs in this game")
    return game.clock


def _check_in_time(game: Game, seat: Player, decision: str) -> None:
    if seat in game.forfeited:
        raise NotNow("you have left this game for good")
    if game.clock and game.clock.ran_out.get(seat) == decision:
        raise TooLate(f"your time for decision {decision} was over before your answer came: its default was taken")


class _NothingToDo(Exception):
    """There is nothing to commit."""


def _set_table(game: Game, seed: bytes) -> tuple[tuple[Fact, ...], State]:
    named = catalogue.rules_named(game.rules)
    return catalogue.game_named(game.rules).start(named, len(game.players), seed, **game.options)


def redact(commit: Commit, viewer: Viewer) -> list[Fact]:
    """The facts of a commit as this viewer may know them."""
    return [fact if viewer == EVERYTHING else fact.seen_by(viewer) for fact in commit.facts]


def new_id() -> str:
    """A name nobody can guess."""
    return secrets.token_urlsafe(12)
