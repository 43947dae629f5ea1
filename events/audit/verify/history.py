"""Third station: the history. The table comes about in order, masks are what the rules make of facts; and, once the
secret is revealed, every salt, every shuffle, every fact and every clock follows from what was before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain as in_a_row
from itertools import zip_longest
from typing import Any

from events.audit.arbiter import objection
from events.audit.verify.format import Leaf, Link
from events.audit.verify.report import NotGenuine
from events.errors import Damaged
from events.history import Transition, replay
from events.log import chain
from events.log.codec import SCHEMA, Commit, Header, Reader
from events.table import stored
from events.table.answers import standing
from events.table.decider import GAME
from events.table.facts import (
    BotDeclared,
    BotSeated,
    GameAborted,
    GameCreated,
    GameStarted,
    NonceAdded,
    SeatLeft,
    SeatTaken,
    SecretRevealed,
    TableFact,
)
from events.table.game import OVER, Game
from events.table.time_control import check_control
from rules import catalogue
from rules.codec import encode
from rules.errors import Unreadable
from rules.kernel import EVERYTHING, SPECTATOR, Fact, Viewer, fold
from rules.soundness import Violation, check_course, check_fact

CANNOT_HAPPEN = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""Errors that come of applying a fact to a position that it does not fit."""


class History:
    """The commits of a game, as far as the file shows them, and how its table comes about: it is created, players add
    nonces, the game starts, and its end reveals the secret."""

    def __init__(self, created: GameCreated) -> None:
        self.created = created
        self.links: list[Link] = []
        self.commits: list[Commit] = []
        self.started = False
        self.nonces: dict[str, str] = {}
        self.former_nonces: set[str] = set()
        """Seats that were left since a nonce was added there, if one was."""
        self.revealed: bytes | None = None
        self.is_older = False
        """Whether older rules than today's decided some of it."""
        try:
            self.rules = catalogue.rules_named(created.rules)
            self.game = catalogue.game_named(created.rules)
            self.board: Any = self.game.empty_table(self.rules, created.players, **created.options)
            if created.time:
                check_control(created.time)
        except (Unreadable, TypeError) as refusal:
            raise NotGenuine(1, f"it creates a game that cannot be played: {refusal}") from None
        if created.tournament and created.owner:
            raise NotGenuine(1, "it gives a tournament's table to an account")
        if not re.fullmatch("[0-9a-f]{64}", created.commitment):
            raise NotGenuine(1, "it does not fix a secret")

    def add(self, link: Link, facts: tuple[Fact, ...], *, is_last: bool) -> None:
        """Take note of the next commit; its table facts must come in order."""
        number = len(self.commits) + 1
        for index, fact in enumerate(facts):
            if wrong := self._wrong_with(fact, is_first=number == 1, is_last=is_last and index == len(facts) - 1):
                raise NotGenuine(number, wrong)
        self.links.append(link)
        self.commits.append(Commit(link.header, facts, link.hash))
        self.is_older |= link.header.rules != self.game.version

    def _wrong_with(self, fact: Fact, *, is_first: bool, is_last: bool) -> str:
        match fact:
            case GameCreated():
                return "" if is_first else "the game is created again"
            case NonceAdded(player, nonce):
                return self._wrong_with_nonce(player, nonce)
            case SeatLeft(player) if not self.started:
                self.former_nonces.add(player)
                return ""
            case SeatTaken() | SeatLeft() | BotSeated() | BotDeclared() | GameAborted():
                return f"{name(fact)} comes after the start" if self.started else ""
            case GameStarted():
                wrong, self.started = "the game starts again" if self.started else "", True
                return wrong
            case SecretRevealed(secret):
                return self._wrong_with_secret(secret, is_last)
        return "" if self.started else f"{name(fact)} comes before the start"

    @property
    def own_nonces(self) -> tuple[str, ...]:
        """The seats whose players at the start have added to the game's chance themselves."""
        return tuple(player for player in self.nonces if player not in self.former_nonces)

    def _wrong_with_nonce(self, player: str, nonce: str) -> str:
        if self.started:
            return f"{player} adds to the game's chance after the start"
        if player not in self.board.players or player in self.own_nonces:
            return f"{player} cannot add to the game's chance, or has done so already"
        self.nonces[player] = nonce
        self.former_nonces.discard(player)
        return ""

    def _wrong_with_secret(self, secret: str, is_last: bool) -> str:
        if not re.fullmatch(f"[0-9a-f]{{{2 * chain.SECRET_BYTES}}}", secret):
            return "what it reveals is no secret"
        self.revealed = bytes.fromhex(secret)
        return "" if is_last and self.started else "the secret is revealed before the end"


# Without the secret


def read_history(links: Sequence[Link]) -> History:
    """The facts of all links; masked ones as they are."""
    history = History(_creation(links[0]))
    reader = stored.reader(history.created.rules)
    for number, link in enumerate(links, start=1):
        if not 1 <= link.header.rules <= (today := history.game.version):
            raise NotGenuine(number, f"it was decided by rules {link.header.rules}: this program knows 1 to {today}")
        facts = _read_facts(number, [leaf.fact or leaf.masked for leaf in link.leaves], link.header, reader)
        _check_masks(number, link, facts, reader)
        history.add(link, facts, is_last=number == len(links))
    return history


def _creation(first: Link) -> GameCreated:
    try:
        [created] = stored.creation_reader().read_facts([leaf.fact for leaf in first.leaves], first.header.schema)
    except (Damaged, ValueError):
        raise NotGenuine(1, "it does not create a game") from None
    if not isinstance(created, GameCreated) or created.game != first.header.game:
        raise NotGenuine(1, f"it does not create game {first.header.game}")
    return created


def _read_facts(number: int, texts: Sequence[bytes], header: Header, reader: Reader) -> tuple[Fact, ...]:
    try:
        facts = reader.read_facts(texts, header.schema)
    except Damaged as problem:
        raise NotGenuine(number, f"its facts cannot be read: {problem}") from None
    if header.schema == SCHEMA and any(encode(fact) != text for fact, text in zip(facts, texts, strict=True)):
        raise NotGenuine(number, "a fact has fields that do not belong there")
    return facts


def _check_masks(number: int, link: Link, facts: Sequence[Fact], reader: Reader) -> None:
    """A fact that hides something has a mask, no other has one, and a mask is what the rules make of its fact."""
    masks = iter(_read_facts(number, [leaf.masked for leaf in link.leaves if leaf.masked], link.header, reader))
    for leaf, fact in zip(link.leaves, facts, strict=True):
        if fact.seen_by(SPECTATOR) != (next(masks) if leaf.masked else fact):
            raise NotGenuine(number, f"what others were told of a fact is not what the rules tell: {name(fact)}")


def check_viewer(viewer: Viewer, history: History) -> None:
    """The file shows what its viewer may know, and no more."""
    if history.revealed is not None:
        if viewer != EVERYTHING:
            raise NotGenuine(0, f"the game is over and open to all, but the file is for {viewer}")
        return
    if viewer not in (*history.board.players, SPECTATOR):
        raise NotGenuine(0, f"the file is for {viewer}, who has no place at this table")
    for number, (link, commit) in enumerate(zip(history.links, history.commits, strict=True), start=1):
        for leaf, fact in zip(link.leaves, commit.facts, strict=True):
            if leaf.fact and fact.seen_by(viewer) != fact:
                raise NotGenuine(number, f"it tells {viewer} a secret: {name(fact)}")


# With the secret


def check_game(history: History, secret: bytes) -> Game:
    """Everything follows from the secret and the rules. Gives the game as it stands at the end."""
    check_commitment(history, secret)
    game: Game | None = None

    def sound() -> Iterator[Commit]:
        for number, (link, commit) in enumerate(zip(history.links, history.commits, strict=True), start=1):
            _check_before(number, game, link, commit, history, secret)
            yield commit

    try:
        for step in replay(GAME, sound()):
            _check_step(step, secret)
            game = step.after
    except CANNOT_HAPPEN as problem:
        raise NotGenuine(game.version + 1 if game else 1, f"it cannot happen here: {problem!r}") from None
    assert game, "a chain has a commit"
    _check_end(history, game)
    return game


def check_commitment(history: History, secret: bytes) -> None:
    if chain.commitment(secret) != history.created.commitment:
        raise NotGenuine(len(history.links), "the secret is not the one that was fixed when the game was created")


def _check_before(number: int, game: Game | None, link: Link, commit: Commit, history: History, secret: bytes) -> None:
    """Checks of a commit before it is applied."""
    if game and game.status == OVER:
        raise NotGenuine(number, "the game goes on after its end")
    _check_salts(number, link.leaves, secret)
    _check_chance(number, commit.facts, history, secret)
    if game:
        _check_moves(number, game, commit)


def _check_salts(number: int, leaves: Iterable[Leaf], secret: bytes) -> None:
    for index, leaf in enumerate(leaves):
        if not leaf.fact:
            raise NotGenuine(number, "a fact is still hidden, although the game is over")
        if leaf.salt != chain.salt(secret, number, index):
            raise NotGenuine(number, "a salt does not follow from the secret")


def _check_chance(number: int, facts: Iterable[Fact], history: History, secret: bytes) -> None:
    """Shuffle again, and compare. All chance is spent at the start."""
    dealt: Iterable[Fact] = ()
    if any(isinstance(fact, GameStarted) for fact in facts):
        seed = chain.seed(secret, history.nonces)
        dealt, _ = history.game.start(history.rules, history.created.players, seed, **history.created.options)
    chance = history.game.chance_of(history.rules)
    drawn = ([fact for fact in some if isinstance(fact, chance)] for some in (facts, dealt))
    for was, should_be in zip_longest(*drawn):
        if was != should_be:
            raise NotGenuine(number, f"{name(was or should_be)} does not follow from the seed")


def _check_moves(number: int, game: Game, commit: Commit) -> None:
    """Every fact on the board keeps what the rules promise, if they are today's."""
    state, is_judged = game.state, commit.header.rules == GAME.rules_version(game)
    for fact in commit.facts:
        if isinstance(fact, TableFact):
            continue
        try:
            following = fold(state, (fact,))
            if is_judged:
                check_fact(state.board, fact, following.board)
        except Violation as violation:
            raise NotGenuine(number, f"{name(fact)} breaks a rule: {violation.sentence}") from None
        except CANNOT_HAPPEN as problem:
            raise NotGenuine(number, f"{name(fact)} cannot happen here: {problem!r}") from None
        state = following


def _check_step(step: Transition[Game], secret: bytes) -> None:
    """The commit follows from a command, if today's rules decided it."""
    header = step.commit.header
    if not step.before or header.rules != GAME.rules_version(step.before):
        return
    if wrong := objection(step.before, step.commit, secret, step.after.state):
        raise NotGenuine(header.version, wrong)


def _check_end(history: History, game: Game) -> None:
    number = len(history.commits)
    if history.started and (game.status == OVER) != (history.revealed is not None):
        raise NotGenuine(number, "the secret is revealed when the game ends: not before, not after")
    if not game.state.is_over or history.revealed is None:
        return
    try:
        check_course(game.state.board, in_a_row.from_iterable(commit.facts for commit in standing(history.commits)))
    except Violation as violation:
        raise NotGenuine(number, f"the game ends, but not as the rules say: {violation.sentence}") from None


def name(fact: Fact) -> str:
    return str(fact.__struct_config__.tag)
