"""What is taken for granted about hidden things, over HTTP."""

from tests.service.api.asking import problem
from tests.service.api.studies.desk import Desk
from tests.service.api.studies.test_reading import a_secret_decision


def assume(desk, parent="20", **fields):
    return desk.edit("assume", chapter=desk.chapter, parent=parent, **fields)


def test_a_position_offers_what_can_be_assumed(desk):
    [order] = desk.position("20")["assumptions"]
    assert (order["id"], order["value"]) == ("order_of_cards", "as_it_is")
    assert order["choices"][0] == {"value": "as_it_is", "text": "as dealt"}
    assert order["numbers"] == [1, 1_000_000]


def test_an_assumption_is_a_node_without_a_seat_that_says_what_is_assumed(desk):
    made = assume(desk, assumption="order_of_cards", value=7).get_json()
    node = made["node"]
    assert (made["kind"], node["kind"], node["seat"]) == ("assume", "assumption", None)
    [told] = node["story"]
    assert told["text"] == "assumed: the cards to come lie in order 7"
    assert made["position"]["step"]["story"] == node["story"]
    assert made["position"]["assumptions"][0]["value"] == 7
    assert [line["text"] for line in desk.page(query="?viewer=red")["nodes"][0]["story"]] == [told["text"]]


def test_a_line_goes_on_after_an_assumption(desk):
    node = assume(desk, assumption="order_of_cards", value=7).get_json()["node"]["id"]
    tried = desk.try_move(node)
    assert tried["node"]["parent"] == node
    assert tried["position"]["assumptions"][0]["value"] == 7


def test_a_secret_choice_may_have_been_another(desk):
    parent, seat, move = a_secret_decision(desk)
    sealed = desk.edited("try_move", chapter=desk.chapter, parent=parent, seat=seat, move=move)["node"]["id"]
    offered = {each["id"]: each for each in desk.position(sealed)["assumptions"]}[f"sealed-{seat}"]
    other = next(each for each in offered["choices"][1:] if each["value"]["region"] != move["region"])
    made = assume(desk, sealed, assumption=f"sealed-{seat}", value=other["value"]).get_json()
    assert other["text"] in made["node"]["story"][0]["text"]
    values = {each["id"]: each["value"] for each in made["position"]["assumptions"]}
    assert values[f"sealed-{seat}"] == other["value"]
    after = desk.try_move(made["node"]["id"])
    assert f"sealed-{seat}" not in {each["id"] for each in after["position"]["assumptions"]}


def test_what_cannot_be_assumed_is_refused(desk):
    assert problem(assume(desk, assumption="nothing", value=1)) == (400, "unreadable")
    assert problem(assume(desk, assumption="order_of_cards", value="as_it_is")) == (422, "rule_broken")
    assert problem(assume(desk, assumption="order_of_cards", value=[1])) == (422, "invalid")
    assert desk.page()["nodes"] == []


def test_nothing_is_assumed_while_a_game_runs(described, running):
    desk = Desk.of(described, running)
    assert desk.position("14")["assumptions"] == []
    assert problem(assume(desk, "14", assumption="order_of_cards", value=7)) == (409, "not_now")
