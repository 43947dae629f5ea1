"""The desk of organisers and arbiters: tables that need them, the ruling, announcements, the log."""

from __future__ import annotations

from typing import Any

from flask import Response, request
from markupsafe import Markup
from werkzeug.exceptions import Forbidden, NotFound

from replay.thumbnails import Sheet
from rules.bots import BOTS
from rules.catalogue import game_named, rules_named
from rules.errors import Refused
from rules.texts import Text, say
from service.http.responses import conditional
from service.web.pages import page
from service.web.times import MINUTE
from service.web.tournaments import words
from service.web.tournaments.blueprint import pages
from service.web.tournaments.desk_calls import Call, calls, calm
from service.web.tournaments.draft import moment_of
from service.web.tournaments.event import tag
from service.web.tournaments.event_frame import Frame, frame_values, look, page_number
from service.web.tournaments.people import Names, Person
from service.web.tournaments.ruling_draft import KINDS, PENALTIES, REWIND, Given, RulingDraft, read_ruling
from service.web.tournaments.ruling_preview import BackTo, back_to, effects
from service.web.tournaments.ruling_rows import ruling_rows
from service.web.tournaments.table_cards import TableCards, colours_of
from tournaments.options import DATES
from tournaments.tournament import OPEN, PairedRound, Tournament

MOST_CARDS = 200
"""So many tables of a round are looked at for the desk."""
RULINGS = 6


@pages.get("/tournaments/<tournament>/desk", endpoint="desk")
def whole_desk(tournament: str) -> Response:
    return shown(for_staff(look(tournament)), None)


def for_staff(frame: Frame) -> Frame:
    if not frame.is_staff:
        raise Forbidden
    return frame


def of_address(name: str) -> str:
    return request.args.get(name, "")


def shown(frame: Frame, refusal: Refused | None, given: Given = of_address) -> Response:
    """The desk; or, for its script, that nothing has changed since."""
    if request.method == "GET" and request.args.get("part") == "state":
        return conditional(tag(frame, ""), lambda: Response(status=204))
    return whole(frame, refusal, given)


def whole(frame: Frame, refusal: Refused | None, given: Given) -> Response:
    tournament, paired = frame.tournament, frame.tournament.current
    tables = open_first(paired) if paired else []
    cards = TableCards(tournament, paired, tables, frame.account) if paired else None
    found = list(calls(frame, paired, cards))
    about = ruling_values(frame, given, refusal, found)
    return page(
        "tournaments/desk.html",
        refusal=refusal,
        **frame_values(frame, "desk"),
        calls=found,
        tag=tag(frame, ""),
        calm=calm(cards.cards, found) if cards else [],
        done=[card.number + 1 for card in cards.cards if card.is_done] if cards else [],
        lead=lead(frame),
        next_at=next_at(frame),
        proposal=proposal(frame),
        rulings=ruling_rows(frame, RULINGS),
        all_rulings=len(tournament.rulings),
        bots={name: bot.about for name, bot in BOTS.items()},
        requests=requests(frame),
        own_role=frame.tournament.staff.get(frame.account or ""),
        staff=[(frame.names.account(member), words.ROLES[role]) for member, role in tournament.staff.items()],
        forbidden=forbidden(frame),
        pinned=pinned(frame),
        is_open=tournament.status == OPEN,
        changeable=changeable(tournament),
        starts=moment_of(tournament.options.schedule.starts_at),
        **about,
    )


def open_first(paired: PairedRound) -> list[int]:
    numbers = range(len(paired.round.tables))
    return sorted(numbers, key=lambda number: paired.round.tables[number].result is not None)[:MOST_CARDS]


def lead(frame: Frame) -> Text:
    tournament, all_rounds = frame.tournament, words.rounds(frame.tournament.options)
    if not (current := tournament.current):
        return words.progress(tournament)
    tables = len(current.round.tables)
    return say(
        "Round {number} of {all} · {done} of {tables} tables done",
        number=current.number,
        all=all_rounds,
        done=tables - len(current.open_tables),
        tables=tables,
    )


def next_at(frame: Frame) -> int:
    """When the next round starts, if that is fixed; 0: it is not."""
    schedule, number = frame.tournament.options.schedule, len(frame.tournament.rounds)
    return schedule.dates[number] if schedule.rule == DATES and number < len(schedule.dates) else 0


# The ruling


def ruling_values(frame: Frame, given: Given, refusal: Refused | None, found: list[Call]) -> dict[str, Any]:
    """The form for the table that is asked for, or for the one that needs a ruling most."""
    nothing: dict[str, Any] = {"ruling": None, "effects": [], "back": None, "at": None, "seats": [], "claims": []}
    if given("table"):
        paired, table = asked_table(frame, given)
    elif found:
        paired, table = frame.tournament.round(found[0].round), found[0].card.number
    else:
        return nothing
    if not paired.started_at:
        return nothing
    draft = read_ruling(frame, paired, table, given)
    back = back_to(frame, draft) if draft.kind == REWIND else None
    names = Names(frame.tournament, paired.round.tables[table].players)
    players = paired.round.tables[table].players
    colours = colours_of(frame.tournament.options, len(players))
    return {
        "ruling": draft,
        "ruling_kinds": KINDS,
        "penalties": PENALTIES,
        "at": paired,
        "seats": [(colour, names.player(player)) for colour, player in zip(colours, players, strict=True)],
        "claims": [(names.player(claim.player), claim) for claim in paired.claims.get(table, ())],
        "held_at": paired.held.get(table, 0),
        "can_hold": table in paired.games and not paired.round.tables[table].result,
        "back": back,
        "picture": picture(frame, paired, draft, back),
        **foreseen(frame, draft, refusal),
    }


def foreseen(frame: Frame, draft: RulingDraft, refusal: Refused | None) -> dict[str, Any]:
    """What the ruling would change; or why it would be refused."""
    try:
        return {"effects": effects(frame, draft), "hindrance": None}
    except Refused as hindrance:
        same = refusal is not None and str(refusal) == str(hindrance)
        return {"effects": [], "hindrance": None if same else hindrance}


def asked_table(frame: Frame, given: Given) -> tuple[PairedRound, int]:
    """The round, by default the last one, and the table; tables count from 1 in addresses."""
    rounds = frame.tournament.rounds
    round, table = given("round") or str(len(rounds)), given("table")
    if not all(each.isascii() and each.isdigit() and len(each) < 6 for each in (round, table)):
        raise NotFound
    if not 0 < int(round) <= len(rounds) or not 0 < int(table) <= len(rounds[int(round) - 1].round.tables):
        raise NotFound
    return rounds[int(round) - 1], int(table) - 1


def picture(frame: Frame, paired: PairedRound, draft: RulingDraft, back: BackTo | None) -> Markup:
    """The position to go back to, as the public sees it."""
    if not back:
        return Markup()
    rules, sheet = frame.tournament.options.game, Sheet()
    drawn = sheet.add(game_named(rules).picture.ground(rules_named(rules)), back.thumbnail.drawing, "")
    return Markup(sheet.shared()) + Markup(drawn)


# What else is there


def proposal(frame: Frame) -> dict[str, Any] | None:
    """The round that is drawn and not published; of many tables those of one page."""
    if not (drawn := frame.tournament.proposal):
        return None
    number, all_tables = page_number(), drawn.round.tables
    first = (number - 1) * MOST_CARDS
    tables = all_tables[first : first + MOST_CARDS]
    names = Names(frame.tournament, [*(player for table in tables for player in table.players), *drawn.round.unpaired])
    is_last = first + MOST_CARDS >= len(all_tables)
    return {
        "round": drawn,
        "tables": [
            (table, [names.player(player) for player in at.players]) for table, at in enumerate(tables, start=first + 1)
        ],
        "more": {
            "previous": frame.address("desk", page=number - 1) if first else "",
            "next": "" if is_last else frame.address("desk", page=number + 1),
        },
        "out": [names.player(player) for player in drawn.round.unpaired],
        "certificate": drawn.certificate,
        "publishes_itself": frame.tournament.options.schedule.rule != "by-hand",
        "at": drawn.proposed_at + frame.tournament.options.schedule.review_ms,
    }


def requests(frame: Frame) -> list[tuple[Person, Person, int, bool]]:
    """Who is asked to play for whom, until when, and whether clocks stand still for it."""
    asked = frame.tournament.asked
    names = Names(frame.tournament, asked, [request.account for request in asked.values()])
    return [
        (names.account(request.account), names.player(player), request.until, bool(request.round))
        for player, request in asked.items()
    ]


def changeable(tournament: Tournament) -> list[tuple[str, Text, int]]:
    """Numbers of the agreement that can be changed at the desk: name, label and value."""
    options = tournament.options
    no_show, delay = whole_minutes(options.schedule.no_show_ms), whole_minutes(options.spectators_delay_ms)
    return [
        ("rounds", say("Rounds"), options.stages[tournament.stage].rounds),
        ("most", say("Players at most"), options.entry.most),
        ("late_until", say("Late entry up to round; 0: none"), options.entry.late_until),
        ("no_show", say("Minutes until a player who does not come is absent; 0: never"), no_show),
        ("delay", say("Minutes by which spectators see games later"), delay),
    ]


def whole_minutes(milliseconds: int) -> int:
    return -(-milliseconds // MINUTE)


def forbidden(frame: Frame) -> list[tuple[Any, Any]]:
    pairs = frame.tournament.forbidden
    names = Names(frame.tournament, {player for pair in pairs for player in pair})
    return [(names.player(one), names.player(other)) for one, other in pairs]


def pinned(frame: Frame) -> list[list[Any]]:
    tables = frame.tournament.pinned
    names = Names(frame.tournament, {player for table in tables for player in table})
    return [[names.player(player) for player in table] for table in tables]
