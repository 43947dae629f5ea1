"""`hidalgo play`: a person against programs, in the terminal."""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping
from hashlib import sha256

import click
from rich.console import Console
from rich.padding import Padding
from rich.text import Text as Styled

from rules import drawing
from rules.catalogue import GAMES, game_named
from rules.drawing import Draw
from rules.errors import Refused, Unreadable
from rules.forms import Pick
from rules.kernel import Answer, Command, Decision, RuleSet, options, waiting
from rules.kernel import play as play_answer
from rules.narration import tell
from rules.simulation import random_command
from rules.texts import Text, one_by_one, say
from service.cli import asking
from service.cli.game_options import (
    FEWEST,
    LENGTHS,
    MOST,
    agreements,
    check_players,
    game_option,
    option_option,
    rules_for,
)
from service.cli.phrasebook import Phrasebook
from service.cli.stored import option, settings_with
from service.cli.table import COLOURS, printed
from service.language import Language, catalogue, installed, rendered, speaking

WORDS = {
    "?": say("explain every way to answer, with examples"),
    "board": say("show the table again"),
    "log": say("tell the last things that happened; log all: everything"),
    "hint": say("name some legal move, not a good one"),
    "default": say("give the answer that counts if your time runs out"),
    "quit": say("leave the game; nothing is saved"),
}
LOG_LINES = 30


@click.command(
    epilog="""\b
Examples:
  hidalgo play
  hidalgo play --players 4 --seat 2 --length short
  hidalgo play --expansion anniversary --seed 42"""
)
@game_option
@click.option("--players", type=click.IntRange(FEWEST, MOST), default=3, show_default=True, help="At the table.")
@click.option("--seat", type=click.IntRange(1, MOST), default=1, show_default=True, help="Where you sit.")
@click.option("--length", type=click.Choice(LENGTHS), default=LENGTHS[0], show_default=True, help="9 or 6 rounds.")
@click.option("--expansion", "expansions", multiple=True, metavar="NAME", help="With this expansion; may be repeated.")
@option_option
@click.option("--seed", type=int, help="The same seed gives the same cards and opponents.")
@option("--language", "language")
@click.option("--bots", type=click.Choice(["random"]), default="random", show_default=True, help="Your opponents.")
@click.pass_context
def play(
    ctx: click.Context,
    game: str,
    players: int,
    seat: int,
    length: str,
    expansions: tuple[str, ...],
    chosen: tuple[str, ...],
    seed: int | None,
    language: str,
    bots: str,
) -> None:
    """Play a game in the terminal, against programs.

    You are asked what the rules would ask you; answer with a number, or with a move like "place granada 2, castillo 1".
    Type ? for help at any time.
    """
    ctx.with_resource(speaking(spoken(language)))
    check_players(GAMES[game], players)
    if seat > players:
        raise click.BadParameter(
            rendered(say("there are {players} seats, not {seat}", players=players, seat=seat)), param_hint="--seat"
        )
    seed = random.SystemRandom().randrange(10**9) if seed is None else seed
    followed, you = rules_for(game, expansions), GAMES[game].seats[seat - 1]
    table = Table(followed, players, you, agreements(GAMES[game], (length,), chosen, expansions)[0], seed)
    try:
        table.run()
    except (Quit, EOFError, KeyboardInterrupt) as reason:
        table.write()
        table.write(rendered(say("You leave the table. Nothing is saved.")))
        ctx.exit(130 if isinstance(reason, KeyboardInterrupt) else 0)


def spoken(tag: str) -> Language:
    """The language of this tag, or a refusal at the terminal."""
    languages = installed(settings_with().locale)
    if tag.lower() in languages:
        return languages[tag.lower()]
    known = one_by_one(language.tag for language in languages.values())
    raise click.BadParameter(
        rendered(say("there are no translations for {language}, only for {known}", language=tag, known=known)),
        param_hint="--language",
    )


class Quit(Exception):
    """The person has had enough."""


class Table:
    """One game: the person `you`, and programs in the other seats."""

    def __init__(self, rules: RuleSet, players: int, you: str, agreed: Mapping[str, str], seed: int) -> None:
        self.rules, self.you, self.seed = rules, you, seed
        self.game, self.phrasebook = game_named(rules.name), Phrasebook(rules.name)
        self.console = Console(highlight=False, emoji=False)
        self.narration: list[str] = []
        self.pick: Pick = random.Random(f"opponents {seed}").randrange
        self.hints: Pick = random.Random(f"hints {seed}").randrange
        chance = sha256(f"hidalgo play {seed}".encode()).digest()
        facts, self.state = self.game.start(rules, players, chance, **agreed)
        self.news = list(facts)
        self.is_stale = True
        self.menu = asking.Menu()

    def run(self) -> None:
        """Until the end, or until the person leaves."""
        self.write(rendered(say("You are {seat}. Type ? for help.", seat=self.you), self.rules.names.get))
        while not self.state.is_over:
            asked = waiting(self.state)
            if self.you in asked:
                self.answer_person()
            else:
                self.answer_program(asked[0])
        self.tell_news()
        self.show_end()

    # Answers

    def answer_program(self, player: str) -> None:
        [decision] = options(self.state, player)
        if decision.kind not in self.game.drawing.interruptions:
            self.menu.close()
        self.follow(Answer(player, decision.id, random_command(self.state, decision, self.pick)))
        self.is_stale = True

    def answer_person(self) -> None:
        [decision] = options(self.state, self.you)
        self.tell_news()
        self.show_before(decision)
        while True:
            try:
                self.follow(Answer(self.you, decision.id, self.listen(decision)))
                return
            except asking.Back:
                self.show_question(decision)
            except Unreadable as problem:
                self.refuse(say("{refusal} (? helps)", refusal=problem.text))
            except Refused as refusal:
                self.refuse(refusal.text)

    def follow(self, answer: Answer) -> None:
        facts, self.state = play_answer(self.state, answer)
        self.news += facts

    def listen(self, decision: Decision) -> Command:
        """The next line that is an answer; other words are served on the way."""
        while True:
            line = self.ask(f"{rendered(self.you, self.rules.names.get)}> ").strip()
            match line.lower():
                case "":
                    self.show_question(decision)
                case "?" | "help":
                    self.show_help(decision)
                case "board":
                    self.show_table()
                case "log":
                    self.show_log(LOG_LINES)
                case "log all":
                    self.show_log(len(self.narration))
                case "hint":
                    move = self.phrasebook.move(random_command(self.state, decision, self.hints))
                    self.write(asking.indented(say("for instance: {move}", move=move)))
                case "default":
                    self.write(f"  {self.phrasebook.move(decision.default)}")
                    return decision.default
                case _:
                    return asking.read(line, decision, self.phrasebook, self, self.menu)

    # Showing: only what this person may see

    def tell_news(self) -> None:
        """Narrate everything since the person was last asked."""
        seen = [fact.seen_by(self.you) for fact in self.news]
        self.is_stale = self.is_stale or any(isinstance(fact, self.game.drawing.news) for fact in seen)
        self.news = []
        lines = tell(self.rules, seen, catalogue())
        self.narration += lines
        for line in lines:
            self.tell_story(line)

    def show_before(self, decision: Decision) -> None:
        """The table if somebody else has moved since, what helps to decide, and the question."""
        drawings = self.game.drawing
        if self.is_stale:
            self.show_table()
        elif decision.kind in drawings.reminders:
            self.show(drawings.reminders[decision.kind])
        if decision.kind in drawings.remarks:
            self.show(drawings.remarks[decision.kind])
        self.is_stale = False
        self.show_question(decision)

    def show_table(self) -> None:
        self.show(self.game.drawing.table)

    def show(self, draw: Draw) -> None:
        blocks = draw(self.game.view(self.state, self.you, catalogue()), self.you)
        self.console.print(printed(drawing.rendered(blocks, catalogue(), self.rules.names.get)))

    def show_question(self, decision: Decision) -> None:
        first, *alternatives = asking.question(decision, self.phrasebook, self.menu)
        self.write()
        self.write(first, style="bold")
        for line in alternatives:
            self.write(line)

    def show_help(self, decision: Decision) -> None:
        for line in asking.explanation(decision, self.phrasebook, self.menu):
            self.write(line)
        self.write(
            rendered(
                say("Type a number from the list, or a move as in the examples; regions by any of their names. Also:")
            )
        )
        for word, meaning in WORDS.items():
            self.write(f"  {word:8} {rendered(meaning)}")

    def show_log(self, lines: int) -> None:
        for line in self.narration[-lines:]:
            self.tell_story(line)

    def tell_story(self, line: str) -> None:
        self.console.print(Padding(coloured(line), (0, 0, 0, 2), expand=False))

    def show_end(self) -> None:
        self.show(self.game.drawing.end)
        self.write(rendered(say("Seed {seed} plays the same cards again.", seed=self.seed)))

    # The terminal

    def tell(self, line: str) -> None:
        self.write(line)

    def write(self, line: str = "", style: str = "") -> None:
        """A line; where it is too long, it goes on under its beginning."""
        text = line.lstrip()
        self.console.print(Padding(Styled(text, style=style), (0, 0, 0, len(line) - len(text)), expand=False))

    def refuse(self, text: Text) -> None:
        self.write(f"  ✗ {rendered(text)}", style="bold")

    def ask(self, prompt: str) -> str:
        line = input(prompt)
        if not sys.stdin.isatty():
            self.write(line)
        if line.strip().lower() in ("quit", "exit"):
            raise Quit
        return line


# The story


def coloured(sentence: str) -> Styled:
    """A sentence with the players in their colours."""
    text = Styled(sentence)
    for player, style in COLOURS.items():
        text.highlight_words([player], style=style)
    return text
