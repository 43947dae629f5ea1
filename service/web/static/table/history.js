// The history of the game: its story beside the board, and looking back while the game goes on.

import { Story } from "../replay/story.js";
import { Timeline } from "../replay/timeline.js";

const LINES = 2; // of the ticker

export class History {
  /** @param table @param source see replay/source.js @param first the version at which the table was set */
  constructor(table, source, first) {
    const { page, signs, names, texts } = table;
    Object.assign(this, { table, texts, list: page.querySelector('[data-part="story"]'), ticker: page.querySelector('[data-part="ticker"]') });
    this.timeline = new Timeline(source, table.viewer, first);
    this.story = null;
    this.make = () => new Story(this.list, signs, names, (version) => table.look(version));
    this.format = new Intl.DateTimeFormat(document.documentElement.lang || "en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  }

  /** Reads all of it, once. Steps that come meanwhile are there afterwards, too. */
  read(last) {
    this.reading ??= this.readAll(last);
    return this.reading;
  }

  async readAll(last) {
    await this.timeline.read(last);
    this.story = this.make();
    for (const step of this.timeline.steps) this.tell(step);
    this.now(this.timeline.last);
  }

  /** New steps, if the others are there already; else they will be read with them. */
  add(steps) {
    if (!this.story) return;
    for (const step of steps) {
      if (step.version !== this.timeline.last + 1) continue;
      this.timeline.steps.push(step);
      this.tell(step);
    }
    if (!this.table.looking) this.now(this.timeline.last);
  }

  /** Whether it has all steps up to this one. */
  has(version) {
    return this.story !== null && this.timeline.last >= version;
  }

  tell(step) {
    this.story.add(step, this.texts);
    for (const item of this.story.lines.get(step.version) ?? []) {
      const at = item.querySelector(".at");
      if (at) at.textContent = this.format.format(step.at);
    }
  }

  now(version) {
    this.story.now(version);
    this.toTheEnd();
    const lines = [...this.list.querySelectorAll(":scope > li.fact")].slice(-LINES);
    this.ticker.replaceChildren(...lines.map((line) => line.cloneNode(true)));
  }

  /** Once more when it is laid out: lines that were never seen have no size before. */
  toTheEnd() {
    const { list } = this, go = () => (list.scrollTop = list.scrollHeight);
    go();
    requestAnimationFrame(() => requestAnimationFrame(() => this.table.looking || go()));
  }

  get first() {
    return this.timeline.first;
  }

  get last() {
    return this.timeline.last;
  }

  scene(version) {
    return this.timeline.scene(version);
  }

  step(version) {
    return this.timeline.step(version);
  }
}
