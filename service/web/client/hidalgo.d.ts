/**
 * @param {Game} game
 * @returns {boolean}
 */
export function isOver(game: Game): boolean;
/**
 * @param {Game} game
 * @returns {string[]}
 */
export function freeSeats(game: Game): string[];
/**
 * The ETag that a resource came with.
 * @param {object} resource
 * @returns {string | null}
 */
export function etagOf(resource: object): string | null;
/**
 * An idempotency key: names one write, however often it is sent.
 * @returns {string}
 */
export function newKey(): string;
/**
 * A nonce: what a player adds to a game's chance, so that no other party can have chosen the shuffles.
 * @returns {string}
 */
export function newNonce(): string;
/**
 * An answer that fits: `hidalgo.move(game, sample(decision.schema))`. It knows the part of JSON Schema that decisions are
 * written in, and the keyword `x-total` (docs/decisions.md). Every answer that fits can come up.
 * @param {Schema} schema
 * @param {() => number} [random]  Numbers from 0 up to 1, as Math.random gives them.
 * @returns {any}
 */
export function sample(schema: Schema, random?: () => number): any;
/**
 * A service, and your account there. Without a token, a page of the service itself is known by its cookie.
 *
 * A request whose answer got lost is sent again for `retryFor` seconds, and nothing is done twice. Refusals are thrown as
 * a `Problem`. Every method takes an `AbortSignal` in its last argument.
 */
export class Hidalgo {
    /**
     * @param {string} [url]  In a page of the service it can be left out.
     * @param {Settings} [settings]
     */
    constructor(url?: string, settings?: Settings);
    /** What players, and spectators, say at a table. */
    chat: Chat;
    /** Games with what people write, draw and try at their steps. */
    studies: Studies;
    /** Registration, rounds, standings, rulings. */
    tournaments: Tournaments;
    get url(): string;
    /** Your credentials: keep them, and keep them to yourself. */
    get token(): string | null;
    /**
     * Any operation of the service, such as `request("PATCH", "/me/webhooks/…", { body: { enabled: false } })`: sent again
     * where that is safe, refusals thrown as problems. The path is that below `/api/v1`.
     * @param {string} method
     * @param {string} path
     * @param {Request} [request]
     * @returns {Promise<Reply>}
     */
    request(method: string, path: string, request?: Request): Promise<Reply>;
    /**
     * A new guest, without a password; this client is signed in as it from now on.
     * @param {Reading} [reading]
     * @returns {Promise<this>}
     */
    guest(reading?: Reading): Promise<this>;
    /**
     * A new account; this client is signed in as it from now on.
     * @param {string} handle
     * @param {string} password
     * @param {Reading} [reading]
     * @returns {Promise<this>}
     */
    register(handle: string, password: string, reading?: Reading): Promise<this>;
    /**
     * Sign in with a session, which the browser keeps as a cookie: only in pages of the service itself.
     * @param {string} handle
     * @param {string} password
     * @param {Reading} [reading]
     * @returns {Promise<Account>}
     */
    signIn(handle: string, password: string, reading?: Reading): Promise<Account>;
    /**
     * End the session.
     * @param {Reading} [reading]
     * @returns {Promise<void>}
     */
    signOut(reading?: Reading): Promise<void>;
    /**
     * @param {Reading} [reading]
     * @returns {Promise<Me>}
     */
    me(reading?: Reading): Promise<Me>;
    /**
     * Tell everybody that a program plays for this account, or that none does any more.
     * @param {boolean} [isBot]
     * @param {Writing} [writing]
     * @returns {Promise<Account>}
     */
    declareBot(isBot?: boolean, writing?: Writing): Promise<Account>;
    /**
     * The games that can be played; or one of them, with its regions and cards.
     * @param {string} [game]
     * @param {Reading} [reading]
     * @returns {Promise<any>}
     */
    rules(game?: string, reading?: Reading): Promise<any>;
    /**
     * A new table. You sit down at it unless you say otherwise, and add a nonce to its chance. The service fixes its secret
     * first: it cannot choose a secret that suits the nonce.
     * @param {NewGame} [table]
     * @param {Writing} [writing]
     * @returns {Promise<Game>}
     */
    createGame(table?: NewGame, writing?: Writing): Promise<Game>;
    /**
     * All public games of this kind, the newest first, fetched page by page.
     * @param {{ status?: string, rules?: string, player?: string, limit?: number }} [query]
     * @param {Reading} [reading]
     * @returns {AsyncGenerator<Game, void, void>}
     */
    games(query?: {
        status?: string;
        rules?: string;
        player?: string;
        limit?: number;
    }, reading?: Reading): AsyncGenerator<Game, void, void>;
    /**
     * @param {Game | string} game
     * @param {Reading} [reading]
     * @returns {Promise<Game>}
     */
    game(game: Game | string, reading?: Reading): Promise<Game>;
    /**
     * Sit down: on this seat, or on the first one that is free. Unless you name another nonce, a new one is added to the
     * game's chance (`""` adds none); `nonce(game)` tells it.
     * @param {Game | string} game
     * @param {{ seat?: string, nonce?: string, invitation?: string }} [where]
     * @param {Writing} [writing]
     * @returns {Promise<Game>}
     */
    join(game: Game | string, where?: {
        seat?: string;
        nonce?: string;
        invitation?: string;
    }, writing?: Writing): Promise<Game>;
    /**
     * The nonce that this client has added to a game's chance: the fact `nonce_added` of your seat must show it.
     * @param {Game | string} game
     * @returns {string | null}
     */
    nonce(game: Game | string): string | null;
    /**
     * Give a seat of your table, this one or the first that is free, to a bot of the service. `pace_ms`: how long it lets
     * people look at the table before it answers.
     * @param {Game | string} game
     * @param {string} bot
     * @param {{ seat?: string, pace_ms?: number }} [where]
     * @param {Writing} [writing]
     * @returns {Promise<Game>}
     */
    seatBot(game: Game | string, bot: string, where?: {
        seat?: string;
        pace_ms?: number;
    }, writing?: Writing): Promise<Game>;
    /**
     * Stand up, before the game begins.
     * @param {Game | string} game
     * @param {Writing} [writing]
     * @returns {Promise<Game>}
     */
    leave(game: Game | string, writing?: Writing): Promise<Game>;
    /**
     * Make a player, named by the account's id, leave your table before the game begins.
     * @param {Game | string} game
     * @param {string} player
     * @param {Writing} [writing]
     * @returns {Promise<Game>}
     */
    remove(game: Game | string, player: string, writing?: Writing): Promise<Game>;
    /**
     * An invitation to a table: it lets one player sit down.
     * @param {Game | string} game
     * @param {{ seat?: string }} [where]
     * @param {Writing} [writing]
     * @returns {Promise<string>}
     */
    invite(game: Game | string, where?: {
        seat?: string;
    }, writing?: Writing): Promise<string>;
    /**
     * The link of your table: the page on which everybody who has it can sit down, without an account.
     * @param {Game | string} game
     * @param {Writing} [writing]
     * @returns {Promise<string>}
     */
    link(game: Game | string, writing?: Writing): Promise<string>;
    /**
     * @param {Game | string} game
     * @param {Writing} [writing]
     * @returns {Promise<Game>}
     */
    start(game: Game | string, writing?: Writing): Promise<Game>;
    /**
     * @param {Game | string} game
     * @param {Writing} [writing]
     * @returns {Promise<Game>}
     */
    abort(game: Game | string, writing?: Writing): Promise<Game>;
    /**
     * Leave a running game for good.
     * @param {Game | string} game
     * @param {Writing} [writing]
     * @returns {Promise<Game>}
     */
    resign(game: Game | string, writing?: Writing): Promise<Game>;
    /**
     * After the end: the new table for the same players, everybody one seat further. You sit there then.
     * @param {Game | string} game
     * @param {Writing} [writing]
     * @returns {Promise<Game>}
     */
    rematch(game: Game | string, writing?: Writing): Promise<Game>;
    /**
     * Ask for a pause; there is one when all players have asked.
     * @param {Game | string} game
     * @param {Writing} [writing]
     * @returns {Promise<Game>}
     */
    pause(game: Game | string, writing?: Writing): Promise<Game>;
    /**
     * Let the clocks run again.
     * @param {Game | string} game
     * @param {Writing} [writing]
     * @returns {Promise<Game>}
     */
    resume(game: Game | string, writing?: Writing): Promise<Game>;
    /**
     * Take your last move back, or agree that the seat `of` takes its own back.
     * @param {Game | string} game
     * @param {{ of?: string }} [whose]
     * @param {Writing} [writing]
     * @returns {Promise<Game>}
     */
    takeBack(game: Game | string, whose?: {
        of?: string;
    }, writing?: Writing): Promise<Game>;
    /**
     * Play again after your seat was played automatically.
     * @param {Game | string} game
     * @param {Writing} [writing]
     * @returns {Promise<Game>}
     */
    returnToSeat(game: Game | string, writing?: Writing): Promise<Game>;
    /**
     * Be away, for some of the days that were agreed on.
     * @param {Game | string} game
     * @param {number} days
     * @param {Writing} [writing]
     * @returns {Promise<Game>}
     */
    takeVacation(game: Game | string, days: number, writing?: Writing): Promise<Game>;
    /**
     * Everything that happened to the clocks.
     * @param {Game | string} game
     * @param {Reading} [reading]
     * @returns {Promise<Record<string, any>[]>}
     */
    ledger(game: Game | string, reading?: Reading): Promise<Record<string, any>[]>;
    /**
     * The questions that wait for you now.
     * @param {Game | string} game
     * @param {Reading} [reading]
     * @returns {Promise<Decisions>}
     */
    decisions(game: Game | string, reading?: Reading): Promise<Decisions>;
    /**
     * Answer a decision: `hidalgo.move(game, decision.example)`, or `{ ...decision.example, value: 7 }`.
     * @param {Game | string} game
     * @param {Answer} answer
     * @param {Writing} [writing]
     * @returns {Promise<Accepted>}
     */
    move(game: Game | string, answer: Answer, writing?: Writing): Promise<Accepted>;
    /**
     * The facts that this answer would bring; nothing is done.
     * @param {Game | string} game
     * @param {Answer} answer
     * @param {Reading} [reading]
     * @returns {Promise<Preview>}
     */
    dryRun(game: Game | string, answer: Answer, reading?: Reading): Promise<Preview>;
    /**
     * The position: now or after an earlier version, as you may see it or as a spectator does.
     * @param {Game | string} game
     * @param {{ version?: number, viewer?: string }} [query]
     * @param {Reading} [reading]
     * @returns {Promise<Position>}
     */
    state(game: Game | string, query?: {
        version?: number;
        viewer?: string;
    }, reading?: Reading): Promise<Position>;
    /**
     * Many games with their positions, a hundred at a request: `{ games }` without those that are not there for you, or
     * all public games of a kind, the newest first.
     * @param {{ games?: Iterable<Game | string>, status?: string, rules?: string, player?: string, limit?: number }} [query]
     * @param {Reading} [reading]
     * @returns {AsyncGenerator<GameWithPosition, void, void>}
     */
    positions({ games, ...query }?: {
        games?: Iterable<Game | string>;
        status?: string;
        rules?: string;
        player?: string;
        limit?: number;
    }, reading?: Reading): AsyncGenerator<GameWithPosition, void, void>;
    /**
     * The commits after a version, fetched page by page.
     * @param {Game | string} game
     * @param {{ after?: number, viewer?: string, limit?: number }} [query]
     * @param {Reading} [reading]
     * @returns {AsyncGenerator<Commit, void, void>}
     */
    events(game: Game | string, query?: {
        after?: number;
        viewer?: string;
        limit?: number;
    }, reading?: Reading): AsyncGenerator<Commit, void, void>;
    /**
     * The commits as they are made, until the game is over: `for await (const commit of hidalgo.stream(game))`. None is
     * left out and none comes twice, whatever becomes of the connection; if the service has no stream to spare, it is
     * polled every `pause` seconds.
     * @param {Game | string} game
     * @param {{ after?: number, viewer?: string, pause?: number, signal?: AbortSignal }} [from]
     * @returns {AsyncGenerator<Commit, void, void>}
     */
    stream(game: Game | string, { after, viewer, pause, signal }?: {
        after?: number;
        viewer?: string;
        pause?: number;
        signal?: AbortSignal;
    }): AsyncGenerator<Commit, void, void>;
    /**
     * The game as a file for `hidalgo verify`.
     * @param {Game | string} game
     * @param {Reading} [reading]
     * @returns {Promise<string>}
     */
    export(game: Game | string, reading?: Reading): Promise<string>;
    /**
     * Your notices after a number, fetched page by page.
     * @param {{ after?: number, limit?: number }} [query]
     * @param {Reading} [reading]
     * @returns {AsyncGenerator<Notice, void, void>}
     */
    inbox(query?: {
        after?: number;
        limit?: number;
    }, reading?: Reading): AsyncGenerator<Notice, void, void>;
    /**
     * Your notices as they come, without end; none is left out and none comes twice, as with `stream`.
     * @param {{ after?: number, pause?: number, signal?: AbortSignal }} [from]
     * @returns {AsyncGenerator<Notice, void, void>}
     */
    inboxStream({ after, pause, signal }?: {
        after?: number;
        pause?: number;
        signal?: AbortSignal;
    }): AsyncGenerator<Notice, void, void>;
    /**
     * Your mail address and choices, and letters that have not arrived.
     * @param {Reading} [reading]
     * @returns {Promise<Mail>}
     */
    mail(reading?: Reading): Promise<Mail>;
    /**
     * Choose the letters that you get: `changeMail({ address, choices: ["turn", "reminder"] })`. A new address gets a letter
     * with a code, and nothing else until you confirm it; without one the address stays.
     * @param {{ choices: MailChoice[], address?: string, digest?: "soon" | "daily" }} wanted
     * @param {Writing} [writing]
     * @returns {Promise<Mail>}
     */
    changeMail(wanted: {
        choices: MailChoice[];
        address?: string;
        digest?: "soon" | "daily";
    }, writing?: Writing): Promise<Mail>;
    /**
     * Confirm your address with the code of the letter that went there.
     * @param {string} code
     * @param {Writing} [writing]
     * @returns {Promise<Mail>}
     */
    confirmMail(code: string, writing?: Writing): Promise<Mail>;
    /**
     * Write the letters that were parked anew.
     * @param {Writing} [writing]
     * @returns {Promise<Mail>}
     */
    retryMail(writing?: Writing): Promise<Mail>;
    /**
     * Forget your address and choices, and all letters that wait.
     * @param {Writing} [writing]
     * @returns {Promise<void>}
     */
    forgetMail(writing?: Writing): Promise<void>;
    #private;
}
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
/** @typedef {{ room?: "" | "players" | "spectators", after?: number, signal?: AbortSignal }} ChatReading  Your own room, or another. */
/** Chats of a service: `hidalgo.chat`. */
export class Chat {
    /**
     * @param {{ request: (method: string, path: string, request?: any) => Promise<any> }} hidalgo
     * @param {(name: string, path: string, from: any) => AsyncIterable<any>} listen
     */
    constructor(hidalgo: {
        request: (method: string, path: string, request?: any) => Promise<any>;
    }, listen: (name: string, path: string, from: any) => AsyncIterable<any>);
    /**
     * The last messages of a room, oldest first, and whether you may write.
     * @param {Game | string} game
     * @param {ChatReading} [reading]
     * @returns {Promise<{ room: string, messages: Message[], may_write: boolean }>}
     */
    look(game: Game | string, { signal, ...query }?: ChatReading): Promise<{
        room: string;
        messages: Message[];
        may_write: boolean;
    }>;
    /**
     * A line of plain text, to everybody in your room.
     * @param {Game | string} game
     * @param {string} text
     * @param {Writing} [writing]
     * @returns {Promise<Message>}
     */
    write(game: Game | string, text: string, writing?: Writing): Promise<Message>;
    /**
     * The messages as they are written, without end; none comes twice. One that `removes` another tells that its text is gone.
     * @param {Game | string} game
     * @param {ChatReading & { pause?: number }} [from]
     * @returns {AsyncGenerator<Message, void, void>}
     */
    stream(game: Game | string, { room, after, pause, signal }?: ChatReading & {
        pause?: number;
    }): AsyncGenerator<Message, void, void>;
    /**
     * Take the text of a message away: of your own, or of any at your table.
     * @param {Game | string} game
     * @param {Message} message
     * @param {Writing} [writing]
     * @returns {Promise<void>}
     */
    remove(game: Game | string, { room, id }: Message, writing?: Writing): Promise<void>;
    /**
     * Tell the administrators of a message.
     * @param {Game | string} game
     * @param {Message} message
     * @param {{ reason?: string }} [why]
     * @param {Writing} [writing]
     * @returns {Promise<void>}
     */
    complain(game: Game | string, { room, id }: Message, { reason }?: {
        reason?: string;
    }, writing?: Writing): Promise<void>;
    /**
     * The people whose messages you do not read.
     * @param {Reading} [reading]
     * @returns {Promise<{ id: string, handle: string | null, bot: boolean }[]>}
     */
    mutes(reading?: Reading): Promise<{
        id: string;
        handle: string | null;
        bot: boolean;
    }[]>;
    /**
     * Read nothing of an account, named by its id, any more; it is not told.
     * @param {string} player
     * @param {Writing} [writing]
     * @returns {Promise<void>}
     */
    mute(player: string, writing?: Writing): Promise<void>;
    /**
     * @param {string} player
     * @param {Writing} [writing]
     * @returns {Promise<void>}
     */
    unmute(player: string, writing?: Writing): Promise<void>;
    #private;
}
/** Server-sent events, parsed from text that may be cut anywhere. */
export class EventParser {
    rest: string;
    id: string;
    name: string;
    /** @type {string[]} */
    data: string[];
    endedWithReturn: boolean;
    /**
     * The events that this piece of text completes.
     * @param {string} text
     * @returns {Generator<{ name: string, data: string, id: string }>}
     */
    feed(text: string): Generator<{
        name: string;
        data: string;
        id: string;
    }>;
    finished(): Generator<{
        name: string;
        data: string;
        id: string;
    }, void, unknown>;
    /** @param {string} line */
    parse(line: string): void;
}
/** @typedef {Record<string, any> & { id: string, version: number, title: string }} Study */
/** @typedef {{ key?: string, viewer?: string, signal?: AbortSignal }} StudyReading  The key of a link; through whose eyes. */
/** Studies of a service: `hidalgo.studies`. */
export class Studies {
    /**
     * @param {{ request: (method: string, path: string, request?: any) => Promise<any> }} hidalgo
     * @param {(name: string, path: string, from: any) => AsyncIterable<any>} listen
     */
    constructor(hidalgo: {
        request: (method: string, path: string, request?: any) => Promise<any>;
    }, listen: (name: string, path: string, from: any) => AsyncIterable<any>);
    /**
     * Studies that you may see, the newest first, page by page.
     * @param {{ query?: string, owner?: string, member?: "me", game?: string, limit?: number }} [wanted]
     * @returns {AsyncGenerator<Record<string, any>, void, void>}
     */
    find(wanted?: {
        query?: string;
        owner?: string;
        member?: "me";
        game?: string;
        limit?: number;
    }): AsyncGenerator<Record<string, any>, void, void>;
    /**
     * A study of yours; with a game it has a first chapter.
     * @param {{ title: string, visibility?: string, game?: string, viewer?: string, chapter_title?: string }} wanted
     * @returns {Promise<Study>}
     */
    create(wanted: {
        title: string;
        visibility?: string;
        game?: string;
        viewer?: string;
        chapter_title?: string;
    }): Promise<Study>;
    /**
     * @param {Study | string} study
     * @param {StudyReading} [reading]
     * @returns {Promise<Study>}
     */
    look(study: Study | string, reading?: StudyReading): Promise<Study>;
    /**
     * Everything that is written, drawn and tried in a chapter.
     * @param {Study | string} study
     * @param {string} chapter
     * @param {StudyReading} [reading]
     * @returns {Promise<Record<string, any>>}
     */
    chapter(study: Study | string, chapter: string, reading?: StudyReading): Promise<Record<string, any>>;
    /**
     * The position after a step of the game, by its version, or after a tried move.
     * @param {Study | string} study
     * @param {string} chapter
     * @param {string | number} node
     * @param {StudyReading} [reading]
     * @returns {Promise<Record<string, any>>}
     */
    position(study: Study | string, chapter: string, node: string | number, reading?: StudyReading): Promise<Record<string, any>>;
    /**
     * One change: `edit(study, { kind: "write_comment", chapter, node, text })`. That of the kind `try_move` answers the new
     * node, and the position after it.
     * @param {Study | string} study
     * @param {Record<string, any> & { kind: string }} edit
     * @param {StudyReading} [reading]
     * @returns {Promise<Record<string, any>>}
     */
    edit(study: Study | string, edit: Record<string, any> & {
        kind: string;
    }, reading?: StudyReading): Promise<Record<string, any>>;
    /**
     * What would follow from a move; nothing is kept.
     * @param {Study | string} study
     * @param {string} chapter
     * @param {string | number} node
     * @param {{ seat: string, move: Record<string, any> }} move
     * @param {StudyReading} [reading]
     * @returns {Promise<Record<string, any>>}
     */
    preview(study: Study | string, chapter: string, node: string | number, move: {
        seat: string;
        move: Record<string, any>;
    }, reading?: StudyReading): Promise<Record<string, any>>;
    /**
     * Whether a move is the one that was played, and what the study says of it.
     * @param {Study | string} study
     * @param {string} chapter
     * @param {string | number} node
     * @param {{ seat: string, move: Record<string, any> }} move
     * @param {StudyReading} [reading]
     * @returns {Promise<Record<string, any>>}
     */
    guess(study: Study | string, chapter: string, node: string | number, move: {
        seat: string;
        move: Record<string, any>;
    }, reading?: StudyReading): Promise<Record<string, any>>;
    /**
     * Changes, the newest first: `{ edits, next }`.
     * @param {Study | string} study
     * @param {StudyReading & { limit?: number, before?: number }} [reading]
     * @returns {Promise<{ edits: Record<string, any>[], next: number | null }>}
     */
    history(study: Study | string, reading?: StudyReading & {
        limit?: number;
        before?: number;
    }): Promise<{
        edits: Record<string, any>[];
        next: number | null;
    }>;
    /**
     * The edits after a version, as they are made, without end; none is left out and none comes twice.
     * @param {Study | string} study
     * @param {{ after: number, key?: string, pause?: number, signal?: AbortSignal }} from
     * @returns {AsyncGenerator<Record<string, any> & { version: number }, void, void>}
     */
    stream(study: Study | string, { after, key, pause, signal }: {
        after: number;
        key?: string;
        pause?: number;
        signal?: AbortSignal;
    }): AsyncGenerator<Record<string, any> & {
        version: number;
    }, void, void>;
    /**
     * Tell the other members where you are; it counts for 25 seconds.
     * @param {Study | string} study
     * @param {{ chapter?: string, node?: string, is_writing?: boolean }} where
     * @param {StudyReading} [reading]
     * @returns {Promise<void>}
     */
    present(study: Study | string, where: {
        chapter?: string;
        node?: string;
        is_writing?: boolean;
    }, reading?: StudyReading): Promise<void>;
    /**
     * A file, as `json` or as `text`.
     * @param {Study | string} study
     * @param {StudyReading & { format?: "json" | "text" }} [reading]
     * @returns {Promise<string>}
     */
    export(study: Study | string, reading?: StudyReading & {
        format?: "json" | "text";
    }): Promise<string>;
    /**
     * A new study of yours, from a file.
     * @param {{ format: "json" | "text", document: string, visibility?: string }} file
     * @returns {Promise<Study>}
     */
    importFile(file: {
        format: "json" | "text";
        document: string;
        visibility?: string;
    }): Promise<Study>;
    /**
     * @param {Study | string} study
     * @returns {Promise<void>}
     */
    delete(study: Study | string): Promise<void>;
    #private;
}
/** @typedef {Record<string, any> & { id: string, version: number, title: string }} Tournament */
/** @typedef {{ at: number, by: Record<string, any>, facts: { fact: string, text: string | null }[], hash: string,
 *   version: number }} TournamentCommit */
/** @typedef {Record<string, any> & { kind: string }} TournamentAction  Such as `{ kind: "register" }`. */
/** @typedef {{ signal?: AbortSignal }} TournamentReading */
/** @typedef {TournamentReading & { idempotencyKey?: string }} TournamentWriting */
/** Tournaments of a service: `hidalgo.tournaments`. People are named by their handles. */
export class Tournaments {
    /**
     * @param {{ request: (method: string, path: string, request?: any) => Promise<any> }} hidalgo
     * @param {(name: string, path: string, from: any) => AsyncIterable<any>} listen
     */
    constructor(hidalgo: {
        request: (method: string, path: string, request?: any) => Promise<any>;
    }, listen: (name: string, path: string, from: any) => AsyncIterable<any>);
    /**
     * Public tournaments, the newest first, page by page; with `mine`, those that you play in or run.
     * @param {{ status?: string, mine?: boolean, limit?: number }} [wanted]
     * @param {TournamentReading} [reading]
     * @returns {AsyncGenerator<Tournament, void, void>}
     */
    find(wanted?: {
        status?: string;
        mine?: boolean;
        limit?: number;
    }, reading?: TournamentReading): AsyncGenerator<Tournament, void, void>;
    /**
     * Agreements for common events.
     * @param {TournamentReading} [reading]
     * @returns {Promise<Record<string, any>[]>}
     */
    presets(reading?: TournamentReading): Promise<Record<string, any>[]>;
    /**
     * How so many players are split into tables, and how many rounds they can play without meeting twice.
     * @param {{ players: number, size: number, sizes?: number[], rounds?: number }} wanted
     * @param {TournamentReading} [reading]
     * @returns {Promise<Record<string, any>>}
     */
    plan(wanted: {
        players: number;
        size: number;
        sizes?: number[];
        rounds?: number;
    }, reading?: TournamentReading): Promise<Record<string, any>>;
    /**
     * A tournament of yours, open for players: what is given, and for the rest what the preset says.
     * @param {Record<string, any> & { title: string, game: string, preset?: string }} wanted
     * @param {TournamentWriting} [writing]
     * @returns {Promise<Tournament>}
     */
    create(wanted: Record<string, any> & {
        title: string;
        game: string;
        preset?: string;
    }, writing?: TournamentWriting): Promise<Tournament>;
    /**
     * @param {Tournament | string} tournament
     * @param {TournamentReading} [reading]
     * @returns {Promise<Tournament>}
     */
    look(tournament: Tournament | string, reading?: TournamentReading): Promise<Tournament>;
    /**
     * One action of a player or of staff: `act(event, { kind: "start" })`.
     * @param {Tournament | string} tournament
     * @param {TournamentAction} action
     * @param {TournamentWriting} [writing]
     * @returns {Promise<Record<string, any>>}
     */
    act(tournament: Tournament | string, action: TournamentAction, writing?: TournamentWriting): Promise<Record<string, any>>;
    /**
     * What a ruling would change; nothing is done.
     * @param {Tournament | string} tournament
     * @param {TournamentAction} ruling
     * @param {TournamentReading} [reading]
     * @returns {Promise<Record<string, any>>}
     */
    preview(tournament: Tournament | string, ruling: TournamentAction, reading?: TournamentReading): Promise<Record<string, any>>;
    /**
     * In the order of their starting numbers.
     * @param {Tournament | string} tournament
     * @param {{ limit?: number }} [wanted]
     * @param {TournamentReading} [reading]
     * @returns {AsyncGenerator<Record<string, any>, void, void>}
     */
    players(tournament: Tournament | string, wanted?: {
        limit?: number;
    }, reading?: TournamentReading): AsyncGenerator<Record<string, any>, void, void>;
    /**
     * A round with all its tables; with `player`, a handle or `me`, that of this player.
     * @param {Tournament | string} tournament
     * @param {number} number
     * @param {{ player?: string, limit?: number }} [wanted]
     * @param {TournamentReading} [reading]
     * @returns {Promise<Record<string, any>>}
     */
    round(tournament: Tournament | string, number: number, wanted?: {
        player?: string;
        limit?: number;
    }, reading?: TournamentReading): Promise<Record<string, any>>;
    /**
     * A table, counted from 0, and why these players sit at it.
     * @param {Tournament | string} tournament
     * @param {number} round
     * @param {number} table
     * @param {TournamentReading} [reading]
     * @returns {Promise<Record<string, any>>}
     */
    table(tournament: Tournament | string, round: number, table: number, reading?: TournamentReading): Promise<Record<string, any>>;
    /**
     * Rows, the first player first; with `round`, as they were after it.
     * @param {Tournament | string} tournament
     * @param {{ round?: number, limit?: number }} [wanted]
     * @param {TournamentReading} [reading]
     * @returns {AsyncGenerator<Record<string, any>, void, void>}
     */
    standings(tournament: Tournament | string, wanted?: {
        round?: number;
        limit?: number;
    }, reading?: TournamentReading): AsyncGenerator<Record<string, any>, void, void>;
    /**
     * Every player's rounds in a row.
     * @param {Tournament | string} tournament
     * @param {{ limit?: number }} [wanted]
     * @param {TournamentReading} [reading]
     * @returns {AsyncGenerator<Record<string, any>, void, void>}
     */
    crosstable(tournament: Tournament | string, wanted?: {
        limit?: number;
    }, reading?: TournamentReading): AsyncGenerator<Record<string, any>, void, void>;
    /**
     * @param {Tournament | string} tournament
     * @param {TournamentReading} [reading]
     * @returns {Promise<Record<string, any>[]>}
     */
    rulings(tournament: Tournament | string, reading?: TournamentReading): Promise<Record<string, any>[]>;
    /**
     * Everything that happened, the newest first, page by page.
     * @param {Tournament | string} tournament
     * @param {{ before?: number, limit?: number }} [wanted]
     * @param {TournamentReading} [reading]
     * @returns {AsyncGenerator<TournamentCommit, void, void>}
     */
    history(tournament: Tournament | string, wanted?: {
        before?: number;
        limit?: number;
    }, reading?: TournamentReading): AsyncGenerator<TournamentCommit, void, void>;
    /**
     * What happens after a version, as it does, without end; none is left out and none comes twice.
     * @param {Tournament | string} tournament
     * @param {{ after: number, pause?: number, signal?: AbortSignal }} from
     * @returns {AsyncGenerator<TournamentCommit, void, void>}
     */
    stream(tournament: Tournament | string, { after, pause, signal }: {
        after: number;
        pause?: number;
        signal?: AbortSignal;
    }): AsyncGenerator<TournamentCommit, void, void>;
    /**
     * A file for `hidalgo tournament verify`.
     * @param {Tournament | string} tournament
     * @param {TournamentReading} [reading]
     * @returns {Promise<string>}
     */
    export(tournament: Tournament | string, reading?: TournamentReading): Promise<string>;
    /**
     * The standings for a spreadsheet.
     * @param {Tournament | string} tournament
     * @param {TournamentReading} [reading]
     * @returns {Promise<string>}
     */
    standingsCsv(tournament: Tournament | string, reading?: TournamentReading): Promise<string>;
    /**
     * A tournament report file, of two players at a table.
     * @param {Tournament | string} tournament
     * @param {TournamentReading} [reading]
     * @returns {Promise<string>}
     */
    report(tournament: Tournament | string, reading?: TournamentReading): Promise<string>;
    /**
     * A tournament of yours with the players of a report file; `handles` tells who they are here, by number.
     * @param {Record<string, any> & { document: string, game: string }} wanted
     * @param {TournamentWriting} [writing]
     * @returns {Promise<Tournament>}
     */
    importReport(wanted: Record<string, any> & {
        document: string;
        game: string;
    }, writing?: TournamentWriting): Promise<Tournament>;
    #private;
}
/** The service refused. `code` is stable and for programs, `message` is a sentence for people. */
export class Problem extends Error {
    /**
     * @param {number} status
     * @param {string} code
     * @param {string} detail
     * @param {{ rule?: string | null, requestId?: string | null, retryAfter?: number | null, errors?: any,
     *   type?: string | null, cause?: unknown }} [more]
     */
    constructor(status: number, code: string, detail: string, more?: {
        rule?: string | null;
        requestId?: string | null;
        retryAfter?: number | null;
        errors?: any;
        type?: string | null;
        cause?: unknown;
    });
    status: number;
    code: string;
    /** The page that explains the code. */
    type: string | null;
    /** The rule that was broken, as docs/rules.md names it. */
    rule: string | null;
    /** Names the request to the operator of the service. */
    requestId: string | null;
    /** Seconds to wait before the next try. */
    retryAfter: number | null;
    /** The fields that were wrong, where the service names them. */
    errors: any;
}
/** Not a request that this service knows: the program must be mended. */
export class Unreadable extends Problem {
}
/** Understood, but the rules forbid it: choose again. */
export class RuleBroken extends Problem {
}
/** Another player is asked, or the question was answered already: look at the game again. */
export class NotYourDecision extends Problem {
}
/** The game is not at that point: it has not begun, it is over, the seat is taken. */
export class NotNow extends Problem {
}
/** The game has moved on since the version you named. */
export class Changed extends Problem {
}
/** There is nothing there, or nothing that you may see. */
export class NotFound extends Problem {
}
/** The token or session is missing, wrong or revoked. */
export class Unauthorized extends Problem {
}
/** The token is good, but not for this. */
export class Forbidden extends Problem {
}
/** Too many requests: wait for `retryAfter` seconds. */
export class RateLimited extends Problem {
}
/** The service cannot be reached, or cannot work at the moment. The same request may be sent again. */
export class Unavailable extends Problem {
}
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
    /**
     * @param {string} url
     * @param {OAuthSettings} settings
     */
    constructor(url: string, { clientId, redirectUri, scope, storage, timeout, fetch: via }: OAuthSettings);
    url: string;
    clientId: string;
    redirectUri: string;
    scope: string;
    storage: Keeping;
    timeout: number;
    fetch: typeof fetch;
    /**
     * The address to send the reader to. The state and the verifier are kept until the reader comes back.
     * @param {Reading} [reading]
     * @returns {Promise<string>}
     */
    begin(reading?: Reading): Promise<string>;
    /**
     * The tokens, from the address at which the reader came back.
     * @param {string | URL} address
     * @param {Reading} [reading]
     * @returns {Promise<Tokens>}
     */
    finish(address: string | URL, reading?: Reading): Promise<Tokens>;
    /**
     * New tokens for a refresh token; the old one is used up.
     * @param {string} refreshToken
     * @param {Reading} [reading]
     * @returns {Promise<Tokens>}
     */
    refresh(refreshToken: string, reading?: Reading): Promise<Tokens>;
    /**
     * The token is worth nothing from now on.
     * @param {string} token
     * @param {Reading} [reading]
     * @returns {Promise<void>}
     */
    revoke(token: string, reading?: Reading): Promise<void>;
    /**
     * The addresses of the service, as it names them itself. They are asked for once.
     * @param {Reading} [reading]
     * @returns {Promise<OAuthServer>}
     */
    server(reading?: Reading): Promise<OAuthServer>;
    #private;
}
/**
 * Two ways to the items of a numbered sequence, such as the commits of a game: `stream` gives those after a number as
 * they come, as long as a connection holds; `poll` those so far, or null if no more will follow.
 */
export type Source<Item> = {
    stream: (after: number) => AsyncIterable<Item>;
    poll: (after: number) => Promise<AsyncIterable<Item> | null>;
    number: (item: Item) => number;
    pause: number;
    signal?: AbortSignal;
};
/**
 * A slot is a number that can be counted up: a field, or a key of a field.
 */
export type Slot = {
    field: string;
    key: string | null;
    number: number;
    most: number;
};
/**
 * Something that happened: its name, and the numbers.
 */
export type Fact = Record<string, any> & {
    fact: string;
};
export type Account = {
    id: string;
    handle: string;
    role: string;
    bot: boolean;
};
export type Me = Account & {
    scopes: string[];
    by: "token" | "session";
    csrf?: string | null;
    created_at: number;
};
export type Seat = {
    seat: string;
    player: {
        id: string;
        handle: string | null;
        bot: boolean;
    } | null;
    nonce: boolean;
    forfeited: string | null;
};
export type Game = {
    id: string;
    rules: string;
    game: string;
    expansions: string[];
    players: number;
    options: Record<string, string>;
    visibility: "public" | "private";
    status: "open" | "running" | "over" | "aborted";
    version: number;
    seats: Seat[];
    mine: string | null;
    waiting: string[];
    owner: string | null;
    commitment: string;
    head: string;
    scores: Record<string, number> | null;
    places: Record<string, number> | null;
    created_at: number;
    time: Record<string, any> | null;
    clock: Record<string, any> | null;
    may_resign: boolean;
    may_take_back: boolean;
    take_back: string[];
    tournament: {
        tournament: string;
        round: number;
        table: number;
    } | null;
};
/**
 * The body of `POST /games`.
 */
export type NewGame = {
    rules?: string;
    players?: number;
    expansions?: string[];
    options?: Record<string, string>;
    visibility?: "public" | "private";
    time?: Record<string, any> | null;
    may_resign?: boolean;
    may_take_back?: boolean;
    title?: string;
    starts_when_full?: boolean;
    join?: boolean;
    nonce?: string;
};
/**
 * An answer to a decision.
 */
export type Answer = Record<string, any> & {
    decision: string;
    kind: string;
};
/**
 * A JSON Schema.
 */
export type Schema = Record<string, any>;
export type Decision = {
    id: string;
    kind: string;
    seat: string;
    text: string;
    schema: Schema;
    example: Answer;
    default?: Answer | null;
    at_once?: number;
};
export type Decisions = {
    version: number;
    waiting: string[];
    decisions: Decision[];
};
export type Accepted = {
    version: number;
    facts: Fact[];
    story: string[];
    waiting: string[];
    status: string;
    hash: string;
};
export type Preview = {
    accepted: boolean;
    facts: Fact[];
    story: string[];
    refusal?: string | null;
    rule?: string | null;
};
export type Position = {
    version: number;
    viewer: string;
    state: Record<string, any> | null;
    waiting: string[];
    status: string;
};
export type Commit = {
    version: number;
    at: number;
    by: string;
    decision: string;
    facts: Fact[];
    story: string[];
    hash: string;
};
export type Notice = {
    id: number;
    kind: string;
    text: string;
    at: number;
    game: string | null;
    version: number | null;
    seat: string | null;
    bot: boolean;
    webhook: string | null;
    tournament: string | null;
    round?: number | null;
    table?: number | null;
    starts_at?: number | null;
};
/**
 * A message, or the removal of one.
 */
export type Message = {
    id: number;
    room: "players" | "spectators";
    at: number;
    player: {
        id: string;
        handle: string | null;
        bot: boolean;
    };
    seat: string | null;
    text: string;
    removed: boolean;
    removes: number | null;
};
export type GameWithPosition = {
    game: Game;
    position: Position;
};
export type Letter = {
    number: number;
    about: "notices" | "confirmation";
    notices: number[];
    created_at: number;
    attempts: number;
    next_at: number | null;
    status: number | null;
    error: string | null;
};
/**
 * Nobody else sees it. `pending` is an address that is not confirmed yet, `parked` what was not delivered.
 */
export type Mail = {
    available: boolean;
    address: string | null;
    pending: string | null;
    choices: MailChoice[];
    digest: "soon" | "daily";
    language: string;
    waiting: Letter[];
    parked: Letter[];
};
export type MailChoice = "turn" | "reminder" | "pairing" | "finished" | "tournament";
export type Reading = {
    signal?: AbortSignal;
};
/**
 * `ifMatch` is a resource, its ETag or a version: if the game has changed since, nothing is done.
 */
export type Writing = Reading & {
    idempotencyKey?: string;
    ifMatch?: string | number | object;
};
export type Request = Writing & {
    query?: Record<string, any>;
    body?: object;
    headers?: Record<string, string>;
};
export type Reply = {
    status: number;
    headers: Headers;
    etag: string | null;
    text: string;
    json: () => any;
};
/**
 * Times are in seconds: `timeout` for a single answer, `retryFor` for all tries of a request.
 */
export type Settings = {
    token?: string | null;
    timeout?: number;
    retryFor?: number;
    language?: string;
    onRetry?: (problem: Problem) => void;
    fetch?: typeof fetch;
};
/**
 * Your own room, or another.
 */
export type ChatReading = {
    room?: "" | "players" | "spectators";
    after?: number;
    signal?: AbortSignal;
};
export type Study = Record<string, any> & {
    id: string;
    version: number;
    title: string;
};
/**
 * The key of a link; through whose eyes.
 */
export type StudyReading = {
    key?: string;
    viewer?: string;
    signal?: AbortSignal;
};
export type Tournament = Record<string, any> & {
    id: string;
    version: number;
    title: string;
};
export type TournamentCommit = {
    at: number;
    by: Record<string, any>;
    facts: {
        fact: string;
        text: string | null;
    }[];
    hash: string;
    version: number;
};
/**
 * Such as `{ kind: "register" }`.
 */
export type TournamentAction = Record<string, any> & {
    kind: string;
};
export type TournamentReading = {
    signal?: AbortSignal;
};
export type TournamentWriting = TournamentReading & {
    idempotencyKey?: string;
};
/**
 * Where the state of a sign-in is kept: `sessionStorage`, or your own.
 */
export type Keeping = {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
    removeItem(key: string): void;
};
export type OAuthSettings = {
    clientId: string;
    redirectUri: string;
    scope?: string;
    storage?: Keeping;
    timeout?: number;
    fetch?: typeof fetch;
};
export type Tokens = {
    access_token: string;
    token_type: string;
    expires_in?: number;
    refresh_token?: string;
    scope?: string;
};
export type OAuthServer = {
    issuer: string;
    authorization_endpoint: string;
    token_endpoint: string;
    revocation_endpoint?: string;
    authorization_response_iss_parameter_supported?: boolean;
};
