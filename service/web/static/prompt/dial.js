// A disk that is set in secret: a dial with a sector for every place. It mirrors the map.

import { element, shape } from "../replay/dom.js";
import { styles } from "./words.js";

const OUTER = 100, INNER = 52, LABEL = 77;

/** @param {{label: string, options: {value, short, name, isWarned}[], chosen, pick}} dial */
export function dial({ label, options, chosen, pick }) {
  const step = (2 * Math.PI) / options.length, first = -Math.PI / 2 - step / 2;
  const at = options.findIndex(({ value }) => value === chosen);
  const stop = Math.max(at, 0);
  const sectors = options.map((option, index) => sector(option, first + index * step, step, index === at, index === stop, label, pick));
  const svg = shape("svg", { class: "dial", viewBox: "-104 -104 208 208", role: "radiogroup", "aria-label": label }, ...sectors, shape("circle", { class: "hub", r: INNER }));
  if (at >= 0) svg.append(hand(first + (at + 0.5) * step));
  svg.append(shape("circle", { class: "pin", r: 8 }));
  svg.addEventListener("keydown", (event) => turned(event, sectors));
  return element("div", { class: "dial-frame" }, svg);
}

function sector({ value, short, name, isWarned }, from, step, isChosen, isStop, label, pick) {
  const middle = from + step / 2, to = from + step, large = step > Math.PI ? 1 : 0;
  const path = ["M", polar(OUTER, from), "A", OUTER, OUTER, 0, large, 1, polar(OUTER, to), "L", polar(INNER, to), "A", INNER, INNER, 0, large, 0, polar(INNER, from), "Z"].join(" ");
  const [x, y] = polar(LABEL, middle);
  const node = shape("g", {
    class: styles("sector", isChosen && "chosen"), role: "radio", "aria-checked": String(isChosen), "aria-label": name,
    tabindex: isStop ? 0 : -1, "data-focus": `${label}:${value}`,
  }, shape("path", { d: path }), shape("text", { x, y: y + (isWarned ? 0 : 5) }, short));
  if (isWarned) node.append(shape("path", { class: "warned", d: "M-9 5L-11-5L-5-1L0-8L5-1L11-5L9 5Z", transform: `translate(${[x, y + 11]}) scale(.8)` }));
  node.addEventListener("click", () => pick(value));
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    pick(value);
  });
  return node;
}

function hand(angle) {
  const [x, y] = polar(INNER - 2, angle);
  return shape("path", { class: "hand", d: `M0 0L${x} ${y}` });
}

const TURNS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** Arrows turn the dial: they choose, as in any group of radio buttons. */
function turned(event, sectors) {
  const turn = TURNS[event.key];
  if (!turn || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  const at = sectors.indexOf(event.target.closest(".sector"));
  const next = sectors[(at + turn + sectors.length) % sectors.length];
  next.focus();
  next.dispatchEvent(new MouseEvent("click"));
}

function polar(radius, angle) {
  return [radius * Math.cos(angle), radius * Math.sin(angle)].map((each) => Math.round(each * 100) / 100);
}
