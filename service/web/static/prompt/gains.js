// Points that somebody would get, at the panels of the players.

import { element } from "../replay/dom.js";

export class Gains {
  constructor() {
    this.shown = [];
  }

  show(beats) {
    this.clear();
    const points = new Map();
    for (const { kind, points: won } of beats) {
      for (const [seat, number] of kind === "score" ? Object.entries(won ?? {}) : []) points.set(seat, (points.get(seat) ?? 0) + number);
    }
    for (const [seat, number] of points) this.gain(seat, number);
  }

  gain(seat, number) {
    const panel = document.querySelector(`[data-panel="${CSS.escape(seat)}"]`);
    if (!panel || !number) return;
    const badge = element("span", { class: "would-gain" }, `+${number}`);
    panel.append(badge);
    this.shown.push(badge);
  }

  clear() {
    for (const badge of this.shown.splice(0)) badge.remove();
  }
}
