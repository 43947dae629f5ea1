// Signing in at the service for programs on other sites (OAuth 2.1: authorization code with PKCE).

import { checkedUrl, reply } from "./connection.js";
import { linked } from "./pauses.js";
import { Problem, unreachable } from "./problems.js";
import { randomHex } from "./random.js";

/**
 * @typedef {{ getItem(key: string): string | null, setItem(key: string, value: string): void,
 *   removeItem(key: string): void }} Keeping  Where the state of a sign-in is kept: `sessionStorage`, or your own.
 * @typedef {{ clientId: string, redirectUri: string, scope?: string, storage?: Keeping, timeout?: number,
 *   fetch?: typeof fetch }} OAuthSettings
 * @typedef {{ access_token: string, token_type: string, expires_in?: number, refresh_token?: string,
 *   scope?: string }} Tokens
 * @typedef {{ issuer: string, authorization_endpoint: string, token_endpoint: string, revocation_endpoint?: string,
 *   authorization_response_iss_parameter_supported?: boolean }} OAuthServer
 */

/**
 * Lets a reader of your site sign in at the service, without ever showing you a password:
 *
 *     const oauth = new OAuth("https://hidalgo.example", { clientId, redirectUri, scope: "read play" });
 *     location.assign(await oauth.begin());                       // the service asks the reader
 *     const tokens = await oauth.finish(location.href);           // on the page at redirectUri
 *     const hidalgo = new Hidalgo("https://hidalgo.example", { token: tokens.access_token });
 */
export class OAuth {
  /** @type {Promise<OAuthServer> | null} */
  #server = null;

  /**
   * @param {string} url
   * @param {OAuthSettings} settings
   */
  constructor(url, { clientId, redirectUri, scope = "read play", storage, timeout = 30, fetch: via }) {
    this.url = checkedUrl(url) || location.origin;
    this.clientId = clientId;
    this.redirectUri = redirectUri;
    this.scope = scope;
    this.storage = storage ?? defaultStorage();
    this.timeout = timeout;
    this.fetch = via ?? fetch.bind(globalThis);
  }

  /**
   * The address to send the reader to. The state and the verifier are kept until the reader comes back.
   * @param {Reading} [reading]
   * @returns {Promise<string>}
   */
  async begin(reading = {}) {
    const server = await this.server(reading);
    const [state, verifier] = [randomHex(16), randomHex(32)];
    const address = new URL(server.authorization_endpoint);
    const query = {
      response_type: "code",
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      scope: this.scope,
      state,
      code_challenge: await challenge(verifier),
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    this.storage.setItem(keptAs(state), verifier);
    return address.href;
  }

  /**
   * The tokens, from the address at which the reader came back.
   * @param {string | URL} address
   * @param {Reading} [reading]
   * @returns {Promise<Tokens>}
   */
  async finish(address, reading = {}) {
    const came = new URL(address).searchParams;
    const verifier = this.#verifier(came.get("state") ?? "");
    const server = await this.server(reading);
    checkIssuer(server, came.get("iss"));
    const error = came.get("error");
    if (error) throw new Problem(0, error, came.get("error_description") ?? error);
    const code = came.get("code");
    if (!code) throw new Problem(0, "no_code", "the address has no code: the reader did not come from the service");
    return this.#exchange(
      server,
      { grant_type: "authorization_code", code, redirect_uri: this.redirectUri, code_verifier: verifier },
      reading,
    );
  }

  /**
   * New tokens for a refresh token; the old one is used up.
   * @param {string} refreshToken
   * @param {Reading} [reading]
   * @returns {Promise<Tokens>}
   */
  async refresh(refreshToken, reading = {}) {
    const server = await this.server(reading);
    return this.#exchange(server, { grant_type: "refresh_token", refresh_token: refreshToken }, reading);
  }

  /**
   * The token is worth nothing from now on.
   * @param {string} token
   * @param {Reading} [reading]
   * @returns {Promise<void>}
   */
  async revoke(token, reading = {}) {
    const { revocation_endpoint: endpoint } = await this.server(reading);
    if (!endpoint) throw new Problem(0, "no_revocation", "this service names no way to revoke a token");
    await this.#send(endpoint, { token }, reading);
  }

  /**
   * The addresses of the service, as it names them itself. They are asked for once.
   * @param {Reading} [reading]
   * @returns {Promise<OAuthServer>}
   */
  async server(reading = {}) {
    this.#server ??= this.#discover(reading);
    try {
      return await this.#server;
    } catch (error) {
      this.#server = null;
      throw error;
    }
  }

  /**
   * @param {Reading} reading
   * @returns {Promise<OAuthServer>}
   */
  async #discover(reading) {
    const server = (await this.#ask(wellKnown(this.url), {}, reading)).json();
    if (server.issuer !== this.url) {
      throw new Problem(0, "wrong_issuer", `${this.url} says that it is ${server.issuer}: ask there`);
    }
    return server;
  }

  /** @param {string} state */
  #verifier(state) {
    const verifier = state && this.storage.getItem(keptAs(state));
    if (!verifier) {
      throw new Problem(0, "wrong_state", "this sign-in was not begun here, or was finished already: begin anew");
    }
    this.storage.removeItem(keptAs(state));
    return verifier;
  }

  /**
   * A code counts once: the request is not sent again.
   * @param {OAuthServer} server
   * @param {Record<string, string>} grant
   * @param {Reading} reading
   * @returns {Promise<Tokens>}
   */
  async #exchange(server, grant, reading) {
    return (await this.#send(server.token_endpoint, grant, reading)).json();
  }

  /**
   * @param {string} endpoint
   * @param {Record<string, string>} form
   * @param {Reading} reading
   */
  #send(endpoint, form, reading) {
    const body = new URLSearchParams({ ...form, client_id: this.clientId });
    return this.#ask(endpoint, { method: "POST", body }, reading);
  }

  /**
   * No cookie goes along: the code and its verifier say everything.
   * @param {string} address
   * @param {RequestInit} how
   * @param {Reading} reading
   */
  async #ask(address, how, { signal }) {
    const limit = linked(signal, this.timeout);
    try {
      const headers = { Accept: "application/json" };
      const response = await this.fetch(address, { ...how, headers, credentials: "omit", signal: limit.signal });
      return reply(response, await response.text());
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw error instanceof Problem ? error : unreachable(address, error);
    } finally {
      limit.release();
    }
  }
}

/**
 * RFC 8414: the well-known word comes before the path of the issuer.
 * @param {string} issuer
 */
function wellKnown(issuer) {
  const { origin, pathname } = new URL(issuer);
  return `${origin}/.well-known/oauth-authorization-server${pathname.replace(/\/$/, "")}`;
}

/**
 * RFC 9207: an answer of another service must not be taken for ours.
 * @param {OAuthServer} server
 * @param {string | null} iss
 */
function checkIssuer(server, iss) {
  const isMissing = iss === null && server.authorization_response_iss_parameter_supported;
  if (isMissing || (iss !== null && iss !== server.issuer)) {
    throw new Problem(0, "wrong_issuer", `the reader comes from ${iss ?? "an unknown service"}, not ${server.issuer}`);
  }
}

/** @param {string} state */
function keptAs(state) {
  return `hidalgo-oauth-${state}`;
}

/** @returns {Keeping} */
function defaultStorage() {
  if (typeof sessionStorage !== "undefined") return sessionStorage;
  throw new TypeError("there is no sessionStorage here: name a storage");
}

/** @param {string} verifier */
async function challenge(verifier) {
  if (!crypto.subtle) throw new TypeError("signing in needs a page that came over https, or from this machine");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const text = String.fromCharCode(...new Uint8Array(digest));
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
