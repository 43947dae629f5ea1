// A game in a frame of another site: the board, one step after the other. Nobody is signed in here.

import { Board, calm } from "./board.js";
import { listen, pressable } from "./keys.js";
import { StoredGame } from "./source.js";
import { Timeline } from "./timeline.js";

const given = (id) => JSON.parse(document.getElementById(id).textContent);
const page = document.querySelector("[data-replay]"), { outline, ground } = given("game");
const part = (name) => page.querySelector(`[data-part="${name}"]`);

class Embedded {
  constructor() {
    this.version = Number(page.dataset.step);
    this.board = new Board(page.querySelector("svg[data-board]"), ground);
    this.timeline = new Timeline(new StoredGame(page.dataset.game, { credentials: "omit" }), page.dataset.viewer, outline.first);
  }

  async begin() {
    await this.timeline.read(outline.last);
    listen(page, (name, how) => this.act(name, how));
    pressable(page);
    this.go(this.version);
    page.dataset.ready = "";
  }

  act(name, { isHeld = false } = {}) {
    const to = { previous: this.version - 1, next: this.version + 1, first: this.timeline.first, last: this.timeline.last }[name];
    if (to !== undefined) this.go(to, name === "next" && !isHeld);
  }

  async go(to, animate = false) {
    const { timeline } = this, version = Math.min(Math.max(to, timeline.first), timeline.last), step = timeline.step(version);
    const isNext = version === this.version + 1, turn = this.turn = (this.turn ?? 0) + 1;
    this.version = version;
    this.board.finish();
    this.told(step);
    this.board.frame(timeline.scene(version).view);
    if (animate && isNext && !calm.matches) {
      this.board.show(timeline.scene(version - 1).sprites);
      await this.board.play(step.beats, 1, (seat) => page.querySelector(`[data-panel="${seat}"]`));
      if (turn !== this.turn) return;
    }
    this.board.show(timeline.scene(version).sprites, version === timeline.first ? [] : step.changed);
    for (const { seat } of outline.seats) page.querySelector(`[data-panel="${seat}"] .points`).textContent = String(step.scores[seat] ?? 0);
  }

  told(step) {
    part("told").textContent = step.story.map(({ text }) => text).join(". ");
    part("at").textContent = String(step.version);
    const whole = new URL(part("whole").href);
    whole.searchParams.set("step", step.version);
    part("whole").href = whole.href;
  }
}

new Embedded().begin();
