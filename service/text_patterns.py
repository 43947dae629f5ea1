"""Patterns of the short texts that clients send. The description of the interface has them as they are here."""

from __future__ import annotations

import re

NAME = r"^[\x20-\x7e]*$"
"""The names of things, all of them given by us."""

LONGEST_NAME = 64

WRITTEN = r"^[^\x00-\x1f\x7f-\xa0\xad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff0-\uffff]*$"
"""Texts by people: no character that breaks a line, turns the direction of writing, or cannot be seen."""

HALVES = r"[\ud800-\udfff]"


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
