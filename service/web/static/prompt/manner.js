// The manner of a decision: its words, and how each of its fields is asked for. The schema says what kind of thing the values
// of a field are (`x-of`), the ground how such things are shown (`controls`).

import { said } from "../replay/dom.js";
import { CHOICE, COUNTS, NUMBER, SET, STEP, fieldsOf, shapeOf } from "./draft.js";
import { capital } from "./words.js";

export const ON_THE_MAP = new Set(["place", "piece", "dial"]);
const MOST_NAMES = 2;

export class Manner {
  constructor(draft, things, names) {
    Object.assign(this, { draft, things, names, ground: things.ground, seat: draft.decision.seat });
  }

  // What things are called

  seatName(seat) {
    return this.names.seats?.[seat] ?? this.ground.names[seat] ?? seat;
  }

  fieldName(name) {
    const of = this.draft.field(name)?.["x-of"];
    return capital(this.ground.names[of] ?? name.replaceAll("_", " "));
  }

  control(name) {
    return this.ground.controls[this.draft.field(name)?.["x-of"]] ?? null;
  }

  /** What a value is called on a button, or in a list. */
  label(name, value, form = null) {
    const field = form?.properties[name] ?? this.draft.field(name), control = this.ground.controls[field?.["x-of"]] ?? null;
    const known = this.card(control, value)?.title ?? control?.names?.[value] ?? this.called(value);
    return known ?? field?.["x-labels"]?.[field.enum?.indexOf(value)] ?? this.parts(value);
  }

  called(key) {
    return this.names.seats?.[key] ?? this.ground.names[key];
  }

  /** A piece goes by the names of its owner, its place and what it carries. */
  parts(value) {
    return String(value).split(/[/:+]/).map((part) => this.called(part) ?? part.replaceAll("_", " ")).join(", ");
  }

  card(control, value) {
    if (control?.kind !== "card" && control?.kind !== "hand") return null;
    return this.things.dealt(control, this.seat).find((card) => isCard(card, control, value)) ?? null;
  }

  // Sentences

  question() {
    const { parts, text } = this.draft.decision;
    if (!parts) return capital(text);
    return parts.map((part, index) => (typeof part !== "string" ? this.seatName(part.seat) : index ? part : capital(part))).join("");
  }

  heading(texts) {
    const { draft } = this;
    if (draft.kinds.length < 2 || draft.kind === STEP || !draft.kind) return this.question();
    const forms = draft.fitting(), [form] = forms, isSame = (key) => forms.every((each) => each[key] === form?.[key]);
    return isSame("title") ? capital(form?.title ?? "") : isSame("x-name") ? form["x-name"] ?? texts.ways : texts.ways;
  }

  /** How to go on, in a few words. */
  how(texts) {
    const [ask] = this.live;
    if (!ask) return this.asks.some(({ control }) => control?.kind === "hand" || control?.kind === "card") ? texts.how.card : "";
    if (ask.control.kind === "dial") return texts.how.dial;
    if (ask.shape === COUNTS) return ask.control.kind === "piece" ? texts.how.taking : texts.how.counts;
    if (ask.control.kind === "piece") return texts.how.piece;
    return this.asks.some(({ control }) => control?.kind === "piece") ? texts.how.target : texts.how.place;
  }

  /** The words on the button: what will happen. While something is missing, what it is about. */
  deed(texts) {
    const { draft } = this, form = draft.answer()?.form ?? draft.fitting()[0] ?? draft.original;
    if (!draft.move() && form["x-name"]) return this.isOpen ? texts.commit : form["x-name"];
    const values = draft.count ? { count: draft.count } : {};
    for (const [name, field] of fieldsOf(form)) {
      if (shapeOf(field) === CHOICE && draft.value(name) !== undefined) values[name] = this.label(name, draft.value(name));
      if (shapeOf(field) === NUMBER) values[name] = draft.value(name);
    }
    return without(said(form["x-button"] ?? texts.commit, values));
  }

  /** The words for giving an answer of this form: what it can have one value of only is filled in. */
  button(form) {
    const values = fieldsOf(form).filter(([, field]) => field.enum?.length === 1).map(([name, field]) => [name, this.label(name, field.enum[0], form)]);
    return form["x-button"] && without(said(form["x-button"], Object.fromEntries(values)));
  }

  /** Whether it is not even told apart yet which way to answer is meant. */
  get isOpen() {
    return new Set(this.draft.fitting().map((form) => form["x-name"])).size > 1;
  }

  get note() {
    return this.draft.fitting()[0]?.["x-note"] ?? "";
  }

  /** The question before what is picked now is sent, if it is seldom meant. */
  get confirmation() {
    const found = this.draft.answer();
    if (!found) return null;
    const asked = fieldsOf(found.form).map(([name, field]) => field["x-confirm"]?.[found.answer[name]]).find(Boolean);
    return found.form["x-confirm"] ?? asked ?? null;
  }

  /** The other kinds of answers: those that are to be filled in, and those that can be given at once. */
  ways() {
    const { draft } = this;
    return draft.kinds.filter((kind) => kind !== draft.kind).map((kind) => {
      const forms = draft.formsOf(kind), [form] = forms, isOpen = draft.isOpen(kind) || this.isOnTheMap(form);
      const label = (isOpen ? either(forms) : this.button(form)) ?? capital(form.title);
      return { kind, isOpen, label, confirmation: form["x-confirm"] };
    });
  }

  /** Whether something of it lies on the map: that is looked at before it is sent, even if there is nothing to choose. */
  isOnTheMap(form) {
    return fieldsOf(form).some(([, field]) => ON_THE_MAP.has(this.ground.controls[field["x-of"]]?.kind));
  }

  // Fields

  /** The fields of the answer with their controls, in the order of asking; those that are picked together are one. */
  get asks() {
    const asks = [];
    for (const name of this.draft.names) {
      const control = this.control(name);
      const shape = shapeOf(this.draft.field(name));
      const together = control?.kind === "piece" && shape === CHOICE && asks.find((ask) => ask.control?.kind === "piece" && ask.control.thing === control.thing);
      const turned = control?.kind === "turn" && asks.find((ask) => ask.control?.kind === "turn");
      if (together || turned) (together || turned).names.push(name);
      else asks.push({ names: [name], control, shape });
    }
    return asks;
  }

  isFilled({ names }) {
    return names.every((name) => this.draft.value(name) !== undefined);
  }

  /** What is asked for on the map now: everything that is counted, every set, and one choice after the other. */
  get live() {
    const asks = this.asks.filter(({ control }) => ON_THE_MAP.has(control?.kind));
    const counted = asks.filter(({ shape, control }) => shape === COUNTS || (shape === SET && control.kind === "place"));
    const chosen = asks.filter(({ shape, names }) => shape === CHOICE && !names.every((name) => this.draft.isSettled(name)));
    const next = chosen.find((ask) => !this.isFilled(ask)) ?? chosen.at(-1);
    return next ? [...counted, next] : counted;
  }

  /** The field whose values are buttons of their own: nothing else is asked for then, whichever is pressed. */
  get answers() {
    const [ask, ...more] = this.asks;
    if (ask?.control?.kind !== "answer" || more.length) return null;
    if (this.draft.forms.some((form) => fieldsOf(form).length > 1)) return null;
    const [name] = ask.names;
    return { name, field: this.draft.field(name), control: ask.control };
  }

  /** Whether what is picked stays hidden for now: nothing of it can be foreseen. */
  get isSecret() {
    return this.asks.some(({ control }) => control?.kind === "dial");
  }

  shortcut(letter) {
    const { field, control } = this.answers ?? {};
    return field?.enum.find((value) => control.shortcuts?.[value] === letter);
  }

  /** What the button of an answer says: what will happen, or else the answer itself. */
  deedOf(value) {
    const { name } = this.answers, [form] = this.draft.forms, says = form["x-button"] ?? "", label = this.label(name, value);
    return says.includes(`{${name}}`) ? said(says, { [name]: label }) : capital(label);
  }
}

/** What several ways to answer are called together: by no more than two of their names. */
function either(forms) {
  const names = [...new Set(forms.map((form) => form["x-name"]).filter(Boolean))];
  return names.length ? [...names.slice(0, MOST_NAMES), ...(names.length > MOST_NAMES ? ["…"] : [])].join(" / ") : null;
}

/** Without the fields that are not filled in. */
function without(text) {
  return text.replace(/\s*\{\w+\}/g, "");
}

/** Whether a value stands for this card. */
export function isCard(card, { by = "key" }, value) {
  return String(card[by]) === String(value);
}
