"""A game that was changed anywhere is found out; one that was not is found genuine."""

import re
import shutil
import subprocess
from functools import cache

import msgspec
import pytest
from msgspec.structs import replace

from events.audit.export import export
from events.audit.verify import OLDER, RULES, NotGenuine, verify, verify_chain, verify_entries, verify_stored
from events.errors import NoSuchGame
from events.games import Games
from events.log import StoredGame, chain
from events.log.memory import MemoryLog
from events.table.commands import Join, Leave, Resign, Start
from events.table.facts import GameCreated, NonceAdded, SecretRevealed
from rules.catalogue import GAMES
from rules.el_grande.facts import GameEnded, KingMoved, SpaceScored, StacksShuffled
from rules.kernel import EVERYTHING, SPECTATOR
from tests.events.forging import edited, mutated, rewritten, undetected
from tests.events.played import finished, play, running, tables
from tests.events.timed import decided, eventful
from tests.repository.checkout import ROOT

CHUNKS = 8
LONG_CHUNKS = 32
NODE = shutil.which("node") or ""
needs_node = pytest.mark.skipif(not NODE, reason="Node is not installed")


def why_not(data):
    """What is wrong with a file, and where."""
    with pytest.raises(NotGenuine) as problem:
        verify(data)
    return problem.value


@cache
def short():
    """Creation, a nonce, the start and a few moves, as a spectator sees them."""
    return export(*running(2, 6), SPECTATOR)


@cache
def whole():
    return export(*finished(), SPECTATOR)


# Genuine games


@pytest.mark.parametrize("rules", ["el_grande", "el_grande+anniversary"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_finished_game_is_genuine(players, rules):
    games, game = finished(players, rules)
    verified = verify(export(games, game, SPECTATOR))
    board = games.load(game).state.board
    assert (verified.game, verified.rules, verified.finished, verified.hidden) == (game, rules, True, 0)
    assert (verified.scores, verified.places) == (board.scores, board.places)
    assert [what.partition(":")[0] for what in verified.checked] == [
        "the chain",
        "the secret",
        "the shuffles",
        "the rules",
    ]


@pytest.mark.parametrize("viewer", ["red", "blue", "yellow", SPECTATOR])
def test_every_viewer_can_check_the_chain_of_a_running_game(viewer):
    verified = verify(export(*running(), viewer))
    assert (verified.finished, verified.viewer, len(verified.checked)) == (False, viewer, 1)
    assert verified.hidden


def test_all_viewers_hold_the_same_head_in_their_hands():
    games, game = running()
    assert {verify(export(games, game, viewer)).head for viewer in ("red", SPECTATOR)} == {games.load(game).head}


def test_a_game_is_genuine_after_every_version():
    games = tables()
    game = play(games, 2)
    entries = games.log.read(game)
    for version in range(1, len(entries) + 1):
        assert verify_entries(game, entries[:version], games.log.secret(game)).commits == version


def test_a_stored_game_is_checked_with_its_secret_before_the_end():
    verified = verify_stored(*running())
    assert (verified.finished, len(verified.checked)) == (False, 4)


def test_a_game_that_is_not_stored_cannot_be_checked():
    with pytest.raises(NoSuchGame):
        verify_stored(tables(), "nowhere")


# Every byte counts


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_byte_of_an_exported_game_can_be_changed(chunk):
    data = short()
    assert undetected(data, range(chunk, len(data), CHUNKS)) == []


def test_no_byte_of_a_finished_game_can_be_changed():
    data = whole()
    assert undetected(data, range(0, len(data), 331)) == []


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("chunk", range(LONG_CHUNKS))
def test_no_byte_of_a_finished_game_can_be_changed_not_one(chunk):
    data = whole()
    assert undetected(data, range(chunk, len(data), LONG_CHUNKS), each=2) == []


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_byte_of_a_stored_game_can_be_changed(chunk):
    games, game = running(2, 6)
    entries, secret = games.log.read(game), games.log.secret(game)
    for number, entry in enumerate(entries, start=1):
        for _, changed in mutated(entry, range(chunk, len(entry), CHUNKS)):
            with pytest.raises(NotGenuine) as problem:
                verify_entries(game, [*entries[: number - 1], changed, *entries[number:]], secret)
            assert problem.value.commit == number
            with pytest.raises(NotGenuine):
                verify_chain(game, [*entries[: number - 1], changed, *entries[number:]], secret)


def test_no_byte_of_a_stored_secret_can_be_changed():
    games, game = running(2, 6)
    secret = games.log.secret(game)
    for at in range(len(secret)):
        with pytest.raises(NotGenuine):
            verify_entries(game, games.log.read(game), secret[:at] + bytes([secret[at] ^ 1]) + secret[at + 1 :])


@pytest.mark.parametrize("more", [b"\n", b" ", b"\0", b"{}", b"\xef\xbb\xbf"])
def test_nothing_can_be_added_around_a_game(more):
    assert why_not(whole() + more)
    assert why_not(more + whole())


@pytest.mark.parametrize("length", [0, 1, 12, 100, 1000, -1, -2, -100])
def test_a_file_that_breaks_off_is_not_genuine(length):
    assert why_not(whole()[:length])


@pytest.mark.parametrize(
    "data", [b"", b"null", b"[]", b"{}", b'{"commits":[]}', b"\xff", b"[" * 100_000, b'{"commits":[' * 50_000]
)
def test_other_files_are_not_genuine_games(data):
    assert why_not(data).commit in (0, 1)


# Whole commits


def test_a_dropped_commit_is_missed():
    assert why_not(edited(whole(), lambda commits: commits[:9] + commits[10:])).commit == 10


def test_a_doubled_commit_is_noticed():
    assert why_not(edited(whole(), lambda commits: commits[:10] + commits[9:])).commit == 11


def test_two_commits_cannot_change_places():
    swapped = edited(whole(), lambda commits: [*commits[:9], commits[10], commits[9], *commits[11:]])
    assert why_not(swapped).commit == 10


def test_commits_of_another_game_do_not_fit():
    other = msgspec.json.decode(export(*finished(2, seed=2), SPECTATOR))["commits"]
    problem = why_not(edited(whole(), lambda commits: commits[:5] + other[5:]))
    assert problem.commit == 6
    assert "belongs to game" in problem.reason


def test_a_finished_game_cannot_be_cut_short():
    """The rest is a chain, but not one for all viewers."""
    problem = why_not(edited(whole(), lambda commits: commits[:-1]))
    assert "everything" in problem.reason


def test_a_game_without_commits_is_none():
    assert why_not(edited(whole(), lambda commits: [])).reason == "there is no commit"


# Facts, salts, digests, masks


def leaf(data, number, index, change):
    """The file with one fact of a commit changed; nothing is hashed anew."""

    def edit(commits):
        change(commits[number - 1]["facts"][index])
        return commits

    return edited(data, edit)


@pytest.mark.parametrize(
    "change",
    [
        {"salt": "0" * 32},
        {"salt": ""},
        {"salt": "AB" * 16},
        {"digest": "0" * 64},
        {"note": "hello"},
        {"masked": None},
        {"masked": {"fact": "game_started"}},
        {"fact": None},
        {"fact": {"fact": "game_started", "note": "hello"}},
        {"fact": {"fact": "unheard_of"}},
    ],
    ids=str,
)
def test_a_fact_is_a_fact_with_its_salt_and_nothing_else(change):
    assert why_not(leaf(whole(), 3, 0, lambda fact: fact.update(change))).commit == 3


def test_a_salt_and_a_digest_cannot_be_changed_together():
    def change(fact):
        fact["salt"] = "00" * 16
        fact["digest"] = chain.digest(bytes(16), msgspec.json.encode(fact["fact"], order="sorted"))

    assert why_not(leaf(whole(), 3, 0, change)).commit == 3


def first_hidden(data):
    commits = msgspec.json.decode(data)["commits"]
    return next(
        (number, index)
        for number, commit in enumerate(commits, start=1)
        for index, fact in enumerate(commit["facts"])
        if "digest" in fact and fact["masked"]["fact"] == "answer_sealed"
    )


@pytest.mark.parametrize(
    "masked",
    [
        {"fact": "answer_sealed", "player": "blue", "answer": None},
        {"fact": "answer_sealed", "player": "red", "answer": None},
        {"fact": "king_moved", "region": "granada"},
        {},
        None,
    ],
    ids=str,
)
def test_a_masked_fact_cannot_be_forged(masked):
    data = export(*running(), SPECTATOR)
    number, index = first_hidden(data)
    original = msgspec.json.decode(data)["commits"][number - 1]["facts"][index]["masked"]
    if masked == original:
        return
    assert why_not(leaf(data, number, index, lambda fact: fact.update(masked=masked))).commit == number


def test_the_digest_of_a_hidden_fact_cannot_be_changed():
    data = export(*running(), SPECTATOR)
    number, index = first_hidden(data)
    assert why_not(leaf(data, number, index, lambda fact: fact.update(digest="0" * 64))).commit == number


@pytest.mark.parametrize("viewer", ["spectator", "red", "nobody", "brown", "Everything", ""])
def test_a_finished_game_is_for_all_viewers(viewer):
    file = msgspec.json.decode(whole())
    assert why_not(msgspec.json.encode({**file, "viewer": viewer}, order="sorted")).commit == 0


@pytest.mark.parametrize("viewer", [EVERYTHING, "brown", "nobody", ""])
def test_a_running_game_is_for_a_viewer_at_the_table(viewer):
    file = msgspec.json.decode(short())
    assert why_not(msgspec.json.encode({**file, "viewer": viewer}, order="sorted")).commit == 0


def test_a_file_that_tells_its_viewer_too_much_is_not_genuine():
    games, game = running()
    problem = why_not(rewritten(games, game, lambda pages: pages, viewer=EVERYTHING).replace(b"everything", b"blue"))
    assert "it tells blue a secret" in problem.reason


# Operators who hash everything anew


def with_facts(change):
    """Every fact replaced by what `change` gives for it."""
    return lambda pages: [(header, [new for fact in facts for new in change(fact)]) for header, facts in pages]


def without(pages, index):
    return [*pages[:index], *pages[index + 1 :]]


def changes(kind, **fields):
    return with_facts(lambda fact: [replace(fact, **fields) if isinstance(fact, kind) else fact])


def twice(kind):
    return with_facts(lambda fact: [fact, fact] if isinstance(fact, kind) else [fact])


def start_again(pages):
    return [*pages[:3], pages[2], *pages[3:]]


def late_nonce(pages):
    header, _ = pages[1]
    return [*pages[:5], (header, [NonceAdded("blue", "late")]), *pages[5:]]


def shuffled_otherwise(fact):
    return [StacksShuffled(tuple(reversed(fact.stacks)))] if isinstance(fact, StacksShuffled) else [fact]


def one_point_more(fact):
    if not isinstance(fact, SpaceScored) or not fact.awards:
        return [fact]
    first, *others = fact.awards
    return [replace(fact, awards=(replace(first, points=first.points + 1), *others))]


FORGERIES = {
    "another commitment": (changes(GameCreated, commitment="0" * 64), "not the one that was fixed"),
    "no commitment": (changes(GameCreated, commitment=""), "does not fix a secret"),
    "another game": (changes(GameCreated, game="other"), "does not create game"),
    "unknown rules": (changes(GameCreated, rules="chess"), "cannot be played"),
    "odd options": (changes(GameCreated, options={"rules": "short"}), "cannot be played"),
    "another length": (changes(GameCreated, options={}), "game_started cannot happen"),
    "created twice": (twice(GameCreated), "does not create a game"),
    "another nonce": (changes(NonceAdded, nonce="mine"), "does not follow from the seed"),
    "a stranger's nonce": (changes(NonceAdded, player="brown"), "cannot add"),
    "no nonce": (lambda pages: without(pages, 1), "does not follow from the seed"),
    "a nonce twice": (lambda pages: [*pages[:2], pages[1], *pages[2:]], "already"),
    "a nonce after the start": (late_nonce, "after the start"),
    "never started": (lambda pages: without(pages, 2), "before the start"),
    "started twice": (start_again, "starts again"),
    "another shuffle": (with_facts(shuffled_otherwise), "stacks_shuffled does not follow from the seed"),
    "shuffled twice": (twice(StacksShuffled), "stacks_shuffled does not follow from the seed"),
    "another secret": (changes(SecretRevealed, secret="00" * 32), "not the one that was fixed"),
    "no secret": (changes(SecretRevealed, secret=""), "no secret"),
    "the secret twice": (twice(SecretRevealed), "before the end"),
    "cut short": (lambda pages: [*pages[:-2], (pages[-1][0], pages[-1][1][-1:])], "secret_revealed cannot happen"),
    "more points": (with_facts(one_point_more), "points_follow_from_the_board"),
    "other places": (changes(GameEnded, places={"red": 1, "blue": 1}), "places_follow_from_the_scores"),
    "the king in the sea": (changes(KingMoved, region="atlantic"), "king_and_grandes_stand_in_regions"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_hashing_everything_anew_does_not_help(name):
    change, reason = FORGERIES[name]
    games, game = finished(nonces=("red",), seed=3)
    problem = why_not(rewritten(games, game, change))
    assert problem.commit
    assert reason in problem.reason


def test_another_secret_does_not_fit_the_salts():
    games, game = finished()
    problem = why_not(rewritten(games, game, lambda pages: pages, secret=bytes(32)))
    assert (problem.commit, problem.reason) == (1, "a salt does not follow from the secret")


def test_a_hash_that_was_kept_tells_a_history_that_was_written_anew():
    """Who knows the secret can write another game with the same shuffles. Only what was kept outside tells."""
    games, game = finished()
    later = with_times_moved_on(games, game)
    assert verify(later).finished
    assert verify(later).head != verify(whole()).head


def with_times_moved_on(games, game):
    return rewritten(games, game, lambda pages: [(replace(header, at=header.at + 1), facts) for header, facts in pages])


def test_a_mask_that_tells_something_else_is_noticed_when_the_fact_is_opened():
    games, game = finished()

    def edit(commits):
        fact = next(fact for commit in commits for fact in commit["facts"] if "masked" in fact)
        del fact["masked"]
        return commits

    assert why_not(edited(export(games, game, SPECTATOR), edit)).commit


def test_the_store_must_know_every_command():
    games, game = running(2, 6)
    forgetful = tables()
    forgetful.log.restore(game, stored_without_commands(games, game))
    with pytest.raises(NotGenuine, match="does not know that command"):
        verify_stored(forgetful, game)


def stored_without_commands(games, game):
    entries = games.log.read(game)
    return StoredGame(entries, [f"other {number}" for number in range(len(entries))], games.log.secret(game))


# A second implementation agrees


def by_node(tmp_path, files):
    """What docs/verify.mjs says of these files: None if genuine."""
    names = []
    for number, data in enumerate(files):
        (tmp_path / f"{number}.json").write_bytes(data)
        names.append(f"{number}.json")
    run = subprocess.run([NODE, ROOT / "docs/verify.mjs", *names], cwd=tmp_path, capture_output=True, text=True)
    assert run.stderr == ""
    lines = run.stdout.splitlines()
    assert [line.partition(":")[0] for line in lines] == names
    assert run.returncode == any("NOT GENUINE" in line for line in lines)
    return [None if ": genuine: " in line else line for line in lines]


@needs_node
def test_a_program_in_another_language_finds_the_same_games_genuine(tmp_path):
    files = [
        export(*finished(players, rules, nonces=nonces), SPECTATOR)
        for players in (2, 3, 4, 5)
        for rules in (
            "el_grande",
            "el_grande+anniversary",
            "el_grande+king_and_intrigue",
            "el_grande+king_and_intrigue+grand_inquisitor_and_colonies",
            "el_grande+grandissimo",
        )
        for nonces in ((), ("red",), ("blue", "red"))
    ]
    files += [export(*running(), viewer) for viewer in ("red", "blue", SPECTATOR)]
    assert set(by_node(tmp_path, files)) == {None}


@needs_node
def test_a_program_in_another_language_finds_every_changed_byte(tmp_path):
    files = [changed for _, changed in mutated(short(), range(0, len(short()), 5))]
    files += [changed for _, changed in mutated(whole(), range(0, len(whole()), 701))]
    assert None not in by_node(tmp_path, files)


CHAIN_AND_CHANCE = [name for name in FORGERIES if name not in ("more points", "other places", "the king in the sea")]
LEFT_TO_THE_RULES = ("cut short", "odd options", "another length")


@needs_node
def test_a_program_in_another_language_finds_the_same_forgeries(tmp_path):
    games, game = finished(nonces=("red",), seed=3)
    names = [name for name in CHAIN_AND_CHANCE if name not in LEFT_TO_THE_RULES]
    verdicts = by_node(tmp_path, [rewritten(games, game, FORGERIES[name][0]) for name in names])
    assert [name for name, line in zip(names, verdicts, strict=True) if line is None] == []


@cache
def seats_taken_again() -> tuple[Games, str]:
    """Red is taken again with another nonce, blue without one."""
    games = Games(MemoryLog())
    game = games.create("el_grande", 2, owner="cleo").id
    for player, next_player, nonce in (("ana", "cleo", "of Cleo"), ("ben", "dora", "")):
        games.submit(game, Join(player, nonce=f"of {player}"))
        games.submit(game, Leave(player))
        games.submit(game, Join(next_player, nonce=nonce))
    games.submit(game, Start("cleo"))
    games.submit(game, Resign("dora"))
    return games, game


def test_a_nonce_is_that_of_the_player_who_sits_there():
    verified = verify(export(*seats_taken_again(), SPECTATOR))
    assert (verified.finished, verified.nonces) == (True, ("red",))


@needs_node
def test_a_program_in_another_language_knows_the_nonces_of_seats_that_were_taken_again(tmp_path):
    assert by_node(tmp_path, [export(*seats_taken_again(), SPECTATOR)]) == [None]


@needs_node
@pytest.mark.parametrize("table", [eventful, decided])
def test_a_program_in_another_language_knows_what_happens_at_a_table(tmp_path, table):
    """Players are late, away and back, moves are taken back, players leave."""
    assert by_node(tmp_path, [export(table().games, table().id, SPECTATOR)]) == [None]


@needs_node
def test_a_program_in_another_language_tells_a_file_that_it_cannot_read_from_a_forged_one(tmp_path):
    run = subprocess.run([NODE, ROOT / "docs/verify.mjs", "nowhere"], cwd=tmp_path, capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (2, "nowhere: cannot be read: ENOENT\n")


def test_the_other_program_is_made_of_small_functions_and_needs_nothing_but_node():
    program = (ROOT / "docs/verify.mjs").read_text()
    assert set(re.findall(r'from "(.*)"', program)) == {"node:crypto", "node:fs"}
    functions = re.findall(r"^function.*?^}", program, re.MULTILINE | re.DOTALL)
    assert max(len(function.splitlines()) for function in functions) <= 20
    assert max(map(len, program.splitlines())) <= 120


def test_a_game_decided_by_older_rules_is_not_judged_by_todays(monkeypatch):
    """A corrected rule must not call an old game forged; what it cannot judge, the report says."""
    games, game = finished()
    correct_a_rule(monkeypatch)
    verified = verify(export(games, game, SPECTATOR))
    assert OLDER in verified.checked
    assert RULES not in verified.checked


def test_a_correction_in_one_game_leaves_the_games_of_another_to_be_judged(monkeypatch):
    games, game = finished()
    monkeypatch.setitem(GAMES, "another", replace(GAMES["el_grande"], name="another"))
    correct_a_rule(monkeypatch, "another")
    assert RULES in verify(export(games, game, SPECTATOR)).checked


def test_a_commit_says_by_which_version_of_its_rules_it_was_decided(monkeypatch):
    games = tables()
    today = GAMES["el_grande"].version
    before = play(games, moves=1, game="before")
    correct_a_rule(monkeypatch)
    after = play(games, moves=1, game="after")
    assert {commit.header.rules for commit in games.commits(before)} == {today}
    assert {commit.header.rules for commit in games.commits(after)} == {today + 1}


def test_a_game_decided_by_rules_of_the_future_is_refused(monkeypatch):
    games, game = finished()
    file, today = export(games, game, SPECTATOR), GAMES["el_grande"].version
    monkeypatch.setitem(GAMES, "el_grande", replace(GAMES["el_grande"], version=today - 1))
    with pytest.raises(NotGenuine, match=f"it was decided by rules {today}: this program knows 1 to {today - 1}"):
        verify(file)


def correct_a_rule(monkeypatch, game="el_grande"):
    """From now on this game has the next version of its rules."""
    monkeypatch.setitem(GAMES, game, replace(GAMES[game], version=GAMES[game].version + 1))
