"""`hidalgo bot`: a program sits down at a table of a running service and plays to the end."""

from __future__ import annotations

from random import Random

import click

from service.bots import BOTS, Table, play, sit_down
from service.client import Game, Hidalgo, Problem
from service.settings import SERVICE_URL, TOKEN

GUEST = TOKEN.shown

RETRY_FOR = 600
"""Seconds for which a bot tries to reach a service that is away."""


@click.command(
    epilog="""\b
Examples:
  hidalgo bot --as greedy --game 5tGm2WzQ
  hidalgo bot --as random --game 5tGm2WzQ --seat blue --pace 2 --url https://hidalgo.example"""
)
@click.option("--as", "name", type=click.Choice(list(BOTS)), default="random", show_default=True, help="How it plays.")
@click.option("--game", required=True, metavar="ID", help="Where it plays.")
@click.option("--url", default=SERVICE_URL.shown, envvar=SERVICE_URL.name, show_default=True, help=SERVICE_URL.about)
@click.option(
    "--token",
    default=TOKEN.shown,
    envvar=TOKEN.name,
    show_default=True,
    help=TOKEN.about,
)
@click.option("--seat", metavar="COLOUR", help="Where it sits down.  [default: the first free seat]")
@click.option("--invitation", help="Invitation to a private table.")
@click.option("--pace", type=click.FloatRange(0), default=0, show_default=True, help="Seconds before each answer.")
@click.option("--seed", type=int, help="The same questions get the same answers.")
@click.pass_context
def bot(
    ctx: click.Context,
    name: str,
    game: str,
    url: str,
    token: str,
    seat: str | None,
    invitation: str | None,
    pace: float,
    seed: int | None,
) -> None:
    """Let a program play at a table of a running service, until the game is over.

    \b
    random   gives any answer, several steps at once where it may
    greedy   tries some answers and takes the one that brings most
    sampler  knows nothing but the JSON Schema of each question
    """
    teller = Teller()
    hidalgo = _service(url, token, teller)
    try:
        if token == GUEST:
            hidalgo.guest().declare_bot()
        seated = sit_down(hidalgo, game, seat, invitation)
        teller.tell(_greeting(hidalgo, seated))
        table = Table(hidalgo, seated.id, seated.mine or "", Random(seed))
        teller.tell(_result(play(table, BOTS[name], pace=pace, tell=teller.tell)))
    except Problem as problem:
        raise click.ClickException(str(problem)) from problem
    except KeyboardInterrupt:
        teller.tell(_farewell(token, hidalgo))
        ctx.exit(130)


def _service(url: str, token: str, teller: Teller) -> Hidalgo:
    try:
        return Hidalgo(url, None if token == GUEST else token, retry_for=RETRY_FOR, on_retry=teller.trouble)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


class Teller:
    """Prints the course of the game, and the same trouble only once."""

    def __init__(self) -> None:
        self.last = ""

    def tell(self, line: str) -> None:
        self.last = line
        click.echo(line)

    def trouble(self, problem: Problem) -> None:
        line = f"{problem.detail}; trying again"
        if line != self.last:
            self.last = line
            click.echo(line, err=True)


def _greeting(hidalgo: Hidalgo, game: Game) -> str:
    begins = "; the game has not begun" if game.status == "open" else ""
    return f"{hidalgo.me().handle} sits at {game.mine} in game {game.id}{begins}"


def _result(game: Game) -> str:
    """
    >>> _result(Game("g", "el_grande", 2, "over", 9, (), scores={"red": 90, "blue": 101}, places={"red": 2, "blue": 1}))
    'the game is over: 1. blue 101, 2. red 90'
    """
    if game.status != "over":
        return f"the game was {game.status}"
    places, scores = game.places or {}, game.scores or {}
    ranking = sorted(places, key=lambda seat: places[seat])
    return "the game is over: " + ", ".join(f"{places[seat]}. {seat} {scores.get(seat, 0)}" for seat in ranking)


def _farewell(token: str, hidalgo: Hidalgo) -> str:
    """Without the token, a guest's seat is lost."""
    if token == GUEST and hidalgo.token:
        return f"stopped; go on with --token {hidalgo.token}"
    return "stopped"
