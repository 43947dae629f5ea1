// The slider of the timeline: rounds as ticks, general scorings as crowns, steps with notes as dots.

import { said, shape } from "./dom.js";

const EDGE = 10, HEIGHT = 36, NARROWEST = 120;
const CROWN = "M-15 9.5L-18.5-8.5L-8.5-1.5L0-14.5L8.5-1.5L18.5-8.5L15 9.5Z";

export class Scrub {
  constructor(svg, texts, go) {
    this.svg = svg;
    this.texts = texts;
    this.go = go;
    svg.addEventListener("pointerdown", (event) => this.drag(event));
    new ResizeObserver(() => this.resized()).observe(svg);
  }

  /** It is as wide as there is room, and its digits are always of the same size. */
  resized() {
    if (this.marks && this.svg.clientWidth !== this.width) this.draw(this.first, this.last, this.marks);
  }

  /** Draws the marks of a game between its first and last step. */
  draw(first, last, marks) {
    Object.assign(this, { first, last, marks, width: Math.max(NARROWEST, this.svg.clientWidth) });
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    const parts = [shape("path", { class: "track", d: `M${EDGE} 11H${this.width - EDGE}` })];
    this.past = shape("path", { class: "past" });
    this.knob = shape("circle", { class: "knob", cy: 11, r: 8 });
    const rounds = marks.filter(({ kind }) => kind === "round");
    for (const { version, number } of rounds) {
      parts.push(shape("path", { class: "tick", d: `M${this.x(version)} 18v5` }));
      parts.push(shape("text", { x: this.x(version) + 12, y: 32 }, String(number)));
    }
    const crowns = marks.filter(({ kind }) => kind === "scoring").map(({ version }) =>
      shape("path", { class: "crownlet", d: CROWN, transform: `translate(${this.x(version)} 11) scale(.4)` }));
    this.notes = shape("g", { class: "noted" });
    this.svg.replaceChildren(...parts, this.past, ...crowns, this.notes, this.knob);
    this.svg.setAttribute("aria-valuemin", first);
    this.svg.setAttribute("aria-valuemax", last);
    this.noted(this.versions ?? []);
    if (this.step) this.now(this.step);
  }

  /** Puts a dot over every step at which something is noted. */
  noted(versions) {
    this.versions = versions;
    this.notes.replaceChildren(...versions.map((version) => shape("circle", { cx: this.x(version), cy: 2, r: 3 })));
  }

  x(version) {
    const share = this.last > this.first ? (version - this.first) / (this.last - this.first) : 0;
    return EDGE + share * (this.width - 2 * EDGE);
  }

  now(step) {
    this.step = step;
    this.past.setAttribute("d", `M${EDGE} 11H${this.x(step.version)}`);
    this.knob.setAttribute("cx", this.x(step.version));
    this.svg.setAttribute("aria-valuenow", step.version);
    const sentence = step.story.at(0)?.text ?? "";
    this.svg.setAttribute("aria-valuetext", said(this.texts.step, { version: step.version, round: step.round, sentence }));
  }

  drag(event) {
    this.svg.setPointerCapture(event.pointerId);
    const move = ({ clientX }) => {
      const box = this.svg.getBoundingClientRect();
      const share = (clientX - box.left - EDGE) / (box.width - 2 * EDGE);
      this.go(this.first + Math.round(Math.min(1, Math.max(0, share)) * (this.last - this.first)));
    };
    move(event);
    this.svg.addEventListener("pointermove", move);
    const end = () => this.svg.removeEventListener("pointermove", move);
    this.svg.addEventListener("pointerup", end, { once: true });
    this.svg.addEventListener("pointercancel", end, { once: true });
  }
}
