// Answers that a player gives ahead: the service keeps them, and gives them when the question comes. Only the player knows.

import { element, said } from "../replay/dom.js";

export class Ahead {
  /** @param table @param offers what can be answered ahead in this game, as the page has it */
  constructor(table, offers) {
    Object.assign(this, { table, offers, kept: [] });
    this.always = offers.filter(({ every }) => every);
    this.plan = offers.find(({ every, field }) => field && !every) ?? null;
  }

  set(kept) {
    this.kept = kept ?? [];
  }

  of(decision) {
    return this.kept.find((each) => each.decision === decision) ?? null;
  }

  /** The card that is planned, if one is. */
  get planned() {
    const kept = this.plan && this.of(this.plan.decision);
    return kept ? String(kept.answer[this.plan.field]) : null;
  }

  /** What is always answered alike in decisions of this kind, if that can be asked for. */
  offer(decision) {
    return this.always.find((each) => each.decision === decision) ?? null;
  }

  /** A tick box beside the question: the same answer from now on. */
  box(decision) {
    const offer = this.offer(decision);
    if (!offer) return null;
    const box = element("input", { type: "checkbox", "data-focus": `ahead:${decision}` });
    box.checked = Boolean(this.of(decision));
    box.addEventListener("change", () => this.toggle(offer));
    return element("label", { class: "ahead", title: offer.about }, box, offer.short);
  }

  toggle(offer) {
    return this.of(offer.decision) ? this.forget(offer.decision) : this.keep(offer.decision, offer.answer, true);
  }

  /** A card of the hand for the next time that one is asked for. */
  toggleCard(card) {
    const { decision, field, answer, number } = this.plan;
    if (this.planned === card) return this.forget(decision);
    return this.keep(decision, { ...answer, [field]: number ? Number(card) : card }, false);
  }

  async keep(decision, answer, every) {
    await this.sent(() => this.table.client.write("PUT", `/ahead/${encodeURIComponent(decision)}`, { answer, every }));
  }

  async forget(decision) {
    await this.sent(() => this.table.client.write("DELETE", `/ahead/${encodeURIComponent(decision)}`));
  }

  async sent(send) {
    const { table } = this;
    try {
      this.set((await send()).ahead);
      table.redraw();
      table.tell(this.told());
    } catch (problem) {
      table.tell(problem.message);
    }
  }

  told() {
    const { texts: { ahead } } = this.table, always = this.always.find(({ decision }) => this.of(decision));
    if (this.planned) return said(ahead.planned, { card: this.planned });
    return always ? always.about : ahead.nothing;
  }

  /** The choices in the menu. */
  menu() {
    return this.always.map((offer) => element("button", { type: "button", role: "switch", "aria-checked": String(Boolean(this.of(offer.decision))), "data-act": "ahead", "data-decision": offer.decision, "data-key": offer.decision },
      this.table.signs.icon(offer.icon), element("span", {}, offer.text)));
  }
}
