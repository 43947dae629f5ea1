// The chapters of a study: to go to, and to be added, renamed, moved and removed.

import { element, keyed, said } from "../replay/dom.js";
import { styles } from "../prompt/words.js";
import { asked, named } from "./ask.js";

const GAME = /(?:^|\/games\/)([A-Za-z0-9_-]{1,64})(?:\/[a-z]*)?\/?(?:[?#].*)?$/;

/** The id of a game, of its address or of itself; nothing if it is neither. */
export function gameOf(text) {
  return GAME.exec(text.trim())?.[1] ?? null;
}

export class Chapters {
  /** @param hands attempt(edit), address(chapter), go(chapter) */
  constructor(panel, texts, signs, dialogs, hands) {
    Object.assign(this, { panel, texts, signs, dialogs, hands, list: panel.querySelector('[data-part="chapters"]') });
    panel.addEventListener("click", (event) => this.pressed(event.target.closest("[data-chapter-act]")));
    panel.querySelector("form")?.addEventListener("submit", (event) => this.add(event));
  }

  show(study, chapter) {
    this.study = study;
    keyed(this.list, study.chapters.map((each, index) => this.line(each, index, each.id === chapter)));
  }

  line({ id, title, status, is_closed, comments, tried }, index, isHere) {
    const about = is_closed ? this.texts.closed : said(this.texts.counts, { comments, tried });
    const name = title || said(this.texts.chapter, { number: index + 1 });
    return element("li", { class: isHere ? "here" : "", "data-key": id, "data-chapter": id },
      element("a", { href: this.hands.address(id), "aria-current": isHere ? "true" : null },
        element("span", { class: styles("num", "quiet") }, String(index + 1)), element("span", {}, name, element("small", {}, status === "running" ? `${this.texts.running} · ${about}` : about))),
      this.study.can_edit ? this.handles(name, index) : null);
  }

  handles(name, index) {
    const last = this.study.chapters.length - 1;
    const button = (act, icon, label, isOff = false) => element("button", { type: "button", class: styles("btn", "ghost", "icononly", act), "data-chapter-act": act,
      "aria-label": said(label, { name }), title: said(label, { name }), disabled: isOff }, this.signs.icon(icon));
    return element("span", { class: "handles" }, button("up", "next", this.texts.up, index === 0), button("down", "next", this.texts.down, index === last),
      button("rename", "highlight", this.texts.renameChapter), button("remove", "close", this.texts.removeChapter));
  }

  async pressed(button) {
    if (!button) return;
    const { chapter: id } = button.closest("[data-chapter]").dataset, index = this.study.chapters.findIndex((each) => each.id === id);
    const { title } = this.study.chapters[index], seen = this.study.version, act = button.dataset.chapterAct;
    if (act === "up" || act === "down") await this.hands.attempt({ kind: "move_chapter", chapter: id, index: index + (act === "up" ? -1 : 1) });
    if (act === "rename") {
      const name = await named(this.dialogs.name, this.texts.chapterName, title);
      if (name) this.hands.attempt({ kind: "rename_chapter", chapter: id, title: name, seen });
    }
    if (act === "remove" && (await asked(this.dialogs.ask, said(this.texts.removeChapter, { name: title }), this.texts.removeChapterText, this.texts.remove))) {
      await this.hands.attempt({ kind: "remove_chapter", chapter: id, seen });
    }
    if (document.activeElement === document.body || document.activeElement.disabled) this.focus(id, act);
  }

  /** Leads the keyboard back to what was pressed; of a chapter that is first now, to what can still be done. */
  focus(id, act) {
    const line = this.list.querySelector(`[data-chapter="${id}"]`);
    (line?.querySelector(`.${act}:enabled`) ?? line?.querySelector("button:enabled"))?.focus();
  }

  async add(event) {
    event.preventDefault();
    const form = event.target, game = gameOf(form.elements.game.value), title = form.elements.title.value.trim();
    if (!game) return form.elements.game.focus();
    const edited = await this.hands.attempt({ kind: "add_chapter", title: title || this.texts.newChapter, game });
    if (edited) this.hands.go(edited.chapter);
    return null;
  }
}
