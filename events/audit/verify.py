"""Is this game what was played? Checked offline, from nothing but bytes: no store, no clock, no server.

`verify` takes an exported file (`events.audit.export`), `verify_entries` what a store keeps of a game. Both look at the
chain first: shape, versions, digests, hashes, the order in which a table comes about. Once the secret is known they
look at the game too: the commitment, every salt, the seed, every shuffle, and every fact against the rules. What this
proves and what it cannot prove is told in `docs/verify.md`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain as in_a_row
from itertools import zip_longest
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw, Struct
from msgspec.structs import asdict, replace

from events.audit.arbiter import objection
from events.errors import Damaged, NoSuchGame
from events.games import OVER, Game, Games, after_facts, new_game, sealed
from events.log import chain, codec
from events.log.codec import SCHEMA, Commit, Header, Reader
from events.table.facts import (
    GameAborted,
    GameCreated,
    GameStarted,
    NonceAdded,
    SeatLeft,
    SeatTaken,
    SecretRevealed,
    TableFact,
)
from events.table.time_control import check_control
from rules import VERSION, catalogue
from rules.codec import encode
from rules.errors import Unreadable
from rules.kernel import EVERYTHING, SPECTATOR, Fact, State, Viewer, fold
from rules.soundness import Violation, check_course, check_fact

CHAIN = "the chain: every commit is bound to all before it"
SECRET = "the secret: it is the one fixed at creation, and every fact was bound with it"
SHUFFLES = "the shuffles: they follow from the secret and the players' nonces"
RULES = "the rules: every fact leads from one sound position to the next, and the points are right"
TIME = "the time: every clock, time-out and pause follows from the times of the commits and what was agreed"
OLDER = "the course: every fact can be applied (some were decided by older rules, and are not judged by today's)"

LARGEST_NUMBER = 1 << 53
"""What every JSON reader can hold."""

CANNOT_HAPPEN = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What applying a fact to a position that it does not fit may raise."""


class NotGenuine(Exception):
    """Something is wrong, first in this commit (0: in no commit, but around them)."""

    def __init__(self, commit: int, reason: str) -> None:
        super().__init__(f"commit {commit}: {reason}" if commit else reason)
        self.commit, self.reason = commit, reason


class Verified(Struct, frozen=True):
    """A genuine game, and what was checked to say so."""

    game: str
    rules: str
    viewer: Viewer
    commits: int
    facts: int
    hidden: int
    """How many facts this viewer may not know yet."""
    head: str
    """The hash of the last commit: who has kept it can tell whether all this is still the same."""
    finished: bool
    nonces: tuple[str, ...]
    """Who added to the game's chance. Nobody: whoever drew the secret could have chosen the shuffles."""
    checked: tuple[str, ...]
    scores: Mapping[str, int] = {}
    places: Mapping[str, int] = {}


def verify(data: bytes) -> Verified:
    """Check an exported game, or raise `NotGenuine` with the first bad commit."""
    file = _read_file(data)
    links = [_exported_link(number, commit) for number, commit in enumerate(file.commits, start=1)]
    table, told = _check_chain(links)
    _check_viewer(file.viewer, table, links, told)
    verified = _with_chain(links, table, file.viewer)
    if table.revealed is None:
        return verified
    return _with_game(verified, _check_game(links, told, table, table.revealed), table)


def verify_stored(games: Games, game: str) -> Verified:
    """Check what the store keeps of a game. The operator knows the secret, also of a game that still goes on."""
    entries = games.log.read(game)
    if not entries:
        raise NoSuchGame(f"there is no game {game}")
    verified = verify_entries(game, entries, games.log.secret(game))
    for version, entry in enumerate(entries, start=1):
        command = codec.read_stored(entry).header.name
        if games.log.command_version(game, command) != version:
            raise NotGenuine(version, f"the store does not know that command {command} made it")
    return verified


def verify_entries(game: str, entries: Sequence[bytes], secret: bytes) -> Verified:
    """Check the stored commits of this game and its secret."""
    links = _stored_links(game, entries, secret)
    table, told = _check_chain(links)
    return _with_game(_with_chain(links, table, EVERYTHING), _check_game(links, told, table, secret), table)


def verify_chain(game: str, entries: Sequence[bytes], secret: bytes) -> Verified:
    """Check the chain of this game's stored commits and its secret, but not the moves: several times as fast."""
    links = _stored_links(game, entries, secret)
    table, _ = _check_chain(links)
    _check_commitment(len(links), table, secret)
    return _with_chain(links, table, EVERYTHING)


# Reading: every byte has one way to be right


class _Leaf(Struct, frozen=True):
    """A fact, as far as it is known, and what binds it. Empty: not known, or nothing to mask."""

    fact: bytes
    masked: bytes
    salt: bytes
    digest: str

    @property
    def bound(self) -> str:
        return chain.masked(self.digest, self.masked) if self.masked else self.digest


class _Link(Struct, frozen=True):
    header: Header
    leaves: list[_Leaf]
    hash: str


Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Salt = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z")]


class _ExportedFact(Struct, frozen=True, forbid_unknown_fields=True):
    fact: Raw = Raw()
    masked: Raw = Raw()
    salt: Salt = ""
    digest: Hash = ""


class _ExportedCommit(Struct, frozen=True, forbid_unknown_fields=True):
    header: Raw
    facts: list[_ExportedFact]
    hash: Hash


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["hidalgo-game"]
    schema: Literal[1]
    viewer: str
    commits: list[_ExportedCommit]


class _StoredCommit(Struct, frozen=True, forbid_unknown_fields=True):
    header: Raw
    facts: list[Raw]
    hash: Hash
    masks: dict[str, Raw] = {}


def _refuse_float(text: str) -> None:
    raise ValueError(f"{text} is not an integer")


_FILE = msgspec.json.Decoder(_File)
_COMMIT = msgspec.json.Decoder(_ExportedCommit)
_STORED = msgspec.json.Decoder(_StoredCommit)
_HEADER = msgspec.json.Decoder(Header)
_PLAIN = msgspec.json.Decoder(float_hook=_refuse_float)


def _read_file(data: bytes) -> _File:
    try:
        file = _FILE.decode(data)
        if _is_canonical(data):
            return file
        problem = "it is not written in the one canonical way"
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        problem = f"it cannot be read: {error}"
    number, reason = _first_bad_commit(data)
    raise NotGenuine(number, reason or f"the file is not an exported game: {problem}")


def _is_canonical(text: bytes) -> bool:
    return encode(_PLAIN.decode(text)) == text


def _first_bad_commit(data: bytes) -> tuple[int, str]:
    """Which commit of a bad file is the first that is bad in itself; 0 if none is."""
    start = b'{"commits":['
    if not data.startswith(start):
        return 0, ""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        text = data[: error.start].decode()
    return _scan(text, len(start))


def _scan(text: str, at: int) -> tuple[int, str]:
    number, decoder = 0, json.JSONDecoder()
    while text[at : at + 1] not in ("]", ""):
        number += 1
        try:
            _, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return number, "it is not JSON"
        if reason := _wrong_with_commit(text[at:end].encode()):
            return number, reason
        if text[end : end + 1] not in (",", "]"):
            return number, "something follows it that does not belong there"
        at = end + (text[end] == ",")
    return (number, "the file breaks off after it") if at >= len(text) else (0, "")


def _wrong_with_commit(text: bytes) -> str:
    try:
        _COMMIT.decode(text)
        return "" if _is_canonical(text) else "it is not written in the one canonical way"
    except (msgspec.MsgspecError, RecursionError) as problem:
        return f"it cannot be read: {problem}"


def _exported_link(number: int, commit: _ExportedCommit) -> _Link:
    leaves = [_exported_leaf(number, fact) for fact in commit.facts]
    return _Link(_header(number, commit.header), leaves, commit.hash)


def _exported_leaf(number: int, fact: _ExportedFact) -> _Leaf:
    told, masked, salt = bytes(fact.fact), bytes(fact.masked), bytes.fromhex(fact.salt)
    if told and salt and not fact.digest:
        return _Leaf(told, masked, salt, chain.digest(salt, told))
    if masked and fact.digest and not told and not salt:
        return _Leaf(b"", masked, b"", fact.digest)
    raise NotGenuine(number, "a fact comes with its salt, or masked with its digest")


def _stored_links(game: str, entries: Sequence[bytes], secret: bytes) -> list[_Link]:
    links = [_stored_link(number, entry, secret) for number, entry in enumerate(entries, start=1)]
    if links and links[0].header.game != game:
        raise NotGenuine(1, f"it belongs to game {links[0].header.game}, not {game}")
    return links


def _stored_link(number: int, entry: bytes, secret: bytes) -> _Link:
    try:
        stored = _STORED.decode(entry)
        canonical = _is_canonical(entry)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as problem:
        raise NotGenuine(number, f"it cannot be read: {problem}") from None
    if not canonical or set(stored.masks) - {str(index) for index in range(len(stored.facts))}:
        raise NotGenuine(number, "it is not written in the one canonical way")
    leaves = []
    for index, fact in enumerate(stored.facts):
        salt = chain.salt(secret, number, index)
        leaves.append(_Leaf(bytes(fact), bytes(stored.masks.get(str(index), b"")), salt, chain.digest(salt, fact)))
    return _Link(_header(number, stored.header), leaves, stored.hash)


def _header(number: int, text: Raw) -> Header:
    try:
        header = _HEADER.decode(text)
    except msgspec.MsgspecError as problem:
        raise NotGenuine(number, f"its header cannot be read: {problem}") from None
    if encode(header) != bytes(text):
        raise NotGenuine(number, "its header has fields that do not belong there")
    if not 0 <= header.at < LARGEST_NUMBER:
        raise NotGenuine(number, f"its time is {header.at}")
    return header


# What to report


def _with_chain(links: Sequence[_Link], table: _Table, viewer: Viewer) -> Verified:
    """The report when the chain is right."""
    return Verified(
        game=table.created.game,
        rules=table.created.rules,
        viewer=viewer,
        commits=len(links),
        facts=sum(len(link.leaves) for link in links),
        hidden=sum(not leaf.fact for link in links for leaf in link.leaves),
        head=links[-1].hash,
        finished=table.revealed is not None,
        nonces=tuple(table.nonces),
        checked=(CHAIN,),
    )


def _with_game(verified: Verified, last: Game, table: _Table) -> Verified:
    """The report when the game is right as well."""
    checked = (CHAIN, SECRET, SHUFFLES, OLDER if table.older else RULES) if table.started else (CHAIN, SECRET)
    if last.clock and not table.older:
        checked = (*checked, TIME)
    return replace(verified, checked=checked, scores=last.state.board.scores, places=last.places)


# The chain


def _check_chain(links: Sequence[_Link]) -> tuple[_Table, list[tuple[Fact, ...]]]:
    """Every commit follows the one before. Gives the table they set, and the facts they tell."""
    if not links:
        raise NotGenuine(0, "there is no commit")
    _check_link(1, links[0], None)
    table = _Table(_creation(links[0]))
    reader = codec.reader(table.created.rules)
    return table, [_read_commit(number, links, reader, table) for number in range(1, len(links) + 1)]


def _check_link(number: int, link: _Link, before: _Link | None) -> None:
    """The commit stands where it says, and its hash is that of its contents."""
    header = link.header
    if header.version != number:
        raise NotGenuine(number, f"it says that it is version {header.version}")
    if before and header.game != before.header.game:
        raise NotGenuine(number, f"it belongs to game {header.game}, not {before.header.game}")
    if header.previous != (before.hash if before else chain.NO_HASH):
        raise NotGenuine(number, "it does not follow the commit before it: the hashes differ")
    if not 1 <= header.schema <= SCHEMA:
        raise NotGenuine(number, f"its schema is {header.schema}: this program reads 1 to {SCHEMA}")
    if not 1 <= header.rules <= VERSION:
        raise NotGenuine(number, f"it was decided by rules {header.rules}: this program knows 1 to {VERSION}")
    if chain.commit_hash(asdict(header), [leaf.bound for leaf in link.leaves]) != link.hash:
        raise NotGenuine(number, "its hash is not that of its contents: something in it was changed")


def _creation(first: _Link) -> GameCreated:
    try:
        [created] = codec.table_reader().read_facts([leaf.fact for leaf in first.leaves], first.header.schema)
    except (Damaged, ValueError):
        raise NotGenuine(1, "it does not create a game") from None
    if not isinstance(created, GameCreated) or created.game != first.header.game:
        raise NotGenuine(1, f"it does not create game {first.header.game}")
    return created


def _read_commit(number: int, links: Sequence[_Link], reader: Reader, table: _Table) -> tuple[Fact, ...]:
    """The facts of a commit after checking that it follows the one before; masked ones as they are."""
    link = links[number - 1]
    if number > 1:
        _check_link(number, link, links[number - 2])
    table.older |= link.header.rules != VERSION
    facts = _read_facts(number, [leaf.fact or leaf.masked for leaf in link.leaves], link.header, reader)
    masks = _read_facts(number, [leaf.masked for leaf in link.leaves if leaf.masked], link.header, reader)
    _check_masks(number, link.leaves, facts, iter(masks).__next__)
    for index, fact in enumerate(facts):
        last = number == len(links) and index == len(facts) - 1
        if wrong := table.wrong_with(fact, last=last):
            raise NotGenuine(number, wrong)
    return facts


def _read_facts(number: int, texts: Sequence[bytes], header: Header, reader: Reader) -> tuple[Fact, ...]:
    try:
        facts = reader.read_facts(texts, header.schema)
    except Damaged as problem:
        raise NotGenuine(number, f"its facts cannot be read: {problem}") from None
    if header.schema == SCHEMA and any(encode(fact) != text for fact, text in zip(facts, texts, strict=True)):
        raise NotGenuine(number, "a fact has fields that do not belong there")
    return facts


def _check_masks(number: int, leaves: Sequence[_Leaf], facts: Sequence[Fact], next_mask: Callable[[], Fact]) -> None:
    """What hides something has a mask, nothing else has one, and a mask is what the rules make of its fact."""
    for leaf, fact in zip(leaves, facts, strict=True):
        mask = next_mask() if leaf.masked else fact
        if fact.seen_by(SPECTATOR) != mask:
            raise NotGenuine(number, f"what others were told of a fact is not what the rules tell: {_name(fact)}")


def _name(fact: Fact) -> str:
    return str(fact.__struct_config__.tag)


class _Table:
    """How a table comes about: it is created, players add nonces, the game starts, and its end reveals the secret."""

    def __init__(self, created: GameCreated) -> None:
        self.created = created
        self.started = False
        self.nonces: dict[str, str] = {}
        self.revealed: bytes | None = None
        self.older = False
        """Whether older rules than today's decided some of it."""
        try:
            self.rules = catalogue.rules_named(created.rules)
            self.game = catalogue.game_named(created.rules)
            self.board: Any = self.game.empty_table(self.rules, created.players, **created.options)
            if created.time:
                check_control(created.time)
        except (Unreadable, TypeError) as refusal:
            raise NotGenuine(1, f"it creates a game that cannot be played: {refusal}") from None
        if not re.fullmatch("[0-9a-f]{64}", created.commitment):
            raise NotGenuine(1, "it does not fix a secret")
        self._is_new = True

    def wrong_with(self, fact: Fact, *, last: bool) -> str:
        """Take note of the next fact; says what is wrong with it here."""
        is_first, self._is_new = self._is_new, False
        match fact:
            case GameCreated():
                return "" if is_first else "the game is created again"
            case NonceAdded(player, nonce):
                return self._wrong_with_nonce(player, nonce)
            case SeatTaken() | SeatLeft() | GameAborted():
                return f"{_name(fact)} comes after the start" if self.started else ""
            case GameStarted():
                wrong, self.started = "the game starts again" if self.started else "", True
                return wrong
            case SecretRevealed(secret):
                return self._wrong_with_secret(secret, last)
        return "" if self.started else f"{_name(fact)} comes before the start"

    def _wrong_with_nonce(self, player: str, nonce: str) -> str:
        if self.started:
            return f"{player} adds to the game's chance after the start"
        if player not in self.board.players or player in self.nonces:
            return f"{player} cannot add to the game's chance, or has done so already"
        self.nonces[player] = nonce
        return ""

    def _wrong_with_secret(self, secret: str, last: bool) -> str:
        if not re.fullmatch(f"[0-9a-f]{{{2 * chain.SECRET_BYTES}}}", secret):
            return "what it reveals is no secret"
        self.revealed = bytes.fromhex(secret)
        return "" if last and self.started else "the secret is revealed before the end"


def _check_viewer(viewer: Viewer, table: _Table, links: Sequence[_Link], told: Iterable[tuple[Fact, ...]]) -> None:
    """The file shows what its viewer may know, and no more."""
    if table.revealed is not None:
        if viewer != EVERYTHING:
            raise NotGenuine(0, f"the game is over and open to all, but the file is for {viewer}")
        return
    if viewer not in (*table.board.players, SPECTATOR):
        raise NotGenuine(0, f"the file is for {viewer}, who has no place at this table")
    for number, (link, facts) in enumerate(zip(links, told, strict=True), start=1):
        for leaf, fact in zip(link.leaves, facts, strict=True):
            if leaf.fact and fact.seen_by(viewer) != fact:
                raise NotGenuine(number, f"it tells {viewer} a secret: {_name(fact)}")


# The game


def _check_game(links: Sequence[_Link], told: Sequence[tuple[Fact, ...]], table: _Table, secret: bytes) -> Game:
    """With the secret: everything follows from it and from the rules. Gives the game as it stands at the end."""
    _check_commitment(len(links), table, secret)
    commits = [Commit(link.header, facts, link.hash) for link, facts in zip(links, told, strict=True)]
    game = new_game(commits[0], table.created)
    for number, (link, commit) in enumerate(zip(links, commits, strict=True), start=1):
        _check_salts(number, link, secret)
        _check_chance(number, commit.facts, table, secret)
        if number > 1:
            game = _follow(number, game, commit, secret)
        if game.status == OVER and number < len(links):
            raise NotGenuine(number + 1, "the game goes on after its end")
    if table.started and (game.status == OVER) != (table.revealed is not None):
        raise NotGenuine(len(links), "the secret is revealed when the game ends: not before, not after")
    if game.state.is_over and table.revealed is not None:
        _check_course(len(links), game.state, told)
    return game


def _check_course(number: int, state: State, told: Iterable[tuple[Fact, ...]]) -> None:
    try:
        check_course(state.board, in_a_row.from_iterable(told))
    except Violation as violation:
        raise NotGenuine(number, f"the game ends, but not as the rules say: {violation.sentence}") from None


def _check_commitment(number: int, table: _Table, secret: bytes) -> None:
    if chain.commitment(secret) != table.created.commitment:
        raise NotGenuine(number, "the secret is not the one that was fixed when the game was created")


def _check_salts(number: int, link: _Link, secret: bytes) -> None:
    for index, leaf in enumerate(link.leaves):
        if not leaf.fact:
            raise NotGenuine(number, "a fact is still hidden, although the game is over")
        if leaf.salt != chain.salt(secret, number, index):
            raise NotGenuine(number, "a salt does not follow from the secret")


def _check_chance(number: int, facts: Iterable[Fact], table: _Table, secret: bytes) -> None:
    """Shuffle again, and compare. All chance is spent at the start."""
    dealt: Iterable[Fact] = ()
    if any(isinstance(fact, GameStarted) for fact in facts):
        seed = chain.seed(secret, table.nonces)
        dealt, _ = table.game.start(table.rules, table.created.players, seed, **table.created.options)
    drawn = ([fact for fact in some if isinstance(fact, table.game.chance)] for some in (facts, dealt))
    for was, should_be in zip_longest(*drawn):
        if was != should_be:
            raise NotGenuine(number, f"{_name(was or should_be)} does not follow from the seed")


def _follow(number: int, game: Game, commit: Commit, secret: bytes) -> Game:
    """The game after a commit, which keeps what rules and table have promised, if they are today's."""
    judge = commit.header.rules == VERSION
    state = _after_moves(number, game.state, commit.facts, judge=judge)
    try:
        if judge and (wrong := objection(game, commit, secret)):
            raise NotGenuine(number, wrong)
        following = after_facts(game, (fact for fact in commit.facts if isinstance(fact, TableFact)))
    except CANNOT_HAPPEN as problem:
        raise NotGenuine(number, f"it cannot happen here: {problem!r}") from None
    return sealed(replace(following, state=state), commit)


def _after_moves(number: int, state: State, facts: Iterable[Fact], *, judge: bool) -> State:
    """The state after a commit; every fact on the way keeps what the rules promise."""
    for fact in facts:
        if isinstance(fact, TableFact):
            continue
        try:
            following = fold(state, (fact,))
            if judge:
                check_fact(state.board, fact, following.board)
        except Violation as violation:
            raise NotGenuine(number, f"{_name(fact)} breaks a rule: {violation.sentence}") from None
        except CANNOT_HAPPEN as problem:
            raise NotGenuine(number, f"{_name(fact)} cannot happen here: {problem!r}") from None
        state = following
    return state
