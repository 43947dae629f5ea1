"""The summary of a game in few bytes, as it is noted for lists: JSON, compressed with what all summaries share."""

from __future__ import annotations

import zlib

import msgspec

from service.games.game_summary import GameSummary

FORM = b"1"
"""The first byte. Notes of another form are written anew."""

# Most of a summary is the same in all of them. Never changes: what is compressed with it cannot be read without it.
SHARED = (
    b'"bots":["bot:random","bot:greedy","bot:shrewd"],"title":"","tournament":{"tournament":"","round":1,"table":1,'
    b'"spectators_delay_ms":0},"starts_when_full":true,"may_resign":false,"may_take_back":false,"forfeited":{},'
    b'"clock":{"used":{},"left":{},"deadlines":{},"paused":false},"asked":["green","yellow","red","blue","brown"],'
    b'"time":{"bank_ms":600000,"increment_ms":10000,"limit_ms":86400000,"delay_ms":0,"strikes":3,"policy":"autopilot"},'
    b'"visibility":"private","status":"aborted","status":"running","rules":"el_caballero","options":{"variant":"basic"},'
    b'{"id":"","rules":"el_grande+anniversary+king_and_intrigue","players":["red","blue","yellow","green","brown"],'
    b'"options":{"game_length":"full","game_length":"short"},"commitment":"0123456789abcdef","version":200,'
    b'"head":"0123456789abcdef","status":"over","created_at":17,"owner":"a_","visibility":"public",'
    b'"scores":{"red":100,"blue":100,"yellow":100,"green":100,"brown":100},'
    b'"seats":{"red":"a_","blue":"a_","yellow":"a_","green":"a_","brown":"a_"},"own_nonces":["red","blue"],'
    b'"places":{"red":1,"blue":2,"yellow":3,"green":4,"brown":5},"ended_at":17'
)


def written(summary: GameSummary) -> bytes:
    compressor = zlib.compressobj(9, zlib.DEFLATED, -12, 5, zlib.Z_DEFAULT_STRATEGY, SHARED)
    return FORM + compressor.compress(msgspec.json.encode(summary)) + compressor.flush()


def read(note: bytes) -> GameSummary | None:
    """None if it is of another form or shape."""
    if note[:1] != FORM:
        return None
    try:
        text = zlib.decompressobj(-12, SHARED).decompress(note[1:])
        return _SUMMARIES.decode(text)
    except (zlib.error, msgspec.MsgspecError, UnicodeDecodeError):
        return None


_SUMMARIES = msgspec.json.Decoder(GameSummary)
