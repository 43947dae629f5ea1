// A chapter as the interface tells it: steps of its game, tried moves that branch off, and what is noted at either.
// A node is named by a text: "214" is a step of the game, "m12" a tried move.

const NO_NOTES = { comments: [], glyphs: [], marks: [] };
const EDGE = 3; // so many steps before the end of what was read, it is time to read on

export function isStep(node) {
  return /^\d+$/.test(node);
}

export class Chapter {
  constructor(told) {
    Object.assign(this, { id: told.id, title: told.title, notes: told.notes ?? {}, isClosed: told.is_closed });
    this.version = told.version;
    this.seenBy = told.seen_by;
    this.variations = told.variations;
    this.near = told.near;
    this.tried = new Map((told.nodes ?? []).map((node) => [node.id, node]));
    this.children = new Map();
    for (const node of this.tried.values()) this.follow(node);
  }

  follow({ id, parent }) {
    if (!this.children.has(parent)) this.children.set(parent, []);
    this.children.get(parent).push(id);
  }

  /** A move that was tried just now. */
  add(node) {
    this.tried.set(node.id, node);
    this.follow(node);
  }

  /** Whether the variations of a step were read; of a chapter with very many, only those near a node are. */
  hasRead(version, edge = 0) {
    const { near } = this;
    return !near || ((near.first === 0 || version - edge >= near.first) && version + edge <= near.last);
  }

  /** Whether there is more to read around a step. */
  endsNear(version) {
    return !this.hasRead(version, EDGE);
  }

  has(node) {
    return isStep(node) || this.tried.has(node);
  }

  at(node) {
    return this.tried.get(node);
  }

  /** The moves that were tried after a node, the best one first. */
  after(node) {
    return this.children.get(node) ?? [];
  }

  parent(node) {
    return this.tried.get(node)?.parent ?? null;
  }

  /** The tried moves that lead to a node, first to last. */
  line(node) {
    const line = [];
    for (let tried = this.at(node); tried; tried = this.at(tried.parent)) line.unshift(tried);
    return line;
  }

  /** The step of the game at which the line to a node begins. */
  step(node) {
    return Number(this.line(node)[0]?.parent ?? node);
  }

  /** A tried move and those that follow it first: one row of a drawing. */
  row(node) {
    const row = [node];
    for (let [next] = this.after(node); next; [next] = this.after(next)) row.push(next);
    return row;
  }

  /** How many moves are tried from a node on, itself among them. */
  size(node) {
    return 1 + this.after(node).reduce((sum, next) => sum + this.size(next), 0);
  }

  /** Another move that was tried at the same place, before or after this one. */
  beside(node, way) {
    const those = this.after(this.parent(node));
    return those[those.indexOf(node) + way] ?? null;
  }

  notesAt(node) {
    return this.notes[node] ?? NO_NOTES;
  }

  hasNotes(node) {
    return node in this.notes;
  }

  /** The steps of the game with something to read: a note, or a move that was tried. */
  get notedSteps() {
    const steps = new Set(Object.keys(this.notes).filter((node) => this.has(node)).map((node) => this.step(node)));
    for (const parent of [...Object.keys(this.variations), ...this.children.keys()]) if (isStep(parent)) steps.add(Number(parent));
    return [...steps].sort((one, other) => one - other);
  }
}

/** A scene as the timeline has it: sprites and panels by name. */
export function sceneOf({ scene }) {
  const by = (list, name) => new Map(list.map((each) => [each[name], each]));
  return { ...scene, sprites: by(scene.sprites, "key"), panels: by(scene.panels, "seat") };
}
