"""The `hidalgo` command. Each sub-command lives in a module of its own, imported only when it runs."""

import re
from importlib import import_module
from typing import Any

import click

from service.operations import logs

# name: (module and attribute, help)
COMMANDS = {
    "account": ("service.cli.account:account", "Reset a password, or remove guests that are gone."),
    "admin": ("service.cli.admin:admin", "Make an account an administrator's, and read what staff have done."),
    "archive": (
        "service.cli.archive:archive",
        "Let finished games leave the store for files or S3.",
    ),
    "backup": ("service.cli.backup:backup", "Write all games, accounts, inboxes and webhooks into one file."),
    "bench": (
        "service.bench.command:bench",
        "Measure rules, log, service, notices, streams and clocks here.",
    ),
    "check": (
        "service.cli.check:check",
        "Replay every stored game by the rules installed here.",
    ),
    "demo": ("service.cli.demo:demo", "Show a service with tournaments of bots, until Ctrl-C."),
    "bot": ("service.cli.bot:bot", "Let a program play at a table of a service."),
    "openapi": ("service.cli.openapi:openapi", "Print the description of the REST interface, or keep it in a file."),
    "pack": ("service.cli.pack:pack", "Keep games that are over in an eighth of the store's memory."),
    "pictures": ("service.pictures.command:pictures", "Make the pictures of our pages in docs/pictures."),
    "play": ("service.cli.play:play", "Play a game in the terminal, against programs."),
    "problems": ("service.cli.problems:problems", "Print every problem code: its meaning, and how to go on."),
    "replay": ("service.cli.replay:replay", "Watch a game again, step by step, in the terminal."),
    "restore": ("service.cli.backup:restore", "Put back the games, accounts, inboxes and webhooks of a backup."),
    "scheduler": ("service.cli.scheduler:scheduler", "Look after deadlines, notices and webhooks, in its own process."),
    "serve": ("service.cli.serve:serve", "Start the service on this machine."),
    "settings": ("service.cli.settings:settings", "Print every setting, with its default."),
    "simulate": ("service.cli.simulate:simulate", "Let programs play whole games, and check the rules."),
    "systemd": ("service.cli.systemd:systemd", "Print a unit with which systemd runs the service."),
    "tournament": (
        "service.cli.tournaments:tournament",
        "Create, watch, simulate and verify tournaments.",
    ),
    "verify": ("service.cli.verify:verify", "Check exported games, offline."),
}


ID_WITH_DASH = re.compile(r"-[A-Za-z0-9_][A-Za-z0-9_-]{14}")


class ImportedWhenRun(click.Command):
    """A command as listed, imported only when it runs."""

    def __init__(self, name: str, target: str, short_help: str) -> None:
        super().__init__(name, short_help=short_help)
        self.target = target

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        [*words] = args
        try:
            return self.load().make_context(info_name, args, parent, **extra)
        except click.NoSuchOption as unknown:
            if id := next(filter(ID_WITH_DASH.fullmatch, words), None):
                raise click.UsageError(
                    f"an id that begins with a dash comes after all options and '--': -- {id}"
                ) from unknown
            raise

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
    """El Grande and El Caballero as a service of your own."""
    logs.configure()
