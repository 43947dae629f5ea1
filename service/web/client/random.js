// Keys and nonces.

/** @param {number} bytes */
function randomHex(bytes) {
  const drawn = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(drawn, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * An idempotency key: names one write, however often it is sent.
 * @returns {string}
 */
export function newKey() {
  return randomHex(16);
}

/**
 * A nonce: what a player adds to a game's chance, so that no other party can have chosen the shuffles.
 * @returns {string}
 */
export function newNonce() {
  return randomHex(16);
}

export { randomHex };
