// The place of the question while the reader is not asked: what goes on, who wins, what can be done meanwhile.

import { element, filledWith, said } from "../replay/dom.js";
import { styles } from "../prompt/words.js";

export class Waiting {
  constructor(table) {
    this.table = table;
    this.root = table.part("waiting");
    this.sentence = this.root.querySelector(".sentence");
    this.mark = element("div", { class: "mark" });
    this.acts = element("div", { class: "acts" });
    this.rematch = this.root.querySelector(".rematch");
    this.root.replaceChildren(this.mark, this.sentence, this.acts, ...[this.rematch].filter(Boolean));
  }

  draw() {
    const { table } = this, { now, texts } = table, isAsking = table.isAsked && !table.looking;
    this.root.hidden = isAsking;
    if (isAsking) return;
    const text = table.looking ? said(texts.looking, { version: table.looking }) : this.told(now);
    if (this.sentence.textContent !== text) this.sentence.textContent = text;
    const acting = table.looking ? [] : now.asked.seats;
    this.mark.replaceChildren(...acting.slice(0, 3).map((seat) => table.signs.chip(seat)));
    this.root.classList.toggle("looking", Boolean(table.looking));
    this.root.classList.toggle("ended", now.status !== "running");
    filledWith(this.acts, this.buttons(now));
    if (this.rematch) this.rematch.hidden = now.status === "running" || Boolean(table.looking);
  }

  told(now) {
    const { table } = this, { texts, guide } = table;
    if (now.status !== "running") return this.result(now);
    if (now.clock?.paused) return texts.paused;
    if (now.seats.some(({ seat, state }) => seat === table.own && state === "forfeited")) return [texts.resigned, this.doing(now, guide)].join(" ");
    return this.doing(now, guide);
  }

  doing(now, guide) {
    const lesson = guide[now.asked.kind] ?? guide[""];
    return said(lesson.others, { player: this.table.listed(now.asked.seats) });
  }

  result(now) {
    const { table } = this, { texts, scene } = table, firsts = Object.keys(now.places).filter((seat) => now.places[seat] === 1);
    if (!firsts.length) return texts.ended;
    const points = Math.max(...firsts.map((seat) => scene.panels.get(seat)?.score ?? 0));
    if (firsts.length > 1) return said(texts.share, { names: table.listed(firsts), points });
    return firsts[0] === table.own ? said(texts.win, { points }) : said(texts.wins, { names: table.listed(firsts), points });
  }

  buttons(now) {
    const { table } = this, { texts } = table, own = now.seats.find(({ seat }) => seat === table.own);
    if (table.looking) return [this.button("now", table.isAsked ? texts.asksYou : texts.backToNow, table.isAsked || now.status !== "running")];
    if (now.status !== "running") return [element("a", { class: styles("btn", "primary"), href: table.page.dataset.replayAddress }, texts.replay)];
    if (now.clock?.paused === "agreement" && own) return [this.button("resume", texts.goOn, true)];
    if (own?.state === "automatic") return [this.button("return", texts.play, true)];
    if (now.take_back.may === "at_once") return [this.button("take-back", texts.takeBack)];
    return [];
  }

  button(act, label, isPrimary = false) {
    return element("button", { type: "button", class: styles("btn", isPrimary && "primary"), "data-act": act }, label);
  }
}

/** What the others want of the reader: a bar under the header. */
export class Requests {
  constructor(table) {
    this.table = table;
    this.bar = table.part("request");
  }

  draw() {
    const { table, bar } = this, wanted = table.own ? this.wanted(table.now) : null;
    bar.hidden = !wanted;
    if (!wanted) return;
    const { text, act, label } = wanted;
    if (bar.dataset.text === text) return;
    bar.dataset.text = text;
    bar.replaceChildren(element("span", {}, text), ...(act ? [element("button", { type: "button", class: styles("btn", "small"), "data-act": act }, label)] : []));
  }

  wanted({ take_back: back, clock, status }) {
    const { texts, own } = this.table;
    if (status !== "running") return null;
    if (back.by.length) {
      if (back.by[0] === own) return { text: texts.askedBack };
      return { text: said(texts.wantsBack, { name: this.table.listed([back.by[0]]) }), ...(back.may === "agree" && { act: "agree", label: texts.agree }) };
    }
    if (clock?.want_pause.length && !clock.paused) {
      const names = this.table.listed(clock.want_pause);
      return { text: said(texts.pauseWanted, { names }), ...(!clock.want_pause.includes(own) && { act: "pause", label: texts.pauseToo }) };
    }
    return null;
  }
}
