"""The `hidalgo` command. Each sub-command lives in a module of its own, imported only when it runs."""

from importlib import import_module
from typing import Any

import click

from service.operations import logs

# name: (module and attribute, help)
COMMANDS = {
    "account": ("service.cli.account:account", "Reset a password, or remove guests that are gone."),
    "admin": ("service.cli.admin:admin", "Make an account an administrator's."),
    "backup": ("service.cli.backup:backup", "Write all games, accounts and invitations into one file."),
    "bench": (
        "service.bench.command:bench",
        "Measure rules, log, service, notices, streams and clocks here.",
    ),
    "bot": ("service.cli.bot:bot", "Let a program play at a table of a service."),
    "pack": ("service.cli.pack:pack", "Keep games that are over in an eighth of the store's memory."),
    "play": ("service.cli.play:play", "Play a game in the terminal, against programs."),
    "restore": ("service.cli.backup:restore", "Put back the games, accounts and invitations of a backup."),
    "scheduler": ("service.cli.scheduler:scheduler", "Look after deadlines, notices and webhooks, in its own process."),
    "serve": ("service.cli.serve:serve", "Start the service on this machine."),
    "settings": ("service.cli.settings:settings", "Print every setting, with its default."),
    "simulate": ("service.cli.simulate:simulate", "Let programs play whole games, and check the rules."),
    "verify": ("service.cli.verify:verify", "Check exported games, offline."),
}


class ImportedWhenRun(click.Command):
    """A command as listed, imported only when it runs."""

    def __init__(self, name: str, target: str, short_help: str) -> None:
        super().__init__(name, short_help=short_help)
        self.target = target

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        return self.load().make_context(info_name, args, parent, **extra)

    def load(self) -> click.Command:
        module, _, attribute = self.target.partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command), f"{self.target} is not a command"
        return command


@click.group(
    commands=[ImportedWhenRun(name, *row) for name, row in COMMANDS.items()],
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=(
        "In a checkout, './hidalgo test' runs every check and test, './hidalgo lint' the checks alone, and "
        "'./hidalgo test rules' the tests of one area: rules, events, service, docs, ..."
    ),
)
@click.version_option(package_name="hidalgo", prog_name="hidalgo", message="%(prog)s %(version)s")
def main() -> None:
    """El Grande as a service of your own."""
    logs.configure()
