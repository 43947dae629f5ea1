// Drafts: what was typed and not yet sent stays in this browser, over a reload and over a lost connection.

const PREFIX = "hidalgo.draft.";
const KEPT_FOR = 30 * 86_400_000; // milliseconds

export class Drafts {
  constructor(study, storage = globalThis.localStorage) {
    this.prefix = `${PREFIX}${study}.`;
    this.storage = storage;
    this.forget();
  }

  /** @returns {{text: string, comment: string, seen: number}|null} */
  read(chapter, node) {
    return this.safely(() => JSON.parse(this.storage.getItem(this.prefix + chapter + "." + node))) ?? null;
  }

  keep(chapter, node, draft) {
    this.safely(() => this.storage.setItem(this.prefix + chapter + "." + node, JSON.stringify({ ...draft, at: Date.now() })));
  }

  drop(chapter, node) {
    this.safely(() => this.storage.removeItem(this.prefix + chapter + "." + node));
  }

  /** Old drafts of all studies are of no use any more. */
  forget() {
    this.safely(() => {
      for (const key of Object.keys(this.storage).filter((name) => name.startsWith(PREFIX))) {
        const { at } = JSON.parse(this.storage.getItem(key));
        if (!(Date.now() - at < KEPT_FOR)) this.storage.removeItem(key);
      }
    });
  }

  /** A browser may forbid to keep anything: then drafts live as long as the page. */
  safely(act) {
    try {
      return act();
    } catch {
      return null;
    }
  }
}
