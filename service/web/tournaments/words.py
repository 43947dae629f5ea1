"""A tournament in words: its status, what was agreed, when rounds are."""

from __future__ import annotations

from rules.catalogue import game_named
from rules.texts import Text, Value, say, say_many
from service.web.cards import expansion_title, unusual
from service.web.times import pace, span
from tournaments.options import BY_HAND, DATES, FINAL, HEATS, INTERVAL, WHEN_DONE, Options
from tournaments.points import place_points, shown_points
from tournaments.tiebreaks import TIEBREAKS
from tournaments.tournament import CANCELLED, FINISHED, OPEN, Tournament

ROLES = {"organiser": say("organiser"), "arbiter": say("arbiter"), "": say("no role")}


def game_title(options: Options) -> str:
    """
    >>> game_title(Options("Club evening", "el_grande+anniversary", {"game_length": "short"}))
    'El Grande + Anniversary, short'
    """
    game = game_named(options.game)
    name = " + ".join((game.title, *map(expansion_title, options.game.split("+")[1:])))
    return ", ".join((name, *unusual(options.game, options.game_options)))


def rounds(options: Options) -> int:
    return sum(stage.rounds for stage in options.stages)


def sizes(options: Options) -> Text:
    """
    >>> str(sizes(Options("Club evening", "el_grande", size=4, sizes=(3, 5))))
    'of 4, else 3 or 5'
    """
    others = sorted(set(options.sizes) - {options.size})
    if not others:
        return say("of {size}", size=options.size)
    if len(others) == 1:
        return say("of {size}, else {other}", size=options.size, other=others[0])
    listed = ", ".join(map(str, others[:-1]))
    return say("of {size}, else {others} or {last}", size=options.size, others=listed, last=others[-1])


def stages(options: Options) -> Text:
    """
    >>> from tournaments.options import Stage
    >>> str(stages(Options("Weekend", "el_grande", stages=(Stage(), Stage("final", 1, 4)))))
    '5 rounds by standings, then a final of 4'
    """
    first, *finals = options.stages
    by_lot = first.kind == HEATS
    rounds = say_many("{count} round", "{count} rounds", first.rounds)
    told = say("{rounds} by lot", rounds=rounds) if by_lot else say("{rounds} by standings", rounds=rounds)
    for stage in finals:
        assert stage.kind == FINAL, "what follows is a final"
        told = say("{before}, then a final of {players}", before=told, players=stage.players)
    return told


def when(options: Options) -> Text:
    """How a round follows another."""
    schedule = options.schedule
    if schedule.rule == BY_HAND:
        return say("an arbiter starts each round")
    if schedule.rule == DATES:
        return say("each round at its date")
    if schedule.rule == INTERVAL:
        return say("a round every {time}", time=span(schedule.interval_ms))
    assert schedule.rule == WHEN_DONE, "there is no other rule"
    if not schedule.interval_ms:
        return say("the next round follows when all tables are done")
    return say("the next round follows {time} after the last table", time=span(schedule.interval_ms))


def time(options: Options) -> Text:
    return pace(options.time)


def points(options: Options) -> str:
    """
    >>> points(Options("Club evening", "el_grande"))
    '24 · 16 · 8 · 0'
    """
    return " · ".join(map(shown_points, place_points(options.points, options.size)))


def tiebreaks(options: Options) -> list[Text]:
    return [TIEBREAKS[name].name for name in options.standings_list[1:]]


def people(options: Options) -> Text:
    is_private = options.visibility != "public"
    if options.entry.most >= 9999:
        return say("invited players") if is_private else say("anyone")
    most = options.entry.most
    return say("invited players, {most} at most", most=most) if is_private else say("anyone, {most} at most", most=most)


def players(count: int) -> Text:
    return say_many("{count} player", "{count} players", count)


def progress(tournament: Tournament) -> Text:
    """How far it has come, in a list."""
    if tournament.status == OPEN:
        return say_many("{count} signed up", "{count} signed up", len(tournament.participants))
    if tournament.status == CANCELLED:
        return say("cancelled")
    told: Value = players(len(tournament.participants))
    if tournament.status == FINISHED:
        return say("{players}, {rounds} rounds", players=told, rounds=len(tournament.rounds))
    if not tournament.rounds:
        return say("{players}, round 1 is about to be drawn", players=told)
    return say(
        "Round {number} of {all}, {players}",
        number=len(tournament.rounds),
        all=rounds(tournament.options),
        players=told,
    )
