"""Facts of the table are narrated like facts of the board."""

from events.table.facts import TABLE_FACTS
from events.table.game import redact
from events.table.narration import tell
from events.table.time_control import TimeControl
from rules.kernel import SPECTATOR
from rules.texts import ENGLISH, Catalogue
from tests.events.bots import finished_with_bots
from tests.events.rulings import ruled
from tests.events.timed import MINUTE, Timed, decided, eventful
from tests.rules.foreign import Foreign, latin
from tests.sentences import known

WITHOUT_SENTENCE = {
    "game_created",
    "seat_taken",
    "seat_left",
    "player_removed",
    "nonce_added",
    "game_started",
    "game_aborted",
    "secret_revealed",
    "clock_set",
    "bot_answered",
}


def story(table: Timed, catalogue: Catalogue = ENGLISH) -> list[str]:
    commits = table.games.commits(table.id)
    return [line for commit in commits for line in tell(table.game.rules, commit.facts, catalogue)]


def test_every_fact_of_the_table_is_narrated_or_seen():
    tables = (eventful(), decided(), finished_with_bots(), ruled())
    facts = [fact for table in tables for commit in table.games.commits(table.id) for fact in commit.facts]
    with_sentence = {type(fact) for fact in facts if isinstance(fact, TABLE_FACTS) and fact.sentence}
    assert {kind.__struct_config__.tag for kind in set(TABLE_FACTS) - with_sentence} == WITHOUT_SENTENCE


def test_table_and_board_are_narrated_in_the_order_in_which_things_happened():
    table = Timed(eventful().game.time, 2)
    [late] = table.asked
    lines = tell("el_grande", table.run_out().commit.facts)
    assert lines[0] == f"{late}'s time has run out"
    assert lines[1] == f"{late} does not answer in time"


def test_people_read_how_long_they_were_away_and_we_were():
    lines = story(eventful())
    assert "the service was away for 1 h: no player loses time" in lines
    assert any(line.endswith("is on vacation for 2 days") for line in lines)


def test_a_resignation_is_narrated_otherwise_than_a_forfeit():
    lines = story(decided())
    assert sum(line.endswith("was late too often and is out of the game") for line in lines) == 1
    assert sum(line.endswith("resigns") for line in lines) == 1
    assert lines[-1] == "no opponent is left: the game is over"


def test_a_time_out_on_a_secret_disk_is_narrated_when_the_disks_are_turned():
    table = Timed(TimeControl(limit_ms=MINUTE), 3)
    while len(table.asked) < 3:
        table.move()
    at_first = set(table.asked)
    others = tell("el_grande", redact(table.run_out().commit, SPECTATOR))
    [late] = at_first - set(table.asked)
    assert others == [f"{late} has decided secretly"]
    table.move()
    opening = tell("el_grande", table.move().commit.facts)
    assert [line for line in opening if "not in time" in line and late in line]


def test_nothing_that_happens_at_a_table_gets_past_the_catalogue():
    foreign = Foreign()
    for table in (eventful(), decided()):
        told = story(table, foreign)
        assert len(told) == len(story(table))
        assert [line for line in told if latin(line)] == []
    assert {"{player}'s time has run out", "{count} days", "{hours} h", "the clocks run again"} <= foreign.asked
    assert foreign.asked <= known()
