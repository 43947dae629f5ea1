"""What a ruling would change for the players of its table: scores, points and places, now and then."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from rules.kernel import Player
from rules.texts import Text, say_many
from service.games.gallery import Thumbnail, thumbnail
from service.http.context import services
from service.language import rendered
from service.tournaments.previews import rewound
from service.web.tournaments.event_frame import Frame
from service.web.tournaments.people import Names, Person
from service.web.tournaments.ruling_draft import REPLAY, REWIND, RulingDraft, by_scores, now_at
from service.web.tournaments.table_cards import colours_of
from tournaments.commands import RewindGame
from tournaments.history import points_at
from tournaments.points import shown_points
from tournaments.results import Result
from tournaments.tournament import Tournament

MOST_SEEN = 40
"""So many lines of the story are told again."""


class Change(NamedTuple):
    now: str
    then: str

    @property
    def is_same(self) -> bool:
        return self.now == self.then


class Effect(NamedTuple):
    """What a ruling means for a player of the table."""

    colour: Player
    person: Person
    score: Change
    points: Change
    place: Change


def effects(frame: Frame, draft: RulingDraft) -> list[Effect]:
    """As if the table ended as it stands. Refused, if the ruling would be."""
    now, then = services().tournament_service.foreseen(frame.tournament.id, draft.command(frame))
    paired = now.round(draft.round)
    table = paired.round.tables[draft.table]
    before = with_result(now, draft, table.result or now_at(paired, draft.table))
    after = with_result(then, draft, result_after(then, draft))
    names = Names(frame.tournament, table.players)
    colours = colours_of(frame.tournament.options, len(table.players))
    return [
        Effect(
            colours[seat],
            names.player(player),
            Change(_score(before, draft, seat), _score(after, draft, seat)),
            Change(_points(before, draft, seat), _points(after, draft, seat)),
            Change(_place(before, player), _place(after, player)),
        )
        for seat, player in enumerate(table.players)
    ]


def result_after(then: Tournament, draft: RulingDraft) -> Result | None:
    """The result of the table, or how it would stand."""
    paired = then.round(draft.round)
    if (result := paired.round.tables[draft.table].result) or draft.kind == REPLAY:
        return result
    if draft.kind == REWIND:
        game = services().games.load(paired.games[draft.table], draft.version)
        return by_scores(tuple(game.state.board.scores[seat] for seat in game.players))
    return now_at(paired, draft.table)


def with_result(tournament: Tournament, draft: RulingDraft, result: Result | None) -> Tournament:
    paired = tournament.round(draft.round)
    table = replace(paired.round.tables[draft.table], result=result)
    return replace(tournament.with_round(paired.with_table(draft.table, table)), counted=None)


def _score(tournament: Tournament, draft: RulingDraft, seat: int) -> str:
    result = tournament.round(draft.round).round.tables[draft.table].result
    return str(result.victory_points[seat]) if result and result.victory_points else "–"


def _points(tournament: Tournament, draft: RulingDraft, seat: int) -> str:
    table = tournament.round(draft.round).round.tables[draft.table]
    return shown_points(points_at(tournament.options.points, table, table.result)[seat]) if table.result else "–"


def _place(tournament: Tournament, player: str) -> str:
    return str(next(row.place for row in tournament.standings() if row.player == player))


class BackTo(NamedTuple):
    """The step of a game that a ruling would go back to."""

    thumbnail: Thumbnail
    title: str
    facts: list[Text]
    seen: list[str]
    """What everybody has seen since."""


def back_to(frame: Frame, draft: RulingDraft) -> BackTo | None:
    """Only if the table has a game that has gone on."""
    game = frame.tournament.round(draft.round).games.get(draft.table)
    if not game or draft.last_version < 2:
        return None
    then = services().games.load(game, draft.version)
    if not then.started:
        return None
    drawn = thumbnail(then)
    steps = draft.last_version - draft.version
    return BackTo(
        drawn,
        rendered(drawn.headline.text),
        [say_many("{count} step leaves the game", "{count} steps leave the game", steps)],
        seen_since(frame, draft),
    )


def seen_since(frame: Frame, draft: RulingDraft) -> list[str]:
    command = draft.command(frame)
    assert isinstance(command, RewindGame), "it goes back"
    told = rewound(services().tournament_service, frame.tournament, command)["seen"]
    return [line["text"] if isinstance(line, dict) else line for line in told][-MOST_SEEN:]
