// Streams: the items of a numbered sequence as they come, whatever becomes of the connection.

import { jittered, linked, now, sleep } from "./pauses.js";
import { RateLimited, Unavailable } from "./problems.js";

const LONGEST_STREAM_PAUSE = 30;
/** A stream that sends not even a keep-alive for so many seconds is dead. */
const SILENCE = 45;

/** Server-sent events, parsed from text that may be cut anywhere. */
export class EventParser {
  constructor() {
    this.rest = "";
    this.id = "";
    this.name = "";
    /** @type {string[]} */
    this.data = [];
    this.endedWithReturn = false;
  }

  /**
   * The events that this piece of text completes.
   * @param {string} text
   * @returns {Generator<{ name: string, data: string, id: string }>}
   */
  *feed(text) {
    if (!text) return;
    const whole = this.rest + (this.endedWithReturn && text[0] === "\n" ? text.slice(1) : text);
    this.endedWithReturn = text.endsWith("\r");
    const lines = whole.split(/\r\n|\n|\r/);
    this.rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line) this.parse(line);
      else yield* this.finished();
    }
  }

  *finished() {
    if (this.data.length) yield { name: this.name || "message", data: this.data.join("\n"), id: this.id };
    this.name = "";
    this.data = [];
  }

  /** @param {string} line */
  parse(line) {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") this.data.push(value);
    else if (name === "event") this.name = value;
    else if (name === "id" && !value.includes("\0")) this.id = value;
  }
}

/**
 * The events of one stream, until it ends or breaks.
 * @param {Connection} connection
 * @param {string} path
 * @param {{ after: number, query?: Record<string, any>, signal?: AbortSignal }} from
 */
async function* listen(connection, path, { after, query, signal }) {
  const watch = linked(signal, SILENCE);
  try {
    const headers = { Accept: "text/event-stream", "Last-Event-ID": String(after) };
    const response = await connection.open(path, { query: { ...query, after }, headers, signal }, watch.signal);
    const decoder = new TextDecoder();
    const parser = new EventParser();
    for await (const chunk of chunks(response)) {
      watch.again();
      yield* parser.feed(decoder.decode(chunk, { stream: true }));
    }
  } catch (error) {
    throw connection.failure(error, signal);
  } finally {
    watch.release();
    watch.abort();
  }
}

/**
 * Not every browser lets a body be iterated.
 * @param {Response} response
 * @returns {AsyncGenerator<Uint8Array>}
 */
async function* chunks(response) {
  const reader = response.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/**
 * Two ways to the items of a numbered sequence, such as the commits of a game: `stream` gives those after a number as
 * they come, as long as a connection holds; `poll` those so far, or null if no more will follow.
 * @template Item
 * @typedef {{ stream: (after: number) => AsyncIterable<Item>,
 *   poll: (after: number) => Promise<AsyncIterable<Item> | null>, number: (item: Item) => number,
 *   pause: number, signal?: AbortSignal }} Source
 */

/**
 * Stream; when that fails or ends, poll for the items that were missed, and stream again. Every item once, in order.
 * @template Item
 * @param {Source<Item>} source
 * @param {number} after
 * @returns {AsyncGenerator<Item, void, void>}
 */
async function* follow(source, after) {
  let streamAgain = 0;
  let idle = 0;
  for (;;) {
    const before = after;
    if (now() >= streamAgain) {
      try {
        for await (const item of source.stream(after)) {
          if (source.number(item) <= after) continue;
          after = source.number(item);
          yield item;
        }
      } catch (error) {
        if (!(error instanceof Unavailable || error instanceof RateLimited)) throw error;
        streamAgain = now() + jittered(error.retryAfter ?? 0);
      }
    }
    const missed = await source.poll(after);
    if (missed === null) return;
    for await (const item of missed) {
      after = source.number(item);
      yield item;
    }
    idle = after === before ? idle + 1 : 0;
    if (idle) await sleep(streamPause(source.pause, idle, streamAgain), source.signal);
  }
}

/**
 * The versions of something whose history is read from its end: a study, or a tournament.
 * @template {{ version: number }} Item
 * @param {{ stream: (after: number) => AsyncIterable<Item>, history: () => AsyncIterable<Item>, pause: number,
 *   signal?: AbortSignal }} source
 * @param {number} after
 * @returns {AsyncGenerator<Item, void, void>}
 */
function followHistory({ stream, history, pause, signal }, after) {
  const poll = async (/** @type {number} */ after) => {
    const found = [];
    for await (const item of history()) {
      if (item.version <= after) break;
      found.unshift(item);
    }
    return each(found);
  };
  return follow({ stream, poll, number: (item) => item.version, pause, signal }, after);
}

/**
 * @template Item
 * @param {Item[]} items
 * @returns {AsyncGenerator<Item, void, void>}
 */
async function* each(items) {
  yield* items;
}

/**
 * Seconds of rest: the same while polling, longer and longer while streams break at once.
 * @param {number} pause
 * @param {number} idle
 * @param {number} streamAgain
 */
function streamPause(pause, idle, streamAgain) {
  if (now() < streamAgain) return pause;
  return Math.min(LONGEST_STREAM_PAUSE, pause * 2 ** (idle - 1)) * (0.5 + Math.random() / 2);
}

export { each, follow, followHistory, listen };
