// The line to the service: it tells of every commit as it is made, and says when it is cut and when it holds again.

const AGAIN = [300, 1000, 2000, 4000, 8000]; // milliseconds until the next try
const QUIET = 20_000; // so long nothing comes until the table is asked whether the line still holds

export class Link {
  /** @param path of the game's interface @param version tells how much is known
   * @param newer is told that there is more, and up to which version, if that is known @param changed is told whether the line holds */
  constructor(path, version, newer, changed) {
    Object.assign(this, { path, version, newer, changed, isHeld: true, tries: 0 });
    addEventListener("offline", () => this.cut());
    addEventListener("online", () => this.open());
    addEventListener("pageshow", ({ persisted }) => persisted && this.open());
    document.addEventListener("visibilitychange", () => document.hidden || this.check());
    setInterval(() => document.hidden || this.check(), QUIET);
  }

  open() {
    this.close();
    const stream = this.stream = new EventSource(`${this.path}/stream?after=${this.version()}`);
    stream.addEventListener("open", () => this.holds());
    stream.addEventListener("commit", ({ lastEventId }) => this.newer(Number(lastEventId)));
    stream.addEventListener("end", () => this.finish());
    stream.addEventListener("bye", () => this.later());
    stream.addEventListener("error", () => this.cut());
  }

  close() {
    clearTimeout(this.timer);
    this.stream?.close();
    this.stream = null;
  }

  /** The game is over: nothing more will come. */
  stop() {
    this.isFinished = true;
    this.close();
  }

  finish() {
    this.stop();
    this.newer();
  }

  holds() {
    this.tries = 0;
    const wasHeld = this.isHeld;
    this.isHeld = true;
    if (!wasHeld) this.changed(true);
    this.newer();
  }

  cut() {
    if (this.isFinished) return;
    if (this.isHeld) {
      this.isHeld = false;
      this.changed(false);
    }
    this.later();
  }

  later() {
    this.close();
    if (this.isFinished) return;
    this.timer = setTimeout(() => this.open(), AGAIN[Math.min(this.tries++, AGAIN.length - 1)]);
  }

  /** A laptop that wakes up does not know yet that its line is dead. */
  check() {
    if (this.isFinished) return;
    if (this.stream) this.newer();
    else this.open();
  }
}
