// The study over the wire: reading it, and editing it in the order in which its members act.

import { Connection } from "/client/connection.js";

const A_DAY = 86_400; // seconds: so long an edit waits for the connection to come back

export class StudyClient {
  /** @param listen is told `saving`, `waiting` for a connection, `saved` or `refused` */
  constructor(study, key, listen = () => {}) {
    this.path = `/studies/${study}`;
    this.query = key ? { key } : {};
    this.listen = listen;
    this.connection = new Connection("", { retryFor: A_DAY, onRetry: () => listen(this.open ? "waiting" : "saved") });
    this.last = Promise.resolve();
    this.open = 0;
  }

  study() {
    return this.read("");
  }

  /** A chapter; of very many tried moves, only those near a node. */
  chapter(id, viewer, around) {
    return this.read(`/chapters/${id}`, { viewer, around });
  }

  position(chapter, node, viewer) {
    return this.read(`/chapters/${chapter}/nodes/${node}`, { viewer });
  }

  history(query) {
    return this.read("/history", query);
  }

  async read(path, query = {}) {
    const reply = await this.connection.send("GET", this.path + path, { query: { ...this.query, ...query } });
    return reply.json();
  }

  /** One edit after the other: the next one waits for the answer. */
  edit(edit) {
    const send = () => this.counted(() => this.write("/edits", edit));
    this.last = this.last.then(send, send);
    return this.last;
  }

  preview(chapter, node, answer) {
    return this.write(`/chapters/${chapter}/nodes/${node}/preview`, answer);
  }

  guess(chapter, node, answer) {
    return this.write(`/chapters/${chapter}/nodes/${node}/guess`, answer);
  }

  /** Tells the others where this reader is. Nobody misses it if it does not arrive. */
  async present(where) {
    try {
      await this.connection.send("POST", `${this.path}/presence`, { query: this.query, body: where, signal: AbortSignal.timeout(5000) });
    } catch {
      // The next one is sent in some seconds.
    }
  }

  async markdown(text) {
    return (await this.connection.send("POST", "/studies/markdown", { body: { text } })).json();
  }

  async remove() {
    await this.connection.send("DELETE", this.path);
  }

  async write(path, body) {
    const reply = await this.connection.send("POST", this.path + path, { query: this.query, body });
    return reply.text ? reply.json() : null;
  }

  async counted(send) {
    this.open += 1;
    this.listen("saving");
    try {
      const answer = await send();
      this.open -= 1;
      if (!this.open) this.listen("saved");
      return answer;
    } catch (problem) {
      this.open -= 1;
      this.listen("refused");
      throw problem;
    }
  }
}
