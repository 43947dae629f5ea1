"""`hidalgo play`: a person against programs, in the terminal."""

from __future__ import annotations

import random
import sys
from hashlib import sha256

import click
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from rules.catalogue import rules
from rules.codec import codec_for
from rules.el_grande.board import COLOURS
from rules.el_grande.extension import Rules
from rules.el_grande.facts import GeneralScoringBegan, RoundBegan
from rules.el_grande.notation import move
from rules.el_grande.setup import OPTIONS, PLAYERS, start
from rules.el_grande.view import view
from rules.errors import Refused, Unreadable
from rules.forms import Pick
from rules.kernel import Answer, Command, Decision, options, waiting
from rules.kernel import play as play_answer
from rules.narration import tell
from rules.simulation import random_command
from service.cli import asking
from service.cli.table import STYLES, card_in_use, cards, map_of, result, table

WORDS = {
    "?": "explain every way to answer, with examples",
    "board": "show the table again",
    "log": "tell the last things that happened; log all: everything",
    "hint": "name some legal move, not a good one",
    "default": "answer what would be answered if your time ran out",
    "quit": "leave the game; nothing is saved",
}
LOG_LINES = 30


@click.command(
    epilog="""\b
Examples:
  hidalgo play
  hidalgo play --players 4 --seat 2 --length short
  hidalgo play --expansion anniversary --seed 42"""
)
@click.option(
    "--players", type=click.IntRange(PLAYERS[0], PLAYERS[-1]), default=3, show_default=True, help="At the table."
)
@click.option("--seat", type=click.IntRange(1, PLAYERS[-1]), default=1, show_default=True, help="Where you sit.")
@click.option(
    "--length", type=click.Choice(OPTIONS["game_length"]), default="full", show_default=True, help="9 or 6 rounds."
)
@click.option("--expansion", "expansions", multiple=True, metavar="NAME", help="With this expansion; may be repeated.")
@click.option("--seed", type=int, help="The same seed gives the same cards and opponents.")
@click.option("--bots", type=click.Choice(["random"]), default="random", show_default=True, help="Your opponents.")
@click.pass_context
def play(
    ctx: click.Context, players: int, seat: int, length: str, expansions: tuple[str, ...], seed: int | None, bots: str
) -> None:
    """Play a game of El Grande in the terminal, against programs.

    You are asked what the rules would ask you; answer with a number, or with a move like "place granada 2, castillo 1".
    Type ? for help at any time.
    """
    if seat > players:
        raise click.BadParameter(f"there are {players} seats, not {seat}", param_hint="--seat")
    seed = random.SystemRandom().randrange(10**9) if seed is None else seed
    game = Game(_rules(expansions), players, COLOURS[seat - 1], length, seed)
    try:
        game.run()
    except (Quit, EOFError, KeyboardInterrupt) as reason:
        game.say()
        game.say("You leave the table. Nothing is saved.")
        ctx.exit(130 if isinstance(reason, KeyboardInterrupt) else 0)


def _rules(expansions: tuple[str, ...]) -> Rules:
    try:
        return rules("el_grande", expansions)
    except Unreadable as problem:
        raise click.BadParameter(problem.sentence, param_hint="--expansion") from None


class Quit(Exception):
    """The person has had enough."""


class Game:
    """One game: the person `you`, and programs in the other seats."""

    def __init__(self, rules: Rules, players: int, you: str, length: str, seed: int) -> None:
        self.rules, self.you, self.seed = rules, you, seed
        self.console = Console(highlight=False, emoji=False)
        self.told: list[str] = []
        self.pick: Pick = random.Random(f"opponents {seed}").randrange
        self.hints: Pick = random.Random(f"hints {seed}").randrange
        facts, self.state = start(rules, players, sha256(f"hidalgo play {seed}".encode()).digest(), game_length=length)
        self.news = list(facts)
        self.is_stale = True

    def run(self) -> None:
        """Until the end, or until the person leaves."""
        self.say(f"You are {self.you}. Type ? for help.")
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
                self.say(f"  ✗ {problem.sentence} (? helps)", style="bold")
            except Refused as refusal:
                self.say(f"  ✗ {refusal.sentence}", style="bold")

    def follow(self, answer: Answer) -> None:
        facts, self.state = play_answer(self.state, answer)
        self.news += facts

    def listen(self, decision: Decision) -> Command:
        """The next line that is an answer; other words are served on the way."""
        while True:
            said = self.ask(f"{self.you}> ").strip()
            match said.lower():
                case "":
                    self.show_question(decision)
                case "?" | "help":
                    self.show_help(decision)
                case "board":
                    self.show_table()
                case "log":
                    self.show_log(LOG_LINES)
                case "log all":
                    self.show_log(len(self.told))
                case "hint":
                    self.say(f"  for instance: {move(random_command(self.state, decision, self.hints))}")
                case "default":
                    self.say(f"  {move(decision.default)}")
                    return decision.default
                case _:
                    return asking.read(said, decision, codec_for(self.rules.name), self)

    # Showing: only what this person may see

    def tell_news(self) -> None:
        """What happened since the person was last asked."""
        seen = [fact.seen_by(self.you) for fact in self.news]
        self.is_stale = self.is_stale or any(isinstance(fact, (RoundBegan, GeneralScoringBegan)) for fact in seen)
        self.news = []
        lines = tell(self.rules, seen)
        self.told += lines
        for line in lines:
            self.tell_story(line)

    def show_before(self, decision: Decision) -> None:
        """The table if somebody else has moved since, the cards if one is to be taken, and the question."""
        if self.is_stale:
            self.show_table()
        elif decision.kind == "choose_card":
            self.console.print(cards(view(self.state, self.you)))
        if decision.kind == "menu":
            self.say()
            self.say(asking.capitalised(card_in_use(view(self.state, self.you), self.you)))
        self.is_stale = False
        self.show_question(decision)

    def show_table(self) -> None:
        self.console.print(table(view(self.state, self.you), self.you))

    def show_question(self, decision: Decision) -> None:
        first, *alternatives = asking.question(decision)
        self.say()
        self.say(first, style="bold")
        for line in alternatives:
            self.say(line)

    def show_help(self, decision: Decision) -> None:
        for line in asking.explanation(decision, codec_for(self.rules.name)):
            self.say(line)
        self.say("Type a number from the list, or a move as in the examples; regions by any of their names. Also:")
        for word, meaning in WORDS.items():
            self.say(f"  {word:8} {meaning}")

    def show_log(self, lines: int) -> None:
        for line in self.told[-lines:]:
            self.tell_story(line)

    def tell_story(self, line: str) -> None:
        self.console.print(Padding(told(line), (0, 0, 0, 2), expand=False))

    def show_end(self) -> None:
        seen = view(self.state, self.you)
        self.console.print(map_of(seen), result(seen, self.you))
        self.say(f"Seed {self.seed} plays the same cards again.")

    # The terminal

    def tell(self, line: str) -> None:
        self.say(line)

    def say(self, line: str = "", style: str = "") -> None:
        """A line; where it is too long, it goes on under its beginning."""
        text = line.lstrip()
        self.console.print(Padding(Text(text, style=style), (0, 0, 0, len(line) - len(text)), expand=False))

    def ask(self, prompt: str) -> str:
        said = input(prompt)
        if not sys.stdin.isatty():
            self.say(said)
        if said.strip().lower() in ("quit", "exit"):
            raise Quit
        return said


# The story


def told(sentence: str) -> Text:
    """A sentence with the players in their colours."""
    text = Text(sentence)
    for player, style in STYLES.items():
        text.highlight_words([player], style=style)
    return text
