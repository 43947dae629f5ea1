// Checks an exported game in the browser: the chain, and, once the game is over, its secret, salts and shuffles.
// It follows docs/verify.md and asks the service for nothing but the file: what it proves, the service cannot fake.

const HEADER = "at,by,command,decision,game,previous,rules,schema,version";
const text = new TextEncoder();

/** What is wrong, as a word that the page has a sentence for, and the commit; 0 is the file as a whole. */
export class NotGenuine extends Error {
  constructor(version, problem) {
    super(problem);
    this.version = version;
  }
}

function check(isRight, version, problem) {
  if (!isRight) throw new NotGenuine(version, problem);
}

/** Verifies the bytes of an export. `told` is called with the number of commits checked so far; `shuffles` deals anew. */
export async function verify(bytes, shuffles, told = () => {}) {
  const game = read(bytes);
  await checkChain(game.commits, told);
  const facts = game.commits.flatMap(({ header, facts }) =>
    facts.map((leaf, index) => ({ version: header.version, index, salt: leaf.salt, content: leaf.fact ?? leaf.masked })));
  const revealed = facts.find(({ content }) => content.fact === "secret_revealed");
  const result = { commits: game.commits.length, head: game.commits.at(-1).hash, isOver: Boolean(revealed), shuffled: false };
  if (!revealed) return result;
  const secret = await checkSecret(facts, revealed);
  result.shuffled = await shuffles(facts, await seedOf(secret, facts), { words, canonical, check });
  return result;
}

// Bytes and hashes

function hex(buffer) {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function bytesOf(hexadecimal) {
  return Uint8Array.from(hexadecimal.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function joined(...parts) {
  const arrays = parts.map((part) => (typeof part === "string" ? text.encode(part) : part));
  const whole = new Uint8Array(arrays.reduce((sum, array) => sum + array.length, 0));
  let at = 0;
  for (const array of arrays) {
    whole.set(array, at);
    at += array.length;
  }
  return whole;
}

/** What stands before everything that is hashed for one purpose. */
function label(purpose) {
  return `hidalgo ${purpose}\0`;
}

async function sha256(...parts) {
  return hex(await crypto.subtle.digest("SHA-256", joined(...parts)));
}

async function hmac(key, message) {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return hex(await crypto.subtle.sign("HMAC", imported, text.encode(message)));
}

export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

// The file and its chain

function read(bytes) {
  const written = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  const game = JSON.parse(written);
  check(canonical(game) === written, 0, "canonical");
  check(game.format === "hidalgo-game" && game.schema === 1 && game.commits?.length, 0, "format");
  return game;
}

async function checkChain(commits, told) {
  let previous = "0".repeat(64);
  for (const [index, commit] of commits.entries()) {
    const version = index + 1, { header } = commit;
    check(Object.keys(header).sort().join() === HEADER, version, "header");
    check(header.version === version && header.game === commits[0].header.game, version, "place");
    check(header.previous === previous, version, "previous");
    const digests = await Promise.all(commit.facts.map((leaf) => digest(leaf, version)));
    check((await sha256(canonical({ ...header, digests }))) === commit.hash, version, "hash");
    previous = commit.hash;
    told(version, commits.length);
  }
}

async function digest(leaf, version) {
  check(leaf.fact ? /^[0-9a-f]{32}$/.test(leaf.salt) : /^[0-9a-f]{64}$/.test(leaf.digest), version, "unbound");
  const bound = leaf.fact ? await sha256(bytesOf(leaf.salt), canonical(leaf.fact)) : leaf.digest;
  return leaf.masked ? sha256(label("masked"), bytesOf(bound), canonical(leaf.masked)) : bound;
}

// The secret

async function checkSecret(facts, revealed) {
  const secret = bytesOf(revealed.content.secret);
  const created = facts[0].content;
  check(created.fact === "game_created", 1, "creation");
  const commitment = await sha256(label("secret"), secret);
  check(commitment === created.commitment, revealed.version, "secret");
  for (const { version, index, salt } of facts) {
    const expected = (await hmac(secret, `${label("salt")}${version}\0${index}`)).slice(0, 32);
    check(salt === expected, version, "salt");
  }
  return secret;
}

async function seedOf(secret, facts) {
  const nonces = {};
  for (const { content } of facts) if (content.fact === "nonce_added") nonces[content.player] = content.nonce;
  return bytesOf(await hmac(secret, `${label("seed")}${canonical(nonces)}`));
}

/** The stream of numbers that follows from a seed; `below(n)` takes one, `shuffled(items)` as many as it needs. */
async function words(seed, blocks) {
  const numbers = [];
  for (let block = 0; block < blocks; block++) {
    const counter = new Uint8Array(8);
    new DataView(counter.buffer).setBigUint64(0, BigInt(block));
    const view = new DataView(await crypto.subtle.digest("SHA-256", joined(seed, counter)));
    for (let at = 0; at < 32; at += 4) numbers.push(view.getUint32(at));
  }
  let next = 0;
  const below = (n) => {
    const limit = 2 ** 32 - (2 ** 32 % n);
    for (;;) {
      if (next >= numbers.length) throw new NotGenuine(0, "chance");
      const word = numbers[next++];
      if (word < limit) return word % n;
    }
  };
  const shuffled = (items) => {
    const order = [...items];
    for (let last = order.length - 1; last > 0; last--) {
      const chosen = below(last + 1);
      [order[last], order[chosen]] = [order[chosen], order[last]];
    }
    return order;
  };
  return { below, shuffled };
}
