"""A secret choice in two stages: the spy sees the disks of the others before setting the own one."""

from typing import Any, cast

from msgspec import UNSET, json, to_builtins

from rules.kernel import (
    EVERYTHING,
    SPECTATOR,
    AnswerSealed,
    AnswersOpened,
    Choice,
    Command,
    Fact,
    Form,
    Outcome,
    Player,
    SecretStep,
    State,
    Step,
    Viewer,
    dry_run,
)
from rules.kernel import Answer as Said
from rules.texts import say
from tests.rules.kernel.toys import REGIONS, Game, PointsScored, Say, Table, table


class SetDisk(Say, frozen=True, tag="set_disk"):
    region: str


class DisksSeen(Fact, frozen=True, tag="disks_seen"):
    """The spy has looked at the disks of the others."""

    spy: Player
    regions: dict[Player, str] | None

    @property
    def turns_up(self) -> bool:
        return True

    def apply(self, board: Table) -> Table:
        return board

    def seen_by(self, viewer: Viewer) -> Fact:
        return self if viewer in (self.spy, EVERYTHING) else DisksSeen(self.spy, None)


class SetDisks(SecretStep, frozen=True, tag="toy_set_disks"):
    """Where do your caballeros go?"""

    who: tuple[Player, ...]
    kind = "disk"
    prompt = say("Where do your caballeros go?")

    def asked(self, state: State) -> tuple[Player, ...]:
        return self.who

    def check(self, state: State, player: Player, command: Any) -> None:
        assert command.region in REGIONS

    def sealed_by_all(self, state: State) -> Outcome:
        return Outcome()

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        return (Form("set_disk", say("choose a region"), {"region": Choice(REGIONS)}),)

    def default(self, state: State, player: Player) -> Command:
        return SetDisk(REGIONS[0])


class ShowDisks(Step, frozen=True, tag="toy_show_disks"):
    """The spy looks at the disks that were set."""

    spy: Player

    def run(self, state: State) -> Outcome:
        disks = {player: cast(SetDisk, disk).region for player, disk in state.sealed.items()}
        return Outcome((DisksSeen(self.spy, disks),))


class ScoreCastillo(Step, frozen=True, tag="toy_score_castillo"):
    """The castillo is scored before the disks are shown."""

    def run(self, state: State) -> Outcome:
        return Outcome((PointsScored("red", 5),))


class OpenDisks(Step, frozen=True, tag="toy_open_disks"):
    """All disks are shown."""

    def run(self, state: State) -> Outcome:
        return Outcome((AnswersOpened(state.sealed),))


def new_game() -> Game:
    """Green is the spy."""
    steps = SetDisks(("red", "blue")), ShowDisks("green"), SetDisks(("green",)), ScoreCastillo(), OpenDisks()
    return Game(table(), *steps)


def played(red: str, blue: str, green: str | None = None) -> Game:
    game = new_game().says("red", SetDisk(red)).says("blue", SetDisk(blue))
    return game.says("green", SetDisk(green)) if green else game


def seen(game: Game, viewer: Viewer) -> bytes:
    return json.encode(game.seen_by(viewer))


def test_the_others_set_their_disks_before_the_spy():
    assert new_game().waiting == ("red", "blue")
    game = new_game().says("blue", SetDisk("sevilla"))
    assert game.waiting == ("red",)
    assert game.says("red", SetDisk("granada")).waiting == ("green",)


def test_the_spy_sees_the_disks_of_the_others():
    assert DisksSeen("green", {"red": "granada", "blue": "sevilla"}) in played("granada", "sevilla").seen_by("green")


def test_no_other_viewer_can_tell_what_the_spy_saw():
    one, other = played("granada", "sevilla"), played("granada", "aragon")
    assert seen(one, "red") == seen(other, "red")
    assert seen(one, SPECTATOR) == seen(other, SPECTATOR)
    assert seen(one, "green") != seen(other, "green")


def test_the_spys_own_disk_is_sealed_too():
    sealed = AnswerSealed("green", SetDisk("valencia"))
    game = played("granada", "sevilla", "valencia")
    assert sealed in game.seen_by("green")
    assert sealed not in game.seen_by("red")
    assert AnswerSealed("green", None) in game.seen_by("red")


def test_the_castillo_is_scored_before_the_disks_are_shown():
    game = played("granada", "sevilla", "valencia")
    scored, opened = (game.facts.index(game.facts_of(kind)[0]) for kind in (PointsScored, AnswersOpened))
    assert scored < opened
    disks = {"red": SetDisk("granada"), "blue": SetDisk("sevilla"), "green": SetDisk("valencia")}
    assert game.facts[opened] == AnswersOpened(disks)
    assert game.state.sealed == {}
    assert game.state.is_over


def test_a_decision_stays_open_while_another_player_seals():
    game = new_game()
    blues = game.decision("blue").id
    game.says("red", SetDisk("granada"))
    assert game.decision("blue").id == blues


def test_trying_the_last_disk_does_not_show_the_others():
    game = new_game().says("blue", SetDisk("sevilla"))
    preview = dry_run(game.state, Said("red", game.decision("red").id, SetDisk("granada")))
    assert preview.facts == (AnswerSealed("red", SetDisk("granada")),)


def test_a_disk_set_when_time_runs_out_is_sealed_like_any_other():
    game = new_game().time_up("blue")
    assert game.facts[-1] == AnswerSealed("blue", SetDisk("aragon"), "time_up")
    assert game.seen_by("red")[-1] == AnswerSealed("blue", None)


def test_that_time_ran_out_is_told_when_the_disks_are_opened():
    game = new_game().time_up("blue").says("red", SetDisk("granada")).says("green", SetDisk("sevilla"))
    [opened] = game.facts_of(AnswersOpened)
    assert opened.late == ("blue",)
    assert opened.seen_by(SPECTATOR) == opened
    assert game.state.late is UNSET


def test_a_player_who_answers_in_time_is_not_told_as_late():
    [opened] = played("granada", "aragon", "sevilla").facts_of(AnswersOpened)
    assert opened.late == ()


def test_a_state_remembers_the_players_who_were_late():
    game = new_game().time_up("blue")
    assert game.state.late == ("blue",)
    assert "late" not in to_builtins(new_game().state)
