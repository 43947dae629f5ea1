// Broken connections, lost answers and refusals of a real service.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  all,
  Changed,
  etagOf,
  fake,
  Forbidden,
  Hidalgo,
  json,
  NotFound,
  NotNow,
  NotYourDecision,
  Problem,
  RuleBroken,
  tunnel,
  Unauthorized,
  Unavailable,
  Unreadable,
  URL_OF_SERVICE,
} from "./harness.mjs";

const guest = (url = URL_OF_SERVICE, settings = {}) => new Hidalgo(url, settings).guest();

async function started(players) {
  const [host, ...others] = players;
  const game = await host.createGame({ players: players.length });
  for (const other of others) await other.join(game);
  return host.start(game);
}

async function asked(players, game) {
  for (const player of players) {
    const { decisions } = await player.decisions(game);
    if (decisions.length) return { player, decision: decisions[0] };
  }
  assert.fail("nobody is asked");
}

test("a write whose answer was lost is sent again, and done once", async (t) => {
  const way = await tunnel(t);
  const retries = [];
  const host = await guest(way.url, { onRetry: (problem) => retries.push(problem.code) });
  const other = await guest();
  const made = await host.createGame({ players: 2 });
  await other.join(made);
  way.cut();
  way.loseAnswers = 3;
  const game = await host.start(made);
  assert.equal(way.lost, 3);
  assert.deepEqual(new Set(retries), new Set(["unreachable"]));

  const { player, decision } = await asked([host, other], game);
  const mover = new Hidalgo(way.url, { token: player.token });
  way.cut();
  way.loseAnswers = 2;
  const moved = await mover.move(game, decision.example);
  assert.equal(moved.version, game.version + 1);
  const commits = await all(host.events(game));
  assert.deepEqual(commits.map((commit) => commit.version), Array.from({ length: moved.version }, (_, i) => i + 1));
  assert.equal(commits.filter((commit) => commit.decision === decision.id).length, 1);
});

test("a stream that is cut goes on where it broke", async (t) => {
  const way = await tunnel(t);
  const players = [await guest(), await guest()];
  const game = await started(players);
  const watching = new Hidalgo(way.url).stream(game, { pause: 0.05 });
  const versions = [];
  for (let moves = 0; moves < 4; moves++) {
    const { player, decision } = await asked(players, game);
    const moved = await player.move(game, decision.example);
    while ((versions.at(-1) ?? 0) < moved.version) versions.push((await watching.next()).value.version);
    way.cut();
  }
  await watching.return();
  assert.deepEqual(versions, Array.from({ length: versions.length }, (_, index) => index + 1));
  assert.ok(way.connections >= 4, `only ${way.connections} connections`);
});

test("a stream names the last event that it has", async (t) => {
  const commit = (version) => `id: ${version}\nevent: commit\ndata: {"version": ${version}}\n\n`;
  const heard = [];
  const url = await fake(t, (request, response) => {
    if (!request.url.includes("/stream")) return json(response, 200, { version: 2, status: "running" });
    heard.push([request.headers["last-event-id"], request.headers.authorization, request.url]);
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    if (heard.length === 1) response.write(commit(1) + commit(2) + commit(3).slice(0, 20), () => response.destroy());
    else response.write(commit(2) + commit(3));
  });
  const stream = new Hidalgo(url, { token: "hdg_x" }).stream("g", { pause: 0.01 });
  const versions = [];
  for await (const { version } of stream) {
    versions.push(version);
    if (version === 3) break;
  }
  assert.deepEqual(versions, [1, 2, 3]);
  assert.deepEqual(heard[1], ["2", "Bearer hdg_x", "/api/v1/games/g/stream?after=2"]);
});

test("without a stream to spare the client polls", async (t) => {
  const commits = [1, 2].map((version) => ({ version, facts: [], story: [] }));
  let [streams, looks] = [0, 0];
  const url = await fake(t, (request, response) => {
    if (request.url.includes("/stream")) {
      streams++;
      return json(response, 503, { code: "too_many_streams" }, { "Retry-After": "60" });
    }
    if (request.url.includes("/events")) return json(response, 200, { events: commits, next: null });
    looks++;
    json(response, 200, { version: looks < 3 ? 0 : 2, status: looks < 4 ? "running" : "over" });
  });
  assert.deepEqual(await all(new Hidalgo(url).stream("g", { pause: 0.01 })), commits);
  assert.equal(streams, 1);
});

test("an inbox is streamed", async () => {
  const [host, other] = [await guest(), await guest()];
  const controller = new AbortController();
  const game = await host.createGame({ players: 2 });
  const notices = host.inboxStream({ signal: controller.signal });
  await other.join(game);
  for await (const notice of notices) {
    if (notice.kind === "seat_taken" && notice.seat === "blue") break;
  }
  controller.abort();
  assert.ok((await all(host.inbox())).length >= 1);
});

test("problems are errors by the party that can mend them", async () => {
  const players = [await guest(), await guest()];
  const game = await started(players);
  const { player, decision } = await asked(players, game);
  const waiting = players.find((other) => other !== player);
  const cases = [
    [NotFound, "not_found", () => player.game("none")],
    [Unauthorized, "unauthorized", () => new Hidalgo(URL_OF_SERVICE).me()],
    [Unauthorized, "unauthorized", () => new Hidalgo(URL_OF_SERVICE).createGame()],
    [Unauthorized, "unauthorized", () => new Hidalgo(URL_OF_SERVICE, { token: "hdg_wrong" }).me()],
    [Unreadable, "invalid", () => player.createGame({ players: 0 })],
    [NotNow, "not_now", () => players[0].start(game)],
    [NotYourDecision, "not_your_decision", () => waiting.move(game, decision.example)],
    [RuleBroken, "rule_broken", () => player.move(game, { ...decision.example, value: 99 })],
    [Changed, "precondition_failed", () => player.move(game, decision.example, { ifMatch: 1 })],
    [Forbidden, "forbidden", () => players[1].abort(game)],
  ];
  for (const [kind, code, act] of cases) {
    const error = await act().then(() => null, (refusal) => refusal);
    assert.ok(error instanceof Problem && error.code === code, `${code}: ${error?.name} ${error?.code}`);
    assert.ok(error instanceof kind, `${code} is a ${error.name}`);
    assert.equal(error.name, kind.name);
    assert.ok(error.message && error.requestId, code);
  }
});

test("a precondition is the resource that the client has", async () => {
  const players = [await guest(), await guest()];
  const game = await started(players);
  assert.equal(etagOf(game), `"${game.version}"`);
  const { player, decision } = await asked(players, game);
  const decisions = await player.decisions(game);
  const moved = await player.move(game, decision.example, { ifMatch: decisions });
  assert.equal(moved.version, game.version + 1);
  await assert.rejects(players[0].pause(game, { ifMatch: game }), Changed);
});

test("the same key is the same move, and a trial changes nothing", async () => {
  const players = [await guest(), await guest()];
  const game = await started(players);
  const { player, decision } = await asked(players, game);
  const preview = await player.dryRun(game, decision.example);
  assert.equal(preview.accepted, true);
  const first = await player.move(game, decision.example, { idempotencyKey: "once" });
  const again = await player.move(game, decision.example, { idempotencyKey: "once" });
  assert.deepEqual(again, first);
});

test("tries are bounded, and wait as long as they are told", async (t) => {
  let tries = 0;
  const url = await fake(t, (request, response) => {
    tries++;
    json(response, tries < 3 ? 429 : 200, { code: "too_many_requests", id: "a" }, { "Retry-After": "0.1" });
  });
  const began = performance.now();
  await new Hidalgo(url).me();
  assert.equal(tries, 3);
  assert.ok(performance.now() - began >= 190);

  tries = -1000;
  const keys = new Set();
  const dead = await fake(t, (request, response) => {
    tries++;
    keys.add(request.headers["idempotency-key"]);
    json(response, 503, { code: "store_away" });
  });
  await assert.rejects(new Hidalgo(dead, { token: "t", retryFor: 0.5 }).start("g"), Unavailable);
  assert.ok(tries > -1000 + 1, "it tried again");
  assert.equal(keys.size, 1);
  assert.ok(![...keys].includes(undefined));
});

test("nothing at all answers", async (t) => {
  const way = await tunnel(t);
  way.refuse = true;
  const error = await new Hidalgo(way.url, { retryFor: 0.2 }).rules().catch((problem) => problem);
  assert.ok(error instanceof Unavailable);
  assert.equal(error.code, "unreachable");
});

test("an answer that never comes is given up", async (t) => {
  const url = await fake(t, () => {});
  await assert.rejects(new Hidalgo(url, { timeout: 0.1, retryFor: 0.2 }).rules(), /nothing came for 0.1 seconds/);
});

test("a caller can stop waiting, streaming and pausing", async (t) => {
  const silent = await fake(t, () => {});
  const busy = await fake(t, (request, response) => json(response, 503, { code: "busy" }, { "Retry-After": "30" }));
  const calls = [
    (signal) => new Hidalgo(silent).rules(undefined, { signal }),
    (signal) => new Hidalgo(silent).stream("g", { signal }).next(),
    (signal) => new Hidalgo(busy).rules(undefined, { signal }),
  ];
  for (const call of calls) {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    await assert.rejects(call(controller.signal), { name: "AbortError" });
  }
  await assert.rejects(new Hidalgo(silent).rules(undefined, { signal: AbortSignal.abort() }), { name: "AbortError" });
});

test("what is not a service says so", async (t) => {
  const url = await fake(t, (request, response) => response.end("<h1>Hello</h1>"));
  await assert.rejects(new Hidalgo(url).rules(), { code: "not_json" });
  assert.throws(() => new Hidalgo(""), /not the address of a service/);
  assert.throws(() => new Hidalgo("localhost:8000"), /not the address of a service/);
  assert.throws(() => new Hidalgo("http://x", { token: "a\nb" }), /characters that no token has/);
});
