"""The words of a page that people read or hear, and the words of a template that no translator would meet."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from jinja2 import Environment, nodes

READ_OUT = {
    "alt",
    "aria-description",
    "aria-label",
    "aria-placeholder",
    "aria-roledescription",
    "aria-valuetext",
    "label",
    "placeholder",
    "title",
}
VOID = {"br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
CODE = {"code", "kbd", "pre", "samp", "script", "style"}
"""Their text is for machines, as is that of elements with `translate="no"`, which hold names. Elements with `lang="en"`
hold the documentation, which is in English in every language, and say so."""
BUTTONS = {"button", "reset", "submit"}
LETTERS = re.compile(r"[^\W\d_]")


def words(page: str) -> list[str]:
    """Texts and attributes with letters in a page, save code and names.

    >>> words('<p title="A game">Sit <b>down</b><img alt="Spain"><code>curl</code></p><h1 translate="no">Hidalgo</h1>')
    ['A game', 'Sit', 'down', 'Spain']
    """
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert not reader.inside, f"not closed: {reader.inside}"
    return reader.found


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.inside: list[tuple[str, bool]] = []
        """The elements around, and whether each is code or a name."""
        self.english: list[bool] = []
        """Of the same elements, whether each is in English whatever the page is in."""
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        for name, value in given.items():
            if is_read_out(tag, name, given) and not self.is_in_english():
                self.note(value)
        if tag not in VOID:
            self.english.append(tag != "html" and given.get("lang") == "en")
            self.inside.append((tag, tag in CODE or given.get("translate") == "no"))

    def handle_endtag(self, tag: str) -> None:
        opened, _ = self.inside.pop()
        self.english.pop()
        assert opened == tag, f"</{tag}> closes <{opened}>"

    def handle_data(self, data: str) -> None:
        if not any(is_code for _, is_code in self.inside) and not self.is_in_english():
            self.note(data)

    def is_in_english(self) -> bool:
        return any(self.english)

    def note(self, text: str) -> None:
        if LETTERS.search(text):
            self.found.append(text.strip())


def is_read_out(tag: str, name: str, given: dict[str, str]) -> bool:
    match tag, name:
        case "meta", "content":
            return given.get("name") == "description" or given.get("property", "").startswith("og:")
        case "input", "value":
            return given.get("type") in BUTTONS
    return name in READ_OUT


# Templates


EXPRESSION = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
FOR_MACHINES = (nodes.Compare, nodes.Getitem, nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)
FOR_MACHINES_ONLY = {"url_for", "asset", "icon", "module", "refused"}
"""Their arguments are names."""


def untranslated(template: str) -> list[str]:
    """Words in a template that are outside of `say` and `say_many`.

    >>> untranslated('<p title="{{ say("here") }}">{{ say("there") }}</p>')
    []
    >>> untranslated('<p title="here">there, {{ "or nowhere" if far }}</p>')
    ['here', 'there,', 'or nowhere']
    """
    return [*words(EXPRESSION.sub("", template)), *stray_strings(Environment().parse(template))]


def stray_strings(node: nodes.Node) -> Iterator[str]:
    """Strings in expressions that go into the page without a translation."""
    if isinstance(node, nodes.Const) and isinstance(node.value, str) and LETTERS.search(node.value):
        yield node.value
    if isinstance(node, FOR_MACHINES) or called(node) in FOR_MACHINES_ONLY:
        return
    if called(node) in TEMPLATES_OF:
        node = nodes.List(said(node)[1])
    for child in node.iter_child_nodes():
        yield from stray_strings(child)


TEMPLATES_OF = {"say": 1, "say_many": 2}


def sentences(template: str) -> Iterator[tuple[list[str], set[str]]]:
    """The templates in each call of `say` and `say_many`, and the names of its values."""
    for call in Environment().parse(template).find_all(nodes.Call):
        if called(call) in TEMPLATES_OF:
            literals, _ = said(call)
            yield literals, {keyword.key for keyword in call.kwargs}


def called(node: nodes.Node) -> str:
    return node.node.name if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) else ""


def said(call: nodes.Node) -> tuple[list[str], list[nodes.Node]]:
    """The literal templates of a call, and its other arguments."""
    assert isinstance(call, nodes.Call)
    number = TEMPLATES_OF[called(call)]
    literals = [each.value for each in call.args[:number] if isinstance(each, nodes.Const)]
    assert len(literals) == number, f"line {call.lineno}: a template is not written out"
    return literals, [*call.args[number:], *(keyword.value for keyword in call.kwargs)]


# Scripts


COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", re.DOTALL)
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"|\'((?:[^\'\\\n]|\\.)*)\'|`((?:[^`\\]|\\.)*)`')
TWO_WORDS = re.compile(r"[^\W\d_]{2,}[,;:.!?…]? [^\W\d_]{2,}")


def script_sentences(script: str) -> list[str]:
    """Literals of two words or more in a script; its page gives it the sentences that it needs.

    >>> script_sentences("show('the game is over'); fetch('/api/v1/games'); // not a literal")
    ['the game is over']
    """
    literals = ("".join(groups) for groups in LITERAL.findall(COMMENT.sub("", script)))
    return [literal for literal in literals if TWO_WORDS.search(literal)]


# Forms


def form_values(page: str, action: str) -> tuple[str, dict[str, list[str]]]:
    """The address of the first form whose action begins like this, and the values of its fields.

    >>> form_values('<form action="/a#b"><input name="x" value="1"></form><form action="/c"></form>', "/a")
    ('/a', {'x': ['1']})
    """
    reader = FormReader()
    reader.feed(page)
    path, values = next(form for form in reader.forms if form[0].startswith(action))
    return path.partition("#")[0], values


class FormReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[tuple[str, dict[str, list[str]]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append((given.get("action", ""), {}))
        is_left_out = given.get("type") in ("checkbox", "radio") and "checked" not in given
        if tag == "input" and "name" in given and not is_left_out:
            self.forms[-1][1].setdefault(given["name"], []).append(given.get("value", ""))
