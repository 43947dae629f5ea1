// Where the viewer reads a game: from the interface of this service.

export class StoredGame {
  /** @param options of every request, as of `fetch` */
  constructor(game, options = {}) {
    this.path = `/api/v1/games/${encodeURIComponent(game)}`;
    this.options = options;
  }

  outline() {
    return fetched(`${this.path}/outline`, this.options);
  }

  /** A page of steps after a version. */
  steps(viewer, after, limit) {
    return fetched(this.at("timeline", { viewer, after, limit }), this.options);
  }

  /** One position, with its words. */
  scene(viewer, version) {
    return fetched(this.at("scene", { viewer, version }), this.options);
  }

  /** The exported file, to be verified. */
  async exported() {
    const file = await fetch(`${this.path}/export`);
    if (!file.ok) throw new Error(file.statusText);
    return new Uint8Array(await file.arrayBuffer());
  }

  stream(viewer, after) {
    return new EventSource(this.at("stream", { viewer, after }));
  }

  at(name, query) {
    const asked = new URLSearchParams(query);
    return `${this.path}/${name}?${asked}`;
  }
}

export async function fetched(path, options = {}) {
  const response = await fetch(path, { ...options, headers: { Accept: "application/json" } });
  const body = await response.json();
  if (!response.ok) throw new Error(body.detail ?? response.statusText);
  return body;
}
