"""Files of tournaments: what leaves can be checked by others, and nothing in a file that comes is believed."""

import csv
import json
from io import StringIO

import pytest

from service.http.request_bodies import LARGER
from tests.service.api.asking import ApiClient, problem
from tests.service.api.tournaments.event import Event, guest, handle_of
from tournaments.audit import DRAWS, ORDER, verify
from tournaments.trf.files import history_of
from tournaments.trf.records import Line, PlayerLine, Report, parse_trf, trf

DUELS = {"size": 2, "sizes": [], "points": {"preset": "chess"}}


def file_of(event: Event, name: str, by: ApiClient | None = None) -> str:
    answer = (by or event.olga).get(f"{event.path}/{name}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Disposition"].startswith("attachment; filename=")
    return answer.get_data(as_text=True)


# Export


def test_everybody_can_verify_an_exported_tournament(described):
    event = Event(described).started().play(2)
    event.acted("finish")
    exported = file_of(event, "export", by=ApiClient(described))
    audited = verify(exported.encode())
    assert (audited.status, audited.rounds, audited.hidden) == ("finished", 2, 0)
    assert {DRAWS, ORDER} <= set(audited.checked)
    with pytest.raises(Exception, match="hash"):
        verify(exported.replace("bot:greedy:1", "bot:greedy:9", 1).encode())


def test_the_secret_and_a_proposed_round_are_not_in_the_file_of_a_tournament_under_way(described, service):
    event = Event(described).started().play()
    event.acted("propose_round")
    theirs, ours = file_of(event, "export", by=event.guest()), file_of(event, "export")
    assert verify(theirs.encode()).hidden == 1
    assert verify(ours.encode()).hidden == 0
    secret = service.services.tournaments.log.secret(event.id).hex()
    assert secret not in theirs + ours


def test_files_tell_nothing_while_standings_are_hidden(described):
    event = Event(described, hides_standings=True, **DUELS).started().play()
    for name in ("export", "standings.csv", "report.trf"):
        assert problem(event.guest().get(f"{event.path}/{name}")) == (409, "not_now")
        assert file_of(event, name)


def test_a_private_tournament_has_no_files_for_strangers(described):
    event = Event(described, visibility="private", **DUELS)
    for name in ("export", "standings.csv", "report.trf"):
        assert problem(event.guest().get(f"{event.path}/{name}")) == (404, "not_found")


# Spreadsheets


def test_standings_are_a_file_for_spreadsheets(described):
    event = Event(described).started()
    event.play()
    rows = list(csv.DictReader(StringIO(file_of(event, "standings.csv"), newline="")))
    shown = event.read("/standings")["rows"]
    assert [(row["place"], row["points"]) for row in rows] == [(str(row["place"]), row["points"]) for row in shown]
    assert [row["player"] for row in rows] == [row["account"] for row in shown]
    assert rows[0]["TP"] == shown[0]["values"][0]


def test_players_of_the_standings_file_go_by_their_handles(event):
    ana = event.player()
    assert handle_of(ana) in file_of(event, "standings.csv")


# Reports


def test_a_report_tells_every_game(described):
    event = Event(described, **DUELS).started(6).play(2)
    history, about = history_of(parse_trf(file_of(event, "report.trf")))
    assert (len(history.players), len(history.rounds), about.title) == (6, 2, "Club evening")
    assert set(about.names.values()) == {f"bot:greedy:{number}" for number in range(1, 7)}


def test_pairs_that_are_kept_apart_are_reported_to_staff_alone(described):
    event = Event(described, **DUELS).with_bots(4)
    event.acted("forbid_pair", one="bot:greedy:1", other="bot:greedy:2")
    assert "\n260" in file_of(event, "report.trf")
    assert "\n260" not in file_of(event, "report.trf", by=event.guest())


def test_larger_tables_have_no_report(event):
    assert problem(event.olga.get(f"{event.path}/report.trf")) == (409, "not_now")


# Import


def report(*lines: PlayerLine | Line, title: str = "Spring open") -> str:
    return trf(Report((Line("012", f" {title}"), *lines)))


def imported(client: ApiClient, document: str, key: str = "", **fields):
    headers = {"Idempotency_Key": key} if key else {}
    return client.post("/tournaments/import", {"game": "el_grande", "document": document, **fields}, **headers)


def players_of(client: ApiClient, answer) -> list[tuple]:
    assert answer.status_code == 201, answer.text
    found = client.get(f"/tournaments/{answer.get_json()['id']}/players").get_json()["players"]
    return [(player["account"], player["rating"]) for player in found]


def test_a_report_comes_back_as_a_new_tournament(described):
    event = Event(described, **DUELS)
    ana = event.player()
    event.with_bots(3).acted("forbid_pair", one="bot:greedy:1", other="bot:greedy:2")
    document = file_of(event, "report.trf")
    answer = imported(event.olga, document)
    made = answer.get_json()
    assert answer.headers["Location"] == f"/api/v1/tournaments/{made['id']}"
    assert (made["title"], made["rounds"], made["size"], made["role"]) == ("Club evening", 2, 2, "organiser")
    assert players_of(event.olga, answer) == [(f"bot:greedy:{n}", None) for n in (1, 2, 3)]
    assert ana.post(f"/tournaments/{made['id']}/actions", {"kind": "register"}).status_code == 201
    assert players_of(event.olga, answer)[-1] == (ana.account, None), "a file asks accounts to come, as staff does"
    again = event.olga.get(f"/tournaments/{made['id']}/report.trf").get_data(as_text=True)
    assert [line for line in again.splitlines() if line[:3] == "260"]
    assert sorted(line[8:] for line in again.splitlines() if line[:3] == "001") == sorted(
        line[8:] for line in document.splitlines() if line[:3] == "001"
    )


def test_a_file_of_others_is_read_with_the_handles_of_its_players(described):
    olga, ana = guest(described), guest(described)
    document = report(
        PlayerLine(7, "Fernandez, Ana", 1800), PlayerLine(9, "Gil, Ben", 1700), Line("XXR", " 9"), Line("XXP", " 7 9")
    )
    handles = {"7": handle_of(ana), "9": "bot:random:1"}
    answer = imported(olga, document, handles=handles, visibility="private", stages=[{"rounds": 3}])
    assert players_of(olga, answer) == [("bot:random:1", 1700)]
    assert ana.post(f"/tournaments/{answer.get_json()['id']}/actions", {"kind": "register"}).status_code == 201
    assert players_of(olga, answer) == [("bot:random:1", 1700), (ana.account, 1800)]
    assert (answer.get_json()["rounds"], answer.get_json()["visibility"]) == (3, "private")


def test_an_import_that_was_cut_off_goes_on(described, service, monkeypatch):
    """The process ends after the third player; the same request comes again."""
    olga, tournaments = guest(described), service.services.tournaments
    document = report(*(PlayerLine(number, f"bot:greedy:{number}") for number in range(1, 7)))
    submit, left = tournaments.submit, iter(range(3))

    def dying(*arguments, **more):
        if next(left, None) is None:
            raise SystemExit
        return submit(*arguments, **more)

    monkeypatch.setattr(tournaments, "submit", dying)
    with pytest.raises(SystemExit):
        imported(olga, document, "once")
    monkeypatch.undo()
    first, again = imported(olga, document, "once"), imported(olga, document, "once")
    assert len(players_of(olga, first)) == 6
    assert (again.status_code, again.data) == (201, first.data)
    assert len(olga.get("/tournaments?mine=true").get_json()["tournaments"]) == 1


BOT = PlayerLine(1, "bot:greedy:1")
WRONG = {
    "": "invalid",
    "012 Nobody plays\n": "the file has no record of a player",
    report(BOT, PlayerLine(2, "somebody")): "line 3 of the file: there is no account with the handle somebody",
    report(BOT, PlayerLine(2, "bot:nobody:1")): "line 3 of the file: there is no bot bot:nobody:1",
    report(BOT, PlayerLine(2, "<script>")): "line 3 of the file: there is no account with the handle <script>",
    report(BOT, PlayerLine(1, "bot:greedy:2")): "line 3 of the file has number 1 for another player",
    report(BOT, PlayerLine(2, "bot:greedy:1")): "lines 2 and 3 of the file name one player, bot:greedy:1",
    report(BOT, PlayerLine(2, "bot:greedy:2", -5)): "line 3 of the file is no record of a player",
    report(BOT, PlayerLine(0, "bot:greedy:2")): "line 3 of the file is no record of a player",
    report(BOT, PlayerLine(2, "")): "line 3 of the file is no record of a player",
    report(BOT) + "001 x\n": "line 3 of the file is no record of a player",
    report(BOT) + "001 \ud7ff٣ ²\n": "line 3 of the file is no record of a player",
    report(BOT, Line("XXP", " 1 2")): "line 3 of the file names a player who is none",
    report(BOT, Line("260", " 001 009 1 ²")): "line 3 of the file names a player who is none",
    report(BOT, Line("XXR", " 99")): "rounds is 1 to 50",
    report(BOT, title=""): "these are no options of a tournament",
    report(BOT, title="a\x00b"): "no control characters",
    report(BOT, title="x" * 121): "1 to 120 characters",
}


@pytest.mark.parametrize(("document", "sentence"), WRONG.items(), ids=map(str, range(len(WRONG))))
def test_files_that_cannot_be_read_say_where(described, document, sentence):
    olga = guest(described)
    answer = imported(olga, document)
    assert answer.status_code in (400, 422), answer.text
    assert sentence in json.loads(answer.data)["detail"] or sentence == json.loads(answer.data)["code"], answer.text
    assert olga.get("/tournaments?mine=true").get_json()["tournaments"] == []


@pytest.mark.parametrize(
    "fields",
    [
        {"document": 7},
        {"document": None},
        {"handles": {"1": ""}},
        {"handles": {"1": "a\nb"}},
        {"handles": ["ana"]},
        {"preset": "cheap"},
        {"size": 1},
        {"secret": "00"},
    ],
    ids=str,
)
def test_imports_that_are_none_are_refused(described, fields):
    assert problem(imported(guest(described), **({"document": report(BOT)} | fields))) == (422, "invalid")


@pytest.mark.parametrize("number", ["2", "x", "1\n"])
def test_handles_of_nobody_are_refused(described, number):
    assert problem(imported(guest(described), report(BOT), handles={number: "ana"})) == (400, "unreadable")


def test_more_players_than_may_take_part_are_refused(described):
    document = report(*(PlayerLine(number, f"bot:greedy:{number}") for number in range(1, 4)))
    answer = imported(guest(described), document, entry={"fewest": 2, "most": 2})
    assert problem(answer) == (400, "unreadable")
    assert "the file has 3 players, and 2 may take part" in answer.text


def test_an_import_has_a_largest_size(described):
    path = "/api/v1/tournaments/import"
    olga = guest(described)
    assert problem(imported(olga, "x" * LARGER[path])) == (413, "too_large")
    assert problem(imported(olga, "x" * 3_000_001)) == (422, "invalid")
