// The prompt: a person answers a decision that describes itself, on the map and under it.
//
//     const prompt = new Prompt(element, board, texts, signs);
//     prompt.ask({ decisions, scene, names }, { submit, preview, other });
//     prompt.clear();
//
// It knows no game and no rules. The schema of the decision says what may be picked; the ground says how such things are
// shown; the words on the buttons come with both. Nothing is sent until its button is pressed: see docs/prompt.md.

import { said } from "../replay/dom.js";
import { Draft, STEP } from "./draft.js";
import { Frame } from "./frame.js";
import { Gains } from "./gains.js";
import { Manner } from "./manner.js";
import { Marks } from "./marks.js";
import { Stage } from "./stage.js";
import { targets } from "./targets.js";
import { Things } from "./things.js";
import { foreseen, traces } from "./traces.js";
import { capital } from "./words.js";

const ENDS = ["pointerup", "pointercancel"]; // of a press

export class Prompt {
  /** @param {HTMLElement} root an empty section @param {Board} board @param {object} texts @param {Signs} signs */
  constructor(root, board, texts, signs) {
    Object.assign(this, { root, board, texts, signs });
    this.stage = new Stage(board);
    this.marks = new Marks(board);
    this.frame = new Frame(this);
    this.gains = new Gains();
    this.drafts = new Map(); // of every seat that is asked
    this.listener = (event) => this.key(event);
    this.wheel = (event) => this.wheeled(event);
    for (const pressed of [root, board.svg]) pressed.addEventListener("pointerdown", ({ pointerId }) => this.pressed(pointerId));
    this.sending = null; // the signature of the question whose answer is on its way
    this.press = null; // the pointer that presses something
    this.turn = 0; // counts changes: what was asked of the server before the last one is of no interest any more
  }

  // For the page

  /** Asks. A question that is still the same keeps what was picked. */
  ask({ decisions, scene, names = {} }, { submit, preview = null, other = [], aside = null, mark = null }) {
    if (!decisions.length) return this.clear();
    const known = new Map([...this.drafts.values()].map((draft) => [signature(draft.decision), draft]));
    this.question = { decisions, names, submit, preview, other, aside, mark };
    this.things = new Things(scene, this.board.ground);
    this.drafts = new Map(decisions.map((decision) => [decision.seat, known.get(signature(decision))?.renewed(decision) ?? this.begun(decision)]));
    if (this.sending && !decisions.some((decision) => signature(decision) === this.sending)) this.sending = null;
    this.reminder = null;
    const wasAsked = this.isAsking && this.draft;
    if (!this.isAsking) this.enter();
    this.look((decisions.find(({ seat }) => seat === this.seat) ?? decisions[0]).seat, wasAsked);
    if (this.wasAnswered && document.activeElement === document.body) this.focus();
    this.wasAnswered = false;
    return null;
  }

  clear() {
    this.suspend();
    this.sending = null;
    this.drafts.clear();
  }

  /** Goes away for a while: what was picked is there again when the same question is asked again. */
  suspend() {
    this.turn++;
    if (!this.isAsking) return;
    this.isAsking = false;
    this.question = null;
    this.gains.clear();
    this.marks.clear(this.stage.marks);
    this.stage.leave();
    this.root.hidden = true;
    document.removeEventListener("keydown", this.listener);
    this.board.svg.removeEventListener("wheel", this.wheel);
    this.former?.focus?.({ preventScroll: true });
    this.former = null;
  }

  /** Leads the keyboard to what is asked. */
  focus() {
    const wanted = this.root.querySelector('.answer, .drawer [tabindex="0"]');
    if (wanted) wanted.focus({ preventScroll: true });
    else if (this.stage.stop) this.stage.focus();
    else this.root.querySelector("button:not(:disabled)")?.focus({ preventScroll: true });
  }

  /** The board was drawn anew: so is what was picked. */
  redraw() {
    if (this.isAsking) this.renew();
  }

  /** Tells in place of the hint that the time runs out. */
  remind(text) {
    if (!this.isAsking || this.reminder === text) return;
    this.reminder = text;
    this.frame.remind();
  }

  /** Whether an answer is on its way: until it has arrived the same question cannot be answered again. */
  get isSending() {
    return this.sending !== null;
  }

  get isBusy() {
    return this.isSending || this.isChecking;
  }

  // A question

  enter() {
    this.isAsking = true;
    this.root.hidden = false;
    document.addEventListener("keydown", this.listener);
    this.board.svg.addEventListener("wheel", this.wheel, { passive: false });
    const isAbove = this.root.getBoundingClientRect().top < this.board.svg.getBoundingClientRect().top;
    this.root.dataset.side = isAbove ? "above" : "below";
  }

  begun(decision) {
    const control = (field) => this.board.ground.controls[field["x-of"]];
    return new Draft(decision, (field) => control(field)?.starts_full ?? false, (field) => control(field)?.kind === "turn");
  }

  /** Answers for this seat. What was asked before, unchanged, is only drawn anew: a refusal or a second thought stays. */
  look(seat, before = null) {
    this.seat = seat;
    this.draft = this.drafts.get(seat);
    this.manner = new Manner(this.draft, this.things, this.question.names);
    if (this.draft === before) return this.renew();
    this.changed();
    return this.manner.answers && this.interrupt();
  }

  /** An interruption takes the focus, and gives it back when it is answered. */
  interrupt() {
    if (this.root.contains(document.activeElement)) return;
    this.former = document.activeElement;
    this.focus();
  }

  /** Something was picked, or taken back. */
  changed() {
    this.turn++;
    this.message = this.armed = this.region = this.foreseen = null;
    this.isChecking = false;
    this.render();
    this.foresee();
  }

  render() {
    const wasOnMap = this.stage.hasFocus;
    this.stage.show(this.isSending ? [] : targets(this.manner, this));
    this.trace();
    this.frame.draw();
    this.frame.makeRoom(this.board.svg);
    if (wasOnMap && !this.stage.hasFocus) [".commit:enabled", ".acts :enabled"].map((selector) => this.root.querySelector(selector)).find(Boolean)?.focus({ preventScroll: true });
  }

  /** Draws the same question with more about it. A button that is pressed stays until it is let go, or else the press would be lost. */
  renew() {
    this.isOutdated = this.press !== null;
    if (!this.isOutdated) this.render();
  }

  pressed(pointer) {
    this.press = pointer;
    const letGo = ({ pointerId }) => {
      if (pointerId !== pointer) return;
      for (const end of ENDS) document.removeEventListener(end, letGo, true);
      setTimeout(() => this.released(pointer)); // after the click that follows
    };
    for (const end of ENDS) document.addEventListener(end, letGo, true);
  }

  released(pointer) {
    if (this.press !== pointer) return;
    this.press = null;
    if (this.isOutdated && this.isAsking) this.renew();
  }

  trace(looked = null) {
    const drawn = traces(this.manner, this, looked), beats = this.foreseen?.beats ?? [], seen = foreseen(beats, this.board);
    const arrows = drawn.arrows.length || !this.manner.answers ? drawn.arrows : seen.arrows;
    this.marks.draw(this.stage.marks, { ...drawn, arrows });
    this.stage.sweep(seen.scored);
    this.gains.show(beats);
  }

  /** The piece that will go somewhere follows the eye. */
  follow(place) {
    if (!this.isBusy) this.trace(place);
  }

  // Picking

  pick(values, id) {
    if (this.isBusy) return;
    this.draft.pick(values);
    this.changed();
    if (this.isQueued && this.draft.answer()) this.queue(id);
  }

  /** Turns what was picked, in its place. */
  rotate(by) {
    if (this.isBusy || !this.draft.canTurn) return;
    this.draft.turn(by);
    this.changed();
  }

  add(name, key, more) {
    if (this.isBusy || !more) return;
    this.draft.add(name, key, more);
    this.changed();
  }

  toggle(name, value) {
    if (this.isBusy) return;
    this.draft.toggle(name, value);
    this.changed();
  }

  /** Something is being typed: what is typed into stays as it is. */
  type(values) {
    if (this.isBusy) return;
    this.draft.pick(values);
    this.turn++;
    this.message = this.armed = this.foreseen = null;
    this.frame.told();
  }

  /** Another kind of answer. */
  choose(kind) {
    if (this.isBusy) return;
    this.draft.choose(kind);
    this.changed();
    this.focus();
  }

  /** Several pieces stand in a place: it is asked which of them is meant. */
  open(place) {
    this.region = place;
    this.render();
    this.root.querySelector('.chips [tabindex="0"]')?.focus({ preventScroll: true });
  }

  /** Another of the ways to answer that have nothing in common. */
  turnTo(branch) {
    if (this.isBusy) return;
    this.draft.turnTo(branch);
    this.changed();
  }

  undo() {
    if (this.isSending || !this.draft.isTouched) return;
    this.draft.undo();
    this.changed();
  }

  startAgain() {
    if (this.isSending || !this.draft.isTouched) return;
    this.draft.startAgain();
    this.changed();
  }

  /** Lets go of the last thing that is held: a question whether it is meant, a choice among pieces, a piece. */
  letGo() {
    const isHeld = this.armed || this.region || this.message;
    if (this.isBusy || (!isHeld && !this.draft.letGo())) return;
    this.changed();
  }

  // Asking the rules

  /** Whether steps are put together before they are sent: only if the rules can be asked what may follow. */
  get isQueued() {
    return this.draft.kind === STEP && this.draft.atOnce > 1 && this.question.preview !== null;
  }

  /** The rules say whether the step is possible after those before it, and what may follow it. */
  async queue(id) {
    this.isChecking = true;
    this.render();
    const told = await this.tried(this.draft.move());
    if (!told) return;
    if (told.accepted) this.draft.queue(told.further);
    else this.draft.undo();
    this.changed();
    if (!told.accepted) this.refuse(told.refusal, id);
  }

  /** What would follow from all that is picked; of an interruption, what it is about. */
  async foresee() {
    const { decision, kind } = this.draft, isTold = this.draft.isTouched && kind !== STEP && !this.manner.isSecret;
    const move = this.manner.answers ? decision.default : isTold ? this.draft.move() : null;
    if (!move || !this.question.preview || this.isSending) return;
    const told = await this.tried(move);
    if (!told?.accepted) return;
    this.foreseen = { story: told.told?.length ? told.told : told.story ?? told.step?.story, beats: told.beats ?? told.step?.beats };
    this.renew();
  }

  /** Why this cannot be picked: the rules know, if they can be asked. */
  async why(name, value, label, id) {
    if (this.isBusy) return;
    this.refuse(said(this.texts.nothing, { name: label }), id);
    const move = this.question.preview && this.draft.trial(name, value);
    const told = move ? await this.tried(move) : null;
    if (told?.refusal && !told.accepted) this.refuse(told.refusal);
  }

  /** The answer of the rules to a move, or their refusal; nothing if it is too late to be of interest. */
  async tried(move) {
    const { turn } = this;
    const told = await this.question.preview({ seat: this.seat, move }).then(
      (answer) => ({ accepted: true, ...answer }),
      (problem) => ({ accepted: false, refusal: problem.message }));
    return turn === this.turn ? told : null;
  }

  /** Told at the thing: it shakes, and keeps the focus. */
  refuse(text, id) {
    this.message = { text: capital(text), isBad: true };
    this.render();
    if (id) this.stage.shake(id);
  }

  // Sending

  commit() {
    const move = this.draft.move();
    if (move) this.send(move, this.manner.confirmation, "commit");
  }

  answer(value) {
    const { name, field } = this.manner.answers, move = this.draft.trial(name, value);
    this.send(move, field["x-confirm"]?.[value], `answer:${value}`);
  }

  /** Sends a move. One that is seldom meant is asked about first: pressing again sends it. */
  async send(move, confirmation, id) {
    if (this.isBusy) return;
    if (confirmation && this.armed !== id) {
      this.armed = id;
      this.message = { text: confirmation };
      this.render();
      return;
    }
    const sending = (this.sending = signature(this.draft.decision));
    this.turn++;
    this.message = this.armed = this.region = null;
    this.wasAnswered = this.stage.hasFocus || this.root.contains(document.activeElement);
    this.render();
    try {
      await this.question.submit({ seat: this.seat, move });
      if (this.sending === sending) this.clear();
    } catch (problem) {
      if (this.sending !== sending) return;
      this.sending = null;
      if (this.isAsking) this.refuse(problem.message);
    }
  }

  // Keys, and the wheel

  wheeled(event) {
    if (!this.draft.canTurn || event.ctrlKey) return;
    event.preventDefault();
    this.rotate(event.deltaY > 0 ? 1 : -1);
  }

  key(event) {
    if (event.defaultPrevented || event.target.closest("input,textarea,select,dialog,[contenteditable]")) return;
    const act = this.act(event);
    if (!act) return;
    event.preventDefault();
    act();
  }

  act({ key, altKey, ctrlKey, metaKey, shiftKey }) {
    if (altKey) return null;
    if (ctrlKey || metaKey) return key === "Enter" ? () => this.commit() : null;
    const letter = key.toLowerCase();
    if (letter === "c") return () => this.commit();
    if (letter === "r" && this.draft.canTurn) return () => this.rotate(shiftKey ? -1 : 1);
    if (letter === "z") return () => (shiftKey ? this.startAgain() : this.undo());
    if (key === "Escape") return () => this.letGo();
    const value = this.manner.shortcut(letter);
    if (value !== undefined) return () => this.answer(value);
    return this.stage.shortcut(key);
  }
}

/** A question is the same as long as it can be answered in the same ways. */
function signature(decision) {
  return JSON.stringify([decision.id, decision.schema]);
}
