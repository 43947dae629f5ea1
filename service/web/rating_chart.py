"""The ratings of a player on their page: a line for each game family, and the numbers behind it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

from rules.catalogue import GAMES
from rules.texts import Text, say, say_many
from service.http.context import services
from service.tournaments.rating_ledger import RatedStep
from tournaments.ratings import MIDDLE

STEPS, ROWS = 200, 20
"""So many games are drawn, and so many listed."""

WIDTH, HEIGHT, EDGE = 600, 120, 8
LEAST_SPAN = 100
"""A line is not drawn steeper than this many points over the whole height."""


class RatingChart(NamedTuple):
    title: str
    """Of the game."""
    rating: int
    games: Text
    label: Text
    """The chart in words."""
    line: str
    """The points of its line."""
    ends: tuple[float, float]
    """Where the line ends."""
    highest: int
    lowest: int
    rows: list[dict[str, Any]]


def rating_charts(account: str, viewer: str | None) -> list[RatingChart]:
    """Of each game in which a player was rated."""
    history = services().rating_history
    charts = []
    for family in history.ledger.current(account, tuple(GAMES)):
        steps = history.ledger.history(account, family, 10**9, STEPS)[::-1]
        seen = history.seen(steps[-ROWS:], viewer)
        page = history.page(account, family, viewer, 10**9, ROWS)
        rows = [
            row
            | {
                "signed": f"{row['change']:+}",
                "on": f"{datetime.fromtimestamp(row['at'] / 1000, UTC):%Y-%m-%d}",
                "title": seen[row["tournament"]].options.title if row["tournament"] else None,
            }
            for row in page["steps"]
        ]
        charts.append(chart(family, steps, rows))
    return charts


def chart(family: str, steps: list[RatedStep], rows: list[dict[str, Any]]) -> RatingChart:
    """Steps from the first to the last."""
    values = [step.strength for step in steps]
    drawn = [MIDDLE, *values] if steps[0].number == 1 else values
    points = line(drawn)
    return RatingChart(
        title=GAMES[family].title,
        rating=values[-1],
        games=say_many("{count} rated game", "{count} rated games", steps[-1].rating.games),
        label=say(
            "Rating, from {first} to {last}; highest {highest}, lowest {lowest}",
            first=drawn[0],
            last=drawn[-1],
            highest=max(drawn),
            lowest=min(drawn),
        ),
        line=" ".join(f"{x:g},{y:g}" for x, y in points),
        ends=points[-1],
        highest=max(drawn),
        lowest=min(drawn),
        rows=rows,
    )


def line(values: list[int]) -> list[tuple[float, float]]:
    """
    >>> line([1000, 1100, 1050])
    [(8.0, 112.0), (300.0, 8.0), (592.0, 60.0)]
    >>> line([1000])
    [(8.0, 112.0)]
    """
    low, span = min(values), max(max(values) - min(values), LEAST_SPAN)
    step = (WIDTH - 2 * EDGE) / max(1, len(values) - 1)
    return [
        (round(EDGE + number * step, 1), round(HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * (value - low) / span, 1))
        for number, value in enumerate(values)
    ]
