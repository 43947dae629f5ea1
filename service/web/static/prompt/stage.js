// The map while something is asked: spaces and pieces are buttons, with one tab stop for all of them.
// What is drawn comes from the ground: the symbols of a space say that it may be chosen, may not, or has the focus.

import { shape } from "../replay/dom.js";
import { styles } from "./words.js";

const HOLD = 450; // milliseconds until a press means: as many as possible
const ASIDE = 10_000; // units of the ground: further than anything is
const REACH = 34; // units of the ground around a piece that can be pressed

export class Stage {
  constructor(board) {
    this.board = board;
    this.glow = shape("g", { class: "prompt-glow" });
    this.marks = shape("g", { class: "prompt-marks" });
    this.targets = shape("g", { class: "prompt-targets" });
    this.shown = [];
  }

  /** @param {object[]} targets each with a key, a point, a label, and `press`, `back` and `hold` to be called */
  show(targets) {
    this.enter();
    const { hasFocus } = this, former = this.shown.find(({ id }) => id === this.stop);
    this.shown = targets;
    this.glow.replaceChildren(...targets.filter(({ place }) => place).map((target) => this.state(target)));
    this.targets.replaceChildren(...targets.map((target) => this.button(target)));
    this.ring?.remove();
    this.roam(this.wanted(former)?.id);
    if (hasFocus) this.focus();
  }

  /** The button for the focus: the former one, or what can be chosen nearest to it. */
  wanted(former) {
    const { stops } = this, legal = stops.filter(({ isLegal }) => isLegal), near = legal.length ? legal : stops;
    const far = ({ point: [x, y] }) => (former ? Math.hypot(x - former.point[0], y - former.point[1]) : 0);
    return stops.find(({ id }) => id === former?.id) ?? near.reduce((best, each) => (best && far(best) <= far(each) ? best : each), null);
  }

  get hasFocus() {
    return this.targets.contains(document.activeElement);
  }

  /** The buttons that the keyboard comes to. */
  get stops() {
    return this.shown.filter(({ isQuiet }) => !isQuiet);
  }

  enter() {
    if (this.glow.isConnected) return;
    const { svg, layers } = this.board;
    svg.setAttribute("role", "group");
    (layers.get("state") ?? svg).append(this.glow);
    svg.append(this.targets, this.marks);
    svg.addEventListener("keydown", this);
  }

  leave() {
    const { svg } = this.board;
    svg.removeEventListener("keydown", this);
    for (const part of [this.glow, this.marks, this.targets]) {
      part.replaceChildren();
      part.remove();
    }
    if (!svg.querySelector(".prompt-targets")) svg.setAttribute("role", "img");
    this.ring?.remove();
    this.shown = [];
    this.stop = null;
  }

  /** What the ground draws on a whole space: by its key; or by its shape, around its centre. */
  drawn(what, { place, shape: form, point: [x, y] }) {
    const node = this.board.symbol(`${what}-${form || place}`, []);
    if (form) node.setAttribute("transform", `translate(${x} ${y})`);
    return node;
  }

  state(target) {
    const { isLegal, isQuiet, isChosen, id } = target;
    if (isLegal && isQuiet) return shape("g");
    const node = this.drawn(isLegal ? "legal" : "barred", target);
    node.setAttribute("class", isLegal ? styles("hot", isChosen && "chosen") : "cold");
    node.dataset.state = id;
    return node;
  }

  /** Spaces that would be scored. */
  sweep(spaces) {
    for (const former of this.glow.querySelectorAll(".sweeping")) former.remove();
    for (const symbol of spaces.map((space) => `scored-${space}`).filter((name) => this.board.ground.symbols[name])) {
      const node = this.board.symbol(symbol, []);
      node.setAttribute("class", "sweeping");
      this.glow.append(node);
    }
  }

  button(target) {
    const spoken = target.isQuiet
      ? { "aria-hidden": "true" }
      : { role: "button", tabindex: -1, "aria-label": target.label, "aria-disabled": target.isLegal ? null : "true" };
    const style = styles("target", target.place ? "place" : "piece", target.isLegal && "legal", target.isChosen && "chosen");
    const node = shape("g", { class: style, ...spoken, "data-focus": target.id });
    if (target.place) node.append(this.drawn("area", target));
    if (target.place && target.label && !this.board.isGlanced) node.append(shape("title", {}, target.label));
    if (!target.place) node.append(...ringed(target.point));
    node.addEventListener("click", (event) => this.pressed(event, target));
    node.addEventListener("pointerdown", (event) => this.holding(event, target));
    if (!target.isQuiet) this.listen(node, target); // who listens to the focus gets it, in a drawing
    node.addEventListener("pointerenter", () => this.over(target, true));
    node.addEventListener("pointerleave", () => this.over(target, false));
    return node;
  }

  listen(node, target) {
    node.addEventListener("focus", () => this.focused(target));
    node.addEventListener("blur", () => this.focused(null));
  }

  at(id) {
    return [...this.targets.children].find((node) => node.dataset.focus === id);
  }

  // Pressing

  pressed(event, target) {
    event.stopPropagation();
    if (this.isHeld) return (this.isHeld = false);
    this.roam(target.id);
    target.press();
    return false;
  }

  holding(event, target) {
    this.isHeld = false;
    if (!target.hold || event.button) return;
    const timer = setTimeout(() => {
      this.isHeld = true;
      target.hold();
    }, HOLD);
    for (const end of ["pointerup", "pointercancel", "pointermove"]) {
      document.addEventListener(end, (moved) => (end === "pointermove" && near(event, moved) ? null : clearTimeout(timer)), { capture: true, once: end !== "pointermove" });
    }
  }

  over(target, isOver) {
    this.glow.querySelector(`[data-state="${CSS.escape(target.id)}"]`)?.classList.toggle("over", isOver);
    if (isOver) target.look?.();
  }

  // The focus

  roam(id) {
    this.stop = id ?? null;
    for (const node of this.targets.querySelectorAll("[role]")) node.setAttribute("tabindex", node.dataset.focus === id ? 0 : -1);
  }

  focused(target) {
    this.ring?.remove();
    this.ring = null;
    if (!target) return;
    this.roam(target.id);
    if (target.place) {
      this.ring = this.drawn("focus", target);
      this.targets.before(this.ring);
    }
    target.look?.();
  }

  focus(id = this.stop) {
    this.at(id)?.focus({ preventScroll: true });
  }

  /** What a key that belongs to a place does: it leads there. */
  shortcut(key) {
    const place = this.board.ground.places.find(({ shortcut }) => shortcut && shortcut === key);
    const target = place && this.stops.find((each) => each.place === place.key);
    return target ? () => this.focus(target.id) : null;
  }

  handleEvent(event) {
    if (!this.targets.contains(event.target)) return;
    const target = this.shown.find(({ id }) => id === event.target.dataset.focus);
    const isTaken = target && this.key(event, target);
    if (isTaken) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  key({ key, altKey, ctrlKey, metaKey }, target) {
    if (altKey || ctrlKey || metaKey) return false;
    if (key === "Enter" || key === " ") return target.press(), true;
    if (key === "Backspace" || key === "Delete") return target.back?.(), true;
    const direction = DIRECTIONS[key];
    if (!direction) return false;
    const next = this.nearest(target, direction);
    if (next) this.focus(next.id);
    return true;
  }

  /** The nearest button in this direction: what lies aside counts double, and too far aside only if nothing else is there.
   *  Those at one and the same point come one after the other. */
  nearest(from, [dx, dy]) {
    const here = this.stops.filter(({ point }) => point[0] === from.point[0] && point[1] === from.point[1]);
    const other = here[here.findIndex(({ id }) => id === from.id) + dx + dy];
    if (other) return other;
    let best = null, shortest = Infinity;
    for (const target of this.stops) {
      const x = target.point[0] - from.point[0], y = target.point[1] - from.point[1];
      const ahead = x * dx + y * dy, aside = Math.abs(x * dy) + Math.abs(y * dx);
      const far = ahead + 2 * aside + (aside > 2 * ahead ? ASIDE : 0);
      if (ahead > 0 && far < shortest) [best, shortest] = [target, far];
    }
    return best;
  }

  /** Refused: the thing shakes a little, and keeps the focus. */
  shake(id) {
    const node = this.at(id);
    if (!node || matchMedia("(prefers-reduced-motion:reduce)").matches) return;
    const still = this.glow.querySelector(`[data-state="${CSS.escape(id)}"]`) ?? node;
    still.animate([{ transform: "translateX(0)" }, { transform: "translateX(-5px)" }, { transform: "translateX(5px)" }, { transform: "translateX(0)" }], { duration: 200 });
  }
}

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function near(from, to) {
  return Math.hypot(to.clientX - from.clientX, to.clientY - from.clientY) < 8;
}

function ringed([x, y]) {
  return [shape("circle", { class: "reach", cx: x, cy: y, r: REACH }), shape("circle", { class: "ringed", cx: x, cy: y, r: REACH - 2 })];
}

