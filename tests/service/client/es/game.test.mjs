// A whole game between programs that know no rules: they draw an answer from the schema of each question.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";

import { all, freeSeats, Hidalgo, isOver, sample, URL_OF_SERVICE } from "./harness.mjs";

/** Look at every commit whether it brings a question; the stream ends with the game. */
async function play(hidalgo, game) {
  const versions = [];
  let seen = 0;
  for await (const commit of hidalgo.stream(game)) {
    versions.push(commit.version);
    while (commit.version > seen) {
      const asked = await hidalgo.decisions(game);
      for (const decision of asked.decisions) await hidalgo.move(game, sample(decision.schema));
      if (!asked.decisions.length) seen = asked.version;
    }
  }
  return versions;
}

test("a whole game is played from the schemas, and every stream has all of it", async () => {
  const players = await Promise.all([1, 2].map(() => new Hidalgo(URL_OF_SERVICE).guest()));
  const [host, other] = players;
  const made = await host.createGame({ players: 2, options: { game_length: "short" } });
  assert.deepEqual(freeSeats(made), ["blue"]);
  await other.join(made);
  await host.start(made);
  const streams = await Promise.all(players.map((player) => play(player, made)));

  const game = await host.game(made);
  assert.ok(isOver(game));
  assert.deepEqual(Object.keys(game.scores).sort(), ["blue", "red"]);
  const versions = Array.from({ length: game.version }, (_, index) => index + 1);
  assert.deepEqual(streams, [versions, versions]);

  const facts = (await all(host.events(game))).flatMap((commit) => commit.facts);
  const nonces = facts.filter((fact) => fact.fact === "nonce_added").map((fact) => fact.nonce);
  assert.deepEqual(nonces, [host.nonce(game), other.nonce(game)]);
  const position = await host.state(game, { viewer: "everything" });
  assert.equal(position.version, game.version);
  if (process.env.HIDALGO_EXPORT) writeFileSync(process.env.HIDALGO_EXPORT, await host.export(game));
});

test("a table with a title has a link, and starts when it is full", async () => {
  const [host, friend] = await Promise.all([1, 2].map(() => new Hidalgo(URL_OF_SERVICE).guest()));
  const game = await host.createGame({ players: 2, title: "Tuesday", starts_when_full: true });
  const word = (await host.link(game)).split("/").at(-1);
  const full = await friend.join(game, { invitation: word });
  assert.deepEqual([full.title, full.status], ["Tuesday", "running"]);
});
