"""The place that an operator has named."""

from __future__ import annotations

from pathlib import Path

from events.archive import Nowhere, Place
from events.archive.directory import Directory

SCHEMES = ("s3://", "s3+http://")


def place(address: str, secret: str = "") -> Place:
    """A directory, or a bucket.

    >>> place("/var/lib/hidalgo/archive").name
    '/var/lib/hidalgo/archive'
    """
    if not address:
        return Nowhere()
    if not address.startswith(SCHEMES):
        return Directory(Path(address).expanduser())
    # Its client is installed where it is wanted.
    from events.archive.s3 import Bucket

    return Bucket(address, secret)
