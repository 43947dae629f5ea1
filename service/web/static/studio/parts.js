// The parts of the studio beside the viewer: they show the selected node, and what was written, and wire hands to edits.

import { element, keyed, said } from "../replay/dom.js";
import { asked, named } from "./ask.js";
import { Asking } from "./asking.js";
import { isStep } from "./chapter.js";
import { Changes } from "./changes.js";
import { Chapters } from "./chapters.js";
import { Drafts } from "./drafts.js";
import { Editor } from "./editor.js";
import { Live } from "./live.js";
import { Marks } from "./marks.js";
import { People } from "./people.js";
import { Quiz } from "./quiz.js";
import { Sharing } from "./sharing.js";
import { StoryNotes } from "./story_notes.js";
import { Tools } from "./tools.js";
import { Tree } from "./tree.js";
import { Trial } from "./trial.js";

export class Parts {
  constructor(studio) {
    this.studio = studio;
    const { texts: { studio: texts, prompt: asking }, signs, board, names, client, me } = studio;
    const part = (name) => studio.part(name), attempt = (edit) => studio.attempt(edit), refresh = () => studio.refresh();
    this.texts = texts;
    this.dialogs = { ask: document.getElementById("ask"), name: document.getElementById("name") };
    this.notes = new StoryNotes(studio.story, texts, signs);
    this.tree = new Tree(part("tree"), texts, signs, { go: (node) => studio.go(node), promote: (node) => this.promote(node), remove: (node) => this.remove(node) });
    this.marks = new Marks(board, names.spaces);
    this.people = new People(part("people"), part("writing"), texts, me, client, () => (studio.chapter.isClosed ? null : { chapter: studio.chapter.id, node: studio.node }));
    this.editor = new Editor(part("note"), texts, me, new Drafts(studio.page.dataset.study), {
      edit: (edit) => studio.submit(edit), attempt, refresh, markdown: (text) => client.markdown(text), dialog: this.dialogs.ask,
      writing: (isWriting) => this.people.write(isWriting), state: (name) => this.saved(name), refused: (problem) => studio.refused(problem),
      isOwner: () => studio.study.role === "owner",
    });
    this.changes = new Changes(part("changes-panel"), texts, client, signs, {
      attempt, refresh,
      go: (place) => this.goTo(place),
      chapter: () => studio.chapter.id,
      titleOf: (id) => studio.study.chapters.find((chapter) => chapter.id === id)?.title ?? "",
    });
    this.chapters = new Chapters(part("chapters-panel"), texts, signs, this.dialogs, { attempt, address: (id) => this.chapterAddress(id), go: (id) => location.assign(this.chapterAddress(id)) });
    this.sharing = new Sharing(document.getElementById("sharing"), texts, this.dialogs, { attempt, copy: (text) => this.copy(text), remove: () => this.deleteStudy() });
    const prompt = new Asking([part("prompt"), board, asking, signs], (problem) => studio.refused(problem));
    this.trial = new Trial(studio, prompt, part("assume"));
    this.quiz = new Quiz(studio, prompt, part("quiz"));
    if (part("tools")) this.tools = this.toolsOf(part("tools"));
    studio.story.list.addEventListener("click", (event) => {
      const line = event.target.closest("li[data-node]"); // the page itself says at which node it was opened
      if (line) studio.go(line.dataset.node);
    });
  }

  toolsOf(bar) {
    const { studio } = this, at = () => ({ chapter: studio.chapter.id, node: studio.node });
    return new Tools(bar, studio.board, this.marks, studio.names.spaces, this.texts, (sentence) => studio.tell(sentence), {
      draw: (kind_of_mark, source, target) => studio.attempt({ kind: "draw", ...at(), kind_of_mark, source, ...(target && { target }) }),
      erase: ({ id }) => studio.attempt({ kind: "erase", ...at(), mark: id }),
      comment: () => this.write(),
      undo: () => studio.attempt({ kind: "undo" }),
    });
  }

  begin() {
    const { studio } = this, { study, linkKey: key } = studio.page.dataset;
    this.people.show(studio.study.members, studio.study.presence);
    this.people.tell();
    const query = new URLSearchParams({ after: studio.study.version, ...(key && { key }) });
    this.live = new Live(`/api/v1/studies/${study}/stream?${query}`, {
      edited: ({ version, by, text }) => version > studio.study.version && this.edited(by, text),
      present: (members) => this.present(members),
      lost: () => this.connected(false),
      back: () => this.connected(true),
      ended: () => location.reload(),
    });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  async edited(by, text) {
    await this.studio.refresh();
    if (by !== this.studio.me) this.studio.tell(text);
  }

  present(members) {
    this.people.show(null, members);
    this.writers();
  }

  connected(isBack) {
    const { studio } = this;
    studio.part("offline").hidden = isBack;
    if (!isBack) return;
    studio.refresh();
    this.people.tell();
    this.editor.save();
  }

  // What is shown

  /** Another node is selected, or its notes have changed. */
  selected() {
    const { studio } = this, { chapter, node } = studio;
    studio.page.dataset.nodeNow = node;
    const line = this.notes.lines.get(node);
    if (!isStep(node) && !line) this.notes.show(chapter, node);
    if (!isStep(node)) studio.story.mark([this.notes.lines.get(node)].filter(Boolean));
    this.tree.draw(chapter, this.steps(), node);
    studio.page.classList.toggle("in-variation", !isStep(node));
    studio.part("in-variation").textContent = isStep(node) ? "" : said(this.texts.inLine, { label: chapter.at(node).label });
    this.marks.show(chapter.notesAt(node).marks);
    this.showMarks();
    this.tools?.raise();
    this.editor.show(chapter, node, this.noteTitle());
    this.trial.show();
    this.writers();
    this.people.soon();
    if (this.trial.isOn && this.askedAt !== node) this.trial.ask();
    this.askedAt = node;
    this.hideAhead();
  }

  /** Something was written, drawn, tried or removed. */
  written() {
    const { studio } = this, { chapter, study } = studio;
    this.seats = null;
    this.notes.show(chapter, studio.node);
    studio.scrub.noted(chapter.notedSteps);
    this.chapters.show(study, chapter.id);
    this.sharing.show(study);
    this.people.show(study.members, null);
    this.changes.show(study).catch((problem) => studio.refused(problem));
    studio.part("title").textContent = study.title;
    const at = study.chapters.findIndex(({ id }) => id === chapter.id) + 1;
    studio.part("chapter-number").textContent = said(this.texts.chapterOf, { number: at, count: study.chapters.length });
  }

  /** The arrows and highlights of the node, each with a cross to wipe it out. */
  showMarks() {
    const { studio } = this, { spaces } = studio.names, { marks } = studio.chapter.notesAt(studio.node);
    if (this.tools) this.tools.shown = marks;
    keyed(studio.part("marks"), marks.map(({ id, kind, source, target }) => {
      const name = target ? `${spaces[source] ?? source} → ${spaces[target] ?? target}` : spaces[source] ?? source;
      const parts = [studio.signs.icon(kind === "arrow" ? "arrow-mark" : "highlight"), name];
      return studio.canEdit
        ? element("li", { "data-key": id }, element("button", { type: "button", class: "opt", "data-act": "erase", "data-mark": id, "aria-label": said(this.texts.erase, { name }) }, ...parts, element("span", { "aria-hidden": "true" }, "×")))
        : element("li", { class: "opt", "data-key": id }, ...parts);
    }));
  }

  /** What the selected node is called: a step, or a move of a variation. */
  noteTitle() {
    return this.place(this.studio.node, this.texts.noteAt, this.texts.noteIn);
  }

  place(node, step = "{version}", tried = this.texts.inVariation) {
    const found = this.studio.chapter.at(node);
    if (!found) return said(step, { version: node });
    return said(tried, { label: found.label, name: this.studio.names.seats[found.seat] ?? "", number: this.studio.chapter.line(node).length });
  }

  writers() {
    const { studio } = this, isHere = ({ chapter, node }) => chapter === studio.chapter.id && node === studio.node;
    const writers = this.people.writers(), elsewhere = writers.filter((each) => !isHere(each));
    this.editor.others(writers.filter(isHere).map(({ handle }) => handle));
    this.people.told(elsewhere, (chapter, node) => (chapter === studio.chapter.id ? this.place(node) : studio.study.chapters.find(({ id }) => id === chapter)?.title ?? ""));
  }

  /** The steps of the game that the tree may show, with the player who acted and what happened. */
  steps() {
    const { timeline, names, version } = this.studio;
    this.seats ??= new Map(timeline.steps.map(({ version: at, story, by }) => [at, { seat: names.seats[by] ? by : "", text: story[0]?.text ?? "" }]));
    return this.quiz.isOn ? new Map([...this.seats].filter(([at]) => at <= version)) : this.seats;
  }

  /** In a quiz nothing is read of what comes. */
  hideAhead() {
    const { studio } = this;
    if (!this.quiz.isOn && !this.wasQuiz) return;
    this.wasQuiz = this.quiz.isOn;
    for (const [version, lines] of studio.story.lines) for (const line of lines) line.classList.toggle("ahead", this.quiz.isOn && version > studio.version);
    for (const part of this.notes.added) part.classList.toggle("ahead", this.quiz.isOn && this.isAhead(part));
  }

  isAhead(part) {
    const before = part.previousElementSibling?.closest("[data-step]") ?? part.closest("[data-step]");
    return Number(before?.dataset.step ?? Infinity) >= this.studio.version;
  }

  saved(state) {
    const sign = this.studio.part("saved");
    if (!sign || (state === "saved" && (this.studio.client.open || this.editor.isDirty))) return;
    sign.dataset.state = state;
    sign.querySelector("span").textContent = this.texts.states[state];
  }

  mode(name) {
    this.studio.page.dataset.mode = name;
    this.selected();
  }

  // What is done

  acts(pressed) {
    const { studio } = this;
    return {
      try: () => (this.trial.isOn ? this.trial.end() : this.start(this.trial, this.quiz)),
      quiz: () => (this.quiz.isOn ? this.quiz.end() : this.start(this.quiz, this.trial)),
      leave: () => studio.go(studio.version),
      rename: () => this.rename(),
      invite: () => document.getElementById("sharing").showModal(),
      chapters: () => this.unfold("chapters"),
      note: () => this.write(),
      variation: () => this.enter(),
      promote: () => this.promote(studio.node),
      remove: () => this.remove(studio.node),
      erase: () => studio.attempt({ kind: "erase", chapter: studio.chapter.id, node: studio.node, mark: pressed.dataset.mark }),
      arrow: () => this.tools?.press("arrow", true),
      highlight: () => this.tools?.press("highlight", true),
    };
  }

  start(one, other) {
    other.end();
    this.tools?.hold("look");
    return one.begin();
  }

  key(event) {
    const act = KEYS[event.key.toLowerCase()], { mode } = this.studio.page.dataset;
    if (!act || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || !isHeard(act, mode)) return;
    if (event.target.closest(mode ? "input,textarea,select,dialog" : "input,textarea,select,dialog,[data-own-keys]")) return;
    if (EDITS.has(act) && !this.studio.canEdit) return;
    event.preventDefault();
    this.studio.act(act);
  }

  /** Into the variations of the selected node, one after the other. */
  enter() {
    const { studio } = this, { chapter, node } = studio;
    const next = chapter.after(node)[isStep(node) ? 0 : 1] ?? chapter.beside(node, 1);
    if (next) studio.go(next);
  }

  unfold(tab) {
    const button = this.studio.page.querySelector(`[data-tab="${tab}"]`);
    if (button) this.studio.tab(button);
  }

  write() {
    this.unfold("note");
    this.editor.focus();
  }

  /** Shows the variation that a node is in before all others of its step. */
  promote(node) {
    const { studio } = this, first = studio.chapter.line(node).findLast(({ index }) => index > 0);
    if (!studio.canEdit || isStep(node)) return;
    if (first) studio.attempt({ kind: "move_variation", chapter: studio.chapter.id, node: first.id, index: 0 });
    else studio.tell(this.texts.isFirst);
  }

  async remove(node) {
    const { studio } = this, { chapter } = studio;
    if (!studio.canEdit || isStep(node)) return;
    const count = chapter.size(node), { label } = chapter.at(node);
    const isSure = await asked(this.dialogs.ask, said(this.texts.removeMoves, { label }), said(this.texts.removeMovesText, { count }), this.texts.remove);
    if (isSure) await studio.attempt({ kind: "remove_moves", chapter: chapter.id, node, seen: chapter.version });
  }

  async rename() {
    const { study } = this.studio, title = await named(this.dialogs.name, this.texts.studyName, study.title);
    if (title) this.studio.attempt({ kind: "rename", title, seen: study.version });
  }

  goTo({ chapter, node }) {
    if (chapter === this.studio.chapter.id && node) this.studio.go(node);
    else if (chapter !== this.studio.chapter.id) location.assign(this.chapterAddress(chapter, node));
  }

  chapterAddress(chapter, node) {
    const { linkKey: key } = this.studio.page.dataset;
    const place = new URLSearchParams({ chapter, ...(node && { node }), ...(key && { key }) });
    return `?${place}`;
  }

  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.studio.toast(this.studio.texts.copied);
    } catch {
      this.studio.toast(text);
    }
  }

  async deleteStudy() {
    try {
      await this.studio.client.remove();
      location.assign("/studies");
    } catch (problem) {
      this.studio.refused(problem);
    }
  }
}

const KEYS = { v: "variation", t: "try", q: "quiz", n: "note", a: "arrow", h: "highlight", p: "promote", x: "remove", delete: "remove", escape: "leave" };
const IN_MODES = { trial: ["try", "note"], quiz: ["quiz"] }; // all other keys belong to the question then
const isHeard = (act, mode) => !mode || Boolean(IN_MODES[mode]?.includes(act));
const EDITS = new Set(["note", "arrow", "highlight", "promote", "remove", "try"]);
