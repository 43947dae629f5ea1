"""Sentences in the code, and in the template of all translations."""

import ast
from collections.abc import Iterator
from functools import cache
from string import Formatter

from babel.messages.pofile import read_po

from tests.repository.checkout import ROOT

PACKAGES = ("rules", "events", "replay", "tournaments", "service")
"""Where sentences for people are."""


def calls(*names: str) -> Iterator[tuple[str, ast.Call]]:
    """Where these functions and classes are called in the code."""
    for path, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
                yield f"{path}:{node.lineno}", node


@cache
def modules() -> dict[str, ast.Module]:
    files = (file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py")))
    return {str(file.relative_to(ROOT)): ast.parse(file.read_text()) for file in files}


def literals(call: ast.Call) -> list[str]:
    """The templates of a call, if they are written out."""
    number = 2 if isinstance(call.func, ast.Name) and call.func.id == "say_many" else 1
    return [arg.value for arg in call.args[:number] if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]


def placeholders(template: str) -> set[str]:
    """The names in braces; nothing but names may be there."""
    fields = [(name, spec, how) for _, name, spec, how in Formatter().parse(template) if name is not None]
    assert all(name.isidentifier() and not spec and not how for name, spec, how in fields), template
    return {name for name, _, _ in fields}


@cache
def known() -> frozenset[str]:
    """Every template in `locale/hidalgo.pot`, singular and plural."""
    with (ROOT / "locale/hidalgo.pot").open("rb") as file:
        ids = [message.id for message in read_po(file) if message.id]
    return frozenset(template for one in ids for template in ([one] if isinstance(one, str) else one))
