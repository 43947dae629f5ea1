// A draft on the map: piles with their new numbers, badges, dashed ghosts, numbered arrows, a piece that is lifted.

import { shape } from "../replay/dom.js";
import { styles } from "./words.js";

const FRAME = 75; // units of the ground: half a cell

export class Marks {
  constructor(board) {
    this.board = board;
    this.faded = new Set();
  }

  /** @param {SVGElement} layer @param {{piles, arrows, lifted, turned}} draft what there is to draw */
  draw(layer, { piles = [], arrows = [], lifted = null, turned = null }) {
    this.clear(layer);
    for (const arrow of arrows) layer.append(drawnArrow(arrow));
    for (const pile of piles) this.pile(layer, pile);
    if (lifted) this.lift(layer, lifted);
    if (turned) this.turned(layer, turned);
  }

  /** A thing in the place that was picked for it, and a button that turns it. */
  turned(layer, { symbol, texts, point: [x, y], turn }) {
    this.put(layer, symbol, texts, [x, y], styles("draft", "placed"));
    layer.append(shape("rect", { class: "placed-frame", x: x - FRAME, y: y - FRAME, width: 2 * FRAME, height: 2 * FRAME }));
    if (!turn) return;
    const node = shape("g", { class: "turner", role: "button", "aria-label": turn.label, transform: at([x, y - FRAME]) }, shape("circle", { r: 21 }), turn.icon);
    turn.icon.setAttribute("x", -13);
    turn.icon.setAttribute("y", -13);
    turn.icon.setAttribute("width", 26);
    turn.icon.setAttribute("height", 26);
    node.addEventListener("click", (event) => {
      event.stopPropagation();
      turn.act();
    });
    layer.append(node);
  }

  clear(layer) {
    for (const node of this.faded) node.classList.remove("faded");
    this.faded.clear();
    layer.replaceChildren();
  }

  /** The pile as it will be; the one that stands there is not seen meanwhile. */
  pile(layer, { sprite, seat, point, change, back, label }) {
    if (!point || !change) return;
    const before = Number(sprite?.texts?.[0]), isNumbered = Number.isInteger(before) || !sprite;
    const after = Math.max(0, (before || 0) + change), symbol = sprite?.symbol ?? this.board.ground.tokens[seat];
    if (this.board.ground.symbols[symbol]) {
      this.fade(sprite);
      this.put(layer, symbol, [isNumbered ? String(after) : ""], point, styles("draft", (!sprite || !after) && "ghost"));
    }
    layer.append(badge(point, change, back, label));
  }

  lift(layer, { sprite, point }) {
    this.fade(sprite);
    this.put(layer, sprite.symbol, sprite.texts ?? [], point, styles("draft", "lifted"));
  }

  put(layer, symbol, texts, point, style) {
    const node = this.board.symbol(symbol, texts);
    node.setAttribute("class", style);
    node.setAttribute("transform", at(point));
    layer.append(node);
  }

  fade(sprite) {
    const node = sprite && this.board.drawn.get(sprite.key)?.node;
    if (!node) return;
    node.classList.add("faded");
    this.faded.add(node);
  }
}

function at([x, y]) {
  return `translate(${x} ${y})`;
}

/** `+2` above a pile; pressing it takes one back. The keyboard does so at the pile itself. */
function badge([x, y], change, back, label) {
  const text = change > 0 ? `+${change}` : `−${-change}`, width = 22 + 12 * text.length;
  const node = shape("g", { class: styles("plus", back && "back"), transform: at([x + 2, y - 36]) },
    shape("rect", { x: -width / 2, y: -15, width, height: 30, rx: 15 }),
    shape("text", { y: 8.5 }, text));
  if (!back) return node;
  node.setAttribute("role", "button");
  node.setAttribute("aria-label", label);
  node.addEventListener("click", (event) => {
    event.stopPropagation();
    back();
  });
  return node;
}

const HEAD = "M14 0L-10-12L-5 0L-10 12Z";

/** An arrow between two pieces, slightly bent, with its number in the middle. */
export function drawnArrow({ start, end, number = "", style = "" }) {
  const [x1, y1] = start, [x2, y2] = end;
  const far = Math.hypot(x2 - x1, y2 - y1) || 1, ux = (x2 - x1) / far, uy = (y2 - y1) / far;
  const from = [x1 + ux * 26, y1 + uy * 26], to = [x2 - ux * 34, y2 - uy * 34], bend = Math.min(60, far / 5);
  const middle = [(from[0] + to[0]) / 2 - uy * bend, (from[1] + to[1]) / 2 + ux * bend];
  const path = `M${from}Q${middle} ${to}`, half = [0, 1].map((axis) => (from[axis] + 2 * middle[axis] + to[axis]) / 4);
  const turned = `translate(${to}) rotate(${(Math.atan2(to[1] - middle[1], to[0] - middle[0]) * 180) / Math.PI})`;
  const arrow = shape("g", { class: styles("mark-arrow", style) },
    shape("path", { class: "case", d: path }), shape("path", { class: "case-head", d: HEAD, transform: turned }),
    shape("path", { class: "shaft", d: path }), shape("path", { class: "head", d: HEAD, transform: turned }));
  if (number !== "") arrow.append(shape("circle", { cx: half[0], cy: half[1], r: 15 }), shape("text", { x: half[0], y: half[1] + 7 }, String(number)));
  return arrow;
}
