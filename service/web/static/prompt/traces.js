// What a draft leaves on the map: which piles grow and shrink, what moves where, which piece is lifted.

import { said } from "../replay/dom.js";
import { CHOICE, COUNTS, STEP, shapeOf } from "./draft.js";
import { thingOf } from "./targets.js";
import { filled } from "./things.js";

/** @param {Manner} manner @param {Prompt} prompt @param {string|null} looked the place at which the person looks */
export function traces(manner, prompt, looked = null) {
  const { draft } = manner, piles = new Map(), arrows = [];
  draft.steps.forEach((step, index) => moved(manner, step, piles, arrows, index + 1));
  const values = Object.fromEntries(draft.names.map((name) => [name, draft.value(name)]).filter(([, value]) => value !== undefined));
  counted(manner, values, piles, prompt);
  if (draft.kind && draft.answer()) moved(manner, values, piles, arrows, draft.steps.length + 1);
  return { piles: [...piles.values()], arrows, lifted: lifted(manner, values, looked), turned: turned(manner, values, prompt) };
}

/** What was picked, as it is turned now, in the place that was picked for it. */
function turned({ asks, draft, things, seat }, values, prompt) {
  const ask = asks.find(({ control }) => control?.kind === "turn" && control.symbol);
  const place = asks.filter(({ control }) => control?.kind === "place").map(({ names: [name] }) => things.places.get(values[name])).find(Boolean);
  if (!ask || !place || !draft.turns.length) return null;
  const all = { ...values, seat, value: values[ask.names[0]] }, { control } = ask;
  return {
    symbol: filled(control.symbol, all), texts: control.faces?.[filled(control.thing ?? "{value}", all)] ?? [], point: place.centre,
    turn: draft.canTurn ? { act: () => prompt.rotate(1), label: prompt.texts.turn, icon: prompt.signs.icon("rotate") } : null,
  };
}

/** What would be seen to happen: pieces that fly as arrows, spaces that are scored. */
export function foreseen(beats, board) {
  const flights = beats.filter(({ kind }) => kind === "move").map(({ start, end }) => ({ start: board.point(start), end: board.point(end) }));
  const scored = beats.filter(({ kind }) => kind === "score").map(({ space }) => space);
  return { arrows: flights.filter(({ start, end }) => start && end), scored };
}

/** A step takes a piece from one pile and puts it on another. */
function moved({ draft, things, ground, seat }, values, piles, arrows, number) {
  let start = null, end = null;
  for (const [name, field] of Object.entries(draft.original.properties)) {
    const control = ground.controls[field["x-of"]];
    if (!control || shapeOf(field) !== CHOICE || !(name in values)) continue;
    const all = { ...values, seat, value: values[name] };
    if (control.takes) start = things.pile(control.takes, all);
    if (control.puts) end = things.pile(control.puts, all);
  }
  if (start) change(piles, start, -1);
  if (end) change(piles, end, 1);
  if (start?.point && end?.point) arrows.push({ start: start.point, end: end.point, number: draft.kind === STEP ? number : "" });
}

/** What is counted up takes from piles or adds to them; a badge takes one back. */
function counted(manner, values, piles, prompt) {
  for (const { names: [name], control, shape } of manner.asks) {
    if (shape !== COUNTS || !control) continue;
    for (const [key, count] of Object.entries(values[name] ?? {})) {
      const all = { ...values, seat: manner.seat, value: key };
      const back = { back: () => prompt.add(name, key, -1), label: said(prompt.texts.back, { name: manner.label(name, key) }) };
      if (control.puts) change(piles, { ...manner.things.pile(control.puts, all), ...back }, count);
      if (control.takes) change(piles, { ...manner.things.pile(control.takes, all), ...back }, -count);
    }
  }
}

function change(piles, pile, by) {
  const known = piles.get(pile.name) ?? { ...pile, change: 0 };
  piles.set(pile.name, { ...known, change: known.change + by });
}

/** The piece that will go to the place that is chosen or looked at; or a piece that was picked and has no place yet. */
function lifted(manner, values, looked) {
  const { draft, things, seat } = manner;
  for (const ask of manner.asks) {
    const { names, control } = ask;
    if (control?.lifts) return carried(things, filled(control.lifts, { ...values, seat }), values[names[0]] ?? looked);
    if (control?.kind !== "piece" || !control.takes || draft.answer() || !names.every((name) => name in values)) continue;
    const sprite = things.sprite(thingOf(manner, ask, values));
    if (sprite) return { sprite, point: [sprite.x ?? 0, (sprite.y ?? 0) - 12] };
  }
  return null;
}

function carried(things, key, place) {
  const sprite = things.sprite(key), centre = things.places.get(place)?.centre;
  return sprite && centre ? { sprite, point: centre } : null;
}
