"""Hands that give the same answers: with a mouse, with a finger, and with nothing but a keyboard."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from playwright.sync_api import Page

from rules.catalogue import game_named, rules_named
from rules.forms import Choice, Counts, Form, Number, Some
from rules.kernel import Decision
from rules.picture import Control

MOST_TABS = 80

SPOT = """(id) => {
  if (!window.pressed) {
    const seen = ({ target }) => { window.pressed.id = target.closest?.("[data-focus]")?.dataset.focus ?? ""; };
    window.pressed = {};
    addEventListener("click", seen, true);
  }
  window.pressed.id = "";
  const node = [...document.querySelectorAll("[data-focus]")].find((each) => each.dataset.focus === id);
  if (!node) return null;
  node.scrollIntoView?.({ block: "nearest" });
  const { left, top, width, height } = node.getBoundingClientRect();
  const isHere = (x, y) => document.elementFromPoint(x, y)?.closest("[data-focus]") === node;
  for (let step = 0; step < 400; step++) {
    const x = left + width * ((0.5 + step * 0.754877) % 1), y = top + height * ((0.5 + step * 0.569840) % 1);
    if ([[0, 0], [-2, 0], [2, 0], [0, -2], [0, 2]].every(([dx, dy]) => isHere(x + dx, y + dy))) return [x, y];
  }
  return null;
}"""
"""A point at which a press meets this and nothing else: the middle, if that is free, and never the very edge, for a
finger covers more than a point, and a click is told in whole pixels. `pressed.id` is what the next click meets."""

MISSES = 5

WAY = """(id) => {
  const { stage } = asking.prompt, stops = stage.stops, first = stops.find((each) => each.id === stage.stop);
  const ways = new Map([[first.id, []]]), queue = [first];
  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  while (queue.length && !ways.has(id)) {
    const from = queue.shift();
    for (const [key, direction] of Object.entries(arrows)) {
      const to = stage.nearest(from, direction);
      if (to && !ways.has(to.id)) {
        ways.set(to.id, [...ways.get(from.id), key]);
        queue.push(to);
      }
    }
  }
  return ways.get(id) ?? null;
}"""
"""The arrows that lead from the present button of the map to this one."""

GROUPED = """([role, ending]) => {
  const focused = document.activeElement, isOne = (node) => node.getAttribute("role") === role;
  const others = isOne(focused) ? [...focused.parentElement.children].filter(isOne) : [];
  return others.some((each) => each.dataset.focus.endsWith(ending));
}"""
"""Whether the focus is in the group that has a button with this ending."""

OPEN = "(kind) => asking.prompt.manner.ways().some((way) => way.kind === kind && way.isOpen)"
"""Whether another kind of answer is filled in, and not sent by the first press."""

FORESEEN = "async () => { while (window.asking?.previews) await new Promise(requestAnimationFrame); }"

FOCUS = "document.activeElement.dataset.focus ?? ''"


class Hand:
    """Gives an answer, field by field, as the controls of the ground want it."""

    def __init__(self, page: Page, rules: str) -> None:
        self.page = page
        named = rules_named(rules)
        self.controls: Mapping[str, Control] = game_named(rules).picture.ground(named).controls

    def give(self, decision: Decision, form: Form, answer: Mapping[str, Any]) -> None:
        """Everything but the last press."""
        self.turn_to(form)
        for name, field in form.fields.items():
            if self._is_asked(decision, form, name):
                self._fill(decision, form, answer, name, field)
                self.settle()

    def settle(self) -> None:
        """The rules have said what may follow, and what is foreseen is drawn: nothing moves any more."""
        self.page.wait_for_selector('#prompt[aria-busy="false"], #prompt[hidden]', state="attached")
        self.page.evaluate(FORESEEN)

    def turn_to(self, form: Form) -> None:
        """The prompt asks for another kind of answer first; and for this one of those that have nothing in common."""
        if self.page.evaluate(OPEN, form.kind):
            self.press(f"way:{form.kind}")
        branches = self.page.evaluate("asking.prompt.draft.branches")
        if str(form.words.name) in branches:
            self.choose(form.words.name)

    def _is_asked(self, decision: Decision, form: Form, name: str) -> bool:
        """A field that can have one value only, in all ways to answer that are left, is not asked for."""
        alike = [other for other in decision.forms if other.kind == form.kind]
        fields = [other.fields[name] for other in alike if name in other.fields]
        values = {value for field in fields if isinstance(field, Choice) for value in field.values}
        may_be_left_out = any(
            set(other.fields) == set(form.fields) - {name} and overlap(other, form) for other in alike
        )
        return may_be_left_out or len(values) > 1 or any(not isinstance(field, Choice) for field in fields)

    def _fill(self, decision: Decision, form: Form, answer: Mapping[str, Any], name: str, field: Any) -> None:
        control = self.controls.get(field.of)
        kind = control.kind if control else ""
        if isinstance(field, Some):
            for value in answer[name]:
                self.tap(f"place:{value}") if kind == "place" else self.check(value)
        elif isinstance(field, Counts):
            for key, number in answer[name].items():
                self.tap(self._target(kind, control, decision, {"value": key}), number)
        elif isinstance(field, Number) or kind == "number":
            self.step(name, answer[name])
        elif kind == "piece":
            if name != "owner":  # It is picked together with the place.
                self.tap(self._target(kind, control, decision, {**answer, "value": answer[name]}))
        elif kind == "place":
            self.tap(f"place:{answer[name]}")
        elif kind != "answer" or self._is_one_of_many(decision, form):
            self.choose(answer[name], "" if control and kind != "answer" else name.replace("_", " ").capitalize())

    @staticmethod
    def _is_one_of_many(decision: Decision, form: Form) -> bool:
        """Whether more than this field is asked for in answers of this kind: then its values are no buttons."""
        return any(len(other.fields) > 1 for other in decision.forms if other.kind == form.kind)

    @staticmethod
    def _target(kind: str, control: Control | None, decision: Decision, values: Mapping[str, Any]) -> str:
        if kind != "piece":
            return f"place:{values['value']}"
        assert control
        return "piece:" + control.thing.format_map({**values, "seat": decision.player})

    def send(self, form: Form, answer: Mapping[str, Any]) -> None:
        raise NotImplementedError

    def tap(self, target: str, times: int = 1) -> None:
        raise NotImplementedError

    def choose(self, value: Any, label: str = "") -> None:
        raise NotImplementedError

    def check(self, value: Any) -> None:
        raise NotImplementedError

    def step(self, name: str, value: int) -> None:
        shown = self.page.locator(f'.stepper:has([data-focus="{name}:more"]) output')
        if not shown.count():
            return
        while (now := int(shown.inner_text())) != value:
            self.press(f"{name}:{'more' if now < value else 'less'}")

    def press(self, id: str) -> None:
        raise NotImplementedError


def overlap(one: Form, other: Form) -> bool:
    """Whether some answer has the same values in all the fields that both forms have."""
    both = [(field, other.fields[name]) for name, field in one.fields.items() if name in other.fields]
    return all(set(a.values) & set(b.values) for a, b in both if isinstance(a, Choice) and isinstance(b, Choice))


def as_said(value: Any) -> Any:
    """A value as JSON has it."""
    return str(value).lower() if isinstance(value, bool) else value


def click(page: Page, id: str) -> bool:
    """Whether this could be pressed. If the page has just moved, a person has pressed beside it, and presses again."""
    for _ in range(MISSES):
        if not (spot := page.evaluate(SPOT, id)):
            return False
        page.mouse.click(*spot)
        if met := page.evaluate("pressed.id"):
            assert met == id, f"{met} was pressed instead of {id}"
            return True
    raise AssertionError(f"{id} moves away")


class Mouse(Hand):
    def press(self, id: str) -> None:
        self.page.wait_for_selector(f'[data-focus="{id}"]', state="attached")
        assert click(self.page, id), f"{id} cannot be pressed"

    def spot(self, id: str) -> tuple[float, float]:
        self.page.wait_for_selector(f'[data-focus="{id}"]', state="attached")
        spot = self.page.evaluate(SPOT, id)
        assert spot, f"{id} cannot be pressed"
        return spot

    def tap(self, target: str, times: int = 1) -> None:
        for _ in range(times):
            self.press(target)

    def choose(self, value: Any, label: str = "") -> None:
        """The option with this value, wherever it is offered, or under this label."""
        self._pick("radio", f"{label}:{value}")

    def check(self, value: Any) -> None:
        self._pick("checkbox", f":{value}")

    def _pick(self, role: str, ending: str) -> None:
        [id] = self.page.evaluate(
            """([role, ending]) => [...document.querySelectorAll(`#prompt [role="${role}"]`)]
              .map((node) => node.dataset.focus).filter((id) => id.endsWith(ending))""",
            [role, ending],
        )
        self.press(id)

    def send(self, form: Form, answer: Mapping[str, Any]) -> None:
        [last] = self._last(form, answer)
        self.press(last)
        if self.page.evaluate("Boolean(asking.prompt.armed)"):
            self.press(last)

    def _last(self, form: Form, answer: Mapping[str, Any]) -> list[str]:
        ids = [f"answer:{as_said(value)}" for value in answer.values()] + [f"way:{form.kind}", "commit"]
        here = [id for id in ids if self.page.locator(f'[data-focus="{id}"]').count()]
        return here[:1]


class Touch(Mouse):
    """A finger."""

    def press(self, id: str) -> None:
        self.page.touchscreen.tap(*self.spot(id))


class Keys(Hand):
    """Begins where the page has put the focus, or at its first link."""

    def _tab_to(self, reached: Callable[[str], bool]) -> None:
        for _ in range(MOST_TABS):
            if reached(self.page.evaluate(FOCUS)):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError("the keyboard does not lead there")

    def press(self, id: str) -> None:
        self._tab_to(lambda focus: focus == id)
        self.page.keyboard.press("Enter")

    def tap(self, target: str, times: int = 1) -> None:
        self._tab_to(lambda focus: focus.startswith(("place:", "piece:")))
        way = self.page.evaluate(WAY, target)
        assert way is not None, f"no arrows lead to {target}"
        for key in way:
            self.page.keyboard.press(key)
        assert self.page.evaluate(FOCUS) == target
        for _ in range(times):
            self.page.keyboard.press("Enter")

    def choose(self, value: Any, label: str = "") -> None:
        self._roam("radio", f"{label}:{value}")

    def check(self, value: Any) -> None:
        self._roam("checkbox", f":{value}")

    def _roam(self, role: str, wanted: str) -> None:
        """Tabs lead to the group with this button, arrows to the button."""
        self._tab_to(lambda _: self.page.evaluate(GROUPED, [role, wanted]))
        for _ in range(MOST_TABS):
            if self.page.evaluate(FOCUS).endswith(wanted):
                break
            self.page.keyboard.press("ArrowRight")
        self.page.keyboard.press("Enter")

    def send(self, form: Form, answer: Mapping[str, Any]) -> None:
        """By a letter, where there is one."""
        if not self.page.locator('[data-focus="commit"]:not(:disabled)').count():
            self._send_otherwise(form, answer)
        else:
            self._twice_if_asked(lambda: self.page.keyboard.press("c"))

    def _send_otherwise(self, form: Form, answer: Mapping[str, Any]) -> None:
        answers = next((c for f in form.fields.values() if (c := self.controls.get(f.of)) and c.kind == "answer"), None)
        if answers and self.page.locator("#prompt .answer").count():
            [value] = [value for name, value in answer.items() if name != "kind"]
            self._twice_if_asked(lambda: self.page.keyboard.press(answers.shortcuts[as_said(value)]))
        else:
            self._twice_if_asked(lambda: self.press(f"way:{form.kind}"))

    def _twice_if_asked(self, press: Callable[[], None]) -> None:
        press()
        if self.page.evaluate("Boolean(asking.prompt.armed)"):
            press()
