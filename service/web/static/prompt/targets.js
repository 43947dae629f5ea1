// The buttons on the map, for what is asked there now: spaces that may be chosen or counted up, and pieces.

import { said } from "../replay/dom.js";
import { COUNTS, SET } from "./draft.js";
import { filled } from "./things.js";

/** @param {Manner} manner @param {Prompt} prompt is told what was pressed */
export function targets(manner, prompt) {
  const found = new Map();
  for (const target of manner.live.flatMap((ask) => (ask.control.kind === "piece" ? pieces(manner, ask, prompt) : places(manner, ask, prompt)))) {
    const known = found.get(target.id);
    if (!known || (!known.isLegal && target.isLegal)) found.set(target.id, target);
  }
  return [...found.values()].sort((one, other) => height(one) - height(other));
}

/** What lies on top of what: pieces on spaces, and spaces on what is only meant for the pieces in them. */
function height({ thing, isQuiet }) {
  return thing ? 2 : isQuiet ? 0 : 1;
}

// Spaces

function places(manner, ask, prompt) {
  const place = ask.shape === COUNTS ? countedPlace : ask.shape === SET ? toggledPlace : chosenPlace;
  return manner.ground.places.map((each) => place(manner, ask, prompt, each));
}

function chosenPlace(manner, { names: [name], control }, prompt, { key, centre, shape }) {
  const { draft } = manner, { texts } = prompt, id = `place:${key}`;
  const isLegal = draft.choices(name).includes(key), isChosen = draft.value(name) === key;
  return {
    id, place: key, point: centre, shape, isLegal, isChosen,
    label: spoken(manner, key, isChosen ? texts.picked : isLegal ? texts.can : texts.cannot),
    press: () => (isChosen && draft.canTurn ? prompt.rotate(1) : isLegal ? prompt.pick({ [name]: key }, id) : prompt.why(name, key, manner.label(name, key), id)),
    back: () => isChosen && prompt.letGo(),
    look: control.lifts ? () => prompt.follow(key) : null,
  };
}

function countedPlace(manner, { names: [name] }, prompt, { key, centre, shape }) {
  const { draft } = manner, { texts } = prompt, id = `place:${key}`;
  const room = draft.room(name).get(key) ?? 0, added = draft.now.values[name]?.[key] ?? 0;
  return {
    id, place: key, point: centre, shape, isLegal: room > 0,
    label: spoken(manner, key, room ? texts.can : added ? "" : texts.cannot, added && said(texts.added, { count: added })),
    press: () => (room ? prompt.add(name, key, 1) : prompt.why(name, key, manner.label(name, key), id)),
    back: () => added && prompt.add(name, key, -1),
    hold: room ? () => prompt.add(name, key, room) : null,
  };
}

/** Several are chosen, and let go by a second press. */
function toggledPlace(manner, { names: [name] }, prompt, { key, centre, shape }) {
  const { draft } = manner, { texts } = prompt, id = `place:${key}`, chosen = draft.now.values[name] ?? [];
  const isChosen = chosen.includes(key), isLegal = isChosen || (draft.choices(name).includes(key) && chosen.length < draft.field(name).maxItems);
  return {
    id, place: key, point: centre, shape, isLegal, isChosen,
    label: spoken(manner, key, isChosen ? texts.picked : isLegal ? texts.can : texts.cannot),
    press: () => (isLegal ? prompt.toggle(name, key) : prompt.why(name, key, manner.label(name, key), id)),
    back: () => isChosen && prompt.toggle(name, key),
  };
}

/** A space in a sentence, and what can be done with it. */
function spoken({ things, ground }, key, ...more) {
  return [things.spaces[key] ?? `${ground.names[key] ?? key}.`, ...more].filter(Boolean).join(" ");
}

// Pieces

/** Pieces that can be picked; where they stand, a press beside them is meant for them. */
function pieces(manner, ask, prompt) {
  const shown = pickable(manner, ask, prompt).filter(({ sprite }) => sprite).map((piece) => {
    const { x = 0, y = 0 } = piece.sprite;
    return { ...piece, point: [x, y], at: manner.things.placeOf(piece.sprite) };
  });
  return [...manner.ground.places.map((place) => around(manner, ask, prompt, place, shown)), ...shown];
}

function around({ ground }, { names }, prompt, { key, centre, shape }, shown) {
  const here = shown.filter(({ at, isLegal }) => at === key && isLegal), id = `around:${key}`;
  const press = () => {
    if (here.length === 1) here[0].press();
    else if (here.length) prompt.open(key);
    else prompt.why(names.at(-1), key, ground.names[key] ?? key, id);
  };
  return { id, place: key, point: centre, shape, isLegal: here.length > 0, isQuiet: true, label: "", press };
}

/** The pieces that stand in one place. */
export function piecesAt(manner, prompt, place) {
  const asked = manner.live.filter(({ control }) => control.kind === "piece");
  return asked.flatMap((ask) => pieces(manner, ask, prompt)).filter(({ at, isLegal }) => at === place && isLegal);
}

/** Everything that may be picked, whether it is seen on the map or not. */
export function pickable(manner, ask, prompt) {
  return ask.shape === COUNTS ? countedPieces(manner, ask, prompt) : chosenPieces(manner, ask, prompt);
}

function chosenPieces(manner, ask, prompt) {
  const { draft } = manner, found = new Map();
  const others = Object.fromEntries(Object.entries(draft.now.values).filter(([name]) => !ask.names.includes(name)));
  for (const values of draft.fitting(others).flatMap((form) => product(ask.names, form))) {
    const thing = thingOf(manner, ask, values);
    if (!found.has(thing)) found.set(thing, values);
  }
  return [...found].map(([thing, values]) => piece(manner, ask, prompt, thing, values, { press: () => prompt.pick(values, `piece:${thing}`) }));
}

function countedPieces(manner, ask, prompt) {
  const [name] = ask.names, { draft } = manner;
  return [...draft.room(name)].map(([key, room]) => {
    const thing = thingOf(manner, ask, { [name]: key }), taken = draft.now.values[name]?.[key] ?? 0;
    return piece(manner, ask, prompt, thing, { [name]: key }, {
      isLegal: room > 0, taken,
      press: () => (room ? prompt.add(name, key, 1) : prompt.why(name, key, manner.label(name, key), `piece:${thing}`)),
      back: () => taken && prompt.add(name, key, -1),
      hold: room ? () => prompt.add(name, key, room) : null,
    });
  });
}

function piece(manner, ask, { texts }, thing, values, { isLegal = true, taken = 0, ...acts }) {
  const sprite = manner.things.sprite(thing), count = sprite?.texts?.[0];
  const name = ask.names.toReversed().map((each) => manner.label(each, values[each])).join(", ");
  const label = [`${name}${count ? `: ${count}` : ""}.`, isLegal ? texts.can : texts.cannot, taken && said(texts.taking, { count: taken })];
  return { id: `piece:${thing}`, thing, values, sprite, isLegal, name, label: label.filter(Boolean).join(" "), ...acts };
}

/** The name of the sprite that stands for these values. */
export function thingOf({ seat }, { names, control }, values) {
  return filled(control.thing ?? "{value}", { ...values, seat, value: values[names.at(-1)] });
}

/** All values of these fields that one way to answer allows together. */
function product(names, form) {
  return names.reduce((all, name) => all.flatMap((values) => (form.properties[name]?.enum ?? []).map((value) => ({ ...values, [name]: value }))), [{}]);
}
