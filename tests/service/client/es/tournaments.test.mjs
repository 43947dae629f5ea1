// A tournament of bots, run by hand.

import assert from "node:assert/strict";
import { test } from "node:test";

import { all, Hidalgo, NotFound, NotNow, tunnel, URL_OF_SERVICE } from "./harness.mjs";

const DUELS = {
  title: "Duels",
  game: "el_grande",
  size: 2,
  points: { preset: "chess" },
  stages: [{ rounds: 2 }],
  schedule: { rule: "by-hand" },
};

async function opened(url = URL_OF_SERVICE) {
  const { tournaments } = await new Hidalgo(url).guest();
  const event = await tournaments.create(DUELS);
  for (let number = 1; number <= 4; number++) {
    await tournaments.act(event, { kind: "register", player: `bot:greedy:${number}` });
  }
  return { tournaments, event };
}

/** A round, in which the first seats win: by ruling, for the scheduler begins the games, and closes the round. */
async function play(tournaments, event) {
  for (const kind of ["propose_round", "publish_round", "start_round"]) await tournaments.act(event, { kind });
  const { current: round, version } = await tournaments.look(event);
  for (const { table } of (await tournaments.round(event, round, { limit: 1 })).tables) {
    await tournaments.act(event, { kind: "adjudicate", round, table, result: { places: [1, 2] }, reason: "Not played" });
  }
  for await (const { facts } of tournaments.stream(event, { after: version })) {
    if (facts.some(({ fact }) => fact === "round_closed")) break;
  }
}

test("an event is run and read", async () => {
  const { tournaments, event } = await opened();
  await tournaments.act(event, { kind: "start" });
  await play(tournaments, event);
  await play(tournaments, event);
  assert.equal((await all(tournaments.players(event, { limit: 3 }))).length, 4);
  assert.ok((await tournaments.table(event, 1, 0)).why);
  const rows = await all(tournaments.standings(event, { limit: 3 }));
  assert.deepEqual([rows.length, rows[0].place], [4, 1]);
  assert.equal((await all(tournaments.crosstable(event, { limit: 3 }))).length, 4);
  const ruling = { kind: "adjudicate", round: 1, table: 0, result: { places: [2, 1] }, reason: "Two results were swapped" };
  assert.ok((await tournaments.preview(event, ruling)).changes);
  await tournaments.act(event, ruling);
  assert.equal((await tournaments.rulings(event)).filter(({ reason }) => reason === ruling.reason).length, 1);
  const versions = (await all(tournaments.history(event, { limit: 3 }))).map(({ version }) => version);
  assert.deepEqual(versions, versions.toSorted((one, other) => other - one));
});

test("tournaments are found and planned", async () => {
  const { tournaments, event } = await opened();
  assert.ok((await all(tournaments.find({ mine: true, limit: 1 }))).some(({ id }) => id === event.id));
  assert.equal((await tournaments.plan({ players: 22, size: 4, sizes: [3] })).text, "4 tables of 4 and 2 tables of 3");
  assert.ok((await tournaments.presets()).some(({ name }) => name === "two-player-fide"));
  await assert.rejects(tournaments.look("nowhere"), NotFound);
  await assert.rejects(tournaments.act(event, { kind: "propose_round" }), NotNow);
});

test("a repeated action is done once", async () => {
  const { tournaments, event } = await opened();
  const said = () => tournaments.act(event, { kind: "announce", text: "Welcome" }, { idempotencyKey: "welcome" });
  assert.deepEqual(await said(), await said());
  const told = (await all(tournaments.history(event))).flatMap(({ facts }) => facts.map(({ fact }) => fact));
  assert.equal(told.filter((fact) => fact === "announcement_made").length, 1);
});

test("what happens arrives once each, also over a line that is cut", async (t) => {
  const way = await tunnel(t);
  const { tournaments, event } = await opened(way.url);
  const { version } = await tournaments.look(event);
  const listening = tournaments.stream(event, { after: version, pause: 0.05 });
  for (const number of [1, 2, 3]) {
    await tournaments.act(event, { kind: "announce", text: `Number ${number}` });
    const { value } = await listening.next();
    assert.equal(value.version, version + number);
    assert.equal(value.facts[0].fact, "announcement_made");
    way.cut();
  }
  await listening.return();
});

test("files leave and come back", async () => {
  const { tournaments, event } = await opened();
  assert.equal(JSON.parse(await tournaments.export(event)).commits.length, 5);
  assert.equal((await tournaments.standingsCsv(event)).split("\r\n").length, 6);
  const document = await tournaments.report(event);
  const again = await tournaments.importReport({ document, game: "el_grande", title: "Again" });
  assert.deepEqual([again.title, again.players], ["Again", 4]);
});
