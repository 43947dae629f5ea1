// The server of boardgame.io, and clients that play on it; `boardgame_io.py` starts both, each as a process of its own.
//
//   node boardgame_io.mjs serve memory              prints the address; with `files` and a folder, its FlatFile storage
//   node boardgame_io.mjs play ADDRESS TABLES SEATS reads `prepare`, and `play SECONDS`; answers each with a line of JSON
//
// The packages are those installed in the working directory.

import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";

const require = createRequire(join(process.cwd(), "packages"));
const GAME = "bench";
const LONGEST_WAIT = 30_000;

const game = {
  name: GAME,
  setup: () => ({ moves: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { play: ({ G }) => ({ moves: G.moves + 1 }) },
};

// The server

async function serve(storage, folder) {
  const { FlatFile, Server } = require("boardgame.io/server");
  const db = storage === "files" ? new FlatFile({ dir: folder }) : undefined;
  const server = Server({ games: [game], origins: [], db });
  const listen = server.app.listen.bind(server.app);
  server.app.listen = (port, listening) => listen(port, "127.0.0.1", listening);
  const { appServer } = await server.run(0);
  console.log(`http://127.0.0.1:${appServer.address().port}/`);
}

// The clients: at every table one of them always waits for an answer

class Table {
  constructor(address, seats) {
    const { io } = require("socket.io-client");
    this.address = address;
    // Each has a connection of its own, as if it were on another machine.
    const options = { forceNew: true, transports: ["websocket"] };
    this.players = Array.from({ length: seats }, () => io(new URL(GAME, address).href, options));
    this.players.forEach((player, seat) => player.on("update", (match, state) => this.told(seat, match, state)));
  }

  // All players are told of a move; the answer is the one to the player who made it, and not of the move before
  told(seat, match, state) {
    if (match !== this.match || seat !== this.mover || state._stateID <= this.state._stateID) return;
    this.state = state;
    this.answered();
  }

  // A new match for every sample, as long as it lasts: a match keeps a log that grows
  async sitDown() {
    const created = await this.post("create", { numPlayers: this.players.length });
    this.match = created.matchID;
    this.tokens = [];
    for (let seat = 0; seat < this.players.length; seat++) await this.join(seat);
  }

  async join(seat) {
    const playerID = String(seat);
    const joined = await this.post(`${this.match}/join`, { playerID, playerName: playerID });
    this.tokens[seat] = joined.playerCredentials;
    const player = this.players[seat];
    const synced = new Promise((resolve) => player.once("sync", (_, { state }) => resolve(state)));
    // The server tells all players who has come, once it has the new one on its list.
    const listed = new Promise((resolve) => player.once("matchData", resolve));
    player.emit("sync", this.match, playerID, this.tokens[seat], this.players.length);
    [this.state] = await Promise.all([synced, listed]);
  }

  async post(path, body) {
    const answer = await fetch(new URL(`games/${GAME}/${path}`, this.address), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer.json();
  }

  // Gives the milliseconds of every move that is made until then
  async playUntil(end) {
    const waits = [];
    do {
      const began = performance.now();
      await this.move();
      waits.push(performance.now() - began);
    } while (performance.now() < end);
    return waits;
  }

  move() {
    const { ctx, _stateID } = this.state;
    const playerID = ctx.currentPlayer;
    this.mover = Number(playerID);
    const payload = { type: "play", args: [], playerID, credentials: this.tokens[this.mover] };
    return new Promise((resolve) => {
      this.answered = resolve;
      this.players[this.mover].emit("update", { type: "MAKE_MOVE", payload }, _stateID, this.match, playerID);
    });
  }
}

async function play(address, tables, seats) {
  const hall = Array.from({ length: Number(tables) }, () => new Table(address, Number(seats)));
  for await (const line of createInterface({ input: process.stdin })) {
    const [word, seconds] = line.split(" ");
    const silence = setTimeout(() => fail(`no answer to ${line}`), LONGEST_WAIT + 1000 * (seconds ?? 0));
    console.log(JSON.stringify(word === "prepare" ? await prepare(hall) : await sample(hall, 1000 * seconds)));
    clearTimeout(silence);
  }
  process.exit();
}

async function prepare(hall) {
  await Promise.all(hall.map((table) => table.sitDown()));
  return {};
}

async function sample(hall, milliseconds) {
  const began = performance.now();
  const waits = await Promise.all(hall.map((table) => table.playUntil(began + milliseconds)));
  return { seconds: (performance.now() - began) / 1000, waits: waits.flat() };
}

function fail(reason) {
  console.error(reason);
  process.exit(1);
}

const [role, ...rest] = process.argv.slice(2);
await (role === "serve" ? serve(...rest) : play(...rest));
