// The tree of variations: the game on top, what was tried below it, row by row. It shows the part around the selected
// node; whatever does not fit is counted.

import { styles } from "../prompt/words.js";
import { said, shape } from "../replay/dom.js";
import { isStep } from "./chapter.js";

const WIDTH = 314, EDGE = 22, TOP = 34, GAP = 38, ROW = 36;
const STATIONS = 7, BRANCHING = 5; // steps of the game, and those with room for a row below them
const LABEL = 132; // room for the name of a row
const ROWS = 9, LEVELS = 3;
const APART = (WIDTH - 2 * EDGE) / (STATIONS - 1);

export class Tree {
  /** @param svg @param hands what can be done: go, promote, remove; all with a node */
  constructor(svg, texts, signs, hands) {
    Object.assign(this, { svg, texts, signs, hands });
    svg.addEventListener("click", (event) => {
      const item = event.target.closest("[data-node]");
      if (item) hands.go(item.dataset.node);
    });
    svg.addEventListener("keydown", (event) => this.key(event));
  }

  /** Draws the surroundings of a node. `steps` are those of the game that may be seen. */
  draw(chapter, steps, node, name) {
    Object.assign(this, { chapter, steps, node, name });
    const hadFocus = this.svg.contains(document.activeElement);
    const { stations, rows, left } = layout(chapter, stationsAround(chapter, steps, node), node);
    const height = TOP + 20 + rows.length * ROW + (left ? 22 : 0);
    this.svg.setAttribute("viewBox", `0 0 ${WIDTH} ${height}`);
    this.svg.replaceChildren(
      shape("path", { class: styles("wire", "main"), d: `M14 ${TOP}H${WIDTH - 14}` }),
      ...rows.map((row) => shape("path", { class: `wire${row.isAssumed ? " assumed" : ""}`, d: wire(row) })),
      ...stations.map((station) => this.station(station)),
      ...rows.flatMap((row) => this.row(row)),
      ...(left ? [shape("text", { x: EDGE, y: height - 6, "aria-hidden": "true" }, said(this.texts.moreVariations, { count: left }))] : []));
    if (hadFocus) this.svg.querySelector('[aria-selected="true"]')?.focus({ preventScroll: true });
  }

  station({ version, x, more }) {
    const node = String(version), step = this.steps.get(version);
    const glyphs = this.chapter.notesAt(node).glyphs.join("");
    return this.item(node, x, TOP, { level: 1, seat: step?.seat ?? "", label: said(this.texts.treeStep, { version, text: step?.text ?? "" }) },
      shape("text", { class: "t", y: -18, "text-anchor": "middle" }, node),
      glyphs ? shape("text", { class: "gl", x: 13, y: -9 }, glyphs) : null,
      more ? shape("text", { y: 26, "text-anchor": "middle" }, `+${more}`) : null);
  }

  row(row) {
    const { label, nodes, x, y, level, before, after } = row;
    const text = this.chapter.at(nodes[0].id).story[0]?.text ?? this.texts.silent;
    const items = nodes.map(({ id, x: at }) => {
      const tried = this.chapter.at(id), glyphs = this.chapter.notesAt(id).glyphs.join("");
      const told = said(this.texts.treeMove, { label: tried.label, text: tried.story.map((line) => line.text).join(". ") || this.texts.silent });
      return this.item(id, at, y, { level: level + 1, seat: tried.seat, label: told, isAssumed: tried.kind === "assumption" },
        glyphs ? shape("text", { class: "gl", x: 9, y: -9 }, glyphs) : null);
    });
    const name = shortened(`${label} · ${text}`, (x - 18) / 5.5);
    const more = after ? said(this.texts.moreSteps, { count: after }) : "";
    return [
      shape("text", { class: "name", x: x - 15, y: y + 4, "text-anchor": "end", "aria-hidden": "true" }, before ? `… ${label}` : name),
      ...items,
      more ? shape("text", { x: nodes.at(-1).x + 17, y: y + 4, "aria-hidden": "true" }, more) : null].filter(Boolean);
  }

  item(node, x, y, { level, seat, label, isAssumed }, ...parts) {
    const isHere = node === this.node;
    return shape("g", { transform: `translate(${x.toFixed(1)} ${y})`, role: "treeitem", "aria-level": level, "aria-label": label,
      "aria-selected": String(isHere), tabindex: isHere ? 0 : -1, "data-node": node },
    shape("circle", { class: "hit", r: 16 }), isHere ? shape("circle", { class: "at", r: 14.5 }) : null,
    this.face(seat, isAssumed), ...parts);
  }

  face(seat, isAssumed) {
    if (!seat) return shape("circle", { class: isAssumed ? "assumption" : "nobody", r: isAssumed ? 7 : 5 });
    const chip = this.signs.chip(seat);
    for (const [name, value] of Object.entries({ x: -9, y: -9, width: 18, height: 18 })) chip.setAttribute(name, value);
    return chip;
  }

  // Keys

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const to = { ArrowLeft: () => this.back(), ArrowRight: () => this.on(), ArrowUp: () => this.up(), ArrowDown: () => this.down() }[event.key]?.();
    const act = { p: "promote", x: "remove", Delete: "remove" }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (to === undefined && !act) return;
    event.preventDefault();
    event.stopPropagation();
    if (act) this.hands[act](this.node);
    else if (to) this.hands.go(to);
  }

  on() {
    return isStep(this.node) ? this.step(1) : this.chapter.after(this.node)[0] ?? null;
  }

  back() {
    return this.chapter.parent(this.node) ?? this.step(-1);
  }

  /** The nearest step of the game in a direction. */
  step(way) {
    const versions = [...this.steps.keys()], at = Number(this.node);
    const found = way > 0 ? versions.find((version) => version > at) : versions.findLast((version) => version < at);
    return found === undefined ? null : String(found);
  }

  /** What was tried here; in a variation the next one, or what branches off further on. */
  down() {
    const { chapter, node } = this;
    if (isStep(node)) return chapter.after(node)[0] ?? null;
    return chapter.after(node)[1] ?? this.beside(1);
  }

  up() {
    return isStep(this.node) ? null : this.beside(-1) ?? this.chapter.parent(this.chapter.line(this.node)[0].id);
  }

  /** The variation before or after the one that the node is in. */
  beside(way) {
    const line = this.chapter.line(this.node).reverse();
    return line.map(({ id }) => this.chapter.beside(id, way)).find(Boolean) ?? null;
  }
}

/** The steps of the game to show: the one where the line of the node begins, and those around it that matter. */
function stationsAround(chapter, steps, node) {
  const here = chapter.step(node), noted = new Set(chapter.notedSteps);
  const shown = [...steps].filter(([version, { seat }]) => seat || noted.has(version) || version === here).map(([version]) => version);
  const first = Math.max(0, Math.min(shown.indexOf(here) - 2, shown.length - STATIONS));
  return shown.slice(first, first + STATIONS);
}

/** Where everything lies: stations on top, and the rows below them. */
export function layout(chapter, versions, node) {
  const rows = [];
  let left = 0;
  const stations = versions.map((version, index) => {
    const x = EDGE + index * APART, tried = chapter.after(String(version)), hasRoom = index < BRANCHING;
    if (hasRoom) for (const id of tried) add(id, x, TOP, 1);
    return { version, x, more: hasRoom ? 0 : tried.length };
  });
  return { stations, rows, left };

  function add(id, fromX, fromY, level) {
    if (rows.length >= ROWS || level > LEVELS) return left++;
    const row = placed(chapter, id, fromX, fromY, level, TOP + 4 + (rows.length + 1) * ROW, node);
    rows.push(row);
    for (const { id: at, x } of row.nodes) for (const other of chapter.after(at).slice(1)) add(other, x, row.y, level + 1);
  }
}

function placed(chapter, id, fromX, fromY, level, y, node) {
  const whole = chapter.row(id), x = Math.min(Math.max(fromX + 34, LABEL), WIDTH - 40);
  const room = Math.max(1, Math.floor((WIDTH - 52 - x) / GAP) + 1), here = whole.indexOf(node);
  const before = Math.max(0, Math.min(here - room + 1, whole.length - room));
  const shown = whole.slice(before, before + room);
  const { label, kind } = chapter.at(id);
  return {
    label, x, y, level, fromX, fromY, before, isAssumed: kind === "assumption",
    nodes: shown.map((one, index) => ({ id: one, x: x + index * GAP })),
    after: whole.length - before - shown.length,
  };
}

function wire({ fromX, fromY, x, y, nodes }) {
  return `M${fromX.toFixed(1)} ${fromY}C${(fromX + 14).toFixed(1)} ${fromY} ${(x - 30).toFixed(1)} ${y} ${(x - 8).toFixed(1)} ${y}H${nodes.at(-1).x.toFixed(1)}`;
}

function shortened(text, most) {
  return text.length > most ? `${text.slice(0, Math.max(3, Math.floor(most) - 1)).trimEnd()}…` : text;
}
