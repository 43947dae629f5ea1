"""Every sentence in the code can be found by Babel, and the template of all translations holds it."""

import ast
import importlib
import pkgutil
import re
import shlex
import subprocess
import sysconfig
from functools import cache
from pathlib import Path

from rules.errors import Refused
from tests.markup import sentences
from tests.repository.checkout import ROOT
from tests.sentences import PACKAGES, calls, known, literals, modules, placeholders

TEMPLATE = "locale/hidalgo.pot"
COMMAND = re.compile(r'"\$venv/bin/pybabel" ((?:.+\\\n)*.+)')
DATE, VERSION = "POT-Creation-Date", "Generated-By"
"""What differs from day to day, and is left out; and from one version of Babel to the next."""


def test_the_template_of_translations_is_current(tmp_path):
    written = tmp_path / "hidalgo.pot"
    [command] = COMMAND.findall((ROOT / "hidalgo").read_text())
    arguments = [argument.replace(TEMPLATE, str(written)) for argument in shlex.split(command.replace("\\\n", ""))]
    subprocess.run([Path(sysconfig.get_path("scripts")) / "pybabel", *arguments], cwd=ROOT, check=True)
    assert lasting(written) == lasting(ROOT / TEMPLATE), "./hidalgo texts writes it anew"
    assert DATE not in (ROOT / TEMPLATE).read_text()


def lasting(file: Path) -> list[str]:
    return [line for line in file.read_text().splitlines() if not line.strip('"').startswith((DATE, VERSION))]


# The code


@cache
def said() -> list[tuple[str, ast.Call]]:
    return list(calls("say"))


@cache
def said_many() -> list[tuple[str, ast.Call]]:
    return list(calls("say_many"))


def test_there_are_sentences():
    assert len(said()) > 350
    assert len(said_many()) > 20


def test_every_template_is_written_out():
    assert [where for where, call in said() if len(literals(call)) != 1] == []
    assert [where for where, call in said_many() if len(literals(call)) != 2] == []


def test_every_placeholder_has_its_value_and_every_value_its_placeholder():
    for where, call in said():
        [template] = literals(call)
        assert placeholders(template) == {keyword.arg for keyword in call.keywords}, where
        assert len(call.args) == 1, where


def test_singular_and_plural_have_the_same_placeholders():
    for where, call in said_many():
        one, many = (placeholders(template) for template in literals(call))
        assert one == many, where
        assert one | {"count"} == {keyword.arg for keyword in call.keywords} | {"count"}, where


def test_texts_are_made_in_no_other_way():
    assert {where.partition(":")[0] for where, _ in calls("Text")} == {"rules/texts.py"}


def test_the_catalogue_holds_every_sentence_in_the_code():
    in_code = {template for _, call in (*said(), *said_many()) for template in literals(call)}
    assert in_code | on_pages() == known()


def on_pages() -> set[str]:
    files = (ROOT / "service/web/templates").rglob("*.html")
    return {template for file in files for templates, _ in sentences(file.read_text()) for template in templates}


def test_every_package_with_sentences_is_searched():
    [command] = COMMAND.findall((ROOT / "hidalgo").read_text())
    assert tuple(shlex.split(command.replace("\\\n", ""))[-len(PACKAGES) :]) == PACKAGES


def test_no_method_is_called_like_the_functions_that_babel_looks_for():
    """Babel would take its words for templates."""
    attributes = [node for tree in modules().values() for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    assert [node.lineno for node in attributes if node.attr in ("say", "say_many")] == []


# Refusals


def test_no_refusal_is_given_a_plain_string():
    """The type checker knows, too; here also for modules without annotations."""
    given = [(where, call.args[0]) for where, call in calls(*refusals()) if call.args]
    assert len(given) > 200
    assert [where for where, text in given if isinstance(text, (ast.Constant, ast.JoinedStr)) and is_words(text)] == []


def is_words(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def refusals() -> set[str]:
    """The names of all refusals."""
    for package in PACKAGES:
        for module in pkgutil.walk_packages([str(ROOT / package)], f"{package}."):
            importlib.import_module(module.name)
    found = [Refused]
    for kind in found:
        found += kind.__subclasses__()
    return {kind.__name__ for kind in found} - FOR_OPERATORS


FOR_OPERATORS = {"StoreDiskFull", "StoreNotStarted"}
"""Told in a terminal where the service is started, and nowhere else."""
