"""How variations are called."""

from replay.study import tree
from replay.study.tree import node, nodes


def labels(desk):
    return {each.move.id: each.label for each in nodes(desk.page)}


def test_the_variations_of_a_step_are_called_by_letters(desk):
    first, second = desk.try_move(), desk.try_move()
    assert labels(desk) == {first: "A", second: "B"}


def test_a_line_keeps_its_label(desk):
    first = desk.try_move()
    second = desk.try_move(parent=first)
    third = desk.try_move(parent=second)
    assert labels(desk) == {first: "A", second: "A", third: "A"}


def test_what_branches_off_a_line_is_counted_along_it(desk):
    first = desk.try_move()
    second = desk.try_move(parent=first)
    other = desk.try_move(parent=first)
    third = desk.try_move(parent=second)
    another = desk.try_move(parent=second)
    below = desk.try_move(parent=another)
    aside = desk.try_move(parent=another)
    assert labels(desk) == {
        first: "A", second: "A", third: "A", other: "A1", another: "A2", below: "A2", aside: "A2a",
    }  # fmt: skip


def test_parents_come_first(desk):
    first = desk.try_move()
    desk.try_move(parent=desk.try_move(parent=first))
    desk.try_move(parent=first)
    known = {"214"}
    for each in nodes(desk.page):
        assert each.move.parent in known
        known.add(each.move.id)


def test_one_of_them_knows_where_it_stands(desk):
    desk.try_move()
    second = desk.try_move()
    assert (node(desk.page, second).index, node(desk.page, second).label) == (1, "B")


def test_a_very_long_line_is_told(desk):
    parent = "214"
    for _ in range(1200):
        parent = desk.try_move(parent=parent)
    assert node(desk.page, parent).label == "A"


def test_of_many_tried_moves_those_near_a_node_can_be_told_alone(desk, monkeypatch):
    early, late = desk.try_move(parent="20"), desk.try_move(parent="214")
    after = desk.try_move(parent=late)
    assert tree.near(desk.page, "214") is None
    monkeypatch.setattr(tree, "MANY", 2)
    for around, found in (("214", [late, after]), (after, [late, after]), ("20", [early]), ("100", []), ("m99", [])):
        assert [each.move.id for each in nodes(desk.page, tree.near(desk.page, around))] == found
