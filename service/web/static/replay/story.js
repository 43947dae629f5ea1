// The story: rounds, turns and scorings as a list; one line is the present one.

import { said } from "./dom.js";
import { Head, Line, Scoring, words } from "./lines.js";

export class Story {
  constructor(list, signs, names, go) {
    this.list = list;
    this.signs = signs;
    this.names = names;
    this.lines = new Map();
    this.clear();
    list.addEventListener("click", (event) => {
      const line = event.target.closest("[data-step]");
      if (line) go(Number(line.dataset.step));
    });
  }

  clear() {
    this.list.replaceChildren();
    this.lines.clear();
    this.speaker = "";
    this.group = ""; // of the line that may still grow
    this.line = null;
  }

  add(step, texts) {
    const scored = step.marks.filter(({ kind }) => kind === "scored");
    if (!this.line && !step.marks.some(({ kind }) => kind === "round") && step.round) this.head(step, "round", texts);
    this.heard = []; // sentences that have no line yet
    for (let at = 0; at < step.story.length; at++) {
      const sentence = step.story[at];
      if (sentence.mark === "scored") {
        const together = runOf(step.story, at);
        this.scoring(step, scored.splice(0, together.length), together, texts);
        at += together.length - 1;
      } else if (sentence.mark === "round" || sentence.mark === "scoring") this.head(step, sentence.mark, texts, sentence.text);
      else this.tell(step, sentence);
    }
    if (this.heard.length && this.line) this.line.hear(this.heard.join(". "));
    if (step.marks.some(({ kind }) => kind === "turn" || kind === "round")) this.speaker = "";
  }

  /** A sentence as a line of its own, or in the line of its group; or nothing that is seen. */
  tell(step, { text, seat, parts, brief }) {
    if (brief && !brief.parts) return void this.unseen(step, text);
    const { group = "", more, seat: whose = "" } = brief ?? { seat };
    const isMore = group !== "" && group === this.group && more;
    if (!isMore) {
      const line = new Line(step, whose, whose !== "" && whose === this.speaker, this.signs);
      this.append(step, line, group);
    } else this.found(step, this.line.item);
    this.line.say(step, isMore ? words(more) : words(brief?.parts ?? parts, this.speaker), text);
    this.speaker = whose || this.speaker;
  }

  /** Said to ears only, with the next line of the step or the last one. */
  unseen(step, text) {
    if (this.lines.has(step.version)) this.line.hear(text);
    else this.heard.push(text);
  }

  head(step, mark, texts, text = "") {
    const isRound = mark === "round";
    const title = isRound ? said(texts.round, { number: step.round }) : texts.general;
    const head = new Head(step, title, isRound ? "round" : "general");
    if (isRound) {
      this.list.append(head.item);
      this.line = head;
      this.group = "";
    } else this.append(step, head);
    if (text) head.hear(text);
    this.speaker = "";
  }

  scoring(step, scored, sentences, texts) {
    const block = new Scoring(step, scored, this.signs, this.names.spaces, texts);
    for (const { text } of sentences) block.hear(text);
    this.append(step, block);
    this.speaker = "";
  }

  append(step, line, group = "") {
    for (const text of this.heard.splice(0)) line.hear(text);
    this.list.append(line.item);
    this.line = line;
    this.group = group;
    this.found(step, line.item);
  }

  /** Remembers that this step is told there. */
  found({ version }, item) {
    const items = this.lines.get(version) ?? [];
    if (!items.includes(item)) this.lines.set(version, [...items, item]);
  }

  /** Marks the lines of a step. */
  now(version) {
    this.mark(this.at(version), version);
  }

  /** The lines of a step, or of the last one before it that has any. */
  at(version) {
    let at = version;
    while (at > 0 && !this.lines.has(at)) at--;
    return this.lines.get(at) ?? [];
  }

  /** Scrolls before it writes: then nothing has to be laid out twice. */
  mark(lines, version = 0) {
    if (lines[0]) this.reveal(lines[0]);
    for (const former of this.present ?? []) {
      former.classList.remove("now");
      former.removeAttribute("aria-current");
    }
    this.present = [...lines];
    for (const line of lines) line.classList.add("now");
    lines[0]?.setAttribute("aria-current", "step");
    if (version) for (const line of lines) this.point(line, version);
  }

  /** In a line of several steps, the words of this one. */
  point(line, version) {
    const said = [...line.querySelectorAll(".short > [data-step]")];
    if (new Set(said.map(({ dataset }) => dataset.step)).size < 2) return;
    for (const part of said.filter(({ dataset }) => dataset.step === String(version))) {
      part.classList.add("now");
      part.removeAttribute("aria-current");
      this.present.push(part);
    }
  }

  reveal(line) {
    const { list } = this, top = line.offsetTop; // the list is positioned: it is the origin
    if (top < list.scrollTop + 40 || top > list.scrollTop + list.clientHeight - 60) {
      list.scrollTop = top - list.clientHeight / 3;
    }
  }

  /** Shows only the lines with these words, in whole sentences. Gives how many there are. */
  search(words) {
    const wanted = words.trim().toLocaleLowerCase();
    let found = 0;
    for (const line of this.list.querySelectorAll(":scope > li")) {
      const text = (line.querySelector(".full") ?? line).textContent;
      line.hidden = wanted !== "" && !text.toLocaleLowerCase().includes(wanted);
      found += !line.hidden;
    }
    this.list.classList.toggle("found", wanted !== "");
    return found;
  }
}

/** The sentences from here on that tell what was scored, one after the other. */
function runOf(story, from) {
  const end = story.findIndex(({ mark }, at) => at > from && mark !== "scored");
  return story.slice(from, end < 0 ? story.length : end);
}
