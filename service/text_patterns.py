"""Patterns of the short texts that clients send. The description of the interface has them as they are here."""

from __future__ import annotations

import re
from unicodedata import category

from rules.errors import Unreadable
from rules.texts import say

NAME = r"^[\x20-\x7e]*$"
"""The names of things, all of them given by us."""

LONGEST_NAME = 64

WRITTEN = r"^[^\x00-\x1f\x7f-\xa0\xad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff0-\uffff]*$"
"""Texts by people: no character that breaks a line, turns the direction of writing, or cannot be seen."""

HALVES = r"[\ud800-\udfff]"

UNSEEN = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""More characters that leave no trace; Unicode counts some of them as letters. The description names none of them."""

MOST_MARKS = 4
"""So many accents may stand on a letter. Towers of them cover the lines of others."""


def is_name(value: object) -> bool:
    r"""Whether this is a name, and not an empty one.

    >>> is_name("el_grande"), is_name(""), is_name("ñ"), is_name("n\n"), is_name("n" * 65), is_name(7)
    (True, False, False, False, False, False)
    """
    if not isinstance(value, str):
        return False
    return 0 < len(value) <= LONGEST_NAME and value.isascii() and value.isprintable()


def fits(pattern: str, text: str) -> bool:
    r"""Whether all of the text is like that, and made of characters: half a surrogate pair is none.

    >>> fits(NAME, "el_grande"), fits(NAME, "ñ"), fits(WRITTEN, "ñ"), fits(WRITTEN, "n\n"), fits(WRITTEN, "\u202e")
    (True, False, True, False, False)
    """
    if re.fullmatch(pattern, text) is None:
        return False
    return text.isascii() or re.search(HALVES, text) is None


def is_written(text: str) -> bool:
    r"""Whether people can read it, and what others have written beside it.

    >>> is_written("ñandú"), is_written("ana\u202e"), is_written("ana\u3164")
    (True, False, False)
    """
    return fits(WRITTEN, text) and is_readable(text)


def is_readable(text: str) -> bool:
    r"""Whether all that is written can be seen, and covers nothing else.

    >>> is_readable("n\u0303and\u00fa"), is_readable("ana\u3164"), is_readable("Z" + "\u0301" * 40)
    (True, False, False)
    """
    marks = ("M" if category(letter) in ("Mn", "Me") else " " for letter in text)
    return re.search(f"[{UNSEEN}]", text) is None and "M" * (MOST_MARKS + 1) not in "".join(marks)


def check_readable(text: str) -> None:
    if not is_readable(text):
        raise Unreadable(say("a text has no characters that cannot be seen, and no towers of accents"))


def is_blank(text: str) -> bool:
    r"""Whether nothing of it can be seen.

    >>> is_blank(" \u2003"), is_blank("\ufe0f"), is_blank("!")
    (True, True, False)
    """
    return all(category(letter)[0] in "ZMC" for letter in text)
