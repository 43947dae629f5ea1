// Lines of the story: few words for eyes, whole sentences for ears and for the search.

import { element, said } from "./dom.js";

const FEW = 3; // so many spaces are named in one breath; more of them are a table

/** Parts of a sentence: players are bold, titles of cards italic. Who speaks already is not named again. */
export function words(parts, speaker = "") {
  const shown = speaker && parts[0]?.seat === speaker && String(parts[1] ?? "").startsWith(" ")
    ? [parts[1].trimStart(), ...parts.slice(2)] : parts;
  return shown.map((part) => (typeof part === "string" ? part : element(part.seat ? "b" : "i", {}, part.name)));
}

/** One line, which can grow while facts of its group follow. */
export class Line {
  constructor(step, seat, isSub, signs) {
    this.short = element("span", { class: "short", "aria-hidden": "true" });
    this.full = element("span", { class: "full" });
    this.item = element("li", { class: `fact${isSub ? " sub" : ""}`, "data-step": step.version },
      seat ? signs.chip(seat) : element("span"),
      element("div", {}, this.short, this.full),
      element("span", { class: "at" }, String(step.version)));
  }

  /** Goes on with a fact of this step. */
  say(step, parts, text) {
    if (this.short.childNodes.length) this.short.append(", ");
    this.short.append(element("span", { "data-step": step.version }, ...parts));
    this.hear(text);
  }

  /** Something that is heard only. */
  hear(text) {
    this.full.append(`${text}. `);
  }
}

/** Spaces that were scored together: what each player won. */
export class Scoring {
  constructor(step, scored, signs, spaces, texts) {
    this.full = element("span", { class: "full" });
    const name = ({ space, name }) => name ?? spaces[space] ?? space, isTable = scored.length > FEW;
    const title = isTable ? said(texts.spaces, { count: scored.length }) : scored.map(name).join(", ");
    this.item = element("li", { class: "scoring", "data-step": step.version },
      element("div", { class: "short", "aria-hidden": "true" },
        element("p", { class: "of" }, signs.icon("score-value"), title, element("span", { class: "at" }, String(step.version))),
        ...(isTable ? [element("ul", { class: "each" }, ...scored.map((mark) =>
          element("li", {}, element("span", {}, name(mark)), ...gains(mark.points, signs))))] : []),
        element("ul", { class: "sum" }, ...total(scored, signs, texts).map((gain) => element("li", {}, gain)))),
      this.full);
  }

  hear(text) {
    this.full.append(`${text}. `);
  }
}

function gains(points, signs) {
  return Object.entries(points ?? {}).map(([seat, won]) => element("span", { class: "won" }, signs.chip(seat), `+${won}`));
}

function total(scored, signs, texts) {
  const won = gains(sums(scored), signs);
  return won.length ? won : [element("span", { class: "quiet" }, texts.noPoints)];
}

function sums(scored) {
  const sums = {};
  for (const { points } of scored) for (const [seat, won] of Object.entries(points ?? {})) sums[seat] = (sums[seat] ?? 0) + won;
  return sums;
}

/** The head of a round; or of a general scoring, with its crown. */
export class Head {
  constructor(step, title, kind) {
    this.full = element("span", { class: "full" });
    const crown = kind === "general" ? element("span", { class: "crownlet", "aria-hidden": "true" }) : "";
    this.item = element("li", { class: kind, "data-step": step.version }, crown, title, element("span", { class: "rule" }), this.full);
  }

  hear(text) {
    this.full.append(`${text}. `);
  }
}
