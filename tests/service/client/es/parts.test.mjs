// Parts of the client that need no service.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { EventParser, fake, json, newKey, newNonce, OAuth, sample } from "./harness.mjs";

const SOME =
  ": a comment\n\nid: 1\nevent: commit\ndata: {\ndata: }\n\n: heartbeat\n\ndata:no space, no event\r\n\r\n" +
  "retry: 1500\nevent: nothing\n\nid: 2\rdata: caballero de León\r\rdata: never finished";
const EVENTS = [
  { name: "commit", data: "{\n}", id: "1" },
  { name: "message", data: "no space, no event", id: "1" },
  { name: "message", data: "caballero de León", id: "2" },
];

test("events are parsed wherever the text is cut", () => {
  for (const size of [1, 2, 3, 7, SOME.length]) {
    const parser = new EventParser();
    const pieces = Array.from({ length: Math.ceil(SOME.length / size) }, (_, i) => SOME.slice(i * size, (i + 1) * size));
    assert.deepEqual(pieces.flatMap((piece) => [...parser.feed(piece)]), EVENTS, `pieces of ${size}`);
  }
});

test("samples fit their schema", () => {
  const number = { type: "integer", minimum: 0, maximum: 2 };
  const counts = { type: "object", properties: { granada: number, sevilla: number } };
  const schema = {
    type: "object",
    properties: { kind: { const: "place" }, to: counts, court: number, king: { enum: ["yes", "no"] } },
    required: ["kind", "to", "court"],
    "x-total": { fields: ["to", "court"], minimum: 2, maximum: 3 },
  };
  const seen = new Set();
  for (let trial = 0; trial < 500; trial++) {
    const answer = sample(schema);
    seen.add(JSON.stringify(answer));
    const total = answer.court + Object.values(answer.to).reduce((sum, count) => sum + count, 0);
    assert.equal(answer.kind, "place");
    assert.ok(total === 2 || total === 3, JSON.stringify(answer));
    assert.ok([undefined, "yes", "no"].includes(answer.king));
    assert.ok(Object.values(answer.to).every((count) => count === 1 || count === 2));
  }
  assert.ok(seen.size > 20, "every answer can come up");
  assert.equal(sample({ anyOf: [{ const: 3 }, { type: "integer", minimum: 3, maximum: 3 }] }), 3);
  const list = sample({ type: "array", items: { type: "boolean" }, minItems: 2, maxItems: 2 });
  assert.deepEqual(list.map((item) => typeof item), ["boolean", "boolean"]);
  assert.throws(() => sample({ type: "string" }), /no sample/);
});

test("keys and nonces never come twice", () => {
  const drawn = Array.from({ length: 1000 }, () => [newKey(), newNonce()]).flat();
  assert.equal(new Set(drawn).size, 2000);
  assert.ok(drawn.every((word) => /^[0-9a-f]{32}$/.test(word)));
});

// Signing in from another site

function storage() {
  const kept = new Map();
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
  };
}

async function authority(t, answer) {
  const heard = [];
  const url = await fake(t, (request, response, body) => {
    heard.push({ url: request.url, form: Object.fromEntries(new URLSearchParams(body)), cookie: request.headers.cookie });
    if (request.url !== "/.well-known/oauth-authorization-server") return answer(response);
    json(response, 200, {
      issuer: url,
      authorization_endpoint: `${url}/oauth/authorize?from=here`,
      token_endpoint: `${url}/oauth/token`,
      revocation_endpoint: `${url}/oauth/revoke`,
      authorization_response_iss_parameter_supported: true,
    });
  });
  const kept = storage();
  const oauth = new OAuth(url, { clientId: "app", redirectUri: "https://app.example/back", storage: kept });
  return { url, oauth, heard, kept: kept.kept };
}

test("a reader signs in with a challenge, a state and a code", async (t) => {
  const { url, oauth, heard, kept } = await authority(t, (response) => json(response, 200, { access_token: "hdg_1" }));
  const asked = new URL(await oauth.begin());
  const query = Object.fromEntries(asked.searchParams);
  assert.equal(asked.pathname, "/oauth/authorize");
  assert.deepEqual(
    [query.from, query.response_type, query.client_id, query.redirect_uri, query.scope, query.code_challenge_method],
    ["here", "code", "app", "https://app.example/back", "read play", "S256"],
  );
  const [verifier] = kept.values();
  assert.match(verifier, /^[A-Za-z0-9._~-]{43,128}$/);
  assert.equal(query.code_challenge, createHash("sha256").update(verifier).digest("base64url"));

  const back = `https://app.example/back?code=c&state=${query.state}&iss=${encodeURIComponent(url)}`;
  assert.deepEqual(await oauth.finish(back), { access_token: "hdg_1" });
  const exchange = { grant_type: "authorization_code", code: "c", redirect_uri: "https://app.example/back" };
  assert.deepEqual(heard.at(-1).form, { ...exchange, code_verifier: verifier, client_id: "app" });
  assert.equal(kept.size, 0);
  await assert.rejects(oauth.finish(back), { code: "wrong_state" });
  assert.equal(heard.filter(({ url }) => url.includes("well-known")).length, 1);
});

test("answers that were not asked for are refused", async (t) => {
  const { url, oauth, heard } = await authority(t, (response) => json(response, 200, {}));
  const state = async () => new URL(await oauth.begin()).searchParams.get("state");
  const iss = encodeURIComponent(url);
  const cases = [
    ["wrong_state", () => "https://app.example/back?code=c&state=forged"],
    ["wrong_state", () => "https://app.example/back?code=c"],
    ["wrong_issuer", async () => `https://app.example/back?code=c&state=${await state()}&iss=https://evil.example`],
    ["wrong_issuer", async () => `https://app.example/back?code=c&state=${await state()}`],
    ["access_denied", async () => `https://app.example/back?error=access_denied&state=${await state()}&iss=${iss}`],
    ["no_code", async () => `https://app.example/back?state=${await state()}&iss=${iss}`],
  ];
  for (const [code, address] of cases) await assert.rejects(oauth.finish(await address()), { code }, code);
  assert.ok(heard.every(({ url }) => !url.includes("token")), "no code was sent");
});

test("a code is not sent twice, and refusals have their code", async (t) => {
  const { oauth, heard } = await authority(t, (response) => json(response, 400, { error: "invalid_grant" }));
  await assert.rejects(oauth.refresh("old"), { code: "invalid_grant", status: 400 });
  await assert.rejects(oauth.revoke("old"), { code: "invalid_grant" });
  assert.deepEqual(heard.slice(1).map(({ url }) => url), ["/oauth/token", "/oauth/revoke"]);
});

test("another service that takes its place is noticed", async (t) => {
  const url = await fake(t, (request, response) => json(response, 200, { issuer: "https://other.example" }));
  const oauth = new OAuth(url, { clientId: "app", redirectUri: "https://app.example/back", storage: storage() });
  await assert.rejects(oauth.begin(), { code: "wrong_issuer" });
});
