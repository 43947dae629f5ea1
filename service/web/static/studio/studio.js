// The studio: the viewer of a game, with the notes and variations of a chapter, which members write together.
// Selected is a node: a step of the game, or a move that was tried.

import { calm } from "../replay/board.js";
import { Viewer } from "../replay/viewer.js";
import { Chapter, isStep, sceneOf } from "./chapter.js";
import { Parts } from "./parts.js";

const POSITIONS_KEPT = 300;

export class Studio extends Viewer {
  /** @param told the study and the chapter, as the interface tells them */
  constructor(page, source, given, texts, client, told) {
    super(page, source, given, texts);
    this.client = client;
    this.study = told.study;
    this.chapter = new Chapter(told.chapter);
    this.node = this.chapter.has(page.dataset.node) ? page.dataset.node : String(this.version);
    this.positions = new Map();
    this.newest = 0; // the version of the study that a move of this reader has made
    this.parts = new Parts(this);
  }

  get me() {
    return this.page.dataset.me || null;
  }

  get canEdit() {
    return this.study.can_edit && !this.chapter.isClosed;
  }

  async begin() {
    await super.begin();
    this.parts.begin();
    if ("trying" in this.page.dataset && this.canEdit) await this.parts.trial.begin();
  }

  /** The page of the game itself verifies it. */
  verify() {}

  // Selecting a node

  arrive() {
    return this.go(this.node);
  }

  /** Selects a node; a number is a step of the game. */
  go(to, animate = false) {
    const node = String(to);
    if (this.chapter.at(node)) return this.visit(node, animate);
    if (!isStep(node) && this.chapter.near) return this.goFar(node);
    const { first, last } = this.timeline, isFromHere = isStep(this.node);
    const version = Math.min(Math.max(isStep(node) ? Number(node) : this.version, first), last);
    this.node = String(version);
    return super.go(version, animate && isFromHere);
  }

  /** Selects a tried move that is to be read first. */
  async goFar(node) {
    const turn = ++this.turn, chapter = new Chapter(await this.client.chapter(this.chapter.id, this.viewer, node));
    if (turn !== this.turn) return;
    this.chapter = chapter;
    this.parts.written();
    await this.go(chapter.has(node) ? node : this.version);
  }

  /** Selects a tried move. */
  async visit(node, animate) {
    const turn = ++this.turn, isNext = this.chapter.parent(node) === this.node;
    this.node = node;
    this.version = this.chapter.step(node);
    this.board.finish();
    this.toldTried();
    const position = await this.position(node);
    if (turn !== this.turn) return;
    const scene = sceneOf(position), { step } = position;
    this.board.frame(scene.view);
    if (animate && isNext && !calm.matches) {
      await this.board.play(step.beats, this.speed, (seat) => this.page.querySelector(`[data-panel="${seat}"]`));
      if (turn !== this.turn) return;
    }
    this.board.show(scene.sprites, step.changed);
    this.beside(scene, { ...step, version: this.version, clocks: {} });
  }

  told(step) {
    super.told(step);
    this.parts.selected();
    if (this.chapter.endsNear(this.version)) this.refresh().catch((problem) => this.refused(problem));
  }

  /** As `told`, at a move that was tried. */
  toldTried() {
    const { story, label } = this.chapter.at(this.node), game = this.timeline.step(this.version);
    super.told(game);
    this.step = { ...game, marks: [] };
    this.part("now").textContent = story.map(({ text }) => text).join(". ");
    this.part("at").textContent = `${this.version} · ${label}`;
    this.parts.selected();
  }

  address() {
    const query = new URLSearchParams({ chapter: this.chapter.id, node: this.node });
    if (this.viewer !== this.page.dataset.chapterViewer) query.set("as", this.viewer);
    if (this.page.dataset.linkKey) query.set("key", this.page.dataset.linkKey);
    return new URL(`?${query}`, location.href).href;
  }

  // Through other eyes

  async look(viewer) {
    if (viewer !== this.viewer) this.chapter = new Chapter(await this.client.chapter(this.chapter.id, viewer, this.node));
    await super.look(viewer);
    if (this.chapter.seenBy !== viewer) await this.refresh();
  }

  marked() {
    super.marked();
    this.parts.written();
  }

  /** The position at a node, with what can be tried there. It never changes: what came before a node stays. */
  position(node) {
    const { viewer, chapter } = this, key = `${viewer}/${node}`;
    if (!this.positions.has(key)) this.keep(key, this.client.position(chapter.id, node, viewer));
    return this.positions.get(key);
  }

  keep(key, position) {
    if (this.positions.size >= POSITIONS_KEPT) this.positions.clear();
    this.positions.set(key, position);
    Promise.resolve(position).catch(() => this.positions.delete(key));
  }

  async inWords() {
    if (isStep(this.node)) return super.inWords();
    const { node } = this, { scene } = await this.position(node);
    if (node === this.node) this.words(scene.words);
    return null;
  }

  // Moving on

  acts(isHeld, pressed) {
    const acts = { ...super.acts(isHeld, pressed), ...this.parts.acts(pressed) }, { chapter, node } = this;
    if (isStep(node)) return acts;
    return {
      ...acts,
      previous: () => this.go(chapter.parent(node)),
      next: () => this.go(chapter.after(node)[0] ?? node, !isHeld),
      "previous-turn": () => this.go(chapter.beside(node, -1) ?? node),
      "next-turn": () => this.go(chapter.beside(node, 1) ?? node),
    };
  }

  get hasMore() {
    return isStep(this.node) ? super.hasMore : this.chapter.after(this.node).length > 0;
  }

  onward() {
    return isStep(this.node) ? super.onward() : this.go(this.chapter.after(this.node)[0], true);
  }

  // Editing

  /** Sends an edit, and shows what it has changed. Throws what the service refuses. */
  async submit(edit) {
    const edited = await this.client.edit(edit);
    await this.refresh();
    return edited;
  }

  /** As `submit`; a refusal is told, and gives nothing. */
  async attempt(edit) {
    try {
      return await this.submit(edit);
    } catch (problem) {
      this.refused(problem);
      return null;
    }
  }

  /** What would follow from a move, as the prompt wants to know it. */
  async preview(node, answer) {
    const { step, further } = await this.client.preview(this.chapter.id, node, answer);
    return { story: step.story, beats: step.beats, further };
  }

  /** Goes to a move that was tried just now; what else has changed is read afterwards. */
  async tried({ node, position, version }) {
    this.newest = version;
    this.keep(`${position.viewer}/${node.id}`, Promise.resolve(position));
    if (!this.chapter.has(node.id)) this.chapter.add(node);
    const gone = this.go(node.id, true);
    this.refresh().catch((problem) => this.refused(problem));
    await gone;
  }

  /** Reads the study anew. Of many wishes at once two readings are enough: the second one knows everything. */
  refresh() {
    this.next ??= Promise.resolve(this.reading).catch(() => null).then(() => {
      this.reading = this.read();
      this.next = null;
      return this.reading;
    });
    return this.next;
  }

  async read() {
    const { chapter: former, viewer, node } = this;
    const study = await this.client.study();
    if (!study.chapters.some(({ id }) => id === former.id)) return location.assign(location.pathname); // it was removed
    const chapter = await this.client.chapter(former.id, viewer, node);
    if (this.chapter !== former || chapter.version < this.newest) return this.read(); // somebody went on meanwhile
    this.study = study;
    this.chapter = new Chapter(chapter);
    this.parts.written();
    if (isStep(this.node) && former.near?.first !== chapter.near?.first) this.story.now(this.version); // other lines stand above it
    if (this.chapter.has(this.node)) this.parts.selected();
    else this.go(former.line(this.node).map(({ parent }) => parent).findLast((node) => this.chapter.has(node)));
    return null;
  }

  // What people hear

  tell(sentence) {
    this.part("now").textContent = sentence;
  }

  toast(sentence) {
    const toast = this.part("toast");
    toast.textContent = sentence;
    clearTimeout(this.toasting);
    this.toasting = setTimeout(() => (toast.textContent = ""), 6000);
  }

  refused(problem) {
    this.toast(problem.message);
  }
}
