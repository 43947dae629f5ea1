// Tournaments: registration, rounds, standings, rulings.

import { followHistory } from "./streams.js";

const ROWS = 100;

/** @typedef {Record<string, any> & { id: string, version: number, title: string }} Tournament */
/** @typedef {{ at: number, by: Record<string, any>, facts: { fact: string, text: string | null }[], hash: string,
 *   version: number }} TournamentCommit */
/** @typedef {Record<string, any> & { kind: string }} TournamentAction  Such as `{ kind: "register" }`. */
/** @typedef {{ signal?: AbortSignal }} TournamentReading */
/** @typedef {TournamentReading & { idempotencyKey?: string }} TournamentWriting */

/** Tournaments of a service: `hidalgo.tournaments`. People are named by their handles. */
export class Tournaments {
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
   * Public tournaments, the newest first, page by page; with `mine`, those that you play in or run.
   * @param {{ status?: string, mine?: boolean, limit?: number }} [wanted]
   * @param {TournamentReading} [reading]
   * @returns {AsyncGenerator<Tournament, void, void>}
   */
  find(wanted = {}, reading = {}) {
    return this.#rows("/tournaments", "tournaments", "cursor", wanted, reading);
  }

  /**
   * Agreements for common events.
   * @param {TournamentReading} [reading]
   * @returns {Promise<Record<string, any>[]>}
   */
  async presets(reading) {
    return (await this.#get("/tournaments/presets", {}, reading)).presets;
  }

  /**
   * How so many players are split into tables, and how many rounds they can play without meeting twice.
   * @param {{ players: number, size: number, sizes?: number[], rounds?: number }} wanted
   * @param {TournamentReading} [reading]
   * @returns {Promise<Record<string, any>>}
   */
  plan(wanted, reading) {
    return this.#post("/tournaments/plan", wanted, reading);
  }

  /**
   * A tournament of yours, open for players: what is given, and for the rest what the preset says.
   * @param {Record<string, any> & { title: string, game: string, preset?: string }} wanted
   * @param {TournamentWriting} [writing]
   * @returns {Promise<Tournament>}
   */
  create(wanted, writing) {
    return this.#post("/tournaments", wanted, writing);
  }

  /**
   * @param {Tournament | string} tournament
   * @param {TournamentReading} [reading]
   * @returns {Promise<Tournament>}
   */
  look(tournament, reading) {
    return this.#get(tournamentPath(tournament), {}, reading);
  }

  /**
   * One action of a player or of staff: `act(event, { kind: "start" })`.
   * @param {Tournament | string} tournament
   * @param {TournamentAction} action
   * @param {TournamentWriting} [writing]
   * @returns {Promise<Record<string, any>>}
   */
  act(tournament, action, writing) {
    return this.#post(tournamentPath(tournament, "actions"), action, writing);
  }

  /**
   * What a ruling would change; nothing is done.
   * @param {Tournament | string} tournament
   * @param {TournamentAction} ruling
   * @param {TournamentReading} [reading]
   * @returns {Promise<Record<string, any>>}
   */
  preview(tournament, ruling, reading) {
    return this.#post(tournamentPath(tournament, "actions", "preview"), ruling, reading);
  }

  /**
   * In the order of their starting numbers.
   * @param {Tournament | string} tournament
   * @param {{ limit?: number }} [wanted]
   * @param {TournamentReading} [reading]
   * @returns {AsyncGenerator<Record<string, any>, void, void>}
   */
  players(tournament, wanted = {}, reading = {}) {
    return this.#rows(tournamentPath(tournament, "players"), "players", "begin", wanted, reading);
  }

  /**
   * A round with all its tables; with `player`, a handle or `me`, that of this player.
   * @param {Tournament | string} tournament
   * @param {number} number
   * @param {{ player?: string, limit?: number }} [wanted]
   * @param {TournamentReading} [reading]
   * @returns {Promise<Record<string, any>>}
   */
  async round(tournament, number, wanted = {}, reading = {}) {
    const path = tournamentPath(tournament, "rounds", String(number));
    const query = { limit: ROWS, ...wanted };
    const first = await this.#get(path, query, reading);
    const tables = [...first.tables];
    for (let { next } = first; next !== null; ) {
      const page = await this.#get(path, { ...query, begin: next }, reading);
      tables.push(...page.tables);
      ({ next } = page);
    }
    return { ...first, tables, next: null };
  }

  /**
   * A table, counted from 0, and why these players sit at it.
   * @param {Tournament | string} tournament
   * @param {number} round
   * @param {number} table
   * @param {TournamentReading} [reading]
   * @returns {Promise<Record<string, any>>}
   */
  table(tournament, round, table, reading) {
    const path = tournamentPath(tournament, "rounds", String(round), "tables", String(table));
    return this.#get(path, {}, reading);
  }

  /**
   * Rows, the first player first; with `round`, as they were after it.
   * @param {Tournament | string} tournament
   * @param {{ round?: number, limit?: number }} [wanted]
   * @param {TournamentReading} [reading]
   * @returns {AsyncGenerator<Record<string, any>, void, void>}
   */
  standings(tournament, wanted = {}, reading = {}) {
    return this.#rows(tournamentPath(tournament, "standings"), "rows", "begin", wanted, reading);
  }

  /**
   * Every player's rounds in a row.
   * @param {Tournament | string} tournament
   * @param {{ limit?: number }} [wanted]
   * @param {TournamentReading} [reading]
   * @returns {AsyncGenerator<Record<string, any>, void, void>}
   */
  crosstable(tournament, wanted = {}, reading = {}) {
    return this.#rows(tournamentPath(tournament, "crosstable"), "lines", "begin", wanted, reading);
  }

  /**
   * @param {Tournament | string} tournament
   * @param {TournamentReading} [reading]
   * @returns {Promise<Record<string, any>[]>}
   */
  async rulings(tournament, reading) {
    return (await this.#get(tournamentPath(tournament, "rulings"), {}, reading)).rulings;
  }

  /**
   * Everything that happened, the newest first, page by page.
   * @param {Tournament | string} tournament
   * @param {{ before?: number, limit?: number }} [wanted]
   * @param {TournamentReading} [reading]
   * @returns {AsyncGenerator<TournamentCommit, void, void>}
   */
  history(tournament, wanted = {}, reading = {}) {
    return this.#rows(tournamentPath(tournament, "history"), "commits", "before", wanted, reading);
  }

  /**
   * What happens after a version, as it does, without end; none is left out and none comes twice.
   * @param {Tournament | string} tournament
   * @param {{ after: number, pause?: number, signal?: AbortSignal }} from
   * @returns {AsyncGenerator<TournamentCommit, void, void>}
   */
  stream(tournament, { after, pause = 1, signal }) {
    const path = tournamentPath(tournament, "stream");
    return followHistory(
      {
        stream: (after) => this.#listen("commit", path, { after, signal }),
        history: () => this.history(tournament, {}, { signal }),
        pause,
        signal,
      },
      after,
    );
  }

  /**
   * A file for `hidalgo tournament verify`.
   * @param {Tournament | string} tournament
   * @param {TournamentReading} [reading]
   * @returns {Promise<string>}
   */
  export(tournament, reading) {
    return this.#text(tournamentPath(tournament, "export"), reading);
  }

  /**
   * The standings for a spreadsheet.
   * @param {Tournament | string} tournament
   * @param {TournamentReading} [reading]
   * @returns {Promise<string>}
   */
  standingsCsv(tournament, reading) {
    return this.#text(tournamentPath(tournament, "standings.csv"), reading);
  }

  /**
   * A tournament report file, of two players at a table.
   * @param {Tournament | string} tournament
   * @param {TournamentReading} [reading]
   * @returns {Promise<string>}
   */
  report(tournament, reading) {
    return this.#text(tournamentPath(tournament, "report.trf"), reading);
  }

  /**
   * A tournament of yours with the players of a report file; `handles` tells who they are here, by number.
   * @param {Record<string, any> & { document: string, game: string }} wanted
   * @param {TournamentWriting} [writing]
   * @returns {Promise<Tournament>}
   */
  importReport(wanted, writing) {
    return this.#post("/tournaments/import", wanted, writing);
  }

  /**
   * @param {string} path
   * @param {Record<string, any>} query
   * @param {TournamentReading} [reading]
   */
  async #get(path, query, reading = {}) {
    return (await this.#hidalgo.request("GET", path, { ...reading, query })).json();
  }

  /**
   * @param {string} path
   * @param {TournamentReading} [reading]
   * @returns {Promise<string>}
   */
  async #text(path, reading = {}) {
    return (await this.#hidalgo.request("GET", path, reading)).text;
  }

  /**
   * @param {string} path
   * @param {Record<string, any>} body
   * @param {TournamentWriting} [writing]
   */
  async #post(path, body, writing = {}) {
    return (await this.#hidalgo.request("POST", path, { ...writing, body })).json();
  }

  /**
   * The items of a list, page by page.
   * @param {string} path
   * @param {string} name
   * @param {string} next  The parameter that leads to the next page.
   * @param {Record<string, any>} wanted
   * @param {TournamentReading} reading
   * @returns {AsyncGenerator<any, void, void>}
   */
  async *#rows(path, name, next, wanted, reading) {
    const query = { limit: ROWS, ...wanted };
    let page = await this.#get(path, query, reading);
    yield* page[name];
    while (page.next) {
      page = await this.#get(path, { ...query, [next]: page.next }, reading);
      yield* page[name];
    }
  }
}

/**
 * @param {Tournament | string} tournament
 * @param {string[]} more
 */
function tournamentPath(tournament, ...more) {
  const id = typeof tournament === "string" ? tournament : tournament.id;
  return ["/tournaments", ...[id, ...more].map(encodeURIComponent)].join("/");
}
