// What has been picked of an answer, and what may still be picked: by nothing but the schema of the decision.
// No game and no page are known here. Every change keeps what was before it, so that it can be undone.

import { CHOICE, COUNTS, NUMBER, OTHER, SET, blank, fieldsOf, fits, isEnough, kindOf, only, shapeOf, spread, summed } from "./schema.js";

export { CHOICE, COUNTS, NUMBER, SET, fieldsOf, shapeOf };
export const STEP = "step";
const SEVERAL = "several";

export class Draft {
  /** @param {object} decision as the interface gives it @param {(field: object) => boolean} startsFull
   * @param {(field: object) => boolean} isTurned whether the field tells how what was picked is turned */
  constructor(decision, startsFull = () => false, isTurned = () => false) {
    this.decision = decision;
    this.startsFull = startsFull;
    this.isTurned = isTurned;
    this.past = [];
    this.now = { kind: null, values: {}, steps: [], schema: decision.schema };
    const open = this.kinds.find((kind) => this.isOpen(kind));
    if (open) this.now = this.begun(open);
  }

  /** The same draft for the same question, which was asked again. */
  renewed(decision) {
    this.decision = decision;
    return this;
  }

  // Ways to answer

  get kinds() {
    return [...new Set(this.now.schema.anyOf.map(kindOf))];
  }

  get kind() {
    return this.now.kind;
  }

  formsOf(kind) {
    return this.now.schema.anyOf.filter((form) => kindOf(form) === kind);
  }

  get forms() {
    const forms = this.formsOf(this.kind), { branch } = this;
    return branch ? forms.filter((form) => form["x-name"] === branch) : forms;
  }

  /** The names of ways to answer some of which have no field in common: nothing that is picked could tell them apart. */
  get branches() {
    const { schema, kind } = this.now;
    if (this.split?.schema !== schema || this.split.kind !== kind) this.split = { schema, kind, names: branchesOf(this.formsOf(kind)) };
    return this.split.names;
  }

  /** The one of them that is meant: the first, until another is chosen. */
  get branch() {
    const { branches } = this;
    return branches.includes(this.now.branch) ? this.now.branch : branches[0];
  }

  /** A form of the present kind as the decision has it: while steps are queued, none may be left of it. */
  get original() {
    return this.decision.schema.anyOf.find((form) => kindOf(form) === this.kind);
  }

  /** Whether something is left to pick for an answer of this kind. */
  isOpen(kind) {
    const forms = this.formsOf(kind);
    const names = new Set(forms.flatMap((form) => fieldsOf(form).map(([name]) => name)));
    return [...names].some((name) => {
      const fields = forms.map((form) => form.properties[name]).filter(Boolean);
      if (fields.some((field) => shapeOf(field) === OTHER || shapeOf(field) === SET)) return true;
      if (fields.some((field) => shapeOf(field) === COUNTS)) return fields.some((field) => Object.keys(field.properties ?? {}).length);
      if (fields.some((field) => shapeOf(field) === NUMBER)) return fields.some((field) => field.minimum < field.maximum);
      return new Set(fields.flatMap((field) => field.enum)).size > 1;
    });
  }

  begun(kind, schema = this.now.schema, steps = this.now.steps) {
    const values = {};
    for (const form of schema.anyOf.filter((each) => kindOf(each) === kind)) {
      for (const [name, field] of fieldsOf(form)) {
        if (shapeOf(field) === NUMBER && !(name in values)) values[name] = this.startsFull(field) ? field.maximum : field.minimum;
      }
    }
    return { kind, values, steps, schema };
  }

  // What may be picked

  fitting(values = this.now.values) {
    return this.forms.filter((form) => fits(form, values));
  }

  /** The names of the fields that are asked for, in their order: of the ways to answer that are left. A field that only some of them
   * have, or that is something else in each, waits for the choice that tells them apart. */
  get names() {
    const forms = this.fitting(), names = [...new Set(forms.flatMap((form) => fieldsOf(form).map(([name]) => name)))];
    const common = names.filter((name) => isCommon(forms, name));
    const isUndecided = common.some((name) => this.field(name).enum && this.value(name) === undefined);
    return isUndecided ? common : names;
  }

  /** One schema of the field: of those that are possible now, else any. */
  field(name) {
    return [...this.fitting(), ...this.forms].map((form) => form.properties[name]).find(Boolean);
  }

  /** The values that may be chosen for this field, whatever it holds now. */
  choices(name) {
    const { [name]: _, ...others } = this.now.values;
    const values = this.fitting(others).map(({ properties: { [name]: field } }) => field?.enum ?? (field && shapeOf(field) === SET ? field.items.enum : []));
    return [...new Set(values.flat())];
  }

  range(name) {
    const { [name]: _, ...others } = this.now.values;
    const fields = this.fitting(others).map((form) => form.properties[name]).filter(Boolean);
    const limits = fields.flatMap((field) => (field.enum ? field.enum : [field.minimum, field.maximum]));
    const legal = spread(limits).filter((number) => this.fitting({ ...others, [name]: number }).length);
    return [Math.min(...legal), Math.max(...legal)];
  }

  /** The keys of a map of numbers, and how many more of each may be added. */
  room(name) {
    const room = new Map();
    for (const form of this.forms) {
      for (const [key, { maximum }] of Object.entries(form.properties[name]?.properties ?? {})) {
        let more = 0;
        while (more < maximum && this.fitting(this.with(name, key, more + 1)).length) more++;
        room.set(key, Math.max(more, room.get(key) ?? 0));
      }
    }
    return room;
  }

  with(name, key, more) {
    const counts = { ...this.now.values[name] };
    counts[key] = (counts[key] ?? 0) + more;
    if (counts[key] <= 0) delete counts[key];
    return { ...this.now.values, [name]: counts };
  }

  // Turning: the way that a thing is turned limits nothing else. It is asked for when all else is picked, and then there is one.

  /** All ways to turn what was picked: values of the fields that tell how. None while something else is missing. */
  get turns() {
    const ways = new Map();
    for (const form of this.fitting()) {
      const fields = fieldsOf(form), turned = fields.filter(([, field]) => this.isTurned(field));
      if (!turned.length || fields.some(([name, field]) => !this.isTurned(field) && this.value(name) === undefined)) continue;
      for (const way of combined(turned)) ways.set(JSON.stringify(way), way);
    }
    return [...ways.values()];
  }

  /** How it is turned now: as before if that is possible. */
  get turned() {
    const { turns, now } = this, kept = turns.find((way) => JSON.stringify(way) === JSON.stringify(now.turned));
    return kept ?? turns[0] ?? {};
  }

  get canTurn() {
    return this.turns.length > 1;
  }

  turn(by) {
    const { turns, turned } = this, at = turns.indexOf(turns.find((way) => JSON.stringify(way) === JSON.stringify(turned)));
    if (turns.length > 1) this.change({ ...this.now, turned: turns[(at + by + turns.length) % turns.length] });
  }

  /** What the field holds: what was picked, or the only value that it can have. */
  value(name) {
    if (name in this.now.values) return this.now.values[name];
    const field = this.field(name);
    if (field && this.isTurned(field)) return this.turned[name];
    if (!field?.enum || !this.isNeeded(name)) return undefined;
    const choices = this.choices(name);
    return choices.length === 1 ? choices[0] : undefined;
  }

  /** Whether all ways to answer that are left have this field: what may be left out is asked for, though there be one value only. */
  isNeeded(name) {
    return this.fitting().every(({ properties }) => name in properties);
  }

  isSettled(name) {
    return !(name in this.now.values) && this.value(name) !== undefined;
  }

  // Picking

  choose(kind) {
    this.change(this.begun(kind));
  }

  turnTo(branch) {
    this.change({ ...this.begun(this.kind), branch });
  }

  /** Fields that do not go together with what is picked now are let go. */
  pick(values) {
    const whole = { ...this.now.values, ...values };
    const isKept = this.fitting(whole).length > 0;
    const numbers = Object.fromEntries(Object.entries(this.begun(this.kind).values).filter(([name]) => !(name in values)));
    this.change({ ...this.now, values: isKept ? whole : { ...numbers, ...values } });
  }

  /** Puts a value into a set, or takes it out again. A full set takes no more. */
  toggle(name, value) {
    const held = this.now.values[name] ?? [];
    const values = { ...this.now.values, [name]: held.includes(value) ? held.filter((each) => each !== value) : [...held, value] };
    if (this.fitting(values).length) this.change({ ...this.now, values });
  }

  add(name, key, more) {
    const values = this.with(name, key, more);
    if (this.fitting(values).length) this.change({ ...this.now, values });
  }

  /** Puts the present step into the queue; the schema tells what may follow it. */
  queue(schema) {
    const steps = [...this.now.steps, this.answer().answer];
    this.change(this.begun(this.kind, schema ?? { ...this.now.schema, anyOf: [] }, steps));
  }

  change(state) {
    this.past.push(this.now);
    this.now = state;
  }

  get isTouched() {
    return this.past.length > 0;
  }

  undo() {
    if (this.isTouched) this.now = this.past.pop();
  }

  startAgain() {
    if (this.isTouched) [this.now] = this.past.splice(0);
  }

  /** Lets go of what was picked of the present step, but of nothing that was counted. */
  letGo() {
    const chosen = Object.keys(this.now.values).filter((name) => this.field(name)?.enum);
    if (!chosen.length) return false;
    const values = Object.fromEntries(Object.entries(this.now.values).filter(([name]) => !chosen.includes(name)));
    this.change({ ...this.now, values });
    return true;
  }

  // The answer

  /** The whole answer of the present step with its form, or nothing while something is missing. */
  answer(kind = this.kind) {
    const isPresent = kind === this.kind, values = isPresent ? { ...this.now.values, ...this.turned } : {};
    for (const form of (isPresent ? this.forms : this.formsOf(kind)).filter((each) => fits(each, values))) {
      const answer = this.filled(form, kind);
      if (answer) return { form, answer };
    }
    return null;
  }

  filled(form, kind) {
    const answer = { kind };
    for (const [name, field] of fieldsOf(form)) {
      const value = kind === this.kind ? this.value(name) : only(field);
      const filled = value ?? blank(field);
      if (filled === undefined || !isEnough(field, filled)) return null;
      answer[name] = filled;
    }
    const total = form["x-total"];
    const sum = total && summed(answer, total.fields);
    return !total || (total.minimum <= sum && sum <= total.maximum) ? answer : null;
  }

  get steps() {
    return this.now.steps;
  }

  /** How many steps may still be sent along: 1 is the present one alone. */
  get atOnce() {
    return this.kind === STEP ? this.now.schema["x-at-once"] ?? 1 : 1;
  }

  /** All that is picked, as a move; nothing while it is not whole. */
  move() {
    const { id } = this.decision, last = this.answer()?.answer;
    if (!this.steps.length) return last ? { decision: id, ...last } : null;
    const steps = last ? [...this.steps, last] : this.steps;
    return steps.length === 1 ? { decision: id, ...steps[0] } : { decision: id, kind: SEVERAL, steps };
  }

  /** The whole move with this value in a field, for the rules to say what is wrong with it; of what is missing, any value that fits.
   * Nothing if the field holds values of another type: a place is no direction. */
  trial(name, value) {
    const form = [...this.fitting(), ...this.forms].find((each) => each.properties[name]), answer = { kind: this.kind };
    for (const [each, field] of form ? fieldsOf(form) : []) {
      if (each === name && field.enum && typeof value !== typeof field.enum[0]) return null;
      const held = this.value(each) ?? blank(field) ?? field.enum?.[0];
      answer[each] = each !== name ? held : this.withTried(field, held, value);
      if (answer[each] === undefined) return null;
    }
    const { id } = this.decision;
    return this.steps.length ? { decision: id, kind: SEVERAL, steps: [...this.steps, answer] } : { decision: id, ...answer };
  }

  /** What a field would hold with this value in it; a set is filled up with any others. */
  withTried(field, held, value) {
    if (shapeOf(field) === COUNTS) return { ...held, [value]: (held[value] ?? 0) + 1 };
    if (shapeOf(field) !== SET) return value;
    const others = [...new Set([...(held ?? []), ...field.items.enum])].filter((each) => each !== value);
    return [value, ...others.slice(0, Math.max(field.minItems ?? 0, 1) - 1)];
  }

  /** The answer of another kind for which nothing is to be picked. */
  moveOf(kind) {
    const found = this.answer(kind);
    return found && { decision: this.decision.id, ...found.answer };
  }

  /** The sum of all numbers in the answer, or the number of steps. */
  get count() {
    if (this.kind === STEP) return this.steps.length + (this.answer() ? 1 : 0);
    return summed(this.now.values, Object.keys(this.now.values).filter((name) => !this.field(name)?.enum || this.isNumber(name)));
  }

  isNumber(name) {
    return this.forms.some((form) => form.properties[name] && shapeOf(form.properties[name]) === NUMBER);
  }

  /** How much of what has to be added up is there, and how much may be. */
  get tally() {
    const totals = this.fitting().map((form) => form["x-total"]).filter(Boolean);
    if (!totals.length) return this.tallyOfSet();
    const most = Math.max(...totals.map(({ maximum }) => maximum));
    const { fields, minimum } = totals.find(({ maximum }) => maximum === most);
    return { count: summed(this.now.values, fields), minimum, maximum: most };
  }

  tallyOfSet() {
    const [name, field] = this.forms.flatMap(fieldsOf).find(([, each]) => shapeOf(each) === SET) ?? [];
    return field ? { count: (this.now.values[name] ?? []).length, minimum: field.minItems ?? 0, maximum: field.maxItems } : null;
  }
}

function branchesOf(forms) {
  const filled = [...new Set(forms.map((form) => fieldsOf(form).map(([name]) => name).join()))].filter(Boolean).map((names) => names.split(","));
  const isApart = filled.some((names) => filled.some((others) => !names.some((name) => others.includes(name))));
  return isApart ? [...new Set(forms.map((form) => form["x-name"]))] : [];
}

/** Whether a field is the same kind of thing in all these ways to answer. */
function isCommon(forms, name) {
  return new Set(forms.map(({ properties: { [name]: field } }) => field && `${shapeOf(field)} ${field["x-of"] ?? ""}`)).size === 1;
}

/** Every combination of the values of some fields. */
function combined(fields) {
  return fields.reduce((ways, [name, field]) => ways.flatMap((way) => field.enum.map((value) => ({ ...way, [name]: value }))), [{}]);
}
