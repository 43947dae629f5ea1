"""The certificate of a round: what was claimed, why everybody sits where they do, and how to check it again."""

from __future__ import annotations

from flask import Response
from werkzeug.exceptions import NotFound

from rules.texts import Text, say, say_many
from service.language import rendered
from service.web.pages import page
from service.web.tournaments.blueprint import pages
from service.web.tournaments.event import is_outdated
from service.web.tournaments.event_frame import FEW_TABLES, frame_values, look, page_number
from service.web.tournaments.people import Names, Person
from tournaments.certificate import BY_HAND, DUTCH, FAST, PROGRAM, TABLES, Certificate
from tournaments.points import shown_points
from tournaments.reasons import reasons
from tournaments.tally import tally
from tournaments.tournament import PairedRound, Tournament

METHODS = {
    TABLES: say("tables by standings, with as few repeated meetings as can be"),
    FAST: say("pairs by a matching of maximum weight"),
    DUTCH: say("pairs by the Dutch system of FIDE"),
    PROGRAM: say("pairs by a program that the operator has named"),
    BY_HAND: say("by hand, by the organiser"),
}


@pages.get("/tournaments/<tournament>/rounds/<int:number>/certificate")
def certificate(tournament: str, number: int) -> Response:
    frame = look(tournament)
    if not 0 < number <= len(frame.tournament.rounds):
        raise NotFound
    paired = frame.tournament.rounds[number - 1]
    first = (page_number() - 1) * FEW_TABLES
    some = range(len(paired.round.tables))[first : first + FEW_TABLES]
    return page(
        "tournaments/certificate.html",
        **frame_values(frame, "event"),
        paired=paired,
        certificate=paired.certificate,
        claims=claims(paired.certificate),
        method=METHODS[paired.certificate.method],
        tables=why_tables(frame.tournament, paired, some),
        is_outdated=is_outdated(frame, paired),
        more={
            "previous": frame.address("certificate", number=number, page=page_number() - 1) if first else "",
            "next": frame.address("certificate", number=number, page=page_number() + 1)
            if first + FEW_TABLES < len(paired.round.tables)
            else "",
        },
    )


def claims(made: Certificate) -> list[Text]:
    """What the certificate says, in words."""
    told = [
        repeats(made),
        say("The scores at all tables together are {points} points apart.", points=shown_points(made.spread)),
        say("Nobody has had a seat more than {count} times oftener than another.", count=made.seats_worst),
    ]
    if made.kept_apart or made.team_mates:
        told.append(
            say_many(
                "{count} pair sits together that should be kept apart.",
                "{count} pairs sit together that should be kept apart.",
                made.kept_apart + made.team_mates,
            )
        )
    if made.window:
        told.append(say("No exchange of two players betters it."))
    return told


def repeats(made: Certificate) -> Text:
    if not made.repeats:
        return say("Nobody meets again.")
    again = say_many("{count} pair meets again", "{count} pairs meet again", made.repeats)
    if made.is_proven:
        return say("{again}: it is proven that there are no fewer.", again=again)
    return say("{again}; no proof excludes {least}.", again=again, least=made.least_repeats)


def why_tables(tournament: Tournament, paired: PairedRound, some: range) -> list[tuple[int, list[Person], list[str]]]:
    """Why the players of each table sit together."""
    names = Names(tournament, tournament.participants)
    stage = tournament.rounds_of(paired.stage)
    history = tournament.history(paired.stage).before(1 + sum(each.number < paired.number for each in stage))
    counted = tally(history)
    return [
        (
            table,
            [names.player(player) for player in paired.round.tables[table].players],
            [
                rendered(text, names.called)
                for text in reasons(paired.certificate, paired.round, history, counted, table)
            ],
        )
        for table in some
    ]
