"""What administrators do about complaints, over the interface; and what a flood of complaints cannot do."""

import pytest

from service.chat.complaints import Complaint, Complaints


@pytest.fixture
def game(ana, ben):
    game = ana.makes()
    assert ben.post(f"/games/{game}/seats", {}).status_code == 200
    return game


@pytest.fixture
def complaint(ana, ben, admin, game):
    """Ana complains of the third of five messages; its id."""
    for client, text in ((ana, "Hola"), (ben, "Buenas"), (ben, "rude"), (ana, "oh"), (ben, "sorry")):
        assert client.post(f"/games/{game}/chat", {"text": text}).status_code == 201
    complain(ana, game, 3)
    [found] = admin.get("/complaints").get_json()["complaints"]
    return found["id"]


def complain(client, game, message, reason="an insult"):
    path = f"/games/{game}/chat/players/{message}/complaint"
    assert client.post(path, {"reason": reason}).status_code == 204


def act(admin, complaint, *acts, status=200, **more):
    answer = admin.post(f"/complaints/{complaint}/acts", {"acts": list(acts), **more})
    assert answer.status_code == status, answer.text
    return answer.get_json()


def texts(client, game):
    return [each["text"] for each in client.get(f"/games/{game}/chat").get_json()["messages"] if not each["removes"]]


def told(client):
    notices = client.get("/me/inbox").get_json()["notices"]
    return [each for each in notices if each["kind"] == "complaint_decided"]


def audited(admin):
    found = admin.get("/audit").get_json()["entries"]
    return [(entry["action"], entry["about"], entry["reason"], entry["handle"]) for entry in reversed(found)]


def test_a_complaint_is_read_with_the_words_around_it_and_with_what_else_is_complained_of(
    ana, ben, admin, game, complaint
):
    complain(ana, game, 2, "also rude")
    found = admin.get(f"/complaints/{complaint}").get_json()
    assert (found["text"], found["author"], found["reason"]) == ("rude", ben.account, "an insult")
    assert (found["about_message"], found["about_author"], found["outcome"]) == (1, 2, "")
    assert [each["text"] for each in found["around"]] == ["Hola", "Buenas", "rude", "oh", "sorry"]
    assert admin.get("/complaints/nothing").status_code == 404


def test_a_message_is_removed_for_a_complaint_and_its_author_is_silenced(ana, ben, admin, game, complaint):
    done = act(admin, complaint, "remove_message", "silence", days=7, reason="insults")
    assert (done["outcome"], bool(done["silenced_until"])) == ("removed", True)
    assert texts(ana, game) == ["Hola", "Buenas", "", "oh", "sorry"]
    refused = ben.post(f"/games/{game}/chat", {"text": "again"})
    assert (refused.status_code, "has silenced you until 20" in refused.get_json()["detail"]) == (403, True)
    assert ben.get(f"/games/{game}/chat").get_json()["may_write"] is False
    assert ana.post(f"/games/{game}/chat", {"text": "mine"}).status_code == 201
    assert audited(admin) == [
        ("remove_message", f"{game}/players/3", "insults", "keeper"),
        ("silence", ben.account, "insults", "keeper"),
    ]


def test_a_silence_for_good_lasts_until_it_is_lifted(ana, ben, admin, game, complaint):
    act(admin, complaint, "silence")
    refused = ben.post(f"/games/{game}/chat", {"text": "again"})
    assert "for good" in refused.get_json()["detail"]
    assert act(admin, complaint, "lift_silence", reason="a misunderstanding")["silenced_until"] is None
    assert ben.post(f"/games/{game}/chat", {"text": "again"}).status_code == 201
    assert [action for action, *_ in audited(admin)] == ["silence", "lift_silence"]


def test_a_silence_ends_by_itself(service, ben, game, admin):
    silences, now = service.services.moderation.silences, service.services.heartbeat.now()
    silences.silence(ben.account, 1, now - 86_400_000 + 60_000)
    assert ben.post(f"/games/{game}/chat", {"text": "again"}).status_code == 403
    silences.silence(ben.account, 1, now - 86_400_000)
    assert ben.post(f"/games/{game}/chat", {"text": "again"}).status_code == 201


def test_who_complained_is_told_that_it_was_dealt_with_and_not_how(ana, ben, admin, game, complaint):
    act(admin, complaint, "silence", days=30, reason="ben again")
    [notice] = told(ana)
    assert notice["text"] == "the administrators have dealt with a message that you reported; thank you"
    assert ben.account not in str(notice)
    assert told(ben) == []
    act(admin, complaint, "remove_message")
    assert len(told(ana)) == 1


def test_all_complaints_of_a_message_are_closed_together(service, ana, ben, admin, game, complaint):
    service.services.chat.complaints.add(Complaint(game, "players", 3, ben.account, "rude", "a_another_1"))
    done = act(admin, complaint, "dismiss", reason="friends")
    assert (done["outcome"], done["about_message"]) == ("dismissed", 2)
    assert admin.get("/complaints?state=open").get_json()["complaints"] == []
    assert len(admin.get("/complaints").get_json()["complaints"]) == 2
    assert audited(admin) == [("dismiss_complaint", f"{game}/players/3", "friends", "keeper")]


@pytest.mark.parametrize("acts", [[], ["dismiss", "silence"], ["lift_silence", "remove_message"], ["ban"], "silence"])
def test_what_makes_no_sense_is_refused_before_anything_is_done(ana, ben, admin, game, complaint, acts):
    answer = admin.post(f"/complaints/{complaint}/acts", {"acts": acts})
    assert answer.status_code in (400, 422)
    assert texts(ana, game)[2] == "rude"
    assert audited(admin) == []


def test_a_message_that_is_gone_is_told_as_refused(service, admin, ana, ben, game, complaint):
    service.services.store.commands.delete(*service.services.store.commands.keys("hidalgo:*:chat:*"))
    act(admin, complaint, "remove_message", status=404)
    refused, asked = admin.get("/audit").get_json()["entries"]
    assert (asked["refused"], bool(refused["refused"])) == ("", True)
    assert act(admin, complaint, "dismiss")["outcome"] == "dismissed"


# Floods


def test_a_message_is_complained_of_once_by_each(ana, admin, game, complaint):
    for _ in range(3):
        complain(ana, game, 3, "again and again")
    [found] = admin.get("/complaints").get_json()["complaints"]
    assert (found["reason"], found["about_message"]) == ("an insult", 1)


def test_a_flood_of_complaints_takes_away_none_of_others(running_stores):
    with running_stores.opened("embedded") as store:
        complaints = Complaints(store, most=6)
        complaints.add(Complaint("g", "players", 1, "a_author", "rude", "a_first"))
        complaints.add(Complaint("g", "players", 2, "a_author", "hm", "a_second"))
        complaints.decide(complaints.all()[1], "dismissed", 7)
        for number in range(20):
            complaints.add(Complaint("g", "players", 10 + number, "a_victim", "hi", "a_flood"))
        kept = complaints.all()
        assert [(each.by, each.message) for each in kept] == [
            ("a_first", 1),
            *(("a_flood", number) for number in range(25, 30)),
        ]
