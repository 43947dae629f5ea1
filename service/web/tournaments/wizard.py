"""A new tournament: a preset, one row for each matter, and what follows from it. Every press of a button that changes
something shows the page again; only the last one opens the tournament. A script presses them by itself."""

from __future__ import annotations

from secrets import token_urlsafe
from typing import Any, NamedTuple

from flask import Response, request

from events.submission import Submission
from rules.catalogue import GAMES, game_named
from rules.errors import Refused
from rules.texts import Text, say
from service.http import tournament_requests
from service.http.context import services
from service.http.forms import field, form
from service.tournaments.presets import PRESETS
from service.web.cards import expansion_title
from service.web.forms import form_of, go_to
from service.web.game_options import OPTION_WORDS, further_options
from service.web.pages import page
from service.web.tournaments import words
from service.web.tournaments.blueprint import pages
from service.web.tournaments.draft import POINTS, Draft, first_draft, read_draft, times_of
from service.web.tournaments.draft_outlook import outlook
from service.web.visitors import member
from tournaments.points import LARGEST
from tournaments.tiebreaks import TIEBREAKS

ICONS = {
    "casual-evening": "sun",
    "weekend-swiss": "trophy",
    "correspondence-league": "clock",
    "two-player-fide": "users",
}
STARTING_PRESET = "weekend-swiss"


class Row(NamedTuple):
    """One matter of the form."""

    name: str
    title: Text


ROWS = {
    row.name: row
    for row in (
        Row("game", say("Game")),
        Row("tables", say("Tables")),
        Row("time", say("Time")),
        Row("rounds", say("Rounds")),
        Row("points", say("Points")),
        Row("ties", say("Tie-breaks")),
        Row("entry", say("Open to")),
    )
}


@pages.get("/tournaments/new", endpoint="new")
def blank() -> Response:
    """Anybody may look at it; opening needs an account."""
    preset = request.args.get("preset", STARTING_PRESET)
    return shown(first_draft(preset if preset in PRESETS else STARTING_PRESET), None)


def shown_again(refusal: Refused) -> Response:
    """With what was filled in."""
    return shown(read_draft(form()), refusal)


@pages.post("/tournaments/new", endpoint="open")
@form_of(shown_again)
def open_tournament() -> Response:
    """A button changes the draft, or opens the tournament."""
    draft = read_draft(form()).after(field("act"))
    if field("act") != "open":
        return shown(draft, None)
    known = member()
    options = draft.options()
    services().tournament_service.check_playable(options)
    made = tournament_requests.begin(known.account, options, Submission(known.account, key=field("key")[:100]))
    return go_to(f"/tournaments/{made.id}/desk")


def shown(draft: Draft, refusal: Refused | None) -> Response:
    return page("tournaments/new.html", refusal=refusal, **values(draft))


def values(draft: Draft) -> dict[str, Any]:
    options = draft.options()
    game = game_named(options.game)
    return {
        "draft": draft,
        "rows": ROWS,
        "key": field("key")[:100] if request.method == "POST" else token_urlsafe(12),
        "presets": [
            {"name": name, "title": preset.title, "about": preset.description, "icon": ICONS.get(name, "trophy")}
            for name, preset in PRESETS.items()
        ],
        "preset_title": PRESETS[draft.preset].title,
        "games": GAMES,
        "expansions": {name: expansion_title(name) for name in game.expansions},
        "further": [each for each in further_options(game) if each.expansion in options.game.split("+")[1:]],
        "option_words": OPTION_WORDS,
        "lengths": game.options.get("game_length", ()),
        "sizes": [size for size in game.players if size <= LARGEST],
        "times": times_of(draft),
        "points": POINTS,
        "ties": [(name, TIEBREAKS[name]) for name in draft.ties],
        "changed": draft.changed(),
        "options": options,
        "words": words,
        **outlook(draft, options),
    }
