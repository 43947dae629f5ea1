// Types of what the service gives and takes. They are comments: nothing of them is left in a running program.

/**
 * @typedef {Record<string, any> & { fact: string }} Fact  Something that happened: its name, and the numbers.
 * @typedef {{ id: string, handle: string, role: string, bot: boolean }} Account
 * @typedef {Account & { scopes: string[], by: "token" | "session", csrf?: string | null, created_at: number }} Me
 * @typedef {{ seat: string, player: { id: string, handle: string | null, bot: boolean } | null, nonce: boolean,
 *   forfeited: string | null }} Seat
 * @typedef {{ id: string, rules: string, game: string, expansions: string[], players: number,
 *   options: Record<string, string>, visibility: "public" | "private",
 *   status: "open" | "running" | "over" | "aborted", version: number, seats: Seat[], mine: string | null,
 *   waiting: string[], owner: string | null, commitment: string, head: string, scores: Record<string, number> | null,
 *   places: Record<string, number> | null, created_at: number, time: Record<string, any> | null,
 *   clock: Record<string, any> | null, may_resign: boolean, may_take_back: boolean, take_back: string[],
 *   tournament: { tournament: string, round: number, table: number } | null }} Game
 * @typedef {{ rules?: string, players?: number, expansions?: string[], options?: Record<string, string>,
 *   visibility?: "public" | "private", time?: Record<string, any> | null, may_resign?: boolean,
 *   may_take_back?: boolean, title?: string, starts_when_full?: boolean, join?: boolean,
 *   nonce?: string }} NewGame  The body of `POST /games`.
 * @typedef {Record<string, any> & { decision: string, kind: string }} Answer  An answer to a decision.
 * @typedef {Record<string, any>} Schema  A JSON Schema.
 * @typedef {{ id: string, kind: string, seat: string, text: string, schema: Schema, example: Answer,
 *   default?: Answer | null, at_once?: number }} Decision
 * @typedef {{ version: number, waiting: string[], decisions: Decision[] }} Decisions
 * @typedef {{ version: number, facts: Fact[], story: string[], waiting: string[], status: string,
 *   hash: string }} Accepted
 * @typedef {{ accepted: boolean, facts: Fact[], story: string[], refusal?: string | null,
 *   rule?: string | null }} Preview
 * @typedef {{ version: number, viewer: string, state: Record<string, any> | null, waiting: string[],
 *   status: string }} Position
 * @typedef {{ version: number, at: number, by: string, decision: string, facts: Fact[], story: string[],
 *   hash: string }} Commit
 * @typedef {{ id: number, kind: string, text: string, at: number, game: string | null, version: number | null,
 *   seat: string | null, bot: boolean, webhook: string | null, tournament: string | null, round?: number | null,
 *   table?: number | null, starts_at?: number | null }} Notice
 * @typedef {{ id: number, room: "players" | "spectators", at: number,
 *   player: { id: string, handle: string | null, bot: boolean }, seat: string | null, text: string, removed: boolean,
 *   removes: number | null }} Message  A message, or the removal of one.
 * @typedef {{ game: Game, position: Position }} GameWithPosition
 * @typedef {{ number: number, about: "notices" | "confirmation", notices: number[], created_at: number,
 *   attempts: number, next_at: number | null, status: number | null, error: string | null }} Letter
 * @typedef {{ available: boolean, address: string | null, pending: string | null, choices: MailChoice[],
 *   digest: "soon" | "daily", language: string, waiting: Letter[], parked: Letter[] }} Mail
 *   Nobody else sees it. `pending` is an address that is not confirmed yet, `parked` what was not delivered.
 * @typedef {"turn" | "reminder" | "pairing" | "finished" | "tournament"} MailChoice
 * @typedef {{ signal?: AbortSignal }} Reading
 * @typedef {Reading & { idempotencyKey?: string, ifMatch?: string | number | object }} Writing
 *   `ifMatch` is a resource, its ETag or a version: if the game has changed since, nothing is done.
 * @typedef {Writing & { query?: Record<string, any>, body?: object, headers?: Record<string, string> }} Request
 * @typedef {{ status: number, headers: Headers, etag: string | null, text: string, json: () => any }} Reply
 * @typedef {{ token?: string | null, timeout?: number, retryFor?: number, language?: string,
 *   onRetry?: (problem: Problem) => void, fetch?: typeof fetch }} Settings
 *   Times are in seconds: `timeout` for a single answer, `retryFor` for all tries of a request.
 */
