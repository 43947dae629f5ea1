// The table over the wire.

import { Connection } from "/client/connection.js";

const PATIENCE = 8; // seconds for what is only looked at; a move is sent again for longer
const NOTICES = "/me/notices";

export class TableClient {
  /** @param waits is told that a move has not arrived yet, and is sent again */
  constructor(game, csrf, waits = () => {}) {
    this.path = `/games/${encodeURIComponent(game)}`;
    this.writing = new Connection("", { retryFor: 600, onRetry: waits });
    this.reading = new Connection("", { retryFor: 0, timeout: PATIENCE });
    this.writing.csrf = this.reading.csrf = csrf || null;
  }

  /** The table now, with all steps after a version. */
  async table(after) {
    const read = async (from) => (await this.reading.send("GET", `${this.path}/table`, { query: { after: from } })).json();
    let table = await read(after);
    while (table.next) {
      const more = await read(table.next);
      table = { ...more, steps: [...table.steps, ...more.steps] };
    }
    return table;
  }

  async preview({ move }) {
    return (await this.reading.send("POST", `${this.path}/moves`, { query: { dry_run: true, beats: true }, body: move })).json();
  }

  move(move) {
    return this.write("POST", "/moves", move);
  }

  async ledger() {
    return (await this.reading.send("GET", `${this.path}/clock`, {})).json();
  }

  async notices() {
    return (await this.reading.send("GET", NOTICES, {})).json();
  }

  async chooseNotices(chosen) {
    return (await this.writing.send("PUT", NOTICES, { body: chosen })).json();
  }

  async write(method, path, body = {}) {
    return (await this.writing.send(method, this.path + path, { body })).json();
  }
}
