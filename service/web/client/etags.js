// ETags: the version that a resource had when it came.

/** @type {WeakMap<object, string>} */
const ETAGS = new WeakMap();

/**
 * The ETag that a resource came with.
 * @param {object} resource
 * @returns {string | null}
 */
export function etagOf(resource) {
  return ETAGS.get(resource) ?? null;
}

/** @param {string | number | object} match */
function etag(match) {
  if (typeof match === "string") return match;
  const version = typeof match === "number" ? match : /** @type {any} */ (match).version;
  return (typeof match === "object" && etagOf(match)) || `"${version}"`;
}

/** @param {Reply} reply */
function resource(reply) {
  const value = reply.json();
  if (reply.etag) ETAGS.set(value, reply.etag);
  return value;
}

export { etag, resource };
