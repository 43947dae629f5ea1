"""A tournament as one file that any reader can check offline, and the check.

The file is canonical JSON, like that of a game: every commit with its facts as they are stored, what binds them, and
its hash. `verify` goes through the chain; folds the facts; draws the numbers of the start and every round again, once
the secret is known; checks every certificate by code that knows no pairing; that each change of a result, of points or
of a player has its ruling; and computes the final order again. What it cannot tell is whether a result is that of the
game of the table: `hidalgo verify` checks the games themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from events.audit.verify.format import Hash, Leaf, Link, Salt, read_entries
from events.audit.verify.links import check_links
from events.audit.verify.report import CHAIN, SECRET, NotGenuine
from events.decider import Context
from events.log import chain, codec
from events.log.codec import Commit, Header
from rules.codec import encode
from rules.errors import Refused
from rules.kernel import Fact
from tournaments.certificate import DUTCH, FAST, TABLES
from tournaments.commands import ProposeRound, StartTournament
from tournaments.commands.base import agrees
from tournaments.decider import TOURNAMENT, TOURNAMENT_READER, tournament_facts
from tournaments.facts import (
    GameRewound,
    PlayerRegistered,
    PlayerSubstituted,
    PointsAdjusted,
    ProposalDropped,
    ResultChanged,
    ResultRecorded,
    RoundProposed,
    RoundPublished,
    RulingMade,
    RulingReversed,
    TableGameChanged,
    TablesPinned,
    TournamentFact,
    TournamentFinished,
    TournamentStarted,
)
from tournaments.tournament import Tournament
from tournaments.verification import verify as problems_of

FORMAT, FORMAT_SCHEMA = "hidalgo-tournament", 1

FOR_STAFF = (RoundProposed, ProposalDropped, TablesPinned)
"""Facts about a round that is not published yet."""

BY_RULING = (GameRewound, PlayerSubstituted, PointsAdjusted, ResultChanged, TableGameChanged)
"""Facts that nothing but a ruling brings about."""

DRAWN_ALIKE, ASKED_FIRST = 2, 3
"""Versions of the rules: since then rounds are drawn as they are now; since then substitutes are asked."""

COURSE = "the course: every fact can be applied, and every change of a result or of points has its ruling"
CERTIFICATES = "the certificates: every claim about every round was computed again"
DRAWS = "the draws: starting numbers and rounds were drawn again from the secret, and came out the same"
ORDER = "the order at the end: it follows from the results"


class Audited(Struct, frozen=True):
    """A genuine tournament, and what was checked to say so."""

    tournament: str
    title: str
    status: str
    players: int
    rounds: int
    rulings: int
    commits: int
    hidden: int
    """How many facts are for its staff alone, as long as they are."""
    head: str
    checked: tuple[str, ...]
    not_drawn: tuple[int, ...] = ()
    """Rounds that were made by hand, by a program or by a former version: they cannot be drawn again."""


# The file


class ExportedFact(Struct, frozen=True, forbid_unknown_fields=True):
    fact: Raw = Raw()
    salt: Salt = ""
    digest: Hash = ""


class ExportedCommit(Struct, frozen=True, forbid_unknown_fields=True):
    header: Raw
    facts: list[ExportedFact]
    hash: Hash


class File(Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["hidalgo-tournament"]
    schema: Literal[1]
    commits: list[ExportedCommit]


def export(entries: Sequence[bytes], secret: bytes, *, for_staff: bool = False) -> bytes:
    """The file of a tournament's stored commits. A round that is not published yet is hidden, but from its staff."""
    return b"".join(pieces(entries, secret, for_staff=for_staff))


def pieces(entries: Sequence[bytes], secret: bytes, *, for_staff: bool = False) -> Iterator[bytes]:
    """The same file, commit by commit."""
    published = 0 if for_staff else _published(entries)
    before = b'{"commits":['
    for entry in entries:
        commit = TOURNAMENT.read(entry, None)
        is_open = for_staff or commit.header.version <= published
        yield before + encode(_exported(entry, commit, secret, is_open=is_open))
        before = b","
    yield b"]," + encode({"format": FORMAT, "schema": FORMAT_SCHEMA})[1:]


def _published(entries: Sequence[bytes]) -> int:
    """The last version up to which everything may be known."""
    commits = (TOURNAMENT.read(entry, None) for entry in reversed(entries))
    return next((c.header.version for c in commits if any(isinstance(f, PUBLIC_AFTER) for f in c.facts)), 0)


PUBLIC_AFTER = (RoundPublished, TournamentFinished)
"""After one of these, everything before it may be known."""


def _exported(entry: bytes, commit: Commit, secret: bytes, *, is_open: bool) -> dict[str, Any]:
    stored, version = codec.read_stored(entry), commit.header.version
    facts: list[dict[str, Raw | str]] = []
    for index, (text, fact) in enumerate(zip(stored.facts, commit.facts, strict=True)):
        salt = chain.salt(secret, version, index)
        if is_open or not isinstance(fact, FOR_STAFF):
            facts.append({"fact": text, "salt": salt.hex()})
        else:
            facts.append({"digest": chain.digest(salt, bytes(text))})
    return {"header": stored.header, "facts": facts, "hash": stored.hash}


def read_file(data: bytes) -> list[Link]:
    """The links of a file, every byte of which has one way to be right."""
    try:
        file = msgspec.json.decode(data, type=File)
        canonical = encode(msgspec.json.decode(data)) == data
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as problem:
        raise NotGenuine(0, f"the file is not an exported tournament: {problem}") from None
    if not canonical:
        raise NotGenuine(0, "the file is not written in the one canonical way")
    return [_link(number, commit) for number, commit in enumerate(file.commits, start=1)]


def _link(number: int, commit: ExportedCommit) -> Link:
    try:
        header = msgspec.json.decode(commit.header, type=Header)
    except msgspec.MsgspecError as problem:
        raise NotGenuine(number, f"its header cannot be read: {problem}") from None
    if encode(header) != bytes(commit.header):
        raise NotGenuine(number, "its header has fields that do not belong there")
    return Link(header, [_leaf(number, fact) for fact in commit.facts], commit.hash)


def _leaf(number: int, exported: ExportedFact) -> Leaf:
    plain, salt = bytes(exported.fact), bytes.fromhex(exported.salt)
    if plain and salt and not exported.digest:
        return Leaf(plain, b"", salt, chain.digest(salt, plain))
    if exported.digest and not plain and not salt:
        return Leaf(b"", b"", b"", exported.digest)
    raise NotGenuine(number, "a fact comes with its salt, or is hidden behind its digest")


# The check


def verify(data: bytes) -> Audited:
    """Check an exported tournament, or raise `NotGenuine` with the first bad commit."""
    return audit(read_file(data))


def verify_entries(tournament: str, entries: Sequence[bytes], secret: bytes) -> Audited:
    """Check what a store keeps of a tournament. The operator knows the secret, also of one that still goes on."""
    return audit(read_entries(tournament, entries, secret), secret)


def audit(links: Sequence[Link], secret: bytes = b"") -> Audited:
    check_links(links)
    commits = [_commit(number, link) for number, link in enumerate(links, start=1)]
    secret = secret or next((bytes.fromhex(fact.secret) for fact in _facts(commits, TournamentFinished)), b"")
    course = Course(commits, secret)
    if secret:
        _check_secret(links, course.tournament.commitment, secret)
    tournament = course.after_all()
    return Audited(
        tournament=tournament.id,
        title=tournament.options.title,
        status=tournament.status,
        players=len(tournament.participants),
        rounds=len(tournament.rounds),
        rulings=len(tournament.rulings),
        commits=len(links),
        hidden=sum(not leaf.fact for link in links for leaf in link.leaves),
        head=links[-1].hash,
        checked=tuple(course.checked()),
        not_drawn=tuple(course.not_drawn),
    )


def _commit(number: int, link: Link) -> Commit:
    """With the facts that the file shows."""
    texts = [leaf.fact for leaf in link.leaves if leaf.fact]
    try:
        facts = TOURNAMENT_READER.read_facts(texts, link.header.schema)
    except Exception as problem:
        raise NotGenuine(number, f"its facts cannot be read: {problem}") from None
    if b"".join(encode(fact) for fact in facts) != b"".join(texts):
        raise NotGenuine(number, "its facts have fields that do not belong there")
    return Commit(link.header, facts, link.hash)


def _facts(commits: Sequence[Commit], kind: type[Fact]) -> Iterator[Any]:
    return (fact for commit in commits for fact in commit.facts if isinstance(fact, kind))


def _check_secret(links: Sequence[Link], commitment: str, secret: bytes) -> None:
    if chain.commitment(secret) != commitment:
        raise NotGenuine(1, "the secret is not the one that was fixed when it was created")
    for link in links:
        for index, leaf in enumerate(link.leaves):
            if leaf.fact and leaf.salt != chain.salt(secret, link.header.version, index):
                raise NotGenuine(link.header.version, "a fact was not bound with the secret")


class Course:
    """A tournament from its first commit to its last."""

    def __init__(self, commits: Sequence[Commit], secret: bytes) -> None:
        self._commits, self._secret = commits, secret
        self.not_drawn: list[int] = []
        self._drawn = self._certified = self._is_ordered = False
        try:
            self.tournament: Tournament = TOURNAMENT.created(commits[0])
        except Exception as problem:
            raise NotGenuine(1, f"it creates no tournament: {problem}") from None

    def after_all(self) -> Tournament:
        for commit in self._commits[1:]:
            before, number = self.tournament, commit.header.version
            if commit.header.at < before.at:
                raise NotGenuine(number, "it is older than the commit before it")
            try:
                self.tournament = TOURNAMENT.after(before, commit)
            except Exception as problem:
                raise NotGenuine(number, f"its facts cannot be applied: {problem!r}") from None
            for reason in self._wrong(before, commit):
                raise NotGenuine(number, reason)
        return self.tournament

    def checked(self) -> Iterator[str]:
        yield CHAIN
        yield COURSE
        if self._certified:
            yield CERTIFICATES
        if self._secret:
            yield SECRET
        if self._drawn:
            yield DRAWS
        if self._is_ordered:
            yield ORDER

    def _wrong(self, before: Tournament, commit: Commit) -> Iterator[str]:
        facts = tournament_facts(commit)
        yield from wrong_without_ruling(before, facts, commit.header.by)
        if commit.header.rules >= ASKED_FIRST:
            yield from wrong_substitutes(before, facts, commit.header.by)
        for fact in facts:
            match fact:
                case TournamentStarted():
                    yield from self._wrong_start(before, fact, commit.header)
                case RoundProposed():
                    yield from self._wrong_round(before, facts, commit.header)
                case TournamentFinished():
                    yield from self._wrong_end(before, fact)

    def _wrong_start(self, before: Tournament, started: TournamentStarted, header: Header) -> Iterator[str]:
        if not self._secret:
            return
        self._drawn = True
        if StartTournament(before.owner).decide(before, Context(header.at, self._secret)) != (started,):
            yield "the starting numbers do not follow from the secret"

    def _wrong_round(self, before: Tournament, facts: tuple[TournamentFact, ...], header: Header) -> Iterator[str]:
        proposal = self.tournament.proposal
        assert proposal, "a round was proposed"
        drawn_from = self.tournament.history(proposal.stage)
        self._certified = True
        rounds = (*drawn_from.rounds, proposal.round)
        yield from map(str, problems_of(proposal.certificate, replace(drawn_from, rounds=rounds)))
        if proposal.certificate.method not in (TABLES, FAST, DUTCH):
            self.not_drawn.append(proposal.number)
        elif self._secret:
            self._drawn = True
            yield from self._wrong_draw(before, facts, header)

    def _wrong_draw(self, before: Tournament, facts: tuple[TournamentFact, ...], header: Header) -> Iterator[str]:
        try:
            again = ProposeRound(before.owner).decide(before, Context(header.at, self._secret))
        except Refused as refusal:
            yield f"this round cannot be drawn: {refusal}"
            return
        if again == facts:
            return
        [mine] = [fact for fact in again if isinstance(fact, RoundProposed)]
        [theirs] = [fact for fact in facts if isinstance(fact, RoundProposed)]
        if header.rules >= DRAWN_ALIKE or mine.certificate.seed != theirs.certificate.seed:
            yield "the round does not follow from the secret"
        else:
            self.not_drawn.append(theirs.number)

    def _wrong_end(self, before: Tournament, finished: TournamentFinished) -> Iterator[str]:
        self._is_ordered = True
        fresh = replace(before, counted=None)
        if tuple(row.player for row in fresh.standings()) != finished.places:
            yield "the order at the end does not follow from the results"


def wrong_without_ruling(before: Tournament, facts: Sequence[TournamentFact], by: str = "") -> Iterator[str]:
    """What changes standings is a result of a table that had none, or a ruling."""
    has_ruling = has_entry = False
    for fact in facts:
        has_ruling = has_ruling or isinstance(fact, RulingMade | RulingReversed)
        has_entry = has_entry or isinstance(fact, PlayerRegistered)
        if isinstance(fact, ResultRecorded) and before.round(fact.round).round.tables[fact.table].result:
            yield "it changes a result without a ruling"
        is_entry = has_entry and isinstance(fact, PointsAdjusted)
        if isinstance(fact, BY_RULING) and not (has_ruling or is_entry or is_accepted(before, fact, by)):
            yield f"it has a change without a ruling: {fact.__struct_config__.tag}"


def is_accepted(before: Tournament, fact: TournamentFact, by: str) -> bool:
    """Whether an account that was asked to play for a player says itself that it does."""
    if not isinstance(fact, PlayerSubstituted):
        return False
    request = before.asked.get(fact.player)
    return request is not None and request.account == fact.account == by


def wrong_substitutes(before: Tournament, facts: Sequence[TournamentFact], by: str) -> Iterator[str]:
    """Nobody is seated who has not agreed."""
    for fact in facts:
        if isinstance(fact, PlayerSubstituted) and not (agrees(by, fact.account) or is_accepted(before, fact, by)):
            yield "it seats a substitute who was not asked"
