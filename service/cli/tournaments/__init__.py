"""`hidalgo tournament`: tournaments of a store, simulated ones, and files of them."""

import click

from service.cli import ImportedWhenRun

# name: (module and attribute, help)
COMMANDS = {
    "new": ("service.cli.tournaments.stored:new", "Create a tournament, from a preset or a file of options."),
    "open": ("service.cli.tournaments.stored:open_", "Register players and bots, and start a tournament."),
    "status": ("service.cli.tournaments.stored:status", "Show how far tournaments are, and their standings."),
    "export": ("service.cli.tournaments.stored:export", "Write a tournament to a file that can be verified."),
    "simulate": ("service.cli.tournaments.simulate:simulate", "Let bots play a whole tournament, at once."),
    "verify": ("service.cli.tournaments.verify:verify", "Check exported tournaments, offline."),
}


@click.group(commands=[ImportedWhenRun(name, *row) for name, row in COMMANDS.items()])
def tournament() -> None:
    """Create, watch, simulate and verify tournaments."""
