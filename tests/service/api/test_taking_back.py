"""Taking a move back over HTTP."""

from tests.service.api.asking import asked, begun, problem


def moved(game, ana, ben):
    """The player who has just moved, and the other one."""
    person, decision = asked(game, ana, ben)
    assert person.post(f"/games/{game}/moves", decision["example"]).status_code == 201
    return person, ben if person is ana else ana


def test_the_last_move_is_taken_back_and_both_stay_in_the_log(ana, ben):
    game = begun(ana, ben)
    before = ana.state(game)["state"]
    person, _ = moved(game, ana, ben)
    after = person.post(f"/games/{game}/take-back").get_json()
    assert after["waiting"] == [after["mine"]]
    assert ana.state(game)["state"] == before
    stories = [event["story"] for event in ana.get(f"/games/{game}/events").get_json()["events"]]
    assert stories[-1] == [f"{after['mine']} takes the last move back"]


def test_the_answer_to_the_old_decision_does_not_come_again(ana, ben):
    game = begun(ana, ben)
    person, decision = asked(game, ana, ben)
    person.post(f"/games/{game}/moves", decision["example"])
    person.post(f"/games/{game}/take-back")
    assert problem(person.post(f"/games/{game}/moves", decision["example"])) == (409, "not_your_decision")


def test_after_another_move_all_must_agree(ana, ben):
    game = begun(ana, ben)
    first, second = moved(game, ana, ben)
    moved(game, ana, ben)
    wanted = first.post(f"/games/{game}/take-back").get_json()
    assert wanted["take_back"] == [wanted["mine"]]
    agreed = second.post(f"/games/{game}/take-back", {"of": wanted["mine"]}).get_json()
    assert (agreed["take_back"], agreed["waiting"]) == ([], [wanted["mine"]])


def test_a_table_can_forbid_it(ana, ben):
    game = begun(ana, ben, may_take_back=False)
    person, _ = moved(game, ana, ben)
    assert person.game(game)["may_take_back"] is False
    assert problem(person.post(f"/games/{game}/take-back")) == (409, "not_now")


def test_the_same_key_takes_one_move_back(ana, ben):
    game = begun(ana, ben)
    person, _ = moved(game, ana, ben)
    first = person.post(f"/games/{game}/take-back", idempotency_key="once")
    again = person.post(f"/games/{game}/take-back", idempotency_key="once")
    assert (again.status_code, again.get_json()["version"]) == (200, first.get_json()["version"])
