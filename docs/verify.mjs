// Verifies exported games of Hidalgo: node verify.mjs FILE...
//
// A second implementation of what verify.md describes: it shares no code with Hidalgo and needs nothing but Node.
// verify.json lists what each game shuffles. The rules of the game are not checked here; `hidalgo verify` does that.

import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const { el_caballero: EL_CABALLERO, ...EL_GRANDE } = JSON.parse(readFileSync(new URL("verify.json", import.meta.url)));
const NO_HASH = "0".repeat(64);
const HEADER = "at,by,command,decision,game,previous,rules,schema,version";
const SHOWN = "fact,salt";
const SHOWN_WITH_MASK = "fact,masked,salt";
const HIDDEN = "digest,masked";

function check(isRight, version, problem) {
  if (!isRight) throw new Error(version ? `commit ${version}: ${problem}` : problem);
}

// Bytes and hashes

function bytes(hex) {
  return Buffer.from(hex, "hex");
}

function isHex(text, size) {
  return typeof text === "string" && text.length === 2 * size && /^[0-9a-f]*$/.test(text);
}

function sha256(...parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

function hmac(key, text) {
  return createHmac("sha256", key).update(text).digest("hex");
}

// Canonical JSON: one way to write a value, so that what was read can be hashed again

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join(",")}}`;
}

function fieldsOf(value) {
  return value === null || typeof value !== "object" ? "" : Object.keys(value).sort().join();
}

function onlyIntegers(_name, value) {
  check(typeof value !== "number" || Number.isSafeInteger(value), 0, "it holds a number that is not an integer");
  return value;
}

// The file

function read(file) {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(file);
  const game = JSON.parse(text, onlyIntegers);
  // A name that comes twice, a number like 1e3, a space: all of them are lost by reading, so the text differs.
  check(canonical(game) === text, 0, "it is not written in the one canonical way");
  check(fieldsOf(game) === "commits,format,schema,viewer", 0, "it is not an exported game");
  check(game.format === "hidalgo-game" && game.schema === 1, 0, "it is not an exported game of this format");
  check(Array.isArray(game.commits) && game.commits.length > 0, 0, "there is no commit");
  return game;
}

// The chain: every commit is bound to all before it

function checkChain(commits) {
  let previous = NO_HASH;
  commits.forEach((commit, index) => {
    checkCommit(commit, index + 1, commits[0].header?.game, previous);
    previous = commit.hash;
  });
}

function checkCommit(commit, version, game, previous) {
  check(fieldsOf(commit) === "facts,hash,header", version, "it has other fields than a commit");
  check(fieldsOf(commit.header) === HEADER, version, "its header has other fields than a header");
  check(commit.header.version === version, version, "its version is not that of its place");
  check(commit.header.game === game, version, "it belongs to another game");
  check(commit.header.previous === previous, version, "it does not follow the commit before it");
  check(Array.isArray(commit.facts), version, "it has no facts");
  const digests = commit.facts.map((leaf) => boundDigest(leaf, version));
  const hash = sha256(canonical({ ...commit.header, digests }));
  check(commit.hash === hash, version, "its hash is not that of its contents");
}

// What binds a fact, shown or hidden; a mask is bound together with the fact that it stands for.
function boundDigest(leaf, version) {
  const fields = fieldsOf(leaf);
  check([SHOWN, SHOWN_WITH_MASK, HIDDEN].includes(fields), version, "a fact has other fields than a fact");
  check(typeof (leaf.fact ?? leaf.masked)?.fact === "string", version, "a fact has no name");
  const digest = fields === HIDDEN ? givenDigest(leaf, version) : digestOf(leaf, version);
  return fields === SHOWN ? digest : sha256("hidalgo masked\0", bytes(digest), canonical(leaf.masked));
}

function givenDigest(leaf, version) {
  check(isHex(leaf.digest, 32), version, "a hidden fact has no digest");
  return leaf.digest;
}

function digestOf(leaf, version) {
  check(isHex(leaf.salt, 16), version, "a fact has no salt");
  return sha256(bytes(leaf.salt), canonical(leaf.fact));
}

// The history: facts in order, each with its place, as far as this viewer may know them

function historyOf(commits) {
  return commits.flatMap(({ header, facts }) =>
    facts.map(({ fact, masked, salt }, index) => placed(fact ?? masked, header.version, index, salt)),
  );
}

function placed(content, version, index, salt) {
  return { kind: content.fact, content, version, index, salt };
}

function factsOf(history, ...kinds) {
  return history.filter(({ kind }) => kinds.includes(kind));
}

function checkCreation(history, game) {
  const [created, second] = history;
  const [, again] = factsOf(history, "game_created");
  check(created?.kind === "game_created", 1, "it does not create a game");
  check(created.content.game === game, 1, "it creates another game");
  check(!again, again?.version, "the game is created again");
  check(second?.version !== 1, 1, "it does more than to create a game");
  return created.content;
}

function checkStart(history) {
  const [start, again] = factsOf(history, "game_started");
  check(!again, again?.version, "the game starts again");
  return start;
}

// A nonce after the start, or a second one, could have been chosen with the shuffles in mind. A seat that was left may
// get another one from the next player; until then the former one counts.
function checkNonces(history, start, seats) {
  const nonces = {};
  const left = new Set();
  for (const { kind, version, content } of factsOf(history, "nonce_added", "seat_left", "player_removed")) {
    if (kind !== "nonce_added") left.add(content.player);
    else {
      check(!start || version < start.version, version, "a nonce comes after the start");
      check(seats.includes(content.player), version, "a nonce comes from a seat that this table has not");
      check(!(content.player in nonces) || left.has(content.player), version, "a player adds a second nonce");
      left.delete(content.player);
      nonces[content.player] = content.nonce;
    }
  }
  return nonces;
}

// A finished game is open to all; before that there is a viewer, who may sit at the table.
function checkEnd(history, viewer, seats) {
  const [revealed] = factsOf(history, "secret_revealed");
  check(!revealed || revealed === history.at(-1), revealed?.version, "the secret is revealed before the end");
  const viewers = revealed ? ["everything"] : ["spectator", ...seats];
  check(viewers.includes(viewer), 0, "it is not a file for this viewer");
  return revealed;
}

// The secret: fixed by the first commit, revealed by the last

function checkSecret(history, revealed, commitment) {
  check(isHex(revealed.content.secret, 32), revealed.version, "what it reveals is no secret");
  const secret = bytes(revealed.content.secret);
  check(sha256("hidalgo secret\0", secret) === commitment, revealed.version, "it reveals another secret");
  for (const { version, index, salt } of history) {
    const expected = hmac(secret, `hidalgo salt\0${version}\0${index}`).slice(0, 32);
    check(salt === expected, version, "a salt does not follow from the secret");
  }
  return secret;
}

// The shuffles: they follow from the secret and the nonces

function seedOf(secret, nonces) {
  return bytes(hmac(secret, `hidalgo seed\0${canonical(nonces)}`));
}

function checkShuffles(history, start, seed, { title, drawn: [first, ...others], deal }, seats, { rules, options }) {
  const names = [first, ...rules.split("+").flatMap((name) => EL_GRANDE.drawn_apart[name] ?? []), ...others];
  check(start, 0, "the game is over and has never started");
  const drawn = factsOf(history, ...names);
  check(drawn.map(({ kind }) => kind).join() === names.join(), start.version, `it does not draw what ${title} draws`);
  check(drawn.every(({ version }) => version === start.version), start.version, "something is drawn after the start");
  const facts = Object.fromEntries(drawn.map(({ kind, content }) => [kind, content]));
  for (const [what, was, shouldBe] of deal(words(seed), seats, facts, rules, options))
    checkDrawn(was, shouldBe, start.version, what);
}

function checkDrawn(was, shouldBe, version, what) {
  check(canonical(was) === canonical(shouldBe), version, `${what} does not follow from the seed`);
}

// Some of the cards of a stack: those that were agreed on, or the first of all of them.
function fromDeck(cards, deck, agreed = "random", stream) {
  if (!deck) return shuffled(cards, stream);
  if (agreed === "random") return shuffled(cards, stream).slice(0, deck.size);
  const numbers = agreed.split(",").map(Number);
  return shuffled(deck[agreed] ?? cards.filter((_, index) => numbers.includes(index + 1)), stream);
}

// All that a game draws, in this order, from one stream: what it is, what was drawn, and what should have been.
const GAMES = [
  {
    ...EL_GRANDE,
    title: "El Grande",
    drawn: ["regions_drawn", "stacks_shuffled", "first_bidder_drawn"],
    *deal(stream, seats, facts, rules, options) {
      const { regions_drawn: drawn, mercenaries_drawn, stacks_shuffled, first_bidder_drawn: { player } } = facts;
      const expansions = rules.split("+").slice(1);
      const printed = EL_GRANDE.without_stacks.includes(rules) ? [] : EL_GRANDE.stacks;
      const apart = expansions.reduce((sum, name) => sum + (EL_GRANDE.set_apart[name] ?? 0), 0);
      const [king, ...others] = shuffled(EL_GRANDE.regions, stream);
      const regions = others.slice(apart);
      if (mercenaries_drawn) yield ["the region of the mercenaries", mercenaries_drawn.region, others[0]];
      yield ["the king's region", drawn.king, king];
      yield ["a home", drawn.homes, Object.fromEntries(seats.map((seat, index) => [seat, regions[index]]))];
      const dealt = printed.map((cards) => shuffled(cards, stream));
      for (const name of expansions) {
        const deck = EL_GRANDE.decks[name];
        const further = EL_GRANDE.further_stacks[name] ?? [];
        dealt.push(...further.map((cards) => fromDeck(cards, deck, options.deck, stream)));
      }
      yield ["a stack", stacks_shuffled.stacks, dealt];
      yield ["the first bidder", player, seats[below(seats.length, stream)]];
    },
  },
  {
    ...EL_CABALLERO,
    title: "El Caballero",
    drawn: ["start_tile_drawn", "stack_shuffled", "first_player_drawn"],
    *deal(stream, seats, { start_tile_drawn: { tile }, stack_shuffled: { stack }, first_player_drawn: { player } }) {
      const tiles = shuffled(EL_CABALLERO.tiles, stream);
      const first = tiles.find((each) => EL_CABALLERO.plain.includes(each));
      yield ["the first tile", tile, first];
      yield ["the stack", stack, shuffled(tiles.filter((each) => each !== first), stream)];
      yield ["the first player", player, seats[below(seats.length, stream)]];
    },
  },
];

function* words(seed) {
  for (let block = 0n; ; block++) {
    const number = Buffer.alloc(8);
    number.writeBigUInt64BE(block);
    const digest = bytes(sha256(seed, number));
    for (let at = 0; at < digest.length; at += 4) yield digest.readUInt32BE(at);
  }
}

// Words above the largest multiple of n are thrown away: else small numbers would come up more often.
function below(n, stream) {
  const limit = 2 ** 32 - (2 ** 32 % n);
  for (;;) {
    const word = stream.next().value;
    if (word < limit) return word % n;
  }
}

function shuffled(items, stream) {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const chosen = below(last + 1, stream);
    [order[last], order[chosen]] = [order[chosen], order[last]];
  }
  return order;
}

// All of it

function verify(file) {
  const { commits, viewer } = read(file);
  checkChain(commits);
  const history = historyOf(commits);
  const created = checkCreation(history, commits[0].header.game);
  const game = GAMES.find(({ rules }) => rules.includes(created.rules));
  const seats = (game ?? EL_GRANDE).seats.slice(0, created.players);
  const start = checkStart(history);
  const nonces = checkNonces(history, start, seats);
  const revealed = checkEnd(history, viewer, seats);
  const chain = `the chain of ${commits.length} commits`;
  const head = `head ${commits.at(-1).hash}`;
  if (!revealed) return `${chain}, ${hiddenIn(history)} facts hidden; ${head}`;
  check(game, 1, "this program does not know how these rules shuffle");
  const secret = checkSecret(history, revealed, created.commitment);
  checkShuffles(history, start, seedOf(secret, nonces), game, seats, created);
  return `${chain}, the secret, salts, seed and shuffles; ${head}`;
}

function hiddenIn(history) {
  return history.filter(({ salt }) => salt === undefined).length;
}

// Exit codes are those of `hidalgo verify`: 0 genuine, 1 not genuine, 2 a file cannot be read.
function report(name) {
  let file;
  try {
    file = readFileSync(name);
  } catch (problem) {
    return [2, `cannot be read: ${problem.code}`];
  }
  try {
    return [0, `genuine: ${verify(file)}`];
  } catch (problem) {
    return [1, `NOT GENUINE: ${problem.message}`];
  }
}

for (const name of process.argv.slice(2)) {
  const [code, words] = report(name);
  process.exitCode = Math.max(process.exitCode ?? 0, code);
  console.log(`${name}: ${words}`);
}
