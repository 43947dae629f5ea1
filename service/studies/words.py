"""The words by which studies are found: without capitals, accents and signs.

>>> sorted(words("Why the Veto? ¡El véto de «Castilla» 1, straße 42!"))
['42', 'castilla', 'de', 'el', 'strasse', 'the', 'veto', 'why']
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from replay.study.study import Chapter

SHORTEST, LONGEST = 2, 40
"""Characters of a word. Of a longer one the beginning counts."""
MOST_IN_A_CHAPTER = 1000
"""So many words of a chapter can be searched: the first ones in the alphabet, if there are more."""
MOST_IN_A_QUERY = 8
WORD = re.compile(r"[^\W_]+")


@lru_cache(16_384)
def words(text: str) -> frozenset[str]:
    """The same text is asked for with every change of its chapter."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return frozenset(word[:LONGEST] for word in WORD.findall(bare) if len(word) >= SHORTEST)


def words_of_chapter(chapter: Chapter, title: str) -> list[str]:
    """Those of the title of the study, of the title of the chapter, and of its comments."""
    comments = (words(comment.text) for notes in chapter.notes.values() for comment in notes.comments)
    titles = words(title) | words(chapter.title)
    written = frozenset[str]().union(*comments) - titles
    return sorted(titles) + sorted(written)[: MOST_IN_A_CHAPTER - len(titles)]


def words_of_query(query: str) -> list[str]:
    """The words that a study must have, the longest first: they are the rarest."""
    return sorted(words(query), key=_rarity)[:MOST_IN_A_QUERY]


def _rarity(word: str) -> tuple[int, str]:
    return -len(word), word
