// What is picked beside the map, field by field. Small things stand in the prompt itself, big ones in its drawer.

import { element, said } from "../replay/dom.js";
import { CHOICE, COUNTS, NUMBER, SET } from "./draft.js";
import { dial } from "./dial.js";
import { ON_THE_MAP, isCard } from "./manner.js";
import { pickable, piecesAt } from "./targets.js";
import * as tray from "./tray.js";
import { capital } from "./words.js";

/** @returns {{small: Element[], big: Element[]}} */
export function beside(manner, prompt) {
  const parts = { small: [], big: [] };
  if (manner.draft.branches.length) parts.small.push(branches(manner, prompt));
  for (const ask of manner.answers ? [] : manner.asks) {
    const [size, part] = controlOf(manner, ask, prompt);
    if (part) parts[size].push(part);
  }
  if (prompt.region) parts.big.push(whose(manner, prompt));
  return parts;
}

function controlOf(manner, ask, prompt) {
  const [name] = ask.names, kind = ask.control?.kind;
  if (ask.shape === SET && kind !== "place") return ["big", some(manner, name, ask.control, prompt)];
  if (kind === "turn") return ["small", turn(manner, prompt)];
  if (kind === "dial") return ["big", disk(manner, name, prompt)];
  if (ON_THE_MAP.has(kind)) return ["big", unseen(manner, ask, prompt)];
  if (kind === "card" && manner.things.cards.some(({ symbol }) => symbol)) return ["small", cards(manner, name, ask.control, prompt)];
  if (kind === "card" || kind === "hand") return ["big", cards(manner, name, ask.control, prompt)];
  if (ask.shape === NUMBER || manner.draft.isNumber(name)) return ["small", number(manner, name, prompt)];
  if (ask.shape === CHOICE) return [kind === "tile" ? "big" : "small", choice(manner, name, ask.control, prompt)];
  if (ask.shape === COUNTS) return ["big", counts(manner, name, prompt)];
  return ["big", anything(manner, name, prompt)];
}

/** Which of the ways to answer is meant, where no field tells. */
function branches({ draft }, prompt) {
  const options = draft.branches.map((value) => ({ value, name: value }));
  return tray.chips({ label: prompt.texts.ways, options, chosen: draft.branch, pick: (value) => prompt.turnTo(value), signs: prompt.signs });
}

// On the map, and yet not to be seen there

/** Things that are nowhere to be seen can be picked by their names. */
function unseen(manner, ask, prompt) {
  const [name] = ask.names, { draft, things } = manner;
  if (ask.control.kind === "piece") {
    const options = pickable(manner, ask, prompt).filter(({ sprite }) => !sprite);
    return options.length ? chips(manner, options, prompt, manner.fieldName(name)) : null;
  }
  if (ask.shape === SET) return null;
  const values = ask.shape === COUNTS ? [...draft.room(name).keys()] : draft.choices(name);
  if (values.every((value) => things.places.has(value))) return null;
  return ask.shape === COUNTS ? counts(manner, name, prompt) : choice(manner, name, null, prompt);
}

/** Several pieces stand where somebody has pressed: which of them? */
function whose(manner, prompt) {
  const label = said(prompt.texts.several, { place: manner.ground.names[prompt.region] ?? prompt.region });
  return chips(manner, piecesAt(manner, prompt, prompt.region), prompt, label);
}

function chips({ ground }, pieces, { signs }, label) {
  return tray.chips({
    label, signs, chosen: null, isTold: true, pick: (id) => pieces.find((piece) => piece.id === id).press(),
    options: pieces.map(({ id, name, label: spoken, values, sprite }) => ({
      value: id, name: spoken, text: sprite?.texts?.[0] ? `${name}: ${sprite.texts[0]}` : name, seat: Object.values(values).find((value) => ground.tokens[value]),
    })),
  });
}

// Cards and disks

function cards(manner, name, control, prompt) {
  const { draft, seat } = manner, { texts, signs } = prompt, values = draft.choices(name), dealt = manner.things.dealt(control, seat);
  const options = dealt.map((card) => {
    const value = values.find((each) => isCard(card, control, each)), own = card[control.by ?? "key"];
    return {
      value: value ?? own, card, isLegal: value !== undefined,
      by: card.seat ? said(texts.taken, { name: manner.seatName(card.seat) }) : "",
      why: () => prompt.why(name, typeof values[0] === "number" ? Number(own) : own, card.title),
    };
  });
  const hidden = values.filter((value) => !dealt.some((card) => isCard(card, control, value)));
  options.push(...hidden.map((value) => ({ value, isLegal: true, card: { title: manner.label(name, value) } })));
  const spread = control.kind === "hand" ? tray.hand : tray.cards;
  return spread({ label: manner.question(), options, chosen: draft.value(name), pick: (value) => prompt.pick({ [name]: value }), signs, texts, board: prompt.board });
}

/** A set: cards that are put in and taken out, each by itself. */
function some(manner, name, control, prompt) {
  const { draft, seat } = manner, chosen = draft.now.values[name] ?? [], field = draft.field(name);
  const isFull = chosen.length >= field.maxItems, dealt = control ? manner.things.dealt(control, seat) : [];
  const options = draft.choices(name).map((value, index) => ({
    value, isLegal: chosen.includes(value) || !isFull, title: field.items["x-labels"]?.[index],
    card: dealt.find((card) => isCard(card, control, value)) ?? { title: manner.label(name, value) },
  }));
  return tray.checks({ label: manner.question(), options, chosen, toggle: (value) => prompt.toggle(name, value) });
}

function disk(manner, name, prompt) {
  const { draft, ground } = manner, legal = draft.choices(name), warned = draft.field(name)["x-confirm"] ?? {};
  if (!legal.every((value) => manner.things.places.has(value))) return choice(manner, name, null, prompt);
  const options = ground.places.filter(({ key }) => legal.includes(key)).map(({ key, short }) => ({ value: key, short, name: manner.label(name, key), isWarned: key in warned }));
  return dial({ label: manner.question(), options, chosen: draft.value(name), pick: (value) => prompt.pick({ [name]: value }) });
}

// Turning

function turn({ draft }, prompt) {
  if (!draft.canTurn) return null;
  const { signs, texts } = prompt;
  const button = element("button", { type: "button", class: ["btn", "turn"].join(" "), "data-focus": "turn", title: texts.turnKey }, signs.icon("rotate"), texts.turn);
  button.addEventListener("click", () => prompt.rotate(1));
  return button;
}

// Numbers, words, anything

function number(manner, name, prompt) {
  const range = manner.draft.range(name), value = manner.draft.value(name) ?? range[0];
  if (range[0] === range[1] && !value) return null;
  return tray.stepper({ name, label: manner.fieldName(name), value, range, set: (to) => prompt.pick({ [name]: to }), texts: prompt.texts });
}

function choice(manner, name, control, prompt) {
  const { draft, ground } = manner, values = draft.choices(name);
  if (values.length < 2 && draft.isSettled(name)) return null;
  const options = values.map((value) => ({ value, name: wayOf(draft, name, value) ?? named(manner, name, value), seat: ground.tokens[value] ? value : null, icon: control?.icons?.[value] }));
  const given = { label: manner.fieldName(name), options, chosen: draft.value(name), pick: (value) => prompt.pick({ [name]: value }) };
  return control?.kind === "tile" ? tray.tiles({ ...given, board: prompt.board, control, signs: prompt.signs }) : tray.chips({ ...given, signs: prompt.signs });
}

/** What a value is called where it stands alone; players are called what they call themselves. */
function named(manner, name, value) {
  const label = manner.label(name, value);
  return manner.ground.tokens[value] ? label : capital(label);
}

/** A value that only one way to answer has goes by the words of that way. */
function wayOf(draft, name, value) {
  const forms = draft.forms.filter((form) => form.properties[name]?.enum?.includes(value)), field = forms[0]?.properties[name];
  const isOwn = forms.length === 1 && field.enum.length === 1 && !field["x-of"];
  return isOwn ? forms[0]["x-name"] ?? capital(forms[0].title) : null;
}

function counts(manner, name, prompt) {
  const { draft } = manner;
  const keys = [...draft.room(name)].map(([key, room]) => ({ key, room, text: manner.label(name, key), value: draft.now.values[name]?.[key] ?? 0 }));
  return tray.table({ name, label: manner.fieldName(name), keys, add: (key, more) => prompt.add(name, key, more), texts: prompt.texts });
}

function anything(manner, name, prompt) {
  const { draft } = manner;
  return tray.plain({ name, label: manner.fieldName(name), field: draft.field(name), value: draft.now.values[name], set: (value) => prompt.type({ [name]: value }) });
}
