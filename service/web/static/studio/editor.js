// The note at the selected node: glyphs, an own comment in Markdown, and what others wrote there. What is typed is kept in
// this browser until it is stored; if another window stored something else meanwhile, both are shown side by side.

import { element, keyed, said } from "../replay/dom.js";
import { asked } from "./ask.js";
import { comment } from "./comments.js";

const STILL_WRITING = 4000; // milliseconds after the last key

export class Editor {
  /** @param hands edit(edit), markdown(text), writing(isWriting), state(name), refused(problem) */
  constructor(panel, texts, me, drafts, hands) {
    Object.assign(this, { panel, texts, me, drafts, hands, node: null, comment: "", seen: 0, stored: "", isDirty: false });
    this.text = this.part("note-text");
    if (!this.text) return; // a reader
    this.text.addEventListener("input", () => this.typed());
    this.text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.save();
    });
    panel.addEventListener("focusout", ({ relatedTarget }) => panel.contains(relatedTarget) || this.save());
    panel.addEventListener("click", (event) => this.pressed(event.target.closest("[data-note]")));
  }

  part(name) {
    return this.panel.querySelector(`[data-part="${name}"]`);
  }

  /** Shows the notes of a node. What was typed at another one is stored first. */
  show(chapter, node, title) {
    const isOther = this.chapter?.id !== chapter.id || this.node !== node;
    if (isOther && this.isDirty) this.save();
    this.chapter = chapter;
    this.node = node;
    this.part("note-title").textContent = title;
    this.thread();
    if (!this.text) return;
    this.glyphs();
    if (isOther || !this.isDirty) this.load();
  }

  glyphs() {
    const { glyphs } = this.chapter.notesAt(this.node);
    for (const button of this.panel.querySelectorAll("[data-glyph]")) {
      button.setAttribute("aria-pressed", String(glyphs.includes(button.dataset.glyph)));
    }
  }

  /** Everything written here but what is being edited. */
  thread() {
    const { comments } = this.chapter.notesAt(this.node);
    const others = comments.filter(({ id }) => !this.text || id !== this.mine(comments)?.id);
    keyed(this.part("thread"), others.map((each) => element("li", { "data-key": each.id }, comment(each, this.texts, this.handles(each)))));
  }

  handles({ id, by }) {
    if (!this.text || (by !== this.me && !this.hands.isOwner())) return null;
    return element("span", { class: "handles" },
      by === this.me ? element("button", { type: "button", "data-note": "reword", "data-id": id }, this.texts.reword) : null,
      element("button", { type: "button", "data-note": "remove", "data-id": id }, this.texts.remove));
  }

  /** The comment that the editor holds: the chosen one, or the last one of this author. */
  mine(comments) {
    const own = comments.filter(({ by }) => by === this.me);
    return this.isNew ? null : own.find(({ id }) => id === this.chosen) ?? own.at(-1) ?? null;
  }

  load() {
    const { comments } = this.chapter.notesAt(this.node), draft = this.drafts.read(this.chapter.id, this.node);
    const known = (id) => comments.find((each) => each.id === id);
    const mine = draft ? known(draft.comment) : this.mine(comments);
    this.comment = mine?.id ?? "";
    this.stored = mine?.text ?? "";
    this.seen = draft?.seen ?? this.chapter.version;
    this.isDirty = Boolean(draft) && draft.text !== this.stored;
    const text = draft?.text ?? this.stored;
    if (this.text.value !== text) this.text.value = text;
    this.marked();
    this.closeConflict();
    this.preview(false);
  }

  marked() {
    this.part("note-state").textContent = this.isDirty ? this.texts.notStored : "";
    this.part("note-more").hidden = !this.comment || this.isDirty;
    this.part("note-save").disabled = !this.isDirty;
    this.hands.state(this.isDirty ? "draft" : "saved");
  }

  typed() {
    this.isDirty = this.text.value !== this.stored;
    if (this.isDirty) this.drafts.keep(this.chapter.id, this.node, { text: this.text.value, comment: this.comment, seen: this.seen });
    else this.drafts.drop(this.chapter.id, this.node);
    this.marked();
    this.hands.writing(true);
    clearTimeout(this.still);
    this.still = setTimeout(() => this.hands.writing(false), STILL_WRITING);
  }

  focus() {
    this.text?.focus();
  }

  // Storing

  async save() {
    if (!this.isDirty || this.isSaving || !this.part("conflict").hidden) return;
    const { chapter, node, comment: id, seen } = this, text = this.text.value.trim();
    if (!text && !id) return this.dropped(chapter, node);
    this.isSaving = true;
    this.hands.writing(false);
    try {
      await this.hands.edit(text ? { kind: "write_comment", chapter: chapter.id, node, text, ...(id && { comment: id, seen }) }
        : { kind: "remove_comment", chapter: chapter.id, node, comment: id, seen });
      this.dropped(chapter, node);
    } catch (problem) {
      if (problem.code === "precondition_failed") this.conflict(chapter, node, id);
      else this.hands.refused(problem);
    } finally {
      this.isSaving = false;
    }
  }

  /** What is stored is no draft any more, unless more was typed meanwhile. */
  dropped(chapter, node) {
    this.drafts.drop(chapter.id, node);
    this.isNew = false;
    if (this.chapter.id !== chapter.id || this.node !== node) return;
    this.isDirty = false;
    this.load();
  }

  async conflict(chapter, node, id) {
    await this.hands.refresh();
    if (this.chapter.id !== chapter.id || this.node !== node) return;
    const there = this.chapter.notesAt(node).comments.find((each) => each.id === id);
    const box = this.part("conflict");
    box.hidden = false;
    this.text.hidden = true;
    box.querySelector('[data-side="here"]').textContent = this.text.value;
    box.querySelector('[data-side="there"]').textContent = there?.text ?? this.texts.removedThere;
    box.querySelector("button").focus();
    this.there = there;
  }

  closeConflict() {
    this.part("conflict").hidden = true;
    this.text.hidden = false;
  }

  /** One of two versions is kept; the other one stays in the history. */
  keep(side) {
    this.closeConflict();
    if (side === "there") {
      this.drafts.drop(this.chapter.id, this.node);
      this.isDirty = false;
      return this.load();
    }
    this.comment = this.there?.id ?? "";
    this.seen = this.chapter.version;
    return this.save();
  }

  // What is pressed

  async pressed(button) {
    if (!button) return;
    const { note, id, glyph } = button.dataset, at = { chapter: this.chapter.id, node: this.node };
    if (note === "glyph") this.hands.attempt({ kind: "set_glyph", ...at, glyph, shown: button.getAttribute("aria-pressed") !== "true" });
    if (note === "glyphs") this.unfold(button);
    if (note === "save") this.save();
    if (note === "preview") this.preview(button.getAttribute("aria-pressed") !== "true");
    if (note === "keep") this.keep(button.dataset.keep);
    if (note === "another") this.another();
    if (note === "reword") this.choose(id);
    if (note === "remove" && (await asked(this.hands.dialog, this.texts.removeNote, this.texts.removeNoteText, this.texts.remove))) {
      this.hands.attempt({ kind: "remove_comment", ...at, comment: id, seen: this.chapter.version });
    }
  }

  unfold(button) {
    const isOpen = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", String(isOpen));
    this.panel.classList.toggle("all-glyphs", isOpen);
  }

  another() {
    this.isNew = true;
    this.thread();
    this.load();
    this.focus();
  }

  choose(id) {
    this.isNew = false;
    this.chosen = id;
    this.thread();
    this.load();
    this.focus();
  }

  async preview(isShown) {
    const shown = this.part("note-preview"), button = this.panel.querySelector('[data-note="preview"]');
    button.setAttribute("aria-pressed", String(isShown));
    shown.hidden = !isShown;
    this.text.hidden = isShown;
    if (!isShown) return;
    const text = this.text.value.trim();
    try {
      shown.innerHTML = text ? (await this.hands.markdown(text)).html : ""; // as comments are: sanitised by the service
    } catch (problem) {
      shown.textContent = problem.message;
    }
  }

  /** Who else writes here. */
  others(names) {
    this.part("note-writing").textContent = names.length ? said(this.texts.writing, { names: names.join(", ") }) : "";
  }
}
