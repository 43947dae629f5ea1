// "What would you play?" Everything after the selected step is hidden until it is answered; then it is told what was
// played, and what the study says of it.

import { element, said } from "../replay/dom.js";
import { comment } from "./comments.js";
import { sceneOf } from "./chapter.js";

export class Quiz {
  constructor(studio, prompt, panel) {
    Object.assign(this, { studio, prompt, panel, isOn: false });
    panel.addEventListener("click", (event) => {
      const { quiz } = event.target.closest("[data-quiz]")?.dataset ?? {};
      if (quiz === "on") this.next();
      if (quiz === "end") this.end();
    });
  }

  begin() {
    this.isOn = true;
    this.right = this.all = 0;
    this.studio.parts.mode("quiz");
    return this.ask();
  }

  end() {
    if (!this.isOn) return;
    this.isOn = false;
    this.prompt.clear();
    this.panel.hidden = true;
    this.studio.parts.mode("");
  }

  /** Goes on to the next step after which a player decides, and asks for that decision. */
  async ask() {
    const { studio } = this, { timeline, texts } = studio;
    this.panel.hidden = true;
    while (studio.version < timeline.last && !this.player(studio.version)) await studio.go(studio.version + 1);
    const { node } = studio, seat = this.player(studio.version);
    if (!seat) return this.over();
    const position = await studio.position(node);
    if (!this.isOn || node !== studio.node) return;
    this.prompt.ask({ decisions: position.decisions.filter((each) => each.seat === seat), scene: sceneOf(position), names: studio.names }, {
      submit: (answer) => this.answer(node, answer),
      preview: (answer) => studio.preview(node, answer),
      other: [{ label: texts.studio.show, act: () => this.reveal() }, { label: texts.studio.endQuiz, act: () => this.end() }],
    });
    studio.tell(said(texts.studio.question, { name: studio.names.seats[seat] }));
  }

  /** The player who decided what came next. */
  player(version) {
    const next = this.studio.timeline.step(version + 1);
    return next?.decision && this.studio.names.seats[next.by] ? next.by : null;
  }

  async answer(node, answer) {
    const { studio } = this, told = await studio.client.guess(studio.chapter.id, node, answer);
    this.all += 1;
    this.right += told.is_played;
    this.tell(told.is_played ? studio.texts.studio.guessed : told.variation ? said(studio.texts.studio.inStudy, { label: told.variation.label }) : studio.texts.studio.other,
      told.is_played, told.variation);
  }

  reveal() {
    this.tell(this.studio.texts.studio.shown, false, null);
  }

  /** The answer, what was played, and what the study says. */
  tell(sentence, isRight, variation) {
    const { studio } = this, next = studio.timeline.step(studio.version + 1);
    const notes = variation ?? { glyphs: [], comments: [] };
    const said_ = [...notes.comments, ...studio.chapter.notesAt(String(next.version)).comments];
    this.prompt.clear();
    this.panel.hidden = false;
    this.panel.classList.toggle("right", isRight);
    this.panel.querySelector("h2").textContent = sentence;
    this.panel.querySelector("[data-part=played]").textContent = next.story.map(({ text }) => text).join(". ");
    this.panel.querySelector("[data-part=score]").textContent = said(studio.texts.studio.score, { right: this.right, all: this.all });
    this.panel.querySelector("[data-part=says]").replaceChildren(...said_.map((each) => element("li", {}, comment(each, studio.texts.studio))));
    this.panel.querySelector("[data-quiz=on]").focus();
    studio.tell(`${sentence}. ${next.story.map(({ text }) => text).join(". ")}`);
  }

  async next() {
    await this.studio.go(this.studio.version + 1, true);
    return this.ask();
  }

  over() {
    const { studio } = this;
    studio.toast(said(studio.texts.studio.score, { right: this.right, all: this.all }));
    this.end();
  }
}
