"""Link keys: a word that opens a study to everyone who has it.

It is made with the secret of the study, and with the version at which the study was last private: when it is made
private and opened again, links that were given out before open nothing any more. Nothing has to be stored.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode

from replay.study.study import BY_LINK, Study

KEY_BYTES = 18


def link_key(study: Study, secret: bytes) -> str:
    """
    >>> from msgspec.structs import replace
    >>> study = Study("s", 1, "", "", 0, "Vetoes", "ana", BY_LINK)
    >>> link_key(study, b"secret") == link_key(replace(study, version=9), b"secret")
    True
    >>> link_key(study, b"secret") == link_key(replace(study, unlinked=5), b"secret")
    False
    """
    digest = hmac.digest(secret, f"hidalgo study link\0{study.id}\0{study.unlinked}".encode(), "sha256")
    return urlsafe_b64encode(digest[:KEY_BYTES]).decode()


def opens(study: Study, secret: bytes, key: str) -> bool:
    """Whether a key opens the study now."""
    is_right = hmac.compare_digest(link_key(study, secret).encode(), key.encode(errors="replace"))
    return is_right and study.visibility == BY_LINK
