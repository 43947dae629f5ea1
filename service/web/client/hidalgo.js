// A client of Hidalgo for browsers and Node 20 or newer: one file, and all that one needs.
//
//     import { Hidalgo } from "https://hidalgo.example/client/hidalgo.js";
//
//     const hidalgo = await new Hidalgo("https://hidalgo.example").guest();
//     const game = await hidalgo.createGame({ players: 3 });
//
// It has the words of the Python client, in the spelling of JavaScript; resources have the names that the service gives
// them. It knows no rules of any game. docs/clients.md explains it, hidalgo.d.ts has its types.

import { Chat } from "./chat.js";
import { Connection } from "./connection.js";
import { resource } from "./etags.js";
import { newNonce } from "./random.js";
import { follow, listen } from "./streams.js";
import { Studies } from "./studies.js";
import { Tournaments } from "./tournaments.js";

export { Chat } from "./chat.js";
export { etagOf } from "./etags.js";
export { OAuth } from "./oauth.js";
export {
  Changed, Forbidden, NotFound, NotNow, NotYourDecision, Problem, RateLimited, RuleBroken, Unauthorized, Unavailable,
  Unreadable,
} from "./problems.js";
export { newKey, newNonce } from "./random.js";
export { sample } from "./sampling.js";
export { EventParser } from "./streams.js";
export { Studies } from "./studies.js";
export { Tournaments } from "./tournaments.js";

const PAGE = 100;

/**
 * A service, and your account there. Without a token, a page of the service itself is known by its cookie.
 *
 * A request whose answer got lost is sent again for `retryFor` seconds, and nothing is done twice. Refusals are thrown as
 * a `Problem`. Every method takes an `AbortSignal` in its last argument.
 */
export class Hidalgo {
  #connection;
  /** @type {Map<string, string>} */
  #nonces = new Map();

  /** What players, and spectators, say at a table. */
  chat = new Chat(this, (name, path, from) => this.#listen(name, path, from));

  /** Games with what people write, draw and try at their steps. */
  studies = new Studies(this, (name, path, from) => this.#listen(name, path, from));

  /** Registration, rounds, standings, rulings. */
  tournaments = new Tournaments(this, (name, path, from) => this.#listen(name, path, from));

  /**
   * @param {string} [url]  In a page of the service it can be left out.
   * @param {Settings} [settings]
   */
  constructor(url = "", settings = {}) {
    this.#connection = new Connection(url, settings);
  }

  get url() {
    return this.#connection.url;
  }

  /** Your credentials: keep them, and keep them to yourself. */
  get token() {
    return this.#connection.token;
  }

  /**
   * Any operation of the service, such as `request("PATCH", "/me/webhooks/…", { body: { enabled: false } })`: sent again
   * where that is safe, refusals thrown as problems. The path is that below `/api/v1`.
   * @param {string} method
   * @param {string} path
   * @param {Request} [request]
   * @returns {Promise<Reply>}
   */
  request(method, path, request = {}) {
    return this.#connection.send(method.toUpperCase(), path, request);
  }

  /**
   * @param {string} path
   * @param {Record<string, any>} query
   * @param {Reading} [reading]
   */
  async #get(path, query, reading = {}) {
    return resource(await this.request("GET", path, { ...reading, query }));
  }

  /**
   * @param {string} path
   * @param {object} body
   * @param {Request} [writing]
   */
  async #post(path, body, writing = {}) {
    return resource(await this.request("POST", path, { ...writing, body }));
  }

  /**
   * @param {string} path
   * @param {object} body
   * @param {Writing} [writing]
   */
  async #put(path, body, writing = {}) {
    return resource(await this.request("PUT", path, { ...writing, body }));
  }

  /**
   * The items of a list, page by page; `cursor` is the parameter that leads to the next page.
   * @param {string} path
   * @param {string} name
   * @param {string} cursor
   * @param {Record<string, any>} query
   * @param {Reading} reading
   * @returns {AsyncGenerator<any, void, void>}
   */
  async *#pages(path, name, cursor, query, reading) {
    let page = await this.#get(path, query, reading);
    yield* page[name];
    while (page.next !== null && page.next !== undefined) {
      page = await this.#get(path, { ...query, [cursor]: page.next }, reading);
      yield* page[name];
    }
  }

  // Accounts

  /**
   * A new guest, without a password; this client is signed in as it from now on.
   * @param {Reading} [reading]
   * @returns {Promise<this>}
   */
  async guest(reading) {
    return this.#signedIn(await this.#post("/guests", {}, reading));
  }

  /**
   * A new account; this client is signed in as it from now on.
   * @param {string} handle
   * @param {string} password
   * @param {Reading} [reading]
   * @returns {Promise<this>}
   */
  async register(handle, password, reading) {
    return this.#signedIn(await this.#post("/accounts", { handle, password }, reading));
  }

  /** @param {{ token: string }} account */
  #signedIn(account) {
    this.#connection.token = account.token;
    return this;
  }

  /**
   * Sign in with a session, which the browser keeps as a cookie: only in pages of the service itself.
   * @param {string} handle
   * @param {string} password
   * @param {Reading} [reading]
   * @returns {Promise<Account>}
   */
  async signIn(handle, password, reading) {
    const account = await this.#post("/sessions", { handle, password }, reading);
    this.#connection.csrf = account.csrf;
    return account;
  }

  /**
   * End the session.
   * @param {Reading} [reading]
   * @returns {Promise<void>}
   */
  async signOut(reading = {}) {
    const csrf = this.#connection.csrf ?? (await this.me(reading)).csrf ?? "";
    await this.#connection.withRetries("DELETE", "/sessions", reading, { "X-CSRF-Token": csrf });
    this.#connection.csrf = null;
  }

  /**
   * @param {Reading} [reading]
   * @returns {Promise<Me>}
   */
  me(reading) {
    return this.#get("/me", {}, reading);
  }

  /**
   * Tell everybody that a program plays for this account, or that none does any more.
   * @param {boolean} [isBot]
   * @param {Writing} [writing]
   * @returns {Promise<Account>}
   */
  declareBot(isBot = true, writing) {
    return this.#put("/me/bot", { bot: isBot }, writing);
  }

  // Tables

  /**
   * The games that can be played; or one of them, with its regions and cards.
   * @param {string} [game]
   * @param {Reading} [reading]
   * @returns {Promise<any>}
   */
  rules(game, reading) {
    return this.#get(game ? `/rules/${encodeURIComponent(game)}` : "/rules", {}, reading);
  }

  /**
   * A new table. You sit down at it unless you say otherwise, and add a nonce to its chance. The service fixes its secret
   * first: it cannot choose a secret that suits the nonce.
   * @param {NewGame} [table]
   * @param {Writing} [writing]
   * @returns {Promise<Game>}
   */
  async createGame(table = {}, writing = {}) {
    const { join = true, nonce, ...fields } = { players: 4, ...table };
    const game = await this.#post("/games", { ...fields, join: false }, writing);
    return join ? this.join(game, { nonce }, { ...writing, ifMatch: undefined }) : game;
  }

  /**
   * All public games of this kind, the newest first, fetched page by page.
   * @param {{ status?: string, rules?: string, player?: string, limit?: number }} [query]
   * @param {Reading} [reading]
   * @returns {AsyncGenerator<Game, void, void>}
   */
  games(query = {}, reading = {}) {
    return this.#pages("/games", "games", "cursor", { limit: PAGE, ...query }, reading);
  }

  /**
   * @param {Game | string} game
   * @param {Reading} [reading]
   * @returns {Promise<Game>}
   */
  game(game, reading) {
    return this.#get(path(game), {}, reading);
  }

  /**
   * Sit down: on this seat, or on the first one that is free. Unless you name another nonce, a new one is added to the
   * game's chance (`""` adds none); `nonce(game)` tells it.
   * @param {Game | string} game
   * @param {{ seat?: string, nonce?: string, invitation?: string }} [where]
   * @param {Writing} [writing]
   * @returns {Promise<Game>}
   */
  async join(game, where = {}, writing = {}) {
    const nonce = where.nonce ?? newNonce();
    const seated = await this.#post(path(game, "seats"), given({ ...where, nonce: nonce || undefined }), writing);
    if (nonce) this.#nonces.set(seated.id, nonce);
    return seated;
  }

  /**
   * The nonce that this client has added to a game's chance: the fact `nonce_added` of your seat must show it.
   * @param {Game | string} game
   * @returns {string | null}
   */
  nonce(game) {
    return this.#nonces.get(id(game)) ?? null;
  }

  /**
   * Give a seat of your table, this one or the first that is free, to a bot of the service. `pace_ms`: how long it lets
   * people look at the table before it answers.
   * @param {Game | string} game
   * @param {string} bot
   * @param {{ seat?: string, pace_ms?: number }} [where]
   * @param {Writing} [writing]
   * @returns {Promise<Game>}
   */
  seatBot(game, bot, where = {}, writing) {
    return this.#post(path(game, "seats"), given({ ...where, bot }), writing);
  }

  /**
   * Stand up, before the game begins.
   * @param {Game | string} game
   * @param {Writing} [writing]
   * @returns {Promise<Game>}
   */
  leave(game, writing) {
    return this.#delete(path(game, "seats", "mine"), writing);
  }

  /**
   * Make a player, named by the account's id, leave your table before the game begins.
   * @param {Game | string} game
   * @param {string} player
   * @param {Writing} [writing]
   * @returns {Promise<Game>}
   */
  remove(game, player, writing) {
    return this.#delete(path(game, "players", player), writing);
  }

  /**
   * @param {string} path
   * @param {Writing} [writing]
   */
  async #delete(path, writing = {}) {
    return resource(await this.request("DELETE", path, writing));
  }

  /**
   * An invitation to a table: it lets one player sit down.
   * @param {Game | string} game
   * @param {{ seat?: string }} [where]
   * @param {Writing} [writing]
   * @returns {Promise<string>}
   */
  async invite(game, where = {}, writing) {
    return (await this.#post(path(game, "invitations"), where, writing)).invitation;
  }

  /**
   * The link of your table: the page on which everybody who has it can sit down, without an account.
   * @param {Game | string} game
   * @param {Writing} [writing]
   * @returns {Promise<string>}
   */
  async link(game, writing) {
    return (await this.#post(path(game, "invitations"), { reusable: true }, writing)).url;
  }

  /**
   * @param {Game | string} game
   * @param {Writing} [writing]
   * @returns {Promise<Game>}
   */
  start(game, writing) {
    return this.#post(path(game, "start"), {}, writing);
  }

  /**
   * @param {Game | string} game
   * @param {Writing} [writing]
   * @returns {Promise<Game>}
   */
  abort(game, writing) {
    return this.#post(path(game, "abort"), {}, writing);
  }

  /**
   * Leave a running game for good.
   * @param {Game | string} game
   * @param {Writing} [writing]
   * @returns {Promise<Game>}
   */
  resign(game, writing) {
    return this.#post(path(game, "resign"), {}, writing);
  }

  /**
   * After the end: the new table for the same players, everybody one seat further. You sit there then.
   * @param {Game | string} game
   * @param {Writing} [writing]
   * @returns {Promise<Game>}
   */
  rematch(game, writing) {
    return this.#post(path(game, "rematch"), {}, writing);
  }

  /**
   * Ask for a pause; there is one when all players have asked.
   * @param {Game | string} game
   * @param {Writing} [writing]
   * @returns {Promise<Game>}
   */
  pause(game, writing) {
    return this.#post(path(game, "pause"), {}, writing);
  }

  /**
   * Let the clocks run again.
   * @param {Game | string} game
   * @param {Writing} [writing]
   * @returns {Promise<Game>}
   */
  resume(game, writing) {
    return this.#post(path(game, "resume"), {}, writing);
  }

  /**
   * Take your last move back, or agree that the seat `of` takes its own back.
   * @param {Game | string} game
   * @param {{ of?: string }} [whose]
   * @param {Writing} [writing]
   * @returns {Promise<Game>}
   */
  takeBack(game, whose = {}, writing) {
    return this.#post(path(game, "take-back"), { of: whose.of ?? "" }, writing);
  }

  /**
   * Play again after your seat was played automatically.
   * @param {Game | string} game
   * @param {Writing} [writing]
   * @returns {Promise<Game>}
   */
  returnToSeat(game, writing) {
    return this.#post(path(game, "return"), {}, writing);
  }

  /**
   * Be away, for some of the days that were agreed on.
   * @param {Game | string} game
   * @param {number} days
   * @param {Writing} [writing]
   * @returns {Promise<Game>}
   */
  takeVacation(game, days, writing) {
    return this.#post(path(game, "vacation"), { days }, writing);
  }

  /**
   * Everything that happened to the clocks.
   * @param {Game | string} game
   * @param {Reading} [reading]
   * @returns {Promise<Record<string, any>[]>}
   */
  async ledger(game, reading) {
    return (await this.#get(path(game, "clock"), {}, reading)).rows;
  }

  // Playing

  /**
   * The questions that wait for you now.
   * @param {Game | string} game
   * @param {Reading} [reading]
   * @returns {Promise<Decisions>}
   */
  decisions(game, reading) {
    return this.#get(path(game, "decisions"), {}, reading);
  }

  /**
   * Answer a decision: `hidalgo.move(game, decision.example)`, or `{ ...decision.example, value: 7 }`.
   * @param {Game | string} game
   * @param {Answer} answer
   * @param {Writing} [writing]
   * @returns {Promise<Accepted>}
   */
  move(game, answer, writing) {
    return this.#post(path(game, "moves"), answer, writing);
  }

  /**
   * The facts that this answer would bring; nothing is done.
   * @param {Game | string} game
   * @param {Answer} answer
   * @param {Reading} [reading]
   * @returns {Promise<Preview>}
   */
  dryRun(game, answer, reading = {}) {
    return this.#post(path(game, "moves"), answer, { ...reading, query: { dry_run: true } });
  }

  // Reading

  /**
   * The position: now or after an earlier version, as you may see it or as a spectator does.
   * @param {Game | string} game
   * @param {{ version?: number, viewer?: string }} [query]
   * @param {Reading} [reading]
   * @returns {Promise<Position>}
   */
  state(game, query = {}, reading) {
    return this.#get(path(game, "state"), query, reading);
  }

  /**
   * Many games with their positions, a hundred at a request: `{ games }` without those that are not there for you, or
   * all public games of a kind, the newest first.
   * @param {{ games?: Iterable<Game | string>, status?: string, rules?: string, player?: string, limit?: number }} [query]
   * @param {Reading} [reading]
   * @returns {AsyncGenerator<GameWithPosition, void, void>}
   */
  positions({ games, ...query } = {}, reading = {}) {
    if (games) return this.#named(Array.from(games, id), reading);
    return this.#pages("/positions", "positions", "cursor", { limit: PAGE, ...query }, reading);
  }

  /**
   * @param {string[]} ids
   * @param {Reading} reading
   * @returns {AsyncGenerator<GameWithPosition, void, void>}
   */
  async *#named(ids, reading) {
    for (let start = 0; start < ids.length; start += PAGE) {
      const games = ids.slice(start, start + PAGE).join(",");
      yield* (await this.#get("/positions", { games }, reading)).positions;
    }
  }

  /**
   * The commits after a version, fetched page by page.
   * @param {Game | string} game
   * @param {{ after?: number, viewer?: string, limit?: number }} [query]
   * @param {Reading} [reading]
   * @returns {AsyncGenerator<Commit, void, void>}
   */
  events(game, query = {}, reading = {}) {
    return this.#pages(path(game, "events"), "events", "after", { after: 0, limit: PAGE, ...query }, reading);
  }

  /**
   * The commits as they are made, until the game is over: `for await (const commit of hidalgo.stream(game))`. None is
   * left out and none comes twice, whatever becomes of the connection; if the service has no stream to spare, it is
   * polled every `pause` seconds.
   * @param {Game | string} game
   * @param {{ after?: number, viewer?: string, pause?: number, signal?: AbortSignal }} [from]
   * @returns {AsyncGenerator<Commit, void, void>}
   */
  stream(game, { after = 0, viewer, pause = 1, signal } = {}) {
    return follow(
      {
        stream: (after) => this.#listen("commit", path(game, "stream"), { after, query: { viewer }, signal }),
        poll: async (after) => {
          const now = await this.game(game, { signal });
          if (now.version > after) return this.events(game, { after, viewer }, { signal });
          return isOver(now) ? null : nothing();
        },
        number: (commit) => commit.version,
        pause,
        signal,
      },
      after,
    );
  }

  /**
   * The game as a file for `hidalgo verify`.
   * @param {Game | string} game
   * @param {Reading} [reading]
   * @returns {Promise<string>}
   */
  async export(game, reading) {
    return (await this.request("GET", path(game, "export"), reading)).text;
  }

  // Notices

  /**
   * Your notices after a number, fetched page by page.
   * @param {{ after?: number, limit?: number }} [query]
   * @param {Reading} [reading]
   * @returns {AsyncGenerator<Notice, void, void>}
   */
  inbox(query = {}, reading = {}) {
    return this.#pages("/me/inbox", "notices", "after", { after: 0, limit: PAGE, ...query }, reading);
  }

  /**
   * Your notices as they come, without end; none is left out and none comes twice, as with `stream`.
   * @param {{ after?: number, pause?: number, signal?: AbortSignal }} [from]
   * @returns {AsyncGenerator<Notice, void, void>}
   */
  inboxStream({ after = 0, pause = 1, signal } = {}) {
    return follow(
      {
        stream: (after) => this.#listen("notice", "/me/inbox/stream", { after, signal }),
        poll: async (after) => this.inbox({ after }, { signal }),
        number: (notice) => notice.id,
        pause,
        signal,
      },
      after,
    );
  }

  // Mail

  /**
   * Your mail address and choices, and letters that have not arrived.
   * @param {Reading} [reading]
   * @returns {Promise<Mail>}
   */
  mail(reading) {
    return this.#get("/me/mail", {}, reading);
  }

  /**
   * Choose the letters that you get: `changeMail({ address, choices: ["turn", "reminder"] })`. A new address gets a letter
   * with a code, and nothing else until you confirm it; without one the address stays.
   * @param {{ choices: MailChoice[], address?: string, digest?: "soon" | "daily" }} wanted
   * @param {Writing} [writing]
   * @returns {Promise<Mail>}
   */
  changeMail(wanted, writing) {
    return this.#put("/me/mail", given(wanted), writing);
  }

  /**
   * Confirm your address with the code of the letter that went there.
   * @param {string} code
   * @param {Writing} [writing]
   * @returns {Promise<Mail>}
   */
  confirmMail(code, writing) {
    return this.#post("/me/mail/confirmation", { code }, writing);
  }

  /**
   * Write the letters that were parked anew.
   * @param {Writing} [writing]
   * @returns {Promise<Mail>}
   */
  retryMail(writing) {
    return this.#post("/me/mail/retry", {}, writing);
  }

  /**
   * Forget your address and choices, and all letters that wait.
   * @param {Writing} [writing]
   * @returns {Promise<void>}
   */
  async forgetMail(writing) {
    await this.request("DELETE", "/me/mail", writing);
  }

  /**
   * @param {string} name
   * @param {string} path
   * @param {{ after: number, query?: Record<string, any>, signal?: AbortSignal }} from
   * @returns {AsyncGenerator<any, void, void>}
   */
  async *#listen(name, path, from) {
    for await (const event of listen(this.#connection, path, from)) {
      if (event.name === name) yield JSON.parse(event.data);
    }
  }
}

async function* nothing() {}

/**
 * @param {Game | string} game
 * @param {string[]} more
 */
function path(game, ...more) {
  return ["/games", ...[id(game), ...more].map(encodeURIComponent)].join("/");
}

/** @param {Game | string} game */
function id(game) {
  return typeof game === "string" ? game : game.id;
}

/** @param {Record<string, any>} fields */
function given(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

/**
 * @param {Game} game
 * @returns {boolean}
 */
export function isOver(game) {
  return game.status === "over" || game.status === "aborted";
}

/**
 * @param {Game} game
 * @returns {string[]}
 */
export function freeSeats(game) {
  return game.seats.filter((seat) => !seat.player).map((seat) => seat.seat);
}
