// Trying a move: the prompt asks what a player could have done here, the rules decide what follows, and a variation keeps
// it. What is assumed about hidden things stands above the map, and can be changed.

import { element, said } from "../replay/dom.js";
import { sceneOf } from "./chapter.js";

export class Trial {
  constructor(studio, prompt, chips) {
    Object.assign(this, { studio, prompt, chips, isOn: false });
    chips?.addEventListener("change", ({ target }) => this.assume(target.name, JSON.parse(target.value)));
  }

  begin() {
    this.isOn = true;
    this.studio.parts.mode("trial");
    return this.ask();
  }

  end() {
    if (!this.isOn) return;
    this.isOn = false;
    this.prompt.clear();
    this.studio.parts.mode("");
  }

  /** Asks for what can be done at the selected node, through the eyes of whoever looks. */
  async ask() {
    const { studio } = this, { node, texts } = studio, position = await studio.position(node);
    if (!this.isOn || node !== studio.node) return;
    const decisions = seenBy(studio.viewer, position.decisions);
    this.prompt.ask({ decisions, scene: sceneOf(position), names: studio.names }, {
      submit: (answer) => this.submit(node, answer),
      preview: (answer) => studio.preview(node, answer),
      other: [{ label: texts.studio.asPlayed, act: () => this.end() }],
    });
    if (!decisions.length) studio.tell(position.decisions.length ? texts.studio.nothingForThem : texts.studio.nothingToTry);
  }

  async submit(node, { seat, move }) {
    const { studio } = this;
    await studio.tried(await studio.client.edit({ kind: "try_move", chapter: studio.chapter.id, parent: node, seat, move }));
  }

  // Assumptions

  /** The chips above the map. Whoever may not edit reads them. */
  async show() {
    const { studio, chips } = this, { node, chapter } = studio, line = chapter.line(node);
    if (!chips) return;
    const isShown = this.isOn || line.length > 0;
    chips.hidden = !isShown;
    if (!isShown) return;
    const position = await studio.position(node);
    if (node !== studio.node) return;
    const label = line.at(-1)?.label ?? "", made = new Set(line.filter(({ kind }) => kind === "assumption").map(({ move }) => move.assumption));
    const assumptions = position.assumptions ?? [], { assumes, hidden, staysAsPlayed } = studio.texts.studio;
    chips.querySelector("b").textContent = said(!label ? hidden : assumptions.length ? assumes : staysAsPlayed, { label });
    chips.querySelector("[data-part=assumptions]").replaceChildren(...assumptions.map((each) => this.chip(each, made.has(each.id))));
    chips.hidden = !label && !assumptions.length;
    const leave = chips.querySelector("[data-act=leave]");
    leave.hidden = !label;
    leave.textContent = said(studio.texts.studio.leave, { label });
  }

  chip({ id, text, value, choices, numbers }, isMade) {
    const now = JSON.stringify(value), { numbered, another } = this.studio.texts.studio;
    const offered = choices.map((choice) => [JSON.stringify(choice.value), choice.text]);
    if (!offered.some(([each]) => each === now)) offered.push([now, said(numbered, { number: now })]);
    if (numbers) offered.push([JSON.stringify(between(numbers)), another]);
    const options = offered.map(([each, name]) => element("option", { value: each, selected: each === now }, name));
    return element("label", { class: `opt${isMade ? " sel" : ""}` }, element("span", {}, `${text}:`),
      element("select", { name: id, disabled: !this.studio.canEdit }, ...options));
  }

  async assume(assumption, value) {
    const { studio } = this;
    try {
      await studio.tried(await studio.client.edit({ kind: "assume", chapter: studio.chapter.id, parent: studio.node, assumption, value }));
    } catch (problem) {
      studio.refused(problem);
      this.show();
    }
  }
}

/** Any number of a range: each stands for an order of what is hidden. */
function between([lowest, highest]) {
  return lowest + Math.floor(Math.random() * (highest - lowest + 1));
}

/** What may be tried: all of it with open cards, an own decision as one seat, nothing as the public. */
function seenBy(viewer, decisions) {
  return viewer === "everything" ? decisions : decisions.filter(({ seat }) => seat === viewer);
}
