"""The backlog: which commits are dealt with next, and up to where all are."""

from collections.abc import Sequence

from events.log import FeedEntry
from service.notifications.backlog import MOST_ENTRIES, Backlog, fair_choice


def feed(games: str, first: int = 1) -> list[FeedEntry]:
    """An entry for each letter, the name of its game."""
    return [
        FeedEntry(f"{number}-0", game, games[: number - first + 1].count(game))
        for number, game in enumerate(games, start=first)
    ]


def backlog(games: str) -> Backlog:
    filled = Backlog("0-0")
    filled.add(feed(games))
    return filled


def names(entries: Sequence[FeedEntry]) -> str:
    return " ".join(f"{entry.game}{entry.version}" for entry in entries)


def test_all_entries_are_chosen_in_order_if_they_are_few():
    assert names(fair_choice([feed("aabca")], 10)) == "a1 a2 b1 c1 a3"
    assert fair_choice([[], []], 10) == []


def test_a_busy_game_holds_back_no_other():
    assert names(fair_choice([feed("aaaaaaaab")], 4)) == "a1 a2 a3 b1"
    assert names(fair_choice([feed("aaaabbbc")], 5)) == "a1 a2 b1 b2 c1"


def test_a_busy_bucket_holds_back_no_other():
    assert names(fair_choice([feed("aaaaaa"), feed("bb", first=100)], 4)) == "a1 a2 b1 b2"


def test_positions_are_ordered_as_numbers():
    entries = [FeedEntry("10-2", "a", 3), FeedEntry("9-10", "a", 2), FeedEntry("9-9", "a", 1)]
    assert names(fair_choice([[entry] for entry in reversed(entries)], 10)) == "a1 a2 a3"


def test_the_checkpoint_stays_before_the_oldest_entry_that_waits():
    kept = backlog("aabc")
    [a1, a2, b1, c1] = kept.waiting
    assert (kept.checkpoint, kept.end) == ("0-0", "4-0")
    kept.settle([a1, b1])
    assert (kept.checkpoint, kept.end, names(kept.waiting)) == ("1-0", "4-0", "a2 c1")
    kept.settle([c1])
    assert (kept.checkpoint, names(kept.waiting)) == ("1-0", "a2")
    kept.settle([a2])
    assert (kept.checkpoint, kept.end, kept.is_empty) == ("4-0", "4-0", True)


def test_a_full_backlog_says_so_until_its_first_entries_are_dealt_with():
    kept = backlog("a" * MOST_ENTRIES)
    assert kept.is_full
    kept.settle(kept.waiting[1:])
    assert kept.is_full
    kept.settle(kept.waiting)
    assert not kept.is_full
