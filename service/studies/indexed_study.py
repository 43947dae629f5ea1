"""A study as the index has it: what lists tell of it, the lists that it is in, and its words. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256

import msgspec
from msgspec import Struct

from replay.study.study import PUBLIC, UNTOUCHED, Chapter, Study
from service.studies.words import words, words_of_chapter


class AboutChapter(Struct, frozen=True, omit_defaults=True):
    """What a list tells of a chapter."""

    id: str
    title: str
    game: str
    comments: int = 0
    tried: int = 0
    words: str = ""
    """A digest of its words."""


class AboutStudy(Struct, frozen=True, omit_defaults=True):
    title: str
    owner: str
    visibility: str
    created_at: int
    members: Mapping[str, str] = {}
    order: tuple[str, ...] = ()
    """The chapters."""
    guarded: Mapping[str, tuple[int, int]] = {}
    """Games that not everybody may know of, now or for ever: when a chapter of each last came or went, and when
    something in one was last written. `at` tells nothing of them."""
    words: tuple[str, ...] = ()
    """Of the title, if there is no chapter."""


class Indexed(Struct, frozen=True):
    """A study in the index."""

    id: str
    version: int
    at: int
    """When it was last changed, without what concerns guarded games."""
    study: AboutStudy
    chapters: tuple[AboutChapter, ...]

    @property
    def entry(self) -> str:
        return entry_of(self.study.created_at, self.id)

    @property
    def head(self) -> str:
        return f"{self.version} {self.at}"

    def lists(self) -> set[str]:
        """The keys of the lists that it is in."""
        about = self.study
        keys = {owner_key(about.owner), *map(member_key, about.members)}
        if about.visibility == PUBLIC:
            keys |= {public_key(), public_key(about.owner), *(game_key(chapter.game) for chapter in self.chapters)}
        return keys

    def fields(self) -> dict[str, bytes]:
        chapters = {chapter.id: msgspec.json.encode(chapter) for chapter in self.chapters}
        return {"head": self.head.encode(), "study": msgspec.json.encode(self.study), **chapters}


def indexed(study: Study, guarded: Collection[str]) -> Indexed:
    """What the index has of a study."""
    texts = words_of(study)
    chapters = tuple(_about_chapter(chapter, texts[chapter.id]) for chapter in study.chapters)
    about = AboutStudy(
        study.title,
        study.owner,
        study.visibility,
        study.created_at,
        study.members,
        tuple(chapter.id for chapter in study.chapters),
        {game: _moments(study, game) for game in sorted(guarded)},
        () if chapters else tuple(texts[""]),
    )
    kept = {place for id, game in study.games.items() if game in guarded for place in ((id,), (id, "inside"))}
    return Indexed(study.id, study.version, study.at_without(kept), about, chapters)


def _about_chapter(chapter: Chapter, texts: Iterable[str]) -> AboutChapter:
    comments = sum(len(notes.comments) for notes in chapter.notes.values())
    return AboutChapter(chapter.id, chapter.title, chapter.game, comments, len(chapter.moves), _digest(texts))


def _moments(study: Study, game: str) -> tuple[int, int]:
    chapters = [id for id, shown in study.games.items() if shown == game]
    of_all = [study.touched.get((id,), UNTOUCHED).at for id in chapters]
    return max(of_all), max(study.touched.get((id, "inside"), UNTOUCHED).at for id in chapters)


def words_of(study: Study) -> dict[str, list[str]]:
    """The words of each chapter; under no chapter those of the title, if there is none."""
    if not study.chapters:
        return {"": sorted(words(study.title))}
    return {chapter.id: words_of_chapter(chapter, study.title) for chapter in study.chapters}


def digests(about: Indexed | None) -> dict[str, str]:
    if about is None:
        return {}
    if not about.chapters:
        return {"": _digest(about.study.words)}
    return {chapter.id: chapter.words for chapter in about.chapters}


def _digest(texts: Iterable[str]) -> str:
    return sha256(" ".join(texts).encode()).hexdigest()[:16]


def entry_of(created_at: int, study: str) -> str:
    return f"{created_at:013}/{study}"


# Keys


def public_key(owner: str = "") -> str:
    return index_key("public", owner) if owner else index_key("public")


def owner_key(account: str) -> str:
    return index_key("owner", account)


def member_key(account: str) -> str:
    return index_key("member", account)


def game_key(game: str) -> str:
    return index_key("game", game)


def word_key(word: str) -> str:
    return index_key("word", word)


def index_key(*names: str) -> str:
    return ":".join(("hidalgo:{studies}", *names))
