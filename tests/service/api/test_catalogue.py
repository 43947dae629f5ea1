"""Which games there are."""

from rules.catalogue import rules
from tests.service.api.asking import problem


def test_all_games_are_listed(anonymous):
    game, other = anonymous.get("/rules").get_json()["games"]
    assert game["game"] == "el_grande"
    assert game["expansions"] == ["king_and_intrigue", "grand_inquisitor_and_colonies", "grandissimo", "anniversary"]
    [warned] = game["warned"]
    assert warned["expansions"] == ["grand_inquisitor_and_colonies", "king_and_intrigue"]
    assert "advises against it" in warned["reason"]
    assert game["about"]["king_and_intrigue"]["title"] == "King & Intrigue"
    assert set(game["about"]) == set(game["expansions"])
    assert ["grandissimo", "king_and_intrigue"] in [each["expansions"] for each in game["apart"]]
    assert game["options_of"]["grandissimo"] == {"deck": ["random", "first_game"]}
    chosen = game["selections_of"]["grandissimo"]["deck"]
    assert (chosen["size"], len(chosen["things"]), chosen["things"][0]["title"]) == (11, 19, "Boycott")
    assert not any(each for name, each in game["selections_of"].items() if name != "grandissimo")
    assert game["players"] == [2, 3, 4, 5]
    assert game["options"]["game_length"] == ["full", "short"]
    assert (other["game"], other["players"]) == ("el_caballero", [2, 3, 4])
    assert other["options"] == {"mode": ["basic", "advanced"]}


def test_el_caballero_tells_its_tiles_and_prices(anonymous):
    book = anonymous.get("/rules/el_caballero").get_json()
    assert [tile["id"] for tile in book["tiles"]] == list(range(1, 49))
    assert book["tiles"][7] == {
        "id": 8,
        "name": "a cape with gold",
        "edges": "LSSS",
        "symbol": "gold",
        "symbol_edge": 0,
    }
    assert book["power_cards"][8]["tiles"] == 2
    assert book["costs"]["buy_ship"] == 2


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
