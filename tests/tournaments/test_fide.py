"""Two players by the rules of FIDE: pairings, tie-breaks and files, against an independent checker."""

from decimal import Decimal
from itertools import combinations

import pytest

from events.errors import NotNow
from rules.errors import Unreadable
from tests.tournaments.chess import random_event
from tests.tournaments.fide_checker import checked_rounds, tiebreak_values
from tests.tournaments.playing import Event as Simulated
from tournaments.encounters import encounters
from tournaments.history import scores
from tournaments.pairing.colours import ABSOLUTE, preference
from tournaments.pairing.draw import Request, draw
from tournaments.pairing.program import pairs_by_program, parsed_pairs
from tournaments.points import PointScheme
from tournaments.scorecards import scorecards
from tournaments.standings import standings
from tournaments.tiebreaks import TIEBREAKS
from tournaments.trf.files import Event, history_of, report_of
from tournaments.trf.records import parse_trf, trf
from tournaments.verification import verify
from tournaments.wishes import Wishes

COMPARED = ["PTS", "BH", "BH/C1", "BH/C2", "BH/M1", "SB", "WIN", "WON", "PS", "REP"]


def file_of(history, rounds):
    return trf(report_of(history, Event("Random", rounds)))


def shape(seed):
    """Players and rounds of a random event."""
    return 8 + seed % 13, 5 + seed % 3


def wrong_rounds(seed, folder):
    players, rounds = shape(seed)
    file = folder / f"{seed}.trf"
    file.write_text(file_of(random_event(seed, players, rounds, "dutch"), rounds))
    return [number for number, good in enumerate(checked_rounds(file), start=1) if not good]


def wrong_tiebreaks(seed, folder):
    players, rounds = shape(seed)
    history = random_event(seed, players, rounds, "fast")
    file = folder / f"{seed}.trf"
    file.write_text(file_of(history, rounds))
    theirs, numbers = tiebreak_values(file, COMPARED), {player.id: player.number for player in history.players}
    wrong = []
    for row in standings(history, COMPARED):
        for name, value, other in zip(COMPARED, row.values, theirs[numbers[row.player]], strict=True):
            if Decimal(value) / TIEBREAKS[name].scale != Decimal(other):
                wrong.append((seed, row.player, name, value / TIEBREAKS[name].scale, other))
    return wrong


@pytest.mark.parametrize("seed", [3, 9, 11, 30])
def test_an_independent_checker_would_have_paired_every_round_so(seed, tmp_path):
    assert wrong_rounds(seed, tmp_path) == []


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_an_independent_checker_would_have_paired_500_random_events_so(tmp_path):
    wrong = {seed: rounds for seed in range(500) if (rounds := wrong_rounds(seed, tmp_path))}
    assert wrong == {}


@pytest.mark.parametrize("seed", [1, 2, 5])
def test_an_independent_checker_finds_the_same_tie_breaks(seed, tmp_path):
    assert wrong_tiebreaks(seed, tmp_path) == []


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_an_independent_checker_finds_the_same_tie_breaks_in_300_random_events(tmp_path):
    assert [wrong for seed in range(1000, 1300) for wrong in wrong_tiebreaks(seed, tmp_path)] == []


def test_a_round_that_the_rules_of_fide_do_not_allow_is_refused():
    """Two players who have met are left."""
    history = random_event(1, 2, 1, "dutch")
    with pytest.raises(NotNow, match="no pairing is possible"):
        draw(Request(history, ("p001", "p002"), 2, b"seed", (), Wishes(seeding="number"), {}, (), "dutch", 3))


# The fast way


def possible(history, present):
    """Pairs that have not met and can have colours."""
    met = encounters(history.rounds)
    due = {player: preference(met.seats.get(player, ())) for player in present}
    return [
        (one, other)
        for one, other in combinations(present, 2)
        if other not in met.met.get(one, {}) and not due[one].clashes_with(due[other])
    ]


@pytest.mark.parametrize("seed", range(4))
def test_the_fast_way_has_no_rematch_and_no_impossible_colours_where_that_can_be(seed):
    history = random_event(seed, 17 + seed, 7, "fast")
    met = encounters(history.rounds).met
    assert all(count == 1 for others in met.values() for count in others.values())
    for player, had in encounters(history.rounds).seats.items():
        assert all(had[i : i + 3] not in ((0, 0, 0), (1, 1, 1)) for i in range(len(had))), player
        assert abs(2 * sum(had) - len(had)) <= 2


def differences(history, drawn):
    before = scores(history)
    found = [abs(before[one] - before[other]) for one, other in (table.players for table in drawn.round.tables)]
    return sum(found), sum(difference > 0 for difference in found)


def worse_than_dutch(seed):
    """Whether the fast way has larger differences of scores than FIDE's way, from the same state."""
    history = random_event(seed, 16 + seed % 9, 4, "fast")
    present = tuple(player.id for player in history.players)
    fast, dutch = (
        draw(Request(history, present, 2, b"seed", (), Wishes(seeding="number"), {}, (), method, 9))
        for method in ("fast", "dutch")
    )
    assert fast.certificate.repeats == 0
    return differences(history, fast)[0] > differences(history, dutch)[0]


def test_the_fast_way_is_as_level_as_fides():
    assert [seed for seed in range(10) if worse_than_dutch(seed)] == []


@pytest.mark.long
def test_the_fast_way_is_as_level_as_fides_in_300_states():
    assert sum(worse_than_dutch(seed) for seed in range(300)) <= 3


def test_certificates_of_pairs_are_true():
    event = Simulated(21, 2, method="fast", points=PointScheme("chess")).play(5)
    assert [verify(certificate, event.history) for certificate in event.certificates] == [()] * 5
    assert all(len(card.entries) == 5 for card in scorecards(event.history).values())


def test_a_third_game_with_the_same_colour_is_never_due():
    assert preference((0, 0)).strength == ABSOLUTE
    assert preference((0, 0)).colour == 1
    assert preference((0, 1, 1)).colour == 0
    assert preference((1, 0)).colour == 1


# Files


@pytest.mark.parametrize("seed", range(20))
def test_a_file_that_is_read_is_written_again_byte_by_byte(seed):
    players, rounds = shape(seed)
    text = file_of(random_event(seed, players, rounds, "fast"), rounds)
    assert trf(parse_trf(text)) == text
    assert trf(report_of(*history_of(parse_trf(text)))).splitlines()[6:] == [
        line.replace(line[14:47], f"{line[14:47].strip():33}") for line in text.splitlines()[6:]
    ]


@pytest.mark.long
def test_a_thousand_files_are_written_again_byte_by_byte():
    for seed in range(1000):
        players, rounds = shape(seed)
        text = file_of(random_event(seed, players, rounds, "fast"), rounds)
        assert trf(parse_trf(text)) == text


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=repr)
def test_files_keep_their_line_ends_and_what_we_do_not_know(end):
    text = end.join(["012 Old", "XXR 5", "XXC black1", "XXP 1 2", "### a comment", "XXA    1  1.0", ""])
    assert trf(parse_trf(text)) == text
    history, event = history_of(parse_trf(text))
    assert (history.rounds, event.rounds, event.forbidden, event.is_white_first) == ((), 5, (("1", "2"),), False)


OLD = "\n".join(
    [
        "012 Club",
        "XXR 3",
        f"001    1 m    {'A':33} 2000 ESP {'':11} {'':10}  1.0    1     2 w 1  ",
        f"001    2      {'B':33} 1900 {'':3} {'':11} {'':10}  0.0    2     1 b 0  0000 - H",
        "",
    ]
)
"""In another way than ours: there are spaces at the end of a line."""


def test_an_older_file_is_read_and_written_again():
    report = parse_trf(OLD)
    assert trf(report) == OLD
    history, event = history_of(report)
    assert event.names == {"1": "A", "2": "B"}
    assert history.rounds[0].tables[0].players == ("1", "2")
    assert history.rounds[1].unpaired == {"2": "half_bye"}


@pytest.mark.parametrize(
    "line",
    [
        "001 xxxx     A",
        "001    1     A" + " " * 77 + "   9 w 1",
        "001    1     A" + " " * 77 + "   1 w 1",
        "001    1     A" + " " * 77 + "0000 - ?",
    ],
)
def test_a_file_that_contradicts_itself_is_refused(line):
    with pytest.raises(Unreadable):
        history_of(parse_trf(line + "\n"))


def test_a_program_of_the_operator_is_asked_with_a_time_limit(tmp_path):
    program = tmp_path / "pairs"
    program.write_text('#!/bin/sh\nprintf "1\\n2 1\\n" > "$4"\n')
    program.chmod(0o755)
    assert pairs_by_program(str(program), OLD) == ((2, 1),)
    program.write_text("#!/bin/sh\nexit 1\n")
    with pytest.raises(NotNow):
        pairs_by_program(str(program), OLD)
    program.write_text("#!/bin/sh\nexec sleep 30\n")
    with pytest.raises(NotNow, match="does not answer"):
        pairs_by_program(str(program), OLD, seconds=0.2)
    with pytest.raises(NotNow):
        parsed_pairs("3\n1 2\n")
