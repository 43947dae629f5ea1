// The prompt of the studio. Most readers never try a move: its scripts are read when something is asked for the first time.

export class Asking {
  /** @param needs what the prompt is made of @param refused is told if its scripts cannot be read */
  constructor(needs, refused) {
    Object.assign(this, { needs, refused, turn: 0 });
  }

  /** Asks, unless something else was asked, or nothing any more, while the scripts were read. */
  async ask(question, hands) {
    const turn = ++this.turn;
    if (!this.prompt) await this.read();
    if (turn === this.turn) this.prompt?.ask(question, hands);
  }

  clear() {
    this.turn++;
    this.prompt?.clear();
  }

  async read() {
    try {
      const { Prompt } = await import("../prompt/prompt.js");
      this.prompt ??= new Prompt(...this.needs);
    } catch (problem) {
      this.refused(problem);
    }
  }
}
