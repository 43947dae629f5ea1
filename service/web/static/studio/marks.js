// Arrows and highlights on the board, as the notes of a node have them, and the draft of a new one.

import { styles } from "../prompt/words.js";
import { shape } from "../replay/dom.js";

const BEND = 40, HEAD = 24;

export class Marks {
  constructor(board, names) {
    this.board = board;
    this.names = names;
    this.layer = shape("g", { class: "noted-marks", "aria-hidden": "true" });
    this.draft = shape("g", { class: "draft-marks", "aria-hidden": "true" });
    board.layers.get("marks").after(this.layer, this.draft);
  }

  show(marks) {
    this.layer.replaceChildren(...marks.map((mark) => this.drawn(mark)).filter(Boolean));
  }

  drawn({ kind, source, target }) {
    const { spaces, symbols } = this.board.ground;
    if (kind === "highlight") return symbols[`noted-${source}`] ? this.outlined(source) : null;
    return spaces[source] && spaces[target] ? arrow(spaces[source], spaces[target], "mark-note") : null;
  }

  outlined(space) {
    const node = this.board.symbol(`noted-${space}`, []);
    node.setAttribute("class", "region-note");
    return node;
  }

  /** What would be drawn: an arrow from a space to a point, with the name of the space that it reaches. */
  drawing(kind, source, point, target, label) {
    const parts = [];
    if (kind === "highlight" && target) parts.push(this.outlined(target));
    if (kind === "arrow" && source) {
      const from = this.board.ground.spaces[source];
      if (Math.hypot(point[0] - from[0], point[1] - from[1]) > HEAD) parts.push(arrow(from, point, styles("mark-note", "draft")));
      parts.push(shape("circle", { class: "hand-dot", cx: from[0], cy: from[1], r: 8 }), shape("circle", { class: "hand-dot", cx: point[0], cy: point[1], r: 11 }));
    }
    if (label) parts.push(this.label(label, point));
    this.draft.replaceChildren(...parts);
  }

  label(text, [x, y]) {
    const width = 22 + text.length * 9.4, { width: whole, height } = this.board.svg.viewBox.baseVal;
    const at = [Math.min(Math.max(x, width / 2 + 6), whole - width / 2 - 6), y + 62 > height ? y - 46 : y + 44];
    return shape("g", { transform: `translate(${at[0].toFixed(1)} ${at[1].toFixed(1)})` },
      shape("rect", { class: "drawing-bed", x: -width / 2, y: -18, width, height: 32, rx: 7 }),
      shape("text", { class: "drawing", y: 5 }, text));
  }

  clear() {
    this.draft.replaceChildren();
  }
}

/** An arrow, slightly bent, with a pale case around it. */
export function arrow([x1, y1], [x2, y2], style) {
  const far = Math.hypot(x2 - x1, y2 - y1) || 1, bend = Math.min(BEND, far / 4);
  const cx = (x1 + x2) / 2 + ((y2 - y1) / far) * bend, cy = (y1 + y2) / 2 - ((x2 - x1) / far) * bend;
  const angle = Math.atan2(y2 - cy, x2 - cx);
  const at = (away, turn) => `${(x2 - away * Math.cos(angle + turn)).toFixed(1)},${(y2 - away * Math.sin(angle + turn)).toFixed(1)}`;
  const shaft = `M${x1},${y1}Q${cx.toFixed(1)},${cy.toFixed(1)},${at(14, 0)}`;
  const head = `M${x2},${y2}L${at(HEAD, 0.5)}L${at(HEAD * 0.7, 0)}L${at(HEAD, -0.5)}Z`;
  return shape("g", { class: `mark-arrow ${style}` }, shape("path", { class: "case", d: shaft }), shape("path", { class: "case-head", d: head }),
    shape("path", { class: "shaft", d: shaft }), shape("path", { class: "head", d: head }));
}
