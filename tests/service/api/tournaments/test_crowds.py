"""An event with 5,000 registrations stays usable: entering, reading and drawing cost what they cost in a small one."""

import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any, NamedTuple

import pytest

from tests.service.api.asking import ApiClient, Described
from tests.service.api.tournaments.event import Event, guest
from tournaments.trf.records import Line, PlayerLine, Report, trf

CROWD, SOME, MEASURED = 5000, 300, 20
FIRST_GAMES = 100
HANG = 60
"""Seconds after which an event is not usable on any machine; what it takes is printed."""
MOST_BYTES = 300_000
"""Of a page, and of an answer."""
PAGES = (
    "",
    "/standings",
    "/crosstable",
    "/players",
    "/players?page=2",
    "/players/bot:random:211",
    "/log",
    "/wall",
    "/desk",
    "/rounds/1/print",
    "/rounds/1/certificate",
)
LISTS = (
    "",
    "/players?limit=100",
    "/players?limit=100&begin=200",
    "/rounds/1?limit=100",
    "/rounds/1?player=bot:random:211",
    "/rounds/1/tables/1",
    "/standings?limit=100",
    "/crosstable?limit=100",
    "/rulings",
    "/history?limit=100",
)


class Cost(NamedTuple):
    """What an answer costs: seconds of the processor, without those of the store, and bytes."""

    seconds: float
    size: int = 0

    def __str__(self) -> str:
        return f"{1000 * self.seconds:.0f} ms" + (f", {self.size / 1000:.0f} kB" if self.size else "")


Read = dict[str, tuple[Cost, Cost]]
"""By page: its cost when it is asked for first, and again."""


def cost(work: Callable[[], Any]) -> Cost:
    begin = time.process_time()
    answer = work()
    lasted = time.process_time() - begin
    assert lasted < HANG
    return Cost(lasted, len(answer.data) if hasattr(answer, "data") else 0)


def median_cost(works: list[Callable[[], Any]]) -> Cost:
    return Cost(median(cost(work).seconds for work in works))


def crowded(described: Described, crowd: int) -> tuple[Event, Cost]:
    """An event with so many players, who come from a file, and a check-in."""
    olga, answers = guest(described), list[Any]()
    bots = (PlayerLine(number, f"bot:random:{number}") for number in range(1, crowd + 1))
    schedule = {"rule": "by-hand", "check_in_ms": 3_600_000}
    body: dict[str, Any] = {"game": "el_grande", "preset": "", "document": trf(Report((Line("012", " Crowd"), *bots)))}
    body |= {"size": 4, "schedule": schedule, "game_options": {"game_length": "short"}}
    imported = cost(lambda: answers.append(olga.post("/tournaments/import", body)))
    assert answers[0].status_code == 201, answers[0].text
    event = Event.__new__(Event)
    event.described, event.olga, event.id = described, olga, answers[0].get_json()["id"]
    event.path = f"/tournaments/{event.id}"
    return event, imported


def entering(event: Event) -> dict[str, Cost]:
    """What players do before the start, and the staff; each of the last ones of many."""
    people = [event.guest() for _ in range(MEASURED)]
    bots = [f"bot:random:{number}" for number in range(1, MEASURED + 1)]
    return {
        "a registration": median_cost([partial(event.acted, "register", by=each) for each in people]),
        "a check-in": median_cost([partial(event.acted, "check_in", by=each) for each in people]),
        "a bot is checked in": median_cost([partial(event.acted, "check_in", player=bot) for bot in bots]),
    }


def begun(event: Event) -> tuple[dict[str, Cost], Read]:
    """All that are there play: the check-in is given up. The round is looked at before it is published."""
    options: dict[str, Any] = {"options": {"schedule": {"rule": "by-hand", "check_in_ms": 0}}, "reason": ""}
    costs = {"the check-in is given up": cost(partial(event.acted, "change_options", **options))}
    costs |= {step: cost(partial(event.acted, step)) for step in ("start", "propose_round")}
    proposed = of_pages(event, "of a round that is drawn", ("/desk", "/desk?page=2"))
    return costs | {step: cost(partial(event.acted, step)) for step in ("publish_round", "start_round")}, proposed


def games_of(event: Event) -> int:
    """So many tables of the first two hundred have their games."""
    return sum(table["game"] is not None for table in event.read("/rounds/1?limit=200")["tables"])


def created(event: Event, count: int) -> Cost:
    worker = event.described.app.services.round_worker

    def create() -> None:
        for _ in range(HANG):
            if games_of(event) >= count:
                return
            worker._do_due(event.id)

    return cost(create)


def of_pages(event: Event, when: str, paths: tuple[str, ...]) -> Read:
    """Of every page: when its organiser asks for it first, and again."""
    browser = event.described.app.test_client()
    session = event.described.app.services.accounts.sessions.open(event.olga.account)
    browser.set_cookie("hidalgo_session", session.secret)

    def asked(path: str) -> Any:
        answer = browser.get(f"/tournaments/{event.id}{path}")
        assert answer.status_code == 200, path
        return answer

    return {f"page {path or '/'} {when}": (cost(partial(asked, path)), cost(partial(asked, path))) for path in paths}


def of_lists(event: Event, reader: ApiClient) -> Read:
    def asked(path: str) -> Any:
        answer = reader.get(event.path + path)
        assert answer.status_code == 200, answer.text
        return answer

    return {f"GET {path}": (cost(partial(asked, path)), cost(partial(asked, path))) for path in LISTS}


@pytest.mark.parametrize("crowd", [SOME, pytest.param(CROWD, marks=(pytest.mark.long, pytest.mark.timeout(1800)))])
def test_an_event_with_many_players_stays_usable(described, crowd):
    event, imported = crowded(described, crowd)
    entered = entering(event)
    before = of_pages(event, "before the start", ("", "/players", "/desk"))
    rounds, proposed = begun(event)
    read = before | proposed | of_lists(event, event.olga) | of_pages(event, "in round 1", PAGES)
    games = min(FIRST_GAMES, crowd // 8)
    worked = {f"{games} games": created(event, games)}
    for name, value in {f"import of {crowd:,}": imported, **entered, **rounds, **worked}.items():
        print(f"{name}: {value}")
    for name, (first, again) in read.items():
        print(f"{name}: {first}; again {again}")
    assert games_of(event) >= games
    assert {name: first.size for name, (first, _) in read.items() if first.size > MOST_BYTES} == {}
