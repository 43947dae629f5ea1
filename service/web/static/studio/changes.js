// What was changed, newest first; own changes can be undone, and made again.

import { element, keyed, said } from "../replay/dom.js";
import { avatar } from "./comments.js";

const SHORT = 6, PAGE = 50;
const TAKEN_BACK = /^(?!create|set_visibility|set_member|leave|undo|redo)/; // kinds of edits

export class Changes {
  constructor(panel, texts, client, signs, hands) {
    Object.assign(this, { panel, texts, client, signs, hands, list: panel.querySelector('[data-part="changes"]'), most: SHORT });
    panel.addEventListener("click", (event) => {
      const { change } = event.target.closest("[data-change]")?.dataset ?? {};
      if (change === "all") this.all();
      if (change === "undo" || change === "redo") hands.attempt({ kind: change });
      const line = event.target.closest("li[data-version]");
      if (change === "take-back") hands.attempt({ kind: "undo", change: Number(line.dataset.version) });
      const place = event.target.closest("[data-at]");
      if (place) hands.go(JSON.parse(place.dataset.at));
    });
  }

  async show(study) {
    const { edits } = await this.client.history({ limit: this.most });
    const redone = study.can_redo ? edits.findLast(({ is_undone, is_mine }) => is_undone && is_mine)?.version : null;
    this.isOwner = study.role === "owner";
    keyed(this.list, edits.map((edit, index) => this.line(edit, index === 0, edit.version === redone)));
    const undo = this.panel.querySelector('[data-change="undo"]');
    if (undo) undo.disabled = !study.can_undo;
    const all = this.panel.querySelector('[data-change="all"]');
    all.textContent = said(this.texts.all, { count: study.version });
    all.hidden = edits.length < SHORT;
    all.setAttribute("aria-expanded", String(this.most > SHORT));
  }

  line(edit, isLast, canRedo) {
    const { version, by, at, text, brief, chapter, node, is_undone, is_mine } = edit;
    const place = chapter ? JSON.stringify({ chapter, node }) : null, isElsewhere = chapter && node && chapter !== this.hands.chapter();
    const words = [element("span", { "aria-hidden": "true" }, isElsewhere ? `${brief} · ${this.hands.titleOf(chapter)}` : brief), element("span", { class: "sr" }, text)];
    const told = place ? element("button", { type: "button", "data-at": place, title: text }, ...words) : element("span", { title: text }, ...words);
    const end = canRedo ? element("button", { type: "button", class: "redo", "data-change": "redo" }, this.texts.redo)
      : element("time", { datetime: new Date(at).toISOString() }, this.ago(at));
    return element("li", { class: `${is_undone ? "undone" : ""}${isLast && !is_undone ? "here" : ""}`, "data-key": version, "data-version": version, "data-mine": is_mine ? "" : null },
      avatar(by, { "aria-hidden": "true" }), told, end, this.takeBack(edit));
  }

  /** The owner takes back what others have changed, wherever it stands. */
  takeBack({ kind, text, is_undone, is_mine }) {
    if (!this.isOwner || is_mine || is_undone || !TAKEN_BACK.test(kind)) return null;
    const label = said(this.texts.takeBack, { change: text });
    return element("button", { type: "button", class: "take-back", "data-change": "take-back", "aria-label": label, title: label }, this.signs.icon("undo"));
  }

  ago(at) {
    const minutes = Math.floor((Date.now() - at) / 60_000);
    if (minutes < 1) return this.texts.now;
    if (minutes < 60) return said(this.texts.minutes, { count: minutes });
    return new Date(at).toLocaleString(document.documentElement.lang, minutes < 1440 ? { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } : { day: "numeric", month: "short" });
  }

  all() {
    this.most = this.most > SHORT ? SHORT : PAGE;
    this.hands.refresh();
  }
}
