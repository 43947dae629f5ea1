"""Which games there are."""

from rules.catalogue import rules
from tests.service.api.asking import problem


def test_all_games_are_listed(anonymous):
    [game] = anonymous.get("/rules").get_json()["games"]
    assert game["game"] == "el_grande"
    assert game["expansions"] == ["anniversary"]
    assert game["players"] == [2, 3, 4, 5]
    assert game["options"]["game_length"] == ["full", "short"]


def test_a_game_tells_its_map_and_its_cards(anonymous):
    book = anonymous.get("/rules/el_grande").get_json()
    assert len(book["regions"]) == 9
    assert {"id": "galicia", "points": [4, 2, 0]}.items() <= book["regions"][0].items()
    assert book["regions"][0]["names"]["de"] == "Galicien"
    assert sum(card["copies"] for card in book["cards"]) == 45
    assert [card["value"] for card in book["power_cards"]] == list(range(1, 14))


def test_every_card_says_what_it_does(anonymous):
    book = anonymous.get("/rules/el_grande").get_json()
    [king] = [card for card in book["cards"] if card["id"] == "s5_king_any"]
    assert king["text"] == "Move the king to any other region."
    assert book["power_cards"][0]["text"] == "Bring up to 6 caballeros to court."
    assert all(card["text"] for card in (*book["cards"], *book["power_cards"]))


def test_expansions_are_part_of_the_name(anonymous):
    book = anonymous.get("/rules/el_grande+anniversary").get_json()
    assert book["rules"] == rules("el_grande", ("anniversary",)).name


def test_an_unknown_game_is_not_found(anonymous):
    assert problem(anonymous.get("/rules/chess")) == (404, "not_found")
    assert problem(anonymous.get("/rules/el_grande+submarines")) == (404, "not_found")
