// Notes and variations inside of the story, at the steps where they belong.

import { element, said } from "../replay/dom.js";
import { words } from "../replay/lines.js";
import { styles } from "../prompt/words.js";
import { comment } from "./comments.js";

const LINES = 6; // of a variation, before the rest is counted
const LEVELS = 3;

export class StoryNotes {
  constructor(story, texts, signs) {
    Object.assign(this, { story, texts, signs, open: new Set(), added: [], lines: new Map() });
    story.list.addEventListener("click", (event) => {
      const more = event.target.closest("[data-more]");
      if (!more) return;
      event.stopPropagation();
      this.open.add(more.dataset.more);
      this.show(this.chapter, this.node);
      this.lines.get(more.dataset.next)?.querySelector("button")?.focus({ preventScroll: true });
    }, { capture: true });
  }

  /** Puts everything of a chapter where it belongs; `node` is selected, so that its line is not hidden. */
  show(chapter, node) {
    this.chapter = chapter;
    this.node = node;
    for (const { id } of chapter.line(node)) this.open.add(id);
    for (const part of this.added) part.remove();
    this.added = [];
    this.ends = new Map(); // what follows a line of the story last
    this.lines.clear();
    for (const version of chapter.notedSteps) this.step(version);
  }

  step(version) {
    const node = String(version), own = this.story.lines.get(version), last = this.story.at(version).at(-1);
    if (!last) return;
    const alone = own ? [] : [this.alone(version)], first = own?.[0] ?? alone[0], glyphs = this.glyphs(node);
    if (glyphs) (first.querySelector(":scope > div") ?? first).append(glyphs);
    const parts = [...alone, ...this.notes(node), ...this.variations(node)];
    (this.ends.get(last) ?? last).after(...parts); // a line may tell of several steps
    if (parts.length) this.ends.set(last, parts.at(-1));
    this.added.push(...parts, ...(glyphs ? [glyphs] : []));
  }

  /** What was tried there; of what is not read yet, only how much it is. A press leads there, and it is read. */
  variations(node) {
    const { chapter, texts, signs } = this, count = chapter.variations[node];
    if (chapter.hasRead(Number(node)) || !count) return chapter.after(node).map((id) => this.branch(id, 1));
    const button = element("button", { type: "button" }, signs.icon("branch"), said(texts.variationsThere, { count }));
    return [element("li", { class: styles("branch", "far"), "data-step": node }, button)];
  }

  /** A step of which the story says nothing. */
  alone(version) {
    return element("li", { class: styles("fact", "sub"), "data-step": version }, element("span"), element("div", {}, said(this.texts.step, { version })), element("span", { class: "at" }, String(version)));
  }

  glyphs(node) {
    const { glyphs } = this.chapter.notesAt(node);
    if (!glyphs.length) return null;
    return element("span", { class: "glyph" }, ` ${glyphs.join(" ")}`,
      element("span", { class: "sr" }, ` (${glyphs.map((glyph) => this.texts.glyphs[glyph] ?? glyph).join(", ")})`));
  }

  /** The first comment, and how many more there are: all of them stand in the panel of notes. */
  notes(node) {
    const { comments } = this.chapter.notesAt(node);
    if (!comments.length) return [];
    const more = said(this.texts.replies, { count: comments.length - 1 }), replies = comments.length > 1 ? ` · ${more}` : null;
    return [element("li", { class: "noted", "data-node": node }, comment(comments[0], this.texts, replies))];
  }

  branch(id, level) {
    const { chapter } = this, row = chapter.row(id), { label, kind } = chapter.at(id);
    const isWhole = row.length <= LINES + 1 || row.some((node, index) => index >= LINES && this.open.has(node)) || this.open.has(`+${id}`);
    const shown = isWhole ? row : row.slice(0, LINES);
    const items = shown.flatMap((node) => [this.line(node), ...this.notes(node), ...this.others(node, level)]);
    if (!isWhole) items.push(this.more(`+${id}`, row[LINES], said(this.texts.moreStepsBelow, { count: row.length - LINES })));
    const title = element("p", { class: "name" }, this.signs.icon("branch"), label);
    return element("li", { class: `branch${kind === "assumption" ? " assumed" : ""}` }, title, element("ol", { "aria-label": said(this.texts.variation, { label }) }, ...items));
  }

  others(node, level) {
    const others = this.chapter.after(node).slice(1);
    if (level < LEVELS) return others.map((id) => this.branch(id, level + 1));
    return others.length && !this.open.has(`>${node}`) && !others.some((id) => this.open.has(id))
      ? [this.more(`>${node}`, others[0], said(this.texts.moreVariations, { count: others.length }))]
      : others.map((id) => this.branch(id, level));
  }

  line(node) {
    const tried = this.chapter.at(node), shown = tried.story.filter(({ brief }) => !brief || brief.parts?.length);
    const told = (shown.length ? shown : tried.story).map(({ parts, brief }, index) =>
      element("p", { class: index ? "sub" : "", "aria-hidden": "true" }, ...words(brief?.parts?.length ? brief.parts : parts)));
    if (!told.length) told.push(element("p", { class: "sub" }, this.texts.silent));
    const heard = element("span", { class: "sr" }, tried.story.map(({ text }) => text).join(". "));
    const item = element("li", { class: "fact", "data-node": node },
      tried.seat ? this.signs.chip(tried.seat) : this.signs.icon("sliders"), element("div", {}, ...told, heard));
    const glyphs = this.glyphs(node);
    if (glyphs) (item.querySelector("p") ?? item.lastChild).append(glyphs);
    this.lines.set(node, item);
    return item;
  }

  more(key, next, text) {
    return element("li", { class: "more" }, element("button", { type: "button", "data-more": key, "data-next": next }, text));
  }
}
