// The chat of a table: players write to each other, and so do spectators.

import { each, follow } from "./streams.js";

/** @typedef {{ room?: "" | "players" | "spectators", after?: number, signal?: AbortSignal }} ChatReading  Your own room, or another. */

/** Chats of a service: `hidalgo.chat`. */
export class Chat {
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
   * The last messages of a room, oldest first, and whether you may write.
   * @param {Game | string} game
   * @param {ChatReading} [reading]
   * @returns {Promise<{ room: string, messages: Message[], may_write: boolean }>}
   */
  async look(game, { signal, ...query } = {}) {
    return (await this.#hidalgo.request("GET", chatPath(game), { query, signal })).json();
  }

  /**
   * A line of plain text, to everybody in your room.
   * @param {Game | string} game
   * @param {string} text
   * @param {Writing} [writing]
   * @returns {Promise<Message>}
   */
  async write(game, text, writing = {}) {
    return (await this.#hidalgo.request("POST", chatPath(game), { ...writing, body: { text } })).json();
  }

  /**
   * The messages as they are written, without end; none comes twice. One that `removes` another tells that its text is gone.
   * @param {Game | string} game
   * @param {ChatReading & { pause?: number }} [from]
   * @returns {AsyncGenerator<Message, void, void>}
   */
  stream(game, { room = "", after = 0, pause = 1, signal } = {}) {
    return follow(
      {
        stream: (after) => this.#listen("message", chatPath(game, "stream"), { after, query: { room }, signal }),
        poll: async (after) => each((await this.look(game, { room, after, signal })).messages),
        number: (message) => message.id,
        pause,
        signal,
      },
      after,
    );
  }

  /**
   * Take the text of a message away: of your own, or of any at your table.
   * @param {Game | string} game
   * @param {Message} message
   * @param {Writing} [writing]
   * @returns {Promise<void>}
   */
  async remove(game, { room, id }, writing) {
    await this.#hidalgo.request("DELETE", chatPath(game, room, String(id)), writing);
  }

  /**
   * Tell the administrators of a message.
   * @param {Game | string} game
   * @param {Message} message
   * @param {{ reason?: string }} [why]
   * @param {Writing} [writing]
   * @returns {Promise<void>}
   */
  async complain(game, { room, id }, { reason = "" } = {}, writing = {}) {
    await this.#hidalgo.request("POST", chatPath(game, room, String(id), "complaint"), { ...writing, body: { reason } });
  }

  // People who are not read

  /**
   * The people whose messages you do not read.
   * @param {Reading} [reading]
   * @returns {Promise<{ id: string, handle: string | null, bot: boolean }[]>}
   */
  async mutes(reading) {
    return (await this.#hidalgo.request("GET", "/me/mutes", reading)).json().players;
  }

  /**
   * Read nothing of an account, named by its id, any more; it is not told.
   * @param {string} player
   * @param {Writing} [writing]
   * @returns {Promise<void>}
   */
  async mute(player, writing) {
    await this.#hidalgo.request("PUT", `/me/mutes/${encodeURIComponent(player)}`, writing);
  }

  /**
   * @param {string} player
   * @param {Writing} [writing]
   * @returns {Promise<void>}
   */
  async unmute(player, writing) {
    await this.#hidalgo.request("DELETE", `/me/mutes/${encodeURIComponent(player)}`, writing);
  }
}

/**
 * @param {Game | string} game
 * @param {string[]} more
 */
function chatPath(game, ...more) {
  const id = typeof game === "string" ? game : game.id;
  return ["/games", ...[id, "chat", ...more].map(encodeURIComponent)].join("/");
}
