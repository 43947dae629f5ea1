// The timeline of a game as one viewer sees it: its steps, and the scene at each of them.

const PAGE = 250;
const KEPT = 25; // every so many steps a scene is kept

export class Timeline {
  constructor(source, viewer, first) {
    this.source = source;
    this.viewer = viewer;
    this.first = first;
    this.steps = [];
    this.kept = [];
  }

  get last() {
    return this.first + this.steps.length - 1;
  }

  /** Reads the steps that there are after those that it has; pages up to `last` all at once. Gives how many came. */
  async read(last = 0) {
    const before = this.steps.length, from = this.first + before - 1, starts = [from];
    for (let after = from + PAGE; after < last; after += PAGE) starts.push(after);
    const pages = await Promise.all(starts.map((after) => this.source.steps(this.viewer, after, PAGE)));
    for (const page of pages) this.steps.push(...page.steps);
    for (let { next } = pages.at(-1); next !== null; ) {
      const page = await this.source.steps(this.viewer, next, PAGE);
      this.steps.push(...page.steps);
      next = page.next;
    }
    return this.steps.length - before;
  }

  step(version) {
    return this.steps[version - this.first];
  }

  /** The scene after a version: sprites and panels by name, cards, rounds. */
  scene(version) {
    const index = version - this.first;
    if (this.shown?.index === index) return this.shown.scene;
    const scene = this.shown?.index === index - 1 ? after(this.shown.scene, this.steps[index].change) : this.folded(index);
    this.shown = { index, scene };
    return scene;
  }

  folded(index) {
    let from = Math.floor(index / KEPT);
    while (from > 0 && !this.kept[from]) from--;
    let scene = this.kept[from] ?? NOTHING;
    for (let at = this.kept[from] ? from * KEPT + 1 : 0; at <= index; at++) {
      scene = after(scene, this.steps[at].change);
      if (at % KEPT === 0) this.kept[at / KEPT] = scene;
    }
    return scene;
  }
}

const NOTHING = { sprites: new Map(), panels: new Map(), cards: [], rounds: [] };

/** The scene that a change makes of another. */
export function after(scene, change) {
  const sprites = new Map(scene.sprites), panels = new Map(scene.panels);
  for (const key of change.gone ?? []) sprites.delete(key);
  for (const sprite of change.put ?? []) sprites.set(sprite.key, sprite);
  for (const panel of change.panels ?? []) panels.set(panel.seat, panel);
  return { sprites, panels, cards: change.cards ?? scene.cards, rounds: change.rounds ?? scene.rounds, view: change.view ?? scene.view };
}
