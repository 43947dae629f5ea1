// Many positions at once, mail, and the mark of a bot.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";

import { all, fake, Hidalgo, json, NotNow, URL_OF_SERVICE } from "./harness.mjs";

const guest = () => new Hidalgo(URL_OF_SERVICE).guest();

test("many positions are read at once, as each viewer may see them", async () => {
  const [host, other] = await Promise.all([guest(), guest()]);
  const table = await other.join(await host.createGame({ players: 2 }));
  const hidden = await host.createGame({ players: 2, visibility: "private" });
  await host.start(table);
  const found = await all(host.positions({ games: [table, hidden.id, "gone"] }));
  assert.deepEqual(found.map(({ game }) => game.id), [table.id, hidden.id]);
  assert.deepEqual(found[0].position, await host.state(table));
  assert.deepEqual((await all(other.positions({ games: [hidden] }))), []);
  const running = await all(other.positions({ player: (await other.me()).id, status: "running", limit: 1 }));
  assert.deepEqual(running.map(({ game }) => game.id), [table.id]);
});

test("more games than fit into a request are read by several", async (t) => {
  const heard = [];
  const url = await fake(t, (request, response) => {
    heard.push(new URL(request.url, "http://x").searchParams.get("games").split(",").length);
    json(response, 200, { positions: [], missing: [], next: null });
  });
  const games = Array.from({ length: 150 }, (_, number) => String(number));
  assert.deepEqual(await all(new Hidalgo(url, { token: "t" }).positions({ games })), []);
  assert.deepEqual(heard, [100, 50]);
});

test("a program that plays says so, and the owner of a table seats a bot of the service", async () => {
  const host = await guest();
  assert.equal((await host.declareBot()).bot, true);
  const game = await host.seatBot(await host.createGame({ players: 2 }), "random", { seat: "blue" });
  assert.deepEqual(game.seats.map((seat) => seat.player.bot), [true, true]);
  assert.equal((await host.declareBot(false)).bot, false);
});

test("an address is confirmed by the code of its letter", async () => {
  const [ana, address] = [await guest(), "script@people.example"];
  assert.equal((await ana.mail()).available, true);
  const asked = await ana.changeMail({ address, choices: ["turn"], digest: "daily" });
  assert.deepEqual([asked.pending, asked.choices, asked.digest], [address, ["turn"], "daily"]);
  await assert.rejects(ana.confirmMail("no"), NotNow);
  assert.equal((await ana.confirmMail(await code(address))).address, address);
  assert.deepEqual((await ana.retryMail()).parked, []);
  await ana.forgetMail();
  assert.equal((await ana.mail()).address, null);
});

/** The mail server of the tests writes the letters that it has taken into a file. */
async function code(address) {
  for (;;) {
    const letters = readFileSync(process.env.HIDALGO_MAILS, { encoding: "utf8", flag: "a+" }).split("\n").filter(Boolean);
    const letter = letters.map((line) => JSON.parse(line)).find(({ to }) => to.includes(address));
    if (letter) return /program: (\S+)/.exec(letter.bytes.replaceAll("=\r\n", ""))[1];
    await setTimeout(20);
  }
}
