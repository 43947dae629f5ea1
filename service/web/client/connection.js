// The connection: it sends requests, and sends them again where that is safe.

import { etag } from "./etags.js";
import { backoff, jittered, linked, now, sleep } from "./pauses.js";
import { Problem, problem, RateLimited, Unavailable, unreachable } from "./problems.js";
import { newKey } from "./random.js";

const PREFIX = "/api/v1";
const TAKES_NO_KEY = new Set(["/accounts", "/guests", "/sessions"]);

/**
 * Reading can always be repeated. Every write carries an `Idempotency-Key`, and the service answers the same key as the
 * first time; so a write whose answer got lost is simply sent again.
 */
class Connection {
  /**
   * @param {string} url
   * @param {Settings} settings
   */
  constructor(url, settings) {
    this.url = checkedUrl(url);
    this.token = checkedToken(settings.token ?? null);
    this.timeout = settings.timeout ?? 30;
    this.retryFor = settings.retryFor ?? 60;
    this.language = settings.language;
    this.onRetry = settings.onRetry ?? (() => {});
    this.fetch = settings.fetch ?? fetch.bind(globalThis);
    /** @type {string | null} What a page must send along with a write, if a cookie says who asks. */
    this.csrf = null;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {Request} request
   */
  async send(method, path, request) {
    if (method === "GET") return this.withRetries(method, path, request, {});
    const key = { "Idempotency-Key": request.idempotencyKey ?? newKey() };
    if (this.token || TAKES_NO_KEY.has(path)) return this.withRetries(method, path, request, key);
    return this.withCookie(method, path, request, key);
  }

  /**
   * A write of a page, known by its cookie: it must show that it comes from our page.
   * @param {string} method
   * @param {string} path
   * @param {Request} request
   * @param {Record<string, string>} headers
   */
  async withCookie(method, path, request, headers) {
    this.csrf ??= await this.csrfNow(request.signal);
    try {
      return await this.withRetries(method, path, request, { ...headers, "X-CSRF-Token": this.csrf });
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "csrf") throw error;
    }
    this.csrf = await this.csrfNow(request.signal); // The reader has signed in anew, in another tab.
    return this.withRetries(method, path, request, { ...headers, "X-CSRF-Token": this.csrf });
  }

  /** @param {AbortSignal} [signal] */
  async csrfNow(signal) {
    const me = await this.withRetries("GET", "/me", { signal }, {});
    return String(me.json().csrf ?? "");
  }

  /**
   * The answer, or the problem of the last try.
   * @param {string} method
   * @param {string} path
   * @param {Request} request
   * @param {Record<string, string>} headers
   * @returns {Promise<Reply>}
   */
  async withRetries(method, path, request, headers) {
    const end = now() + this.retryFor;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.once(method, path, request, headers);
      } catch (error) {
        if (!(error instanceof Unavailable || error instanceof RateLimited)) throw error;
        const pause = error.retryAfter === null ? backoff(attempt) : jittered(error.retryAfter);
        if (now() + pause > end) throw error;
        if (pause) this.onRetry(error);
        await sleep(pause, request.signal);
      }
    }
  }

  /**
   * Send, and read the whole answer.
   * @param {string} method
   * @param {string} path
   * @param {Request} request
   * @param {Record<string, string>} headers
   * @returns {Promise<Reply>}
   */
  async once(method, path, request, headers) {
    const limit = linked(request.signal, this.timeout);
    try {
      const response = await this.fetch(this.target(path, request.query), {
        method,
        headers: this.headers(request, headers),
        body: request.body === undefined ? undefined : JSON.stringify(request.body),
        signal: limit.signal,
      });
      return reply(response, await response.text());
    } catch (error) {
      throw this.failure(error, request.signal);
    } finally {
      limit.release();
    }
  }

  /**
   * An answer that is still being written. It is not tried again.
   * @param {string} path
   * @param {Request} request
   * @param {AbortSignal} signal
   */
  async open(path, request, signal) {
    try {
      const response = await this.fetch(this.target(path, request.query), {
        headers: this.headers(request, {}),
        cache: "no-store",
        signal,
      });
      if (!response.ok) throw problem(response.status, response.headers, await response.text());
      return response;
    } catch (error) {
      throw this.failure(error, request.signal);
    }
  }

  /**
   * What to throw: the reason of the caller who wants no more, a problem as it is, or else that nothing came.
   * @param {unknown} error
   * @param {AbortSignal} [signal]
   */
  failure(error, signal) {
    if (signal?.aborted) return signal.reason;
    return error instanceof Problem ? error : unreachable(this.url || "the service", error);
  }

  /**
   * @param {string} path
   * @param {Record<string, any>} [query]
   */
  target(path, query = {}) {
    const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return this.url + PREFIX + path + (search && `?${search}`);
  }

  /**
   * @param {Request} request
   * @param {Record<string, string>} more
   */
  headers(request, more) {
    return {
      Accept: "application/json, application/problem+json",
      ...(this.token && { Authorization: `Bearer ${this.token}` }),
      ...(this.language && { "Accept-Language": this.language }),
      ...(request.body !== undefined && { "Content-Type": "application/json" }),
      ...(request.ifMatch !== undefined && { "If-Match": etag(request.ifMatch) }),
      ...more,
      ...request.headers,
    };
  }
}

/**
 * @param {Response} response
 * @param {string} text
 * @returns {Reply}
 */
function reply(response, text) {
  const { status, headers } = response;
  if (!response.ok && status !== 304) throw problem(status, headers, text);
  const json = () => {
    try {
      return JSON.parse(text);
    } catch {
      throw new Problem(status, "not_json", "the answer is not JSON: is this the address of a service?");
    }
  };
  return { status, headers, etag: headers.get("ETag"), text, json };
}

/** @param {string} url */
function checkedUrl(url) {
  const base = url.replace(/\/+$/, "");
  const isHere = base === "" && typeof location !== "undefined";
  if (isHere || /^https?:\/\/[^/]/.test(base)) return base;
  throw new TypeError(`${url || "nothing"} is not the address of a service, such as http://127.0.0.1:8000`);
}

/** @param {string | null} token */
function checkedToken(token) {
  if (token !== null && !/^[\x21-\x7e]+$/.test(token)) throw new TypeError("the token has characters that no token has");
  return token;
}

export { checkedUrl, Connection, reply };
