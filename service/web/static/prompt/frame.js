// The frame of every question: whose it is, the sentence, what is left, and the buttons. Its parts stay; what is in them changes.

import { element, said } from "../replay/dom.js";
import { beside } from "./beside.js";
import { styles } from "./words.js";

const MOST_SIGNS = 12; // more pieces than that are a number
const MANY = 3; // more other kinds of answers than that stand in a row of their own
const SHORT = 36, LONG = 60; // letters: beside a short question there is room for a hint; a long one is set smaller

export class Frame {
  /** @param {Prompt} prompt whose state is shown, and who is told what was pressed */
  constructor(prompt) {
    this.prompt = prompt;
    this.mark = element("div", { class: "mark" });
    this.title = element("h2", { "aria-live": "polite" });
    this.how = element("span", { class: "how" });
    this.aside = element("span", { class: "aside" });
    this.drawer = element("div", { class: "drawer" });
    this.hint = element("p", { class: "hint" });
    this.small = element("div", { class: "small" });
    this.acts = element("div", { class: "acts" });
    this.sheet = element("div", { class: "sheet" }, this.mark, element("div", { class: "say" }, this.title, this.how), this.drawer,
      element("div", { class: "do" }, this.hint, this.aside, this.small, this.acts));
  }

  draw() {
    const { prompt } = this, { root, manner, texts, message } = prompt, focused = focusIn(root);
    root.classList.add("prompt");
    root.classList.toggle("interrupting", Boolean(manner.answers));
    root.classList.toggle("refused", Boolean(message?.isBad));
    root.setAttribute("role", manner.answers ? "alertdialog" : "group");
    root.setAttribute("aria-label", texts.decision);
    root.setAttribute("aria-busy", String(Boolean(prompt.isBusy)));
    root.dataset.kind = prompt.draft.decision.kind;
    root.toggleAttribute("data-armed", Boolean(prompt.armed));
    if (!this.sheet.isConnected) root.replaceChildren(this.sheet);
    this.fill(manner, texts);
    if (focused) this.refocus(focused);
  }

  fill(manner, texts) {
    const { prompt } = this, heading = manner.heading(texts), { small, big } = beside(manner, prompt);
    if (this.title.textContent !== heading) this.title.textContent = heading;
    this.title.classList.toggle("long", heading.length > LONG);
    this.how.textContent = heading.length > SHORT ? "" : manner.how(texts);
    this.mark.replaceChildren(prompt.question.mark ?? this.whose());
    this.aside.replaceChildren(...[prompt.question.aside].filter(Boolean));
    this.drawer.replaceChildren(...big);
    this.small.replaceChildren(...small);
    this.told();
  }

  /** What is left and what can be done; nothing that is picked or typed is drawn anew. */
  told() {
    const { prompt } = this, { manner } = prompt;
    this.hint.replaceChildren(...this.hints());
    this.hint.toggleAttribute("role", false);
    if (prompt.message?.isBad) this.hint.setAttribute("role", "alert");
    this.acts.replaceChildren(...this.backs(), ...this.others(), this.ways(), ...(manner.answers ? this.answers() : this.commits()));
  }

  /** A map that can be looked at closer is shown beside the prompt, not under it. */
  makeRoom(svg) {
    if (!svg.zoom || this.prompt.root.hidden) return;
    svg.zoom.onresize = () => this.makeRoom(svg);
    const map = svg.getBoundingClientRect(), sheet = this.sheet.getBoundingClientRect();
    if (this.prompt.root.dataset.side === "above" && sheet.top <= map.top) svg.zoom.cover(Math.max(0, sheet.bottom - map.top), 0);
    else svg.zoom.cover(0, Math.max(0, map.bottom - sheet.top));
  }

  remind() {
    this.hint.replaceChildren(...this.hints());
  }

  /** The focus stays where it was; if that is gone, it goes on to the button that sends. */
  refocus(id) {
    const found = [...this.prompt.root.querySelectorAll("[data-focus]")].find((node) => node.dataset.focus === id);
    const wanted = found && !found.disabled ? found : this.prompt.root.querySelector(".commit:not(:disabled)");
    wanted?.focus({ preventScroll: true });
  }

  // Whose decision it is

  /** If several seats are asked: for which of them one decides. */
  whose() {
    const { prompt } = this, { manner, signs, seat: chosen } = prompt, { decisions } = prompt.question;
    if (decisions.length === 1) return signs.chip(chosen, manner.seatName(chosen));
    return element("div", { class: "seats", role: "group", "aria-label": prompt.texts.seats }, ...decisions.map(({ seat }) => {
      const button = this.button("seat", signs.chip(seat), () => prompt.isBusy || prompt.look(seat), `seat:${seat}`, manner.seatName(seat));
      button.setAttribute("aria-pressed", String(seat === chosen));
      return button;
    }));
  }

  // What is left, what would follow, what is wrong

  hints() {
    const { prompt } = this, { tally } = prompt.draft, parts = tally ? [this.tally(tally)] : [];
    if (prompt.message) return [...parts, element("span", { class: "message" }, prompt.message.text)];
    if (prompt.reminder) return [...parts, element("span", { class: "reminder" }, prompt.reminder)];
    const told = prompt.foreseen?.story?.map((line) => line.text ?? line) ?? [];
    if (told.length && !prompt.manner.answers) return [...parts, element("span", { class: "foreseen", title: told.join("; ") }, told.join("; "))];
    const left = tally ? said(prompt.texts.left, { count: tally.maximum - tally.count }) : "";
    return [...parts, [left, prompt.manner.note].filter(Boolean).join(", ")];
  }

  tally({ count, maximum }) {
    const { seat, signs, texts } = this.prompt, label = said(texts.tally, { count, most: maximum });
    if (maximum > MOST_SIGNS) return element("span", { class: "tally" }, label);
    const full = Array.from({ length: maximum }, (_, index) => element("i", { class: index < count ? "full" : "empty" }, signs.chip(seat)));
    return element("span", { class: styles("tally", seat), role: "img", "aria-label": label }, ...full);
  }

  // Buttons

  backs() {
    const { prompt } = this, { draft, signs, texts } = prompt, style = styles("btn", "ghost", "icononly");
    if (!draft.isTouched) return [];
    const undo = this.button(style, signs.icon("undo"), () => prompt.undo(), "undo", texts.undo);
    const again = this.button(style, signs.icon("reset"), () => prompt.startAgain(), "again", texts.again);
    return draft.past.length > 1 ? [again, undo] : [undo];
  }

  others() {
    return this.prompt.question.other.map(({ label, act }, index) => this.button(styles("btn", "ghost"), label, act, `other:${index}`));
  }

  /** Other kinds of answers: to be looked at, or to be given at once. */
  ways() {
    const { prompt } = this, ways = prompt.manner.ways(), isMany = ways.length > MANY;
    prompt.root.classList.toggle("many-ways", isMany);
    return element("div", { class: "ways" }, ...ways.map(({ kind, label, isOpen, confirmation }) => {
      const id = `way:${kind}`, act = isOpen ? () => prompt.choose(kind) : () => prompt.send(prompt.draft.moveOf(kind), confirmation, id);
      return this.button(styles("btn", isMany && "small", prompt.armed === id && "primary"), this.sure(id, label), act, id);
    }));
  }

  commits() {
    const { prompt } = this, { draft, texts } = prompt;
    if (!draft.kind) return [];
    const text = prompt.isSending ? texts.sending : this.sure("commit", prompt.manner.deed(texts));
    const button = this.button(styles("btn", "primary", "commit"), text, () => prompt.commit(), "commit");
    button.disabled = prompt.isBusy || !draft.move();
    return [button];
  }

  answers() {
    const { prompt } = this, { manner } = prompt, { field, control } = manner.answers;
    return field.enum.map((value, index) => {
      const id = `answer:${value}`, icon = control.icons?.[value], label = this.sure(id, manner.deedOf(value));
      const button = this.button(styles("btn", "answer", field["x-confirm"]?.[value] && "primary"), label, () => prompt.answer(value), id);
      if (icon) button.prepend(prompt.signs.icon(icon));
      button.title = field["x-labels"]?.[index] ?? "";
      return button;
    });
  }

  /** What a button says once it was pressed and asks whether that is meant. */
  sure(id, deed) {
    return this.prompt.armed === id ? said(this.prompt.texts.sure, { deed }) : deed;
  }

  button(style, content, act, id, label = null) {
    const node = element("button", { type: "button", class: style, "aria-label": label, "data-focus": id, disabled: this.prompt.isSending }, content);
    node.addEventListener("click", act);
    return node;
  }
}

function focusIn(root) {
  return root.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
}
