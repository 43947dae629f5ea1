// Who is here: avatars in the bar, where each of them is, and who writes.

import { element, said } from "../replay/dom.js";
import { styles } from "../prompt/words.js";
import { avatar } from "./comments.js";

const AGAIN = 10_000; // milliseconds
const SHOWN = 5;

export class People {
  constructor(list, writing, texts, me, client, where) {
    Object.assign(this, { list, writing, texts, me, client, where, here: [], members: [], isWriting: false });
    setInterval(() => document.hidden || this.tell(), AGAIN);
    document.addEventListener("visibilitychange", () => document.hidden || this.tell());
  }

  /** Tells the others, soon: of many steps in a row only the last one matters. */
  soon() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.tell(), 300);
  }

  tell() {
    const where = this.me && this.where();
    if (where) this.client.present({ ...where, is_writing: this.isWriting });
  }

  write(isWriting) {
    if (isWriting === this.isWriting) return;
    this.isWriting = isWriting;
    this.tell();
  }

  /** @param members of the study @param here those who look at it now */
  show(members, here) {
    this.members = members ?? this.members;
    this.here = here ?? this.here;
    const present = new Map(this.here.map((each) => [each.handle, each]));
    const all = [...new Set([...present.keys(), ...this.members.map(({ handle }) => handle)])].filter((handle) => handle && handle !== this.me);
    this.list.replaceChildren(...all.slice(0, SHOWN).map((handle) => {
      const told = present.has(handle) ? said(this.texts.hereNow, { name: handle }) : handle;
      return element("li", {}, avatar(handle, { class: `avatar${present.has(handle) ? " on" : ""}`, title: told, role: "img", "aria-label": told }));
    }), ...(all.length > SHOWN ? [element("li", { class: styles("quiet", "num") }, `+${all.length - SHOWN}`)] : []));
    this.list.parentElement.classList.toggle("alone", !all.length);
  }

  writers() {
    return this.here.filter(({ handle, is_writing }) => is_writing && handle !== this.me);
  }

  /** Who writes elsewhere. @param name what a place is called */
  told(writers, name) {
    const lines = writers.map(({ handle, chapter, node }) =>
      element("li", {}, element("i"), said(this.texts.writesAt, { name: handle, place: name(chapter, node) })));
    this.writing.replaceChildren(...lines);
  }
}
