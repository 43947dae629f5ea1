"""What may be in the short texts that clients send. Both are told to clients as they stand here."""

from __future__ import annotations

import re

NAME = r"^[\x20-\x7e]*$"
"""The names of things, all of which we have given."""

WRITTEN = r"^[^\x00-\x1f\x7f-\xa0\xad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff0-\uffff]*$"
"""What people write: nothing that breaks a line, turns the direction of writing, or cannot be seen."""

HALVES = r"[\ud800-\udfff]"


def fits(pattern: str, text: str) -> bool:
    r"""Whether all of the text is like that, and made of characters: half a surrogate pair is none.

    >>> fits(NAME, "el_grande"), fits(NAME, "ñ"), fits(WRITTEN, "ñ"), fits(WRITTEN, "n\n"), fits(WRITTEN, "\u202e")
    (True, False, True, False, False)
    """
    if re.fullmatch(pattern, text) is None:
        return False
    return text.isascii() or re.search(HALVES, text) is None
