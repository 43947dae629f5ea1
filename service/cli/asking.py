"""Asking a person in the terminal: alternatives by number, fields one by one, or a move as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Protocol

from rules.errors import Unreadable
from rules.forms import Choice, Counts, Field, Form, Number, Some
from rules.kernel import STEP, Command, Decision
from rules.texts import Text, Value, any_of, one_by_one, say
from service.cli.phrasebook import Phrasebook
from service.language import rendered

with suppress(ImportError):
    import readline  # noqa: F401  (arrow keys and history at the prompt, where there are any)


class Terminal(Protocol):
    """Where a person reads and writes."""

    def tell(self, line: str) -> None: ...

    def ask(self, prompt: str) -> str: ...


class Back(Exception):
    """An empty line: the person wants to choose again."""


# The menu


Entry = tuple[str, str, tuple[Value, ...]]
"""What makes an alternative the same one as before: its kind, its words, and its places, but not how many."""


class Menu:
    """The numbers of alternatives. While a menu is open, an alternative that stays keeps its number.

    >>> from rules.texts import say
    >>> forms = [Form("step", say("move one from {place}", place=place)) for place in ("granada", "aragon", "galicia")]
    >>> menu = Menu()
    >>> list(menu.numbered("step", forms[:2])), list(menu.numbered("step", forms[1:]))
    ([1, 2], [2, 3])
    >>> menu.close()
    >>> list(menu.numbered("step", forms[1:]))
    [1, 2]
    """

    def __init__(self) -> None:
        self._numbers: dict[str, dict[Entry, int]] = {}

    def close(self) -> None:
        self._numbers.clear()

    def numbered(self, kind: str, forms: Iterable[Form]) -> dict[int, Form]:
        """The alternatives of a decision of this kind, by number."""
        numbers = self._numbers.setdefault(kind, {})
        found = {numbers.setdefault(_entry(form), len(numbers) + 1): form for form in forms}
        return dict(sorted(found.items()))


def _entry(form: Form) -> Entry:
    return form.kind, form.text.template, tuple(value for value in form.text.values.values() if isinstance(value, str))


# The question


def question(decision: Decision, phrasebook: Phrasebook, menu: Menu) -> Iterator[str]:
    """The decision, and its alternatives by number."""
    yield capitalised(decision.text)
    if field := only_field(decision):
        yield from choices(field, phrasebook)
        return
    for number, form in menu.numbered(decision.kind, decision.forms).items():
        yield f"  {number}  {alternative(form, phrasebook)}"
    if decision.at_once > 1:
        yield indented(say("or several at once, for which ? has an example"))


def only_field(decision: Decision) -> Field | None:
    """The field to ask for, if nothing else is to be filled in."""
    if len(decision.forms) == 1 and len(decision.forms[0].fields) == 1:
        [field] = decision.forms[0].fields.values()
        return field if not isinstance(field, Counts) else None
    return None


def alternative(form: Form, phrasebook: Phrasebook) -> str:
    """A form in a line.

    >>> from rules.texts import say
    >>> text = say("move a caballero from {place}", place="castilla_la_nueva")
    >>> alternative(Form("step", text, {"owner": Choice(("red", "blue"))}), Phrasebook("el_grande"))
    'move a caballero from New Castile (of red or blue)'
    """
    owners = form.fields.get("owner")
    text = rendered(form.text, phrasebook.name)
    if not isinstance(owners, Choice):
        return text
    whose = say("of {owners}", owners=any_of(owners.values))
    return text if text.endswith(rendered(whose, phrasebook.name)) else f"{text} ({rendered(whose, phrasebook.name)})"


def choices(field: Field, phrasebook: Phrasebook) -> Iterator[str]:
    match field:
        case Choice(values) if _are_numbers(values):
            yield f"  {' '.join(map(str, values))}"
        case Choice(values, labels):
            named = map(rendered, labels) if labels else map(phrasebook.shown, values)
            yield from (f"  {number}  {name}" for number, name in enumerate(named, start=1))
        case Number(low, high):
            yield indented(_between(low, high))
        case Some(values, low, high, labels):
            yield indented(say("{number} of these, with spaces between them:", number=_between(low, high)))
            if not labels:
                yield f"  {' '.join(map(str, values))}"
            yield from (f"  {value}  {rendered(label)}" for value, label in zip(values, labels, strict=False))
        case Counts(limits):
            yield indented(_counted({phrasebook.shown(key): limit for key, limit in limits.items()}))


def _counted(limits: Mapping[str, int]) -> Value:
    """
    >>> str(_counted({"Granada": 2, "Castillo": 2})), str(_counted({"Granada": 2, "Aragon": 1}))
    ('Granada, Castillo: each up to 2', 'Granada up to 2, Aragon up to 1')
    """
    if len(set(limits.values())) == 1:
        return say("{places}: each up to {most}", places=one_by_one(limits), most=min(limits.values()))
    each = (say("{place} up to {most}", place=key, most=limit) for key, limit in limits.items())
    return one_by_one(each)


# The answer


def read(text: str, decision: Decision, phrasebook: Phrasebook, terminal: Terminal, menu: Menu) -> Command:
    """The command that a line means, after more questions where it takes any; `Unreadable` if it means none."""
    field = only_field(decision)
    if field and (_is_number(text) or _is_among(text, field, phrasebook) or _are_some(text, field)):
        [name] = decision.forms[0].fields
        return phrasebook.command({"kind": decision.forms[0].kind, name: read_field(text, field, phrasebook)})
    if not _is_number(text):
        return phrasebook.parse_move(text)
    form = _numbered(menu.numbered(decision.kind, decision.forms), int(text))
    return phrasebook.command(_fill(form, phrasebook, terminal))


def _is_among(text: str, field: Field, phrasebook: Phrasebook) -> bool:
    return isinstance(field, Choice) and phrasebook.with_keys(text) in field.values


def _are_some(text: str, field: Field) -> bool:
    return isinstance(field, Some) and set(_words(text)) <= set(map(str, field.values))


def _words(text: str) -> list[str]:
    """
    >>> _words("10, 20 30")
    ['10', '20', '30']
    """
    return text.replace(",", " ").split()


def _numbered(forms: Mapping[int, Form], number: int) -> Form:
    if number not in forms:
        raise Unreadable(
            say("there are alternatives {numbers}, not {number}", numbers=one_by_one(forms), number=number)
        )
    return forms[number]


def _fill(form: Form, phrasebook: Phrasebook, terminal: Terminal) -> dict[str, Any]:
    """Ask for everything the form leaves open."""
    answer: dict[str, Any] = {"kind": form.kind}
    for name, field in form.fields.items():
        answer[name] = _sole_value(field) if _is_settled(field) else _ask_field(form, name, phrasebook, terminal)
    return answer


def _ask_field(form: Form, name: str, phrasebook: Phrasebook, terminal: Terminal) -> Any:
    field = form.fields[name]
    _explain(form, name, phrasebook, terminal)
    while True:
        text = terminal.ask(f"{name.replace('_', ' ')}? ").strip()
        if not text and not _may_be_empty(form, field):
            raise Back
        if text == "?":
            _explain(form, name, phrasebook, terminal)
            terminal.tell(indented(say("An empty line leads back.")))
            continue
        try:
            return read_field(text, field, phrasebook)
        except Unreadable as problem:
            terminal.tell(indented(problem.text))


def _explain(form: Form, name: str, phrasebook: Phrasebook, terminal: Terminal) -> None:
    for line in (_heading(form, name), *choices(form.fields[name], phrasebook)):
        terminal.tell(line)


def _heading(form: Form, name: str) -> str:
    """
    >>> from rules.texts import say
    >>> _heading(Form("place", say("place up to 2"), {"to": Counts({"granada": 2})}), "to")
    'Place up to 2: how many where? For example: granada 1'
    """
    if isinstance(field := form.fields[name], Counts):
        example = next(iter(field.limits))
        return capitalised(
            say("{deed}: how many where? For example: {place} {count}", deed=form.text, place=example, count=1)
        )
    return capitalised(say("{deed}: {field}?", deed=form.text, field=name.replace("_", " ")))


def _may_be_empty(form: Form, field: Field) -> bool:
    """Nothing at all is an answer where other fields may hold what is asked for."""
    return isinstance(field, Counts) and len(form.fields) > 1


def _is_settled(field: Field) -> bool:
    match field:
        case Choice(values):
            return len(values) == 1
        case Number(low, high):
            return low == high
        case Some(values, low):
            return len(values) == low
        case Counts(limits):
            return not limits
    raise AssertionError(f"no field: {field}")


def _sole_value(field: Field) -> Any:
    match field:
        case Choice(values):
            return values[0]
        case Number(low, _):
            return low
        case Some(values):
            return list(values)
    return {}


def read_field(text: str, field: Field, phrasebook: Phrasebook) -> Any:
    """A value for one field, or `Unreadable`."""
    match field:
        case Choice(values):
            return _chosen(phrasebook.with_keys(text), values)
        case Number():
            return _whole(text)
        case Some(values):
            return [_chosen(word, values) for word in _words(phrasebook.with_keys(text))]
        case Counts():
            return _counts(phrasebook.with_keys(text))
    raise AssertionError(f"no field: {field}")


def _chosen(text: str, values: tuple[str | int | bool, ...]) -> str | int | bool:
    """
    >>> _chosen("2", ("allow", "veto")), _chosen("2", (2, 7)), _chosen("veto", ("allow", "veto"))
    ('veto', 2, 'veto')
    """
    by_text = {str(value): value for value in values}
    if text in by_text:
        return by_text[text]
    if _is_number(text) and _are_numbers(values):
        return int(text)  # The rules know best why this one is not among them.
    if _is_number(text) and 1 <= int(text) <= len(values):
        return values[int(text) - 1]
    raise Unreadable(say("{said} is not among {values}", said=text or say("nothing"), values=one_by_one(by_text)))


def _whole(text: str) -> int:
    if not _is_number(text):
        raise Unreadable(say("{said} is not a number", said=text or say("nothing")))
    return int(text)


def _counts(text: str) -> dict[str, int]:
    """
    >>> _counts("granada 2, castillo 1")
    {'granada': 2, 'castillo': 1}
    """
    counts: dict[str, int] = {}
    for item in filter(None, (part.strip() for part in text.split(","))):
        key, _, number = item.rpartition(" ")
        if not key or not _is_number(number):
            raise Unreadable(say("{item} is not a place and a number, like granada 2", item=item))
        counts[key.strip()] = counts.get(key.strip(), 0) + int(number)
    return counts


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) < 10


def _are_numbers(values: tuple[str | int | bool, ...]) -> bool:
    return all(isinstance(value, int) for value in values)


# Help


def explanation(decision: Decision, phrasebook: Phrasebook, menu: Menu) -> Iterator[str]:
    """Every way to answer, with an example that is legal now."""
    yield capitalised(decision.text)
    for number, form in menu.numbered(decision.kind, decision.forms).items():
        example = phrasebook.move(phrasebook.command(form.example()))
        yield f"  {number}  {alternative(form, phrasebook)}"
        for name, field in form.fields.items():
            yield from (f"       {name.replace('_', ' ')}: {line.strip()}" for line in _limits(field))
        if form.total:
            together = say("together {number}", number=_between(form.total.low, form.total.high))
            yield indented(together, 7)
        yield indented(say("for example: {move}", move=example), 7)
    if decision.at_once > 1:
        several = phrasebook.move(phrasebook.command(_together(decision, phrasebook)))
        yield indented(say("Several steps may be sent together, like: {move}", move=several))


def _together(decision: Decision, phrasebook: Phrasebook) -> dict[str, Any]:
    """Two steps in one answer."""
    steps = [form.example() for form in decision.forms if form.kind == STEP]
    return {"kind": "several", "steps": [steps[0], steps[-1]]}


def _limits(field: Field) -> Iterator[str]:
    match field:
        case Choice(values, labels) if labels:
            yield from (f"{value}  {rendered(label)}" for value, label in zip(values, labels, strict=True))
        case Choice(values):
            yield ", ".join(map(str, values))
        case Number(low, high):
            yield rendered(_between(low, high))
        case Some(values, low, high):
            several = say("{number} of {values}", number=_between(low, high), values=one_by_one(map(str, values)))
            yield rendered(several)
        case Counts(limits):
            yield rendered(_counted(limits))


def _between(low: int, high: int) -> Value:
    return low if low == high else say("{low} to {high}", low=low, high=high)


# Words


def indented(text: Value, by: int = 2) -> str:
    return " " * by + rendered(text)


def capitalised(text: Text) -> str:
    sentence = rendered(text)
    return sentence[:1].upper() + sentence[1:]
