// The viewer of a game from a file: what the page does not bring along is told of the file again, and kept nowhere.

import { said } from "./dom.js";
import { Viewer } from "./viewer.js";

const given = (id) => JSON.parse(document.getElementById(id).textContent);
const page = document.querySelector("[data-replay]"), texts = given("texts");

class FileGame {
  constructor({ text, viewer, steps }, outline) {
    this.bytes = new TextEncoder().encode(text);
    this.known = outline;
    this.told = new Map([[viewer, steps]]);
  }

  async outline() {
    return this.known;
  }

  async steps(viewer, after, limit) {
    if (!this.told.has(viewer)) this.told.set(viewer, (await this.asked({ viewer })).steps);
    const steps = this.told.get(viewer).slice(after, after + limit);
    return { steps, next: after + limit < this.known.last ? after + limit : null };
  }

  scene(viewer, version) {
    return this.asked({ viewer, version });
  }

  async exported() {
    return this.bytes;
  }

  async asked(values) {
    const query = new URLSearchParams(values);
    const answer = await fetch(`/replay/told?${query}`, { method: "POST", body: this.bytes, credentials: "omit" });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.detail ?? answer.statusText);
    return body;
  }
}

class FileViewer extends Viewer {
  /** A step of a file has no address: it is kept nowhere. */
  addressed() {}

  /** Nothing follows in a file. */
  follow() {}
}

const game = given("game");
new FileViewer(page, new FileGame(given("file"), game.outline), game, texts).begin().catch((problem) => {
  page.querySelector('[data-part="toast"]').textContent = said(texts.trouble, { problem: problem.message });
});
