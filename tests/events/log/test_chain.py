"""The chain and the chance of a game, number by number. `docs/verify.md` shows the same numbers."""

import json
from itertools import islice
from pathlib import Path

import pytest

from events.log import chain
from rules.codec import encode
from rules.el_caballero import setup as el_caballero
from rules.el_caballero.game import EL_CABALLERO
from rules.el_grande.game import EL_GRANDE
from rules.el_grande.setup import deal, face_down_stacks
from rules.fairness import Chance, _words
from tests.repository.checkout import ROOT

VECTORS = json.loads((Path(__file__).parent / "vectors/fairness.json").read_text())
SECRET = bytes.fromhex(VECTORS["secret"])


def test_the_commitment_fixes_the_secret():
    assert chain.commitment(SECRET) == VECTORS["commitment"]


@pytest.mark.parametrize("row", VECTORS["seeds"], ids=lambda row: f"{len(row['nonces'])} nonces")
def test_the_seed_comes_from_the_secret_and_the_nonces(row):
    assert encode(row["nonces"]).decode() == row["canonical"]
    assert chain.seed(SECRET, row["nonces"]).hex() == row["seed"]


@pytest.mark.parametrize("row", VECTORS["salts"], ids=lambda row: f"{row['version']}, {row['index']}")
def test_every_fact_has_a_salt_of_its_own(row):
    assert chain.salt(SECRET, row["version"], row["index"]).hex() == row["salt"]


@pytest.mark.parametrize("row", VECTORS["canonical"], ids=lambda row: row["canonical"])
def test_the_same_value_always_gives_the_same_bytes(row):
    assert encode(row["value"]) == row["canonical"].encode()


def test_a_digest_binds_a_fact_and_its_mask():
    row = VECTORS["digest"]
    fact, mask = encode(row["fact"]), encode(row["masked"])
    inner = chain.digest(bytes.fromhex(row["salt"]), fact)
    assert (inner, chain.masked(inner, mask)) == (row["digest"], row["bound"])
    assert chain.digests(SECRET, row["version"], [fact], {0: mask}) == [row["bound"]]
    assert chain.digests(SECRET, row["version"], [fact], {}) == [row["digest"]]


def test_a_commit_is_bound_by_its_header_and_its_digests():
    row = VECTORS["commit"]
    assert chain.commit_hash(row["header"], row["digests"]) == row["hash"]


def test_numbers_follow_from_the_seed():
    row = VECTORS["numbers"]
    assert list(islice(_words(bytes.fromhex(row["seed"])), len(row["words"]))) == row["words"]
    chance = Chance(bytes.fromhex(row["seed"]))
    assert [chance.below(limit) for limit in row["limits"]] == row["below"]


@pytest.mark.parametrize("row", VECTORS["shuffles"], ids=lambda row: f"{len(row['items'])} items")
def test_a_shuffle_follows_from_the_seed(row):
    assert list(Chance(bytes.fromhex(row["seed"])).shuffled(row["items"])) == row["shuffled"]


@pytest.mark.parametrize("row", VECTORS["el_grande"], ids=lambda row: f"{row['players']} players")
def test_the_set_up_of_el_grande_follows_from_the_seed(row):
    seats = EL_GRANDE.seats[: row["players"]]
    drawn, _, shuffled, first = deal(EL_GRANDE.rules(), seats, Chance(bytes.fromhex(row["seed"])))
    assert json.loads(encode([drawn, shuffled, first])) == row["facts"]


@pytest.mark.parametrize("row", VECTORS["el_caballero"], ids=lambda row: f"{row['players']} players")
def test_the_set_up_of_el_caballero_follows_from_the_seed(row):
    seats = EL_CABALLERO.seats[: row["players"]]
    drawn = el_caballero.deal(EL_CABALLERO.rules(), seats, Chance(bytes.fromhex(row["seed"])))
    assert json.loads(encode(drawn)) == row["facts"]


def test_a_word_beyond_the_last_whole_multiple_is_skipped():
    """With 3 * 2**30 as the limit, one word in four is."""
    words, limit = _words(b"skip"), 3 << 30
    fair = [word for word in islice(words, 20) if word < limit]
    assert len(fair) < 20
    chance = Chance(b"skip")
    assert [chance.below(limit) for _ in fair] == fair


def test_the_table_for_other_programs_is_that_of_the_rules():
    table = json.loads((ROOT / "docs/verify.json").read_text())
    for name in table["rules"]:
        named = EL_GRANDE.rules(name.split("+")[1:])
        assert table["regions"] == list(named.region_order)
        stacks = [] if name in table["without_stacks"] else [*table["stacks"]]
        further = name.split("+")[1:]
        stacks += [stack for expansion in further for stack in table["further_stacks"].get(expansion, [])]
        assert named.set_apart == sum(table["set_apart"].get(expansion, 0) for expansion in further)
        assert [fact.__struct_config__.tag for fact in named.chance] == [
            tag for expansion in further for tag in table["drawn_apart"].get(expansion, [])
        ]
        assert stacks == [list(stack) for stack in face_down_stacks(named)]
    variants = EL_GRANDE.combinations(tuple(EL_GRANDE.expansions))
    assert set(table["rules"]) == {EL_GRANDE.rules(chosen).name for chosen in variants}
    assert table["seats"] == list(EL_GRANDE.seats)
    tiles = EL_CABALLERO.rules().tiles
    assert table["el_caballero"] == {
        "rules": ["el_caballero"],
        "seats": list(EL_CABALLERO.seats),
        "tiles": list(tiles),
        "plain": [number for number, tile in tiles.items() if not tile.symbol],
    }
