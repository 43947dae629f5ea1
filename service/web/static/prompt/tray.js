// What is picked beside the map: cards, a hand, tiles, a number, answers in words. Each is given what may be picked and
// says what was; none knows what it stands for.

import { element, said, shape } from "../replay/dom.js";
import { styles } from "./words.js";

/** Buttons of which one is pressed: arrows lead through them, one tab stop for all. */
function radios(label, options, chosen, pick, style) {
  const current = options.findIndex(({ value }) => value === chosen);
  const stop = current >= 0 ? current : options.findIndex(({ isLegal }) => isLegal !== false);
  const group = element("div", { class: style, role: "radiogroup", "aria-label": label }, ...options.map((option, index) => {
    const button = element("button", {
      type: "button", role: "radio", class: option.style, "aria-checked": String(option.value === chosen), "aria-label": option.label,
      "aria-disabled": option.isLegal === false ? "true" : null, tabindex: index === stop ? 0 : -1, "data-focus": `${label}:${option.value}`, title: option.title,
    }, ...option.children);
    button.addEventListener("click", () => (option.isLegal === false ? option.why?.() : pick(option.value)));
    return button;
  }));
  group.addEventListener("keydown", (event) => roamed(event, [...group.children]));
  return group;
}

const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

function roamed(event, buttons) {
  const at = buttons.indexOf(event.target.closest("button")), last = buttons.length - 1;
  const to = event.key === "Home" ? 0 : event.key === "End" ? last : STEPS[event.key] ? (at + STEPS[event.key] + buttons.length) % buttons.length : -1;
  if (to < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  for (const [index, button] of buttons.entries()) button.setAttribute("tabindex", index === to ? 0 : -1);
  buttons[to].focus();
}

/** Cards on the table: a sign, a title, what it does. Those that cannot be had are quiet. */
export function cards({ label, options, chosen, pick, signs, texts, board }) {
  return radios(label, options.map(({ value, card, isLegal, why, by }) => ({
    value, isLegal, why,
    style: styles("action", card.seat && "taken", card.symbol && "pictured"), title: card.symbol && card.title,
    label: [card.title, card.pips ? said(texts.places, { count: card.pips }) : "", card.detail ?? card.text, by].filter(Boolean).join(". "),
    children: [
      card.pips ? element("span", { class: "pips" }, ...Array.from({ length: card.pips }, () => element("i"))) : null,
      element("span", { class: "art" }, card.symbol ? board.picture(card.symbol) : card.icon ? signs.icon(card.icon) : null),
      element("span", {}, element("span", { class: "name" }, card.title), element("span", { class: "does" }, card.text ?? "")),
      card.seat ? element("span", { class: "by" }, signs.chip(card.seat)) : null,
    ],
  })), chosen, pick, "cards5");
}

/** A hand, spread like a fan. */
export function hand({ label, options, chosen, pick }) {
  const fan = radios(label, options.map(({ value, card, isLegal, why }) => ({
    value, isLegal, why,
    style: styles("pc", isLegal === false && "gone"),
    label: [card.title, card.text, card.detail].filter(Boolean).join(", "),
    title: card.detail,
    children: [card.title, element("i", {}, card.text ?? "")],
  })), chosen, pick, "fan");
  const middle = (options.length - 1) / 2;
  [...fan.children].forEach((card, index) => {
    const off = index - middle;
    card.style.setProperty("--turn", `${(off * 1.6).toFixed(2)}deg`);
    card.style.setProperty("--drop", `${(off * off * 0.45).toFixed(2)}px`);
  });
  return fan;
}

/** Cards of which several are chosen: every one is a box that is checked or not. */
export function checks({ label, options, chosen, toggle }) {
  const stop = Math.max(0, options.findIndex(({ value }) => chosen.includes(value)));
  const group = element("div", { class: ["fan", "checks"].join(" "), role: "group", "aria-label": label }, ...options.map(({ value, card, isLegal, title }, index) => {
    const button = element("button", {
      type: "button", role: "checkbox", class: "pc", "aria-checked": String(chosen.includes(value)), "aria-label": [card.title, card.text, title].filter(Boolean).join(", "),
      "aria-disabled": isLegal ? null : "true", tabindex: index === stop ? 0 : -1, "data-focus": `${label}:${value}`, title,
    }, element("b", {}, card.title), element("i", {}, card.text ?? ""), element("span", {}, card.detail ?? ""));
    button.addEventListener("click", () => isLegal && toggle(value));
    return button;
  }));
  group.addEventListener("keydown", (event) => roamed(event, [...group.children]));
  return group;
}

/** Tiles drawn with the symbols of the ground, or with a sign and a name. */
export function tiles({ label, options, chosen, pick, board, control, signs }) {
  return radios(label, options.map(({ value, name, icon }) => ({
    value, style: "tile-choice", label: name, children: [icon ? signs.icon(icon) : null, tile(board, control, value, name)],
  })), chosen, pick, "tiles");
}

function tile(board, control, value, name) {
  const texts = control.faces?.[value];
  if (!control.symbol || !texts) return name;
  return shape("svg", { class: styles("board", "tile-picture"), viewBox: "-60 -30 120 58", "aria-hidden": "true" }, board.symbol(control.symbol, texts));
}

/** A few words each: whose piece, which of two ways. */
export function chips({ label, options, chosen, pick, signs, isTold = false }) {
  const group = radios(label, options.map(({ value, name, seat, text, isLegal, why }) => ({
    value, isLegal, why, style: styles("btn", "small"), label: name, children: [seat ? signs.chip(seat) : null, element("span", {}, text ?? name)],
  })), chosen, pick, "chips");
  return isTold ? element("div", { class: "told-chips" }, element("span", {}, label), group) : group;
}

/** A number: less, more. */
export function stepper({ name, label, value, range: [low, high], set, texts }) {
  const button = (text, to, sign, id) => {
    const node = element("button", { type: "button", class: styles("btn", "icononly"), "aria-label": text, disabled: to < low || to > high, "data-focus": `${name}:${id}` }, sign);
    node.addEventListener("click", () => set(to));
    return node;
  };
  return element("div", { class: "stepper", role: "group", "aria-label": label },
    element("span", { class: "of" }, label),
    button(said(texts.less, { name: label }), value - 1, "−", "less"),
    element("output", { "aria-live": "polite" }, String(value)),
    button(said(texts.more, { name: label }), value + 1, "+", "more"));
}

/** Whatever else a schema asks for: a plain form. */
export function plain({ name, label, field, value, set }) {
  const id = `prompt-${name}`;
  const input = field.enum
    ? element("select", { id, "data-focus": id }, element("option", { value: "" }, "–"), ...field.enum.map((each, index) => element("option", { value: String(index), selected: each === value }, field["x-labels"]?.[index] ?? String(each))))
    : element("input", { id, "data-focus": id, class: "input", type: field.type === "integer" ? "number" : "text", min: field.minimum, max: field.maximum, value: value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value) });
  input.addEventListener("input", () => set(field.enum ? field.enum[Number(input.value)] : read(field, input.value)));
  return element("label", { class: "plain", for: id }, element("span", {}, label), input);
}

function read(field, text) {
  if (!text.trim()) return undefined;
  if (field.type === "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A map of numbers, as a row of steppers. */
export function table({ label, keys, add, texts, name }) {
  return element("div", { class: "steppers", role: "group", "aria-label": label }, ...keys.map(({ key, text, value, room }) =>
    stepper({ name: `${name}-${key}`, label: text, value, range: [0, value + room], set: (to) => add(key, to - value), texts })));
}
