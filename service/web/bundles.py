"""The scripts of a page as one file: a browser asks once instead of forty times, and less comes over the line.

Each module becomes a function that is called once, after those that it imports; what it exports is what that returns.
So names of one module never meet those of another, and the modules stay as they are, to read and to serve
(`/static/…`). Comments and indents are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from posixpath import dirname, join, normpath, relpath
from typing import NamedTuple

from service.web.files import CLIENT, FILES, content

FROM = r'\{([^}]*)\} from "([^"]+)";\n'
IMPORT = re.compile(f"^import {FROM}", re.M)
WHOLE = re.compile(r'^import \* as (\w+) from "([^"]+)";\n', re.M)
PASSED_ON = re.compile(f"^export {FROM}", re.M)
LISTED = re.compile(r"^export \{([^}]*)\};\n", re.M)
DECLARED = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.M)
LATER = re.compile(r'\bimport\((["`])(\.[^"`]*)')
"""What is imported when it is needed is a bundle of its own."""
LEFT_OVER = re.compile(r"^(?:import|export)\b.*", re.M)
COMMENT = re.compile(r"^[ \t]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/)\n", re.M)
BESIDE = re.compile(r"[ \t]+// [^\n\"'`]*$", re.M)
"""A comment after a statement; one with a quote in it may be a part of a text, and stays."""
INDENT = re.compile(r"^[ \t]+", re.M)
"""No text of ours goes over several lines."""
FROM_THE_CLIENT = "/client/"


class Module(NamedTuple):
    name: str
    imports: tuple[str, ...]
    """The modules that it cannot begin without."""
    exports: dict[str, str]
    """The names for others, and those inside; from a module that it passes on: `module#name`."""
    source: str


@cache
def bundle(entry: str) -> bytes:
    """A script of ours and all that it imports."""
    names = ordered(entry)
    at = {name: f"${number}" for number, name in enumerate(names)}
    parts = [f"const {at[name]} = (() => {{ // {name}\n{body(entry, name, at)}}})();\n" for name in names]
    if exported := ", ".join(module(entry).exports):
        parts.append(f"export const {{ {exported} }} = {at[entry]};\n")
    return "".join(parts).encode()


@cache
def ordered(entry: str) -> tuple[str, ...]:
    """A script and all that it imports, also through others: each after those that it imports."""
    return tuple(dict.fromkeys(below(entry, ())))


def below(name: str, above: tuple[str, ...]) -> Iterator[str]:
    assert name not in above, f"{name} imports itself: {above}"
    for other in module(name).imports:
        yield from below(other, (*above, name))
    yield name


@cache
def module(name: str) -> Module:
    text = source(name)
    imports = [place for pattern in (IMPORT, WHOLE, PASSED_ON) for _, place in pattern.findall(text)]
    exports = {given: given for given in DECLARED.findall(text)}
    for names in LISTED.findall(text):
        exports |= {given: inside for inside, given in pairs(names)}
    for names, place in PASSED_ON.findall(text):
        exports |= {given: f"{resolved(name, place)}#{inside}" for inside, given in pairs(names)}
    return Module(name, tuple(dict.fromkeys(resolved(name, place) for place in imports)), exports, text)


def source(name: str) -> str:
    file = CLIENT / name.removeprefix(FROM_THE_CLIENT) if name.startswith(FROM_THE_CLIENT) else FILES[name]
    return content(file).decode()


def resolved(name: str, place: str) -> str:
    """The module that another one calls so.

    >>> resolved("studio/trial.js", "../replay/dom.js"), resolved("studio/client.js", "/client/connection.js")
    ('replay/dom.js', '/client/connection.js')
    """
    return normpath(join(dirname(name), place))


def body(entry: str, name: str, at: dict[str, str]) -> str:
    """What a module does, as the inside of a function."""
    read = module(name)

    def taken(found: re.Match[str]) -> str:
        names, other = found[1], resolved(name, found[2])
        unknown = {inside for inside, _ in pairs(names)} - set(module(other).exports)
        assert not unknown, f"{other} exports no {unknown}, which {name} imports"
        wanted = (inside if inside == given else f"{inside}: {given}" for inside, given in pairs(names))
        return f"const {{ {', '.join(wanted)} }} = {at[other]};\n"

    text = PASSED_ON.sub("", without_comments(read.source))
    text = IMPORT.sub(taken, text)
    text = WHOLE.sub(lambda found: f"const {found[1]} = {at[resolved(name, found[2])]};\n", text)
    text = DECLARED.sub("", LISTED.sub("", text))
    text = LATER.sub(lambda found: f"import({found[1]}{seen_from(entry, resolved(name, found[2]))}", text)
    assert not (left := LEFT_OVER.search(text)), f"{name}: {left and left[0]}"
    text = INDENT.sub("", text)
    return f"{text}return {{ {', '.join(returned(read, at))} }};\n" if read.exports else text


def without_comments(source: str) -> str:
    return BESIDE.sub("", COMMENT.sub("", source))


def returned(read: Module, at: dict[str, str]) -> Iterator[str]:
    for given, inside in read.exports.items():
        other, _, passed_on = inside.rpartition("#")
        value = f"{at[other]}.{passed_on}" if other else inside
        yield given if given == value else f"{given}: {value}"


def seen_from(entry: str, name: str) -> str:
    """The address of another script, beside that of a bundle.

    >>> seen_from("studio/page.js", "replay/badge.js"), seen_from("replay/page.js", "replay/shuffles/${game}.js")
    ('../replay/badge.js', './shuffles/${game}.js')
    """
    path = relpath(name, dirname(entry) or ".")
    return path if path.startswith(".") else f"./{path}"


def pairs(names: str) -> list[tuple[str, str]]:
    """What is imported or exported: the name that the giving side has for it, and that of the taking side.

    >>> pairs("said, element as made,")
    [('said', 'said'), ('element', 'made')]
    """
    parts = (name.split(" as ") for name in map(str.strip, names.split(",")) if name)
    return [(part[0], part[-1]) for part in parts]
