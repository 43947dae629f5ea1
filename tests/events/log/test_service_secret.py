"""Names of commands, which all viewers read, tell neither their keys nor that the same key was used elsewhere."""

from events.log.service_secret import ServiceSecret
from events.store import Store

KEY = "a_1/my move"


def names(secret: ServiceSecret) -> list[str]:
    kinds = (secret.command_name, secret.study_command_name, secret.tournament_command_name)
    return [name(place, id) for name in kinds for place in ("g1", "g2") for id in (KEY, "a_2/my move")]


def test_a_name_is_another_in_every_place_and_of_every_account(store: Store):
    found = names(ServiceSecret(store))
    assert len(set(found)) == 12
    assert not any("my move" in name for name in found)


def test_a_name_is_the_same_for_all_processes_of_a_store_and_for_no_other_store(store: Store):
    found = names(ServiceSecret(store))
    assert names(ServiceSecret(store)) == found
    store.commands.set("hidalgo:secret", b"another")
    assert not set(names(ServiceSecret(store))) & set(found)
