// Studies: games with what people write, draw and try at their steps.

import { followHistory } from "./streams.js";

/** @typedef {Record<string, any> & { id: string, version: number, title: string }} Study */
/** @typedef {{ key?: string, viewer?: string, signal?: AbortSignal }} StudyReading  The key of a link; through whose eyes. */

/** Studies of a service: `hidalgo.studies`. */
export class Studies {
  #hidalgo;
  #listen;

  /**
   * @param {{ request: (method: string, path: string, request?: any) => Promise<any> }} hidalgo
   * @param {(name: string, path: string, from: any) => AsyncIterable<any>} listen
   */
  constructor(hidalgo, listen) {
    this.#hidalgo = hidalgo;
    this.#listen = listen;
  }

  /**
   * Studies that you may see, the newest first, page by page.
   * @param {{ query?: string, owner?: string, member?: "me", game?: string, limit?: number }} [wanted]
   * @returns {AsyncGenerator<Record<string, any>, void, void>}
   */
  async *find(wanted = {}) {
    let page = await this.#get("", { limit: 100, ...wanted });
    yield* page.studies;
    while (page.next) {
      page = await this.#get("", { limit: 100, ...wanted, cursor: page.next });
      yield* page.studies;
    }
  }

  /**
   * A study of yours; with a game it has a first chapter.
   * @param {{ title: string, visibility?: string, game?: string, viewer?: string, chapter_title?: string }} wanted
   * @returns {Promise<Study>}
   */
  create(wanted) {
    return this.#post("", wanted);
  }

  /**
   * @param {Study | string} study
   * @param {StudyReading} [reading]
   * @returns {Promise<Study>}
   */
  look(study, reading) {
    return this.#get(studyPath(study), reading);
  }

  /**
   * Everything that is written, drawn and tried in a chapter.
   * @param {Study | string} study
   * @param {string} chapter
   * @param {StudyReading} [reading]
   * @returns {Promise<Record<string, any>>}
   */
  chapter(study, chapter, reading) {
    return this.#get(studyPath(study, "chapters", chapter), reading);
  }

  /**
   * The position after a step of the game, by its version, or after a tried move.
   * @param {Study | string} study
   * @param {string} chapter
   * @param {string | number} node
   * @param {StudyReading} [reading]
   * @returns {Promise<Record<string, any>>}
   */
  position(study, chapter, node, reading) {
    return this.#get(studyPath(study, "chapters", chapter, "nodes", String(node)), reading);
  }

  /**
   * One change: `edit(study, { kind: "write_comment", chapter, node, text })`. That of the kind `try_move` answers the new
   * node, and the position after it.
   * @param {Study | string} study
   * @param {Record<string, any> & { kind: string }} edit
   * @param {StudyReading} [reading]
   * @returns {Promise<Record<string, any>>}
   */
  edit(study, edit, reading) {
    return this.#post(studyPath(study, "edits"), edit, reading);
  }

  /**
   * What would follow from a move; nothing is kept.
   * @param {Study | string} study
   * @param {string} chapter
   * @param {string | number} node
   * @param {{ seat: string, move: Record<string, any> }} move
   * @param {StudyReading} [reading]
   * @returns {Promise<Record<string, any>>}
   */
  preview(study, chapter, node, move, reading) {
    return this.#post(studyPath(study, "chapters", chapter, "nodes", String(node), "preview"), move, reading);
  }

  /**
   * Whether a move is the one that was played, and what the study says of it.
   * @param {Study | string} study
   * @param {string} chapter
   * @param {string | number} node
   * @param {{ seat: string, move: Record<string, any> }} move
   * @param {StudyReading} [reading]
   * @returns {Promise<Record<string, any>>}
   */
  guess(study, chapter, node, move, reading) {
    return this.#post(studyPath(study, "chapters", chapter, "nodes", String(node), "guess"), move, reading);
  }

  /**
   * Changes, the newest first: `{ edits, next }`.
   * @param {Study | string} study
   * @param {StudyReading & { limit?: number, before?: number }} [reading]
   * @returns {Promise<{ edits: Record<string, any>[], next: number | null }>}
   */
  history(study, reading) {
    return this.#get(studyPath(study, "history"), reading);
  }

  /**
   * The edits after a version, as they are made, without end; none is left out and none comes twice.
   * @param {Study | string} study
   * @param {{ after: number, key?: string, pause?: number, signal?: AbortSignal }} from
   * @returns {AsyncGenerator<Record<string, any> & { version: number }, void, void>}
   */
  stream(study, { after, key, pause = 1, signal }) {
    const path = studyPath(study, "stream");
    return followHistory(
      {
        stream: (after) => this.#listen("edit", path, { after, query: { key }, signal }),
        history: () => this.#edits(study, { key, signal }),
        pause,
        signal,
      },
      after,
    );
  }

  /**
   * @param {Study | string} study
   * @param {StudyReading} reading
   * @returns {AsyncGenerator<Record<string, any> & { version: number }, void, void>}
   */
  async *#edits(study, reading) {
    let page = await this.#get(studyPath(study, "history"), { ...reading, limit: 100 });
    yield* page.edits;
    while (page.next) {
      page = await this.#get(studyPath(study, "history"), { ...reading, limit: 100, before: page.next });
      yield* page.edits;
    }
  }

  /**
   * Tell the other members where you are; it counts for 25 seconds.
   * @param {Study | string} study
   * @param {{ chapter?: string, node?: string, is_writing?: boolean }} where
   * @param {StudyReading} [reading]
   * @returns {Promise<void>}
   */
  async present(study, where, reading = {}) {
    const { signal, ...query } = reading;
    await this.#hidalgo.request("POST", studyPath(study, "presence"), { query, body: where, signal });
  }

  /**
   * A file, as `json` or as `text`.
   * @param {Study | string} study
   * @param {StudyReading & { format?: "json" | "text" }} [reading]
   * @returns {Promise<string>}
   */
  async export(study, reading = {}) {
    const { signal, ...query } = reading;
    return (await this.#hidalgo.request("GET", studyPath(study, "export"), { query, signal })).text;
  }

  /**
   * A new study of yours, from a file.
   * @param {{ format: "json" | "text", document: string, visibility?: string }} file
   * @returns {Promise<Study>}
   */
  importFile(file) {
    return this.#post("/studies/import", file);
  }

  /**
   * @param {Study | string} study
   * @returns {Promise<void>}
   */
  async delete(study) {
    await this.#hidalgo.request("DELETE", studyPath(study));
  }

  /**
   * @param {string} path
   * @param {StudyReading & Record<string, any>} [reading]
   */
  async #get(path, { signal, ...query } = {}) {
    return (await this.#hidalgo.request("GET", path || "/studies", { query, signal })).json();
  }

  /**
   * @param {string} path
   * @param {Record<string, any>} body
   * @param {StudyReading} [reading]
   */
  async #post(path, body, { signal, ...query } = {}) {
    return (await this.#hidalgo.request("POST", path || "/studies", { query, body, signal })).json();
  }
}

/**
 * @param {Study | string} study
 * @param {string[]} more
 */
function studyPath(study, ...more) {
  return ["/studies", ...[typeof study === "string" ? study : study.id, ...more].map(encodeURIComponent)].join("/");
}
