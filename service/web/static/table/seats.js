// What lies around the board: the players, the own hand, the cards of the round, the rounds.

import { become, element, filledWith, keyed, said } from "../replay/dom.js";
import { styles } from "../prompt/words.js";

export class Seats {
  /** @param table whose parts are drawn */
  constructor(table) {
    const { page, signs, texts, own, names } = table;
    Object.assign(this, { table, signs, texts, own, names, page, order: [], shown: new Map() });
  }

  part(name) {
    return document.querySelector(`[data-part="${name}"]`);
  }

  /** @param scores to be shown instead of those of the scene, as long as something moves */
  draw(scene, now, scores = null) {
    this.players(scene, now, scores);
    this.hand(scene);
    this.cards(scene);
    this.rounds(scene);
    this.ownFacts(scene);
  }

  /** Whether a part would show something else than it does: making it takes longer than asking. */
  isNew(name, ...values) {
    const wanted = JSON.stringify(values);
    if (this.shown.get(name) === wanted) return false;
    this.shown.set(name, wanted);
    return true;
  }

  // Players

  players(scene, now, scores) {
    const panels = this.inOrder([...scene.panels.values()], now?.places);
    const shown = panels.map((panel) => [panel, this.sitting(panel, now), scores?.get(panel.seat)?.score ?? panel.score, now?.outlook[panel.seat]]);
    if (this.isNew("players", shown)) keyed(this.part("players"), shown.map((each) => this.player(...each)));
  }

  /** What is known of a seat beside the scene. */
  sitting({ seat }, now) {
    const known = this.table.clocks.seat(seat);
    return { ...now?.seats.find((each) => each.seat === seat), hasClock: Boolean(known), strikes: known?.strikes ?? 0 };
  }

  /** In the order of the round; until that is known, as in the round before. At the end, as they have come in. */
  inOrder(panels, places = {}) {
    if (panels.every(({ seat }) => places[seat])) return panels.toSorted((one, other) => places[one.seat] - places[other.seat]);
    if (panels.every(({ turn }) => turn)) this.order = panels.toSorted((one, other) => one.turn - other.turn).map(({ seat }) => seat);
    const at = ({ seat }) => this.order.indexOf(seat);
    return this.order.length === panels.length ? panels.toSorted((one, other) => at(one) - at(other)) : panels;
  }

  player(panel, sitting, score, foreseen) {
    const { signs, texts } = this, { seat } = panel;
    const isMine = seat === this.own, state = this.state(panel, sitting);
    const name = isMine ? said(texts.you, { name: this.names.seats[seat] }) : this.names.seats[seat];
    const note = [panel.note, state && texts.states[state], sitting.bot && texts.bot].filter(Boolean).join(" · ");
    return element("li", { class: styles("player", seat, panel.state, sitting.state, isMine && "mine"), "data-panel": seat, "data-key": seat,
      "aria-current": panel.state === "acting" ? "true" : null },
    signs.chip(seat),
    element("span", { class: "who", title: this.names.seats[seat] },
      element("span", { class: "name", translate: "no" }, element("span", { class: "full-name" }, name), element("span", { class: "short-name", "aria-hidden": "true" }, isMine ? texts.yourself : this.names.seats[seat])),
      element("small", {}, note)),
    element("span", { class: styles("points", "num") }, String(score), element("span", { class: "sr" }, ` ${texts.points}. `)),
    this.foreseen(foreseen, score),
    this.facts(panel, sitting));
  }

  foreseen(points, score) {
    const text = points === undefined || points === score ? "" : `→ ${points}`, label = said(this.texts.soFar, { count: points });
    return element("span", { class: styles("outlook", "num"), title: text && label }, text, element("span", { class: "sr" }, text && ` ${label}. `));
  }

  facts(panel, { hasClock }) {
    const { texts, signs } = this;
    const figures = (panel.figures ?? []).map(({ icon, value, label }) => element("span", { class: `figure ${icon}`, title: label },
      signs.icon(icon), element("b", {}, String(value)), element("span", { class: "sr" }, ` ${label}. `)));
    const clock = hasClock && element("button", { class: styles("clock", "num"), type: "button", "data-clock": panel.seat, "data-act": "ledger", "data-seat": panel.seat, title: texts.left },
      element("span", {}, ""), element("span", { class: "sr" }, ` ${texts.left}`));
    return element("span", { class: "facts" },
      element("span", { class: `power${panel.played ? "" : " none"}`, title: texts.power }, panel.played || "–"), ...figures, clock);
  }

  state(panel, sitting) {
    if (sitting.state && sitting.state !== "seated") return sitting.state;
    if (sitting.strikes && panel.state !== "acting") return "late";
    return panel.state;
  }

  // The own hand

  hand(scene) {
    const cards = scene.panels.get(this.own)?.hand, list = this.part("hand");
    const { planned } = this.table.ahead;
    if (!list || !cards || !this.isNew("hand", cards, planned)) return;
    const held = cards.filter(({ state }) => state === "held").length;
    this.part("hand-count").textContent = `${held} / ${cards.length}`;
    keyed(list, cards.map((card) => this.powerCard(card, planned)));
  }

  powerCard({ key, title, text, state }, planned) {
    const isPlanned = planned === key, { texts: { ahead } } = this, label = said(isPlanned ? ahead.forget : ahead.plan, { card: title });
    const face = [title, element("i", {}, text ?? "")];
    const content = state === "held" && this.table.ahead.plan
      ? [element("button", { type: "button", "data-act": "plan", "data-card": key, "aria-pressed": String(isPlanned), "aria-label": label, title: label }, ...face)]
      : face;
    return element("li", { class: styles("pc", state, isPlanned && "planned"), "data-key": key }, ...content);
  }

  /** On a telephone: one's own numbers in a line. */
  ownFacts(scene) {
    const { own } = this, panel = scene.panels.get(own), line = this.part("own-facts");
    if (!panel || !this.isNew("own-facts", panel.figures)) return;
    const shown = (panel.figures ?? []).map(({ icon, value, label }) => element("span", { title: label }, this.signs.icon(icon), element("b", {}, String(value)), element("span", { class: "sr" }, ` ${label}. `)));
    const wanted = element("p", {}, ...shown);
    filledWith(line, [...wanted.children]);
  }

  // Cards and rounds

  cards(scene) {
    if (!this.isNew("cards", scene.cards)) return;
    const { texts, signs, names } = this;
    this.part("no-cards").hidden = scene.cards.length > 0;
    keyed(this.part("cards"), scene.cards.map((card) => element("li", { class: styles("action", card.state, card.seat === this.own && this.own && "yours"), "data-key": card.key },
      element("button", { type: "button", "data-act": "card", "data-card": card.key },
        card.pips ? element("span", { class: "pips", "aria-label": said(texts.places, { count: card.pips }), role: "img" }, ...Array.from({ length: card.pips }, () => element("i"))) : null,
        element("span", { class: "art" }, card.symbol ? this.table.board.picture(card.symbol) : card.icon ? signs.icon(card.icon) : null),
        element("span", { class: "face" }, element("span", { class: "name" }, card.title), element("span", { class: "does" }, card.text ?? "")),
        card.seat ? element("span", { class: "by" }, signs.chip(card.seat, said(texts.taken, { name: names.seats[card.seat] }))) : null))));
    const told = scene.cards.flatMap(({ title, detail, text }) => [element("dt", {}, title), element("dd", {}, detail ?? text ?? "")]);
    become(this.part("card-texts"), element("dl", { "data-part": "card-texts" }, ...told));
  }

  rounds(scene) {
    if (!this.isNew("rounds", scene.rounds)) return;
    const items = scene.rounds.flatMap(({ number, state, scores }) => [
      element("li", { class: `r ${state}`, "aria-current": state === "now" ? "true" : null }, String(number)),
      ...(scores ? [element("li", { class: `crownlet ${state}`, "aria-label": this.texts.scoring })] : [])]);
    filledWith(this.part("rounds"), items);
    const now = scene.rounds.find(({ state }) => state === "now") ?? scene.rounds.at(-1);
    if (now) document.querySelector(".round-now b").textContent = said(this.texts.round, { number: now.number });
  }
}
