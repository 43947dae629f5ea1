"""The ids that are made for games and commands."""

from events.submission import new_id


def test_an_id_does_not_look_like_an_option_of_a_command(monkeypatch):
    monkeypatch.setattr("secrets.token_urlsafe", lambda size: f"-a-{size}")
    assert new_id() == "_a-12"


def test_ids_differ():
    assert len({new_id() for _ in range(100)}) == 100


def test_an_id_tells_nothing_of_the_next_one():
    """Whoever knows the address of one table must not find the others."""
    ids = [new_id() for _ in range(200)]
    assert {len(id) for id in ids} == {16}
    assert min(len(set(letters)) for letters in zip(*ids, strict=True)) > 20
