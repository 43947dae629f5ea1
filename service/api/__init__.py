"""The REST interface below `/api/v1`: one blueprint per module, listed here.

What may not enter: decisions. A view loads, calls and answers.
"""

from __future__ import annotations

from flask import Flask, request

from events.errors import StoreUnavailable
from rules.texts import say
from service.api import (
    accounts,
    apps,
    audit,
    catalogue,
    chat,
    clocks,
    deprecations,
    games,
    inbox,
    mail,
    moves,
    openapi,
    players,
    positions,
    replay,
    streams,
    studies,
    study_chapters,
    study_edits,
    study_files,
    study_streams,
    table,
    tournament_actions,
    tournament_files,
    tournament_streams,
    tournaments,
    webhooks,
)
from service.http import repeated_requests
from service.http.repeated_requests import BY_ITSELF, IN_THE_FIRST_WORDS

PREFIX = "/api/v1"

BLUEPRINTS = {
    catalogue.blueprint: "The games that can be played, and their material.",
    accounts.blueprint: "Accounts, and the sessions and tokens that they are known by.",
    apps.blueprint: "Apps on other sites, and what you allow them (OAuth 2).",
    games.blueprint: "Tables: make one, find one, sit down, begin, look.",
    moves.blueprint: "Decisions, the moves that answer them, and what follows.",
    clocks.blueprint: "Time, and leaving before the end.",
    streams.blueprint: "Games, live.",
    table.blueprint: "A table as its players see it: everything at once.",
    positions.blueprint: "Many games at once.",
    replay.blueprint: "Looking back: every step of a game, its scores, and pictures of its positions.",
    studies.blueprint: "Studies: games with what people write, draw and try at their steps.",
    study_chapters.blueprint: "Chapters of studies, and the positions in them.",
    study_edits.blueprint: "Changes of studies.",
    study_files.blueprint: "Studies as files.",
    study_streams.blueprint: "Studies, live.",
    tournaments.blueprint: "Tournaments: their players, rounds and standings.",
    tournament_actions.blueprint: "Actions in tournaments: of players, organisers and arbiters.",
    tournament_streams.blueprint: "Tournaments, live.",
    tournament_files.blueprint: "Tournaments as files: export and import.",
    players.blueprint: "People, and the games they play.",
    chat.blueprint: "Messages between people at a table.",
    inbox.blueprint: "Your notices, about all your games.",
    mail.blueprint: "Mail about your games, at an address of yours.",
    webhooks.blueprint: "Deliveries to a program of yours of everything that concerns you.",
    audit.blueprint: "The actions of staff, for administrators.",
}
"""The rooms of the interface; each is a tag in its description."""

DIRECT = ("play.move",)
"""The endpoints that are answered without Flask's dispatch."""

REPEATED = {
    "games": IN_THE_FIRST_WORDS,
    "play": IN_THE_FIRST_WORDS,
    "clocks": IN_THE_FIRST_WORDS,
    "tournaments": IN_THE_FIRST_WORDS,
    "tournament_actions": IN_THE_FIRST_WORDS,
    "tournament_files": IN_THE_FIRST_WORDS,
    "apps.register": IN_THE_FIRST_WORDS,
    "webhooks.create": IN_THE_FIRST_WORDS,
    "webhooks.rotate": IN_THE_FIRST_WORDS,
    "tournaments.plan": BY_ITSELF,
    "tournament_actions.preview": BY_ITSELF,
    "games.invite": BY_ITSELF,
    "play.move": BY_ITSELF,
    "accounts.create_token": BY_ITSELF,
    "accounts.register": BY_ITSELF,
    "accounts.make_guest": BY_ITSELF,
    "accounts.sign_in": BY_ITSELF,
}
"""How writes are repeated, by blueprint or endpoint. What only computes is done again.

Others are not done again, which needs nothing of them.
"""


def register(app: Flask) -> None:
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint, url_prefix=PREFIX)
    tags = {blueprint.name: description for blueprint, description in BLUEPRINTS.items()}
    openapi.register(app, tags, PREFIX)
    deprecations.register(app)
    repeated_requests.register(app, REPEATED)


def direct_endpoints() -> tuple[str, ...]:
    """Those of `DIRECT`, unless their answers need headers that Flask's dispatch adds."""
    return () if deprecations.DEPRECATIONS else DIRECT


def refuse_without_store() -> None:
    """Without a store there are rules to read, and nothing else."""
    if request.path.startswith(PREFIX) and request.blueprint not in ("rules", "description"):
        raise StoreUnavailable(say("no store is configured"), "start with `hidalgo serve`, or set REDIS_URL")
