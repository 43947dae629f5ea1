// Hints: what can be done now, asked for at any time; and in a first game, a lesson with every new kind of question.

import { element, said } from "../replay/dom.js";
import { capital, styles } from "../prompt/words.js";

const wide = matchMedia("(min-width: 761px)"); // a telephone shows the title, and the rest when it is tapped

export class Coach {
  constructor(table, settings) {
    Object.assign(this, { table, settings, card: table.part("coach") });
    this.sheet = document.getElementById("help");
  }

  /** A question has come: its lesson, the first time. */
  teach() {
    const { table, settings } = this, [decision] = table.now.decisions, seen = settings.get("lessons");
    if (!decision || table.looking || !settings.get("hints") || seen.includes(decision.kind)) return void (this.card.hidden = true);
    const { title, text } = this.lesson(decision.kind);
    if (this.card.dataset.kind === decision.kind && !this.card.hidden) return void 0;
    this.card.dataset.kind = decision.kind;
    const lines = [text, ...(seen.length ? [] : [table.texts.noRegrets])];
    this.card.replaceChildren(element("details", { open: wide.matches }, element("summary", {}, title), ...lines.map((line) => element("p", {}, line)),
      element("div", { class: "acts" }, this.button("no-hints", table.texts.coach.none), this.button("learned", table.texts.coach.learned, true))));
    this.card.hidden = false;
    return void 0;
  }

  learned() {
    this.settings.set("lessons", [...this.settings.get("lessons"), this.card.dataset.kind]);
    this.card.hidden = true;
    this.table.prompt.focus();
  }

  lesson(kind) {
    const { guide } = this.table;
    return guide[kind] ?? guide[""];
  }

  button(act, label, isPrimary = false) {
    return element("button", { type: "button", class: styles("btn", "small", isPrimary && "primary"), "data-act": act }, label);
  }

  /** What can I do? */
  async help() {
    const { table, sheet } = this, { now, texts } = table, [decision] = now.decisions;
    const { title, text } = this.lesson(now.asked.kind), body = table.part("help");
    const ways = decision ? [...new Set(decision.schema.anyOf.map((form) => form["x-name"] ?? form.title))] : [];
    const lines = now.status !== "running" ? [element("p", {}, texts.ended)] : [
      element("h3", {}, decision ? title : table.waiting.told(now)),
      element("p", {}, text),
      ...(ways.length > 1 ? [element("ul", { class: "ways" }, ...ways.map((way) => element("li", {}, capital(way))))] : [])];
    body.replaceChildren(...lines);
    sheet.showModal();
    if (!decision) return;
    const deed = await table.defaultDeed();
    if (deed) body.append(element("p", { class: "quiet" }, said(texts.ifLate, { deed })));
  }
}
