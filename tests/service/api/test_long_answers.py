"""Exports and ledgers go out piece by piece, and hold no more of a long game than a piece of it."""

import gzip
import json

import pytest

from events.audit.export import export
from service.live.threads import MOST_WAITING
from tests.service.api.asking import PREFIX, begun, play_on, problem

TIMED = {"bank_ms": 600_000, "increment_ms": 0, "cap_ms": 600_000}
LONG = ("/export", "/clock")


@pytest.fixture
def game(ana, ben) -> str:
    game = begun(ana, ben, time=TIMED)
    play_on(game, ana, ben, moves=12)
    return game


def test_an_export_is_the_file_byte_by_byte(ana, service, game):
    assert ana.get(f"/games/{game}/export").data == export(service.services.games, game, "red")


@pytest.mark.parametrize("at_once", [1, 3, 1000])
def test_a_ledger_has_the_same_bytes_in_any_number_of_pieces(ana, game, monkeypatch, at_once):
    whole = ana.get(f"/games/{game}/clock").get_json()
    monkeypatch.setattr("service.http.chunked.ITEMS_AT_ONCE", at_once)
    assert ana.get(f"/games/{game}/clock").get_json()["rows"] == whole["rows"] != []


def test_a_ledger_that_nobody_reads_on_is_not_made(ana, service, game, monkeypatch):
    """What is not sent yet takes neither memory nor time."""
    monkeypatch.setattr("service.http.chunked.ITEMS_AT_ONCE", 1)
    made: list[int] = []

    def ledger(self, game):
        for number in range(1000):
            made.append(number)
            yield {"version": number}

    monkeypatch.setattr(type(service.services.game_service), "ledger", ledger)
    answer = ana.http.get(f"{PREFIX}/games/{game}/clock", headers=token(ana))
    assert answer.status_code == 200
    assert len(made) < 5
    answer.close()
    assert len(made) < 5


def test_a_game_without_time_has_an_empty_ledger(ana):
    ledger = ana.get(f"/games/{ana.makes()}/clock")
    assert list(ledger.get_json().items())[1:] == [("clock", None), ("rows", [])]


@pytest.mark.parametrize("path", LONG)
def test_it_is_compressed_for_clients_that_can_read_that(ana, game, path):
    plain = ana.get(f"/games/{game}{path}")
    packed = ana.http.get(f"{PREFIX}/games/{game}{path}", headers={"Accept-Encoding": "gzip", **token(ana)})
    assert packed.headers["Content-Encoding"] == "gzip"
    opened, expected = json.loads(gzip.decompress(packed.data)), plain.get_json()
    assert opened.get("commits", opened.get("rows")) == expected.get("commits", expected.get("rows"))


def test_a_ledger_that_the_client_has_is_not_sent_again(ana, game):
    etag = ana.get(f"/games/{game}/clock").headers["ETag"]
    assert ana.get(f"/games/{game}/clock", If_None_Match=etag).status_code == 304


@pytest.mark.parametrize("path", LONG)
def test_clients_that_do_not_read_it_hold_only_so_many_threads(ana, game, path):
    unread = [ana.http.get(f"{PREFIX}/games/{game}{path}", headers=token(ana)) for _ in range(MOST_WAITING)]
    assert {response.status_code for response in unread} == {200}
    assert problem(ana.get(f"/games/{game}{path}")) == (503, "busy")
    for response in unread:
        response.close()
    assert ana.get(f"/games/{game}{path}").status_code == 200


def token(person) -> dict[str, str]:
    return {"Authorization": f"Bearer {person.token}"}
