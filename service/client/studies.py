"""Studies: games with what people write, draw and try at their steps. `docs/studies.md` has all of it.

    studies = Hidalgo(url, token).studies
    study = studies.create("The veto before the scoring", game=game.id)
    studies.edit(study, "write_comment", chapter="k1", node="214", text="Takes the *sting* out of it.")

A study is named by its id, or by what the service answered. Answers are plain dictionaries, as the service sends them.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping
from typing import Any
from urllib.parse import quote

from .connection import Connection
from .streams import Source, follow, listen

PAGE = 100
Study = Mapping[str, Any] | str
Answered = dict[str, Any]


class Studies:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    # Studies

    def find(self, *, limit: int = PAGE, **wanted: Any) -> Iterator[Answered]:
        """Studies that you may see, the newest first; `query`, `owner`, `member` and `game` choose among them."""
        page = self._get("/studies", limit=limit, **wanted)
        yield from page["studies"]
        while page["next"]:
            page = self._get("/studies", limit=limit, cursor=page["next"], **wanted)
            yield from page["studies"]

    def create(self, title: str, *, visibility: str = "private", **chapter: Any) -> Answered:
        """A study of yours; with `game` (and `viewer`, `chapter_title`) it has a first chapter."""
        return self._post("/studies", {"title": title, "visibility": visibility, **_given(chapter)})

    def look(self, study: Study, *, key: str | None = None) -> Answered:
        return self._get(_path(study), key=key)

    def delete(self, study: Study) -> None:
        self._connection.delete(_path(study))

    def history(self, study: Study, *, key: str | None = None) -> Iterator[Answered]:
        """Everything that was changed, the newest first."""
        page = self._get(_path(study, "history"), limit=PAGE, key=key)
        yield from page["edits"]
        while page["next"]:
            page = self._get(_path(study, "history"), limit=PAGE, before=page["next"], key=key)
            yield from page["edits"]

    def stream(
        self, study: Study, *, after: int, key: str | None = None, pause: float = 1
    ) -> Generator[Answered, None, None]:
        """The edits as they are made; none is left out and none comes twice, whatever becomes of the connection."""

        def streamed(after: int) -> Iterator[Answered]:
            events = listen(self._connection, _path(study, "stream"), after, _given({"key": key}))
            return (json.loads(event.data) for event in events if event.name == "edit")

        def missed(after: int) -> Iterator[Answered]:
            found = []
            for edit in self.history(study, key=key):
                if edit["version"] <= after:
                    break
                found.append(edit)
            return reversed(found)

        return follow(Source(streamed, missed, lambda edit: int(edit["version"])), after, pause)

    def present(self, study: Study, chapter: str = "", node: str = "", *, is_writing: bool = False) -> None:
        """Tell the other members where you are; it counts for 25 seconds."""
        where = {"chapter": chapter, "node": node, "is_writing": is_writing}
        self._connection.post(_path(study, "presence"), where)

    # Chapters

    def chapter(self, study: Study, chapter: str, *, viewer: str | None = None, key: str | None = None) -> Answered:
        """Everything that is written, drawn and tried in a chapter."""
        return self._get(_path(study, "chapters", chapter), viewer=viewer, key=key)

    def position(
        self, study: Study, chapter: str, node: str | int, *, viewer: str | None = None, key: str | None = None
    ) -> Answered:
        """The position at a node: a step of the game, by its version, or a tried move."""
        return self._get(_path(study, "chapters", chapter, "nodes", str(node)), viewer=viewer, key=key)

    def preview(
        self, study: Study, chapter: str, node: str | int, seat: str, move: Mapping[str, Any], *, key: str | None = None
    ) -> Answered:
        """What would follow from a move; nothing is kept."""
        path = _path(study, "chapters", chapter, "nodes", str(node), "preview")
        return self._post(path, {"seat": seat, "move": dict(move)}, key=key)

    def guess(
        self, study: Study, chapter: str, node: str | int, seat: str, move: Mapping[str, Any], *, key: str | None = None
    ) -> Answered:
        """Whether a move is the one that was played, and what the study says of it."""
        path = _path(study, "chapters", chapter, "nodes", str(node), "guess")
        return self._post(path, {"seat": seat, "move": dict(move)}, key=key)

    # Edits

    def edit(self, study: Study, kind: str, **fields: Any) -> Answered:
        """One change, such as `write_comment`, `set_glyph`, `draw`, `add_chapter`, `undo`."""
        return self._post(_path(study, "edits"), {"kind": kind, **fields})

    def try_move(self, study: Study, chapter: str, parent: str | int, seat: str, move: Mapping[str, Any]) -> Answered:
        """Try a move after a node. The answer has the new `node`, and the `position` after it."""
        return self.edit(study, "try_move", chapter=chapter, parent=str(parent), seat=seat, move=dict(move))

    def assume(self, study: Study, chapter: str, parent: str | int, assumption: str, value: Any) -> Answered:
        """Take something hidden for granted, as the position at the node offers it."""
        return self.edit(study, "assume", chapter=chapter, parent=str(parent), assumption=assumption, value=value)

    # Files

    def export(self, study: Study, format: str = "json", *, key: str | None = None) -> bytes:
        """A file, as `json` or as `text`."""
        return self._connection.get(_path(study, "export"), _given({"format": format, "key": key})).body

    def import_file(self, document: str | bytes, format: str = "json", *, visibility: str = "private") -> Answered:
        """A new study of yours, from a file."""
        text = document.decode() if isinstance(document, bytes) else document
        return self._post("/studies/import", {"format": format, "document": text, "visibility": visibility})

    def _get(self, path: str, **query: Any) -> Answered:
        found: Answered = self._connection.get(path, _given(query)).json()
        return found

    def _post(self, path: str, body: Mapping[str, Any], **query: Any) -> Answered:
        found: Answered = self._connection.post(path, body, _given(query)).json()
        return found


def _path(study: Study, *more: str) -> str:
    id = study if isinstance(study, str) else str(study["id"])
    return "/".join(["/studies", *(quote(part, safe="") for part in (id, *more))])


def _given(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
