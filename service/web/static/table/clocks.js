// The clocks of all seats: they count between two looks at the server's clock, and never announce themselves but for the
// reader's own last seconds.

import { duration } from "../replay/panels.js";

const LAST = [60, 20, 10]; // seconds of one's own that are told
const SHORT = 60_000, A_DAY = 86_400_000;

export class Clocks {
  /** @param own the reader's seat @param told is told the seconds that are left of one's own time */
  constructor(own, told) {
    Object.assign(this, { own, told, clock: null, spoken: new Set(), credited: new Set() });
    this.players = document.querySelector('[data-part="players"]');
    this.question = document.querySelector('[data-part="prompt"]');
    setInterval(() => this.tick(), 250);
  }

  /** What the server says now. */
  set(clock) {
    this.clock = clock;
    this.at = performance.now();
    this.spoken.clear();
    for (const seconds of LAST) if (this.left(this.own) < seconds * 1000) this.spoken.add(seconds);
    this.tick();
  }

  /** Time was given back at these seats. */
  credit(seats) {
    for (const seat of seats) this.credited.add(seat);
  }

  seat(seat) {
    return this.clock?.seats[seat] ?? null;
  }

  isRunning(seat) {
    return Boolean(this.seat(seat)?.running && !this.clock.paused);
  }

  /** Milliseconds that a seat has left now. */
  left(seat) {
    const known = this.seat(seat);
    if (!known) return Infinity;
    return known.remaining_ms - (this.isRunning(seat) ? performance.now() - this.at : 0);
  }

  /** How much of its time for this decision a seat has left, from 1 to 0. */
  share(seat) {
    const known = this.seat(seat);
    if (!this.whole || this.whole.deadline !== known?.deadline_at) this.whole = { deadline: known?.deadline_at, ms: Math.max(1, this.left(seat)) };
    return Math.min(1, Math.max(0, this.left(seat) / this.whole.ms));
  }

  /** Whether seconds count in this game. */
  get isSlow() {
    return Object.values(this.clock?.seats ?? {}).some(({ remaining_ms }) => remaining_ms > A_DAY / 2);
  }

  tick() {
    for (const node of this.players.querySelectorAll("[data-clock]")) this.show(node, node.dataset.clock);
    for (const ring of this.question.querySelectorAll("[data-ring]")) this.ring(ring);
    const seconds = Math.ceil(this.left(this.own) / 1000);
    if (!this.isRunning(this.own)) return;
    for (const last of LAST) {
      if (seconds > last || this.spoken.has(last)) continue;
      this.spoken.add(last);
      this.told(Math.max(0, seconds), true);
    }
    if (seconds <= LAST[1]) this.told(Math.max(0, seconds), false);
  }

  show(node, seat) {
    const left = this.left(seat), text = left === Infinity ? "" : duration(left), known = this.seat(seat);
    const label = node.querySelector("span") ?? node;
    if (label.textContent !== text) label.textContent = text;
    node.classList.toggle("running", this.isRunning(seat));
    node.classList.toggle("short", this.isRunning(seat) && left < SHORT);
    node.classList.toggle("paused", Boolean(this.clock?.paused));
    node.classList.toggle("late", (known?.strikes ?? 0) > 0);
    node.classList.toggle("credited", this.credited.has(seat));
  }

  ring(node) {
    const length = 2 * Math.PI * 21;
    node.querySelector(".left").setAttribute("stroke-dasharray", `${length * this.share(this.own)} ${length}`);
    const seconds = Math.max(0, Math.ceil(this.left(this.own) / 1000));
    node.querySelector("text").textContent = seconds > 99 ? `${Math.ceil(seconds / 60)}′` : String(seconds);
  }
}
