"""Tournaments: registration, rounds, standings, rulings. `docs/tournaments.md` has all of it.

    tournaments = Hidalgo(url, token).tournaments
    evening = tournaments.create("Club evening", "el_grande", preset="casual-evening")
    tournaments.act(evening, "register", player="bot:greedy:1")
    tournaments.act(evening, "start")

A tournament is named by its id, or by what the service answered. Answers are plain dictionaries, as the service sends
them; people are named by their handles.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping
from typing import Any
from urllib.parse import quote

from .connection import Connection
from .streams import Source, follow, listen

PAGE = 100
Tournament = Mapping[str, Any] | str
Answered = dict[str, Any]


class Tournaments:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    # Tournaments

    def find(self, *, limit: int = PAGE, **wanted: Any) -> Iterator[Answered]:
        """Public tournaments, the newest first; `status` and `mine` choose among them."""
        page = self._get("/tournaments", limit=limit, **wanted)
        yield from page["tournaments"]
        while page["next"]:
            page = self._get("/tournaments", limit=limit, cursor=page["next"], **wanted)
            yield from page["tournaments"]

    def presets(self) -> list[Answered]:
        """Agreements for common events."""
        found: list[Answered] = self._get("/tournaments/presets")["presets"]
        return found

    def plan(self, players: int, size: int, **more: Any) -> Answered:
        """How so many players are split into tables, and how many rounds they can play without meeting twice."""
        return self._post("/tournaments/plan", {"players": players, "size": size, **more})

    def create(self, title: str, game: str, *, preset: str = "", **options: Any) -> Answered:
        """A tournament of yours, open for players: what is given, and for the rest what the preset says."""
        return self._post("/tournaments", {"title": title, "game": game, "preset": preset, **options})

    def look(self, tournament: Tournament) -> Answered:
        return self._get(_path(tournament))

    # Actions

    def act(self, tournament: Tournament, kind: str, **fields: Any) -> Answered:
        """One action, such as `register`, `start`, `publish_round`, `adjudicate`."""
        return self._post(_path(tournament, "actions"), {"kind": kind, **fields})

    def preview(self, tournament: Tournament, kind: str, **fields: Any) -> Answered:
        """What a ruling would change; nothing is done."""
        return self._post(_path(tournament, "actions", "preview"), {"kind": kind, **fields})

    # Players, rounds, standings

    def players(self, tournament: Tournament, *, limit: int = PAGE, **wanted: Any) -> Iterator[Answered]:
        """In the order of their starting numbers."""
        return self._parts(_path(tournament, "players"), "players", limit, wanted)

    def round(self, tournament: Tournament, number: int, *, limit: int = PAGE, **wanted: Any) -> Answered:
        """A round with all its tables; with `player`, a handle or `me`, that of this player."""
        path = _path(tournament, "rounds", str(number))
        first = self._get(path, limit=limit, **wanted)
        tables = list(first["tables"])
        page = first
        while page["next"] is not None:
            page = self._get(path, limit=limit, begin=page["next"], **wanted)
            tables += page["tables"]
        return {**first, "tables": tables, "next": None}

    def table(self, tournament: Tournament, round: int, table: int) -> Answered:
        """A table, counted from 0, and why these players sit at it."""
        return self._get(_path(tournament, "rounds", str(round), "tables", str(table)))

    def standings(self, tournament: Tournament, *, limit: int = PAGE, **wanted: Any) -> Iterator[Answered]:
        """Rows, the first player first; with `round`, as they were after it."""
        return self._parts(_path(tournament, "standings"), "rows", limit, wanted)

    def crosstable(self, tournament: Tournament, *, limit: int = PAGE) -> Iterator[Answered]:
        """Every player's rounds in a row."""
        return self._parts(_path(tournament, "crosstable"), "lines", limit, {})

    # What happened

    def rulings(self, tournament: Tournament) -> list[Answered]:
        found: list[Answered] = self._get(_path(tournament, "rulings"))["rulings"]
        return found

    def history(self, tournament: Tournament) -> Iterator[Answered]:
        """Everything that happened, the newest first."""
        page = self._get(_path(tournament, "history"), limit=PAGE)
        yield from page["commits"]
        while page["next"]:
            page = self._get(_path(tournament, "history"), limit=PAGE, before=page["next"])
            yield from page["commits"]

    def stream(self, tournament: Tournament, *, after: int, pause: float = 1) -> Generator[Answered, None, None]:
        """What happens as it does, without end; none is left out and none comes twice."""

        def streamed(after: int) -> Iterator[Answered]:
            events = listen(self._connection, _path(tournament, "stream"), after)
            return (json.loads(event.data) for event in events if event.name == "commit")

        def missed(after: int) -> Iterator[Answered]:
            found = []
            for commit in self.history(tournament):
                if commit["version"] <= after:
                    break
                found.append(commit)
            return reversed(found)

        return follow(Source(streamed, missed, lambda commit: int(commit["version"])), after, pause)

    # Files

    def export(self, tournament: Tournament) -> bytes:
        """A file for `hidalgo tournament verify`."""
        return self._connection.get(_path(tournament, "export")).body

    def standings_csv(self, tournament: Tournament) -> bytes:
        """The standings for a spreadsheet."""
        return self._connection.get(_path(tournament, "standings.csv")).body

    def report(self, tournament: Tournament) -> bytes:
        """A tournament report file, of two players at a table."""
        return self._connection.get(_path(tournament, "report.trf")).body

    def import_report(self, document: str | bytes, game: str, **options: Any) -> Answered:
        """A tournament of yours with the players of a report file; `handles` tells who they are here, by number."""
        text = document.decode() if isinstance(document, bytes) else document
        return self._post("/tournaments/import", {"document": text, "game": game, **options})

    def _parts(self, path: str, name: str, limit: int, wanted: Mapping[str, Any]) -> Iterator[Answered]:
        page = self._get(path, limit=limit, **wanted)
        yield from page[name]
        while page["next"] is not None:
            page = self._get(path, limit=limit, begin=page["next"], **wanted)
            yield from page[name]

    def _get(self, path: str, **query: Any) -> Answered:
        asked = {name: str(value).lower() if isinstance(value, bool) else value for name, value in query.items()}
        found: Answered = self._connection.get(path, asked).json()
        return found

    def _post(self, path: str, body: Mapping[str, Any]) -> Answered:
        found: Answered = self._connection.post(path, body).json()
        return found


def _path(tournament: Tournament, *more: str) -> str:
    id = tournament if isinstance(tournament, str) else str(tournament["id"])
    return "/".join(["/tournaments", *(quote(part, safe="") for part in (id, *more))])
