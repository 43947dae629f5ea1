// Verifies exported games of Hidalgo: node verify.mjs FILE... (verify.md tells how; verify.json lists what is shuffled)
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const { seats, regions, stacks, rules } = JSON.parse(readFileSync(new URL("verify.json", import.meta.url)));
const json = (v) => Array.isArray(v) ? `[${v.map(json)}]` : v === null || typeof v !== "object" ? JSON.stringify(v)
  : `{${Object.keys(v).sort().map((k) => `${JSON.stringify(k)}:${json(v[k])}`)}}`;
const bytes = (text) => Buffer.from(text, "hex");
const hash = (...parts) => parts.reduce((h, part) => h.update(part), createHash("sha256")).digest("hex");
const hmac = (secret, text) => createHmac("sha256", secret).update(text).digest("hex");
const check = (right, commit, why) => { if (!right) throw new Error(commit ? `commit ${commit}: ${why}` : why); };
const fields = (object) => Object.keys(object ?? {}).sort().join();
const hex = (text, size) => typeof text === "string" && text.length === 2 * size && /^[0-9a-f]*$/.test(text);
function* words(seed) {
  for (let block = 0; ; block++)
    for (const word of hash(seed, bytes(block.toString(16).padStart(16, "0"))).match(/.{8}/g)) yield parseInt(word, 16);
}
const below = (n, stream) => { for (let w; ;) if ((w = stream.next().value) < 2 ** 32 - 2 ** 32 % n) return w % n; };
const swapped = (order, i, j) => Object.assign([...order], { [i]: order[j], [j]: order[i] });
const shuffled = (items, stream) => items.reduceRight((o, _, i) => swapped(o, i, i && below(i + 1, stream)), items);
const deal = (stream, players, [king, ...homes] = shuffled(regions, stream)) => [king, players.map((_, i) => homes[i]),
  stacks.map((cards) => shuffled(cards, stream)), players[below(players.length, stream)]];
function factsOf({ header, facts, hash: own, ...more }, n, previous, game) {
  check(!fields(more) && fields(header) === "at,by,command,decision,game,previous,rules,schema,version", n, "wrong fields");
  check(header.version === n && header.game === game && header.previous === previous, n, "it does not follow");
  const digests = facts.map((leaf, _, __, { fact, salt, masked, digest } = leaf) => {
    const whole = ["fact,salt", "fact,masked,salt", "digest,masked"].includes(fields(leaf));
    check(whole && (fact ? hex(salt, 16) : hex(digest, 32)), n, "a fact without its salt or digest");
    const inner = fact ? hash(bytes(salt), json(fact)) : digest;
    return masked === undefined ? inner : hash("hidalgo masked\0", bytes(inner), json(masked));
  });
  check(hash(json({ ...header, digests })) === own, n, "its hash is not that of its contents");
  return facts.map(({ fact, salt, masked }, k) => ({ ...(fact ?? masked), n, k, salt }));
}
function verify(file) {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(file);
  const { commits, viewer } = JSON.parse(text, (_, v) => Number.isFinite(v) ? Math.trunc(v) : v), last = commits.length;
  check(json({ commits, format: "hidalgo-game", schema: 1, viewer }) === text && last, 0, "not an exported game");
  const id = commits[0].header.game, before = (i) => commits[i - 1]?.hash ?? "0".repeat(64), head = before(last);
  const facts = commits.flatMap((commit, i) => factsOf(commit, i + 1, before(i), id)), [created] = facts;
  const all = (...names) => facts.filter((f) => names.includes(f.fact)), nonces = all("nonce_added");
  const [start] = all("game_started"), end = all("secret_revealed")[0], players = seats.slice(0, created.players);
  check(json(all("game_created")) === json([{ ...created, game: id }]) && facts[1]?.n !== 1, 1, "it creates no game");
  const twice = (f, i) => nonces.slice(0, i).some((g) => g.player === f.player), late = (f) => start && f.n > start.n;
  check(!nonces.some(twice) && !nonces.some(late), start?.n, "a nonce comes twice, or after the start");
  check(!end || end === facts.at(-1), end?.n, "the secret is revealed before the end");
  check((end ? ["everything"] : ["spectator", ...players]).includes(viewer), 0, "not for this viewer");
  if (!end) return `the chain of ${last} commits, ${facts.filter((f) => !f.salt).length} facts hidden; head ${head}`;
  const secret = bytes(end.secret), salt = ({ n, k }) => hmac(secret, `hidalgo salt\0${n}\0${k}`).slice(0, 32);
  check(hash("hidalgo secret\0", secret) === created.commitment && hex(end.secret, 32), last, "reveals another secret");
  facts.forEach((f) => check(f.salt === salt(f), f.n, "a salt does not follow from the secret"));
  const seed = hmac(secret, `hidalgo seed\0${json(Object.fromEntries(nonces.map((f) => [f.player, f.nonce])))}`);
  const [drawn, shuffle, bidder, ...more] = all("regions_drawn", "stacks_shuffled", "first_bidder_drawn");
  const was = [drawn.king, players.map((p) => drawn.homes[p]), shuffle.stacks, bidder.player, ...more];
  check(rules.includes(created.rules), 1, "this program does not know how these rules shuffle");
  check(json(was) === json(deal(words(bytes(seed)), players)), start.n, "the shuffles do not follow from the seed");
  return `the chain of ${last} commits, the secret, salts, seed and shuffles; head ${head}`;
}
for (const file of process.argv.slice(2)) try { console.log(`${file}: genuine: ${verify(readFileSync(file))}`); }
  catch (problem) { process.exitCode = 1; console.log(`${file}: NOT GENUINE: ${problem.message}`); }
