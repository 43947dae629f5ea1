// What lies beside the board: players, the cards of the round, the rounds, the leaders of the spaces.

import { become, element, filledWith, said } from "./dom.js";

const drawn = new WeakMap();

/** Whether a list shows these values already: then nothing is drawn again. */
function isDrawn(list, ...values) {
  const former = drawn.get(list);
  drawn.set(list, values);
  return former?.every((value, index) => value === values[index]) ?? false;
}

export function players(list, outline, scene, step, spent, signs, texts) {
  if (list.children.length !== outline.seats.length) list.replaceChildren(...outline.seats.map(() => element("li")));
  outline.seats.forEach(({ seat, name }, index) => {
    const panel = scene.panels.get(seat), item = list.children[index];
    const time = duration(seat in step.clocks ? step.clocks[seat] : spent[seat] ?? 0);
    if (drawn.get(item)?.panel === panel && drawn.get(item)?.time === time) return;
    drawn.set(become(item, player(panel, seat, name, step, time, signs, texts)), { panel, time });
  });
}

function player(panel, seat, name, step, time, signs, texts) {
  const figures = (panel?.figures ?? []).map(({ icon, value, label }) =>
    element("span", { title: label }, signs.icon(icon), element("b", {}, String(value)), element("span", { class: "sr" }, ` ${label} `)));
  const item = element("li", { class: `player ${seat} ${panel?.state ?? ""}`, "data-panel": seat,
    "aria-current": panel?.state === "acting" ? "true" : null },
  signs.chip(seat),
  element("span", { class: "who" }, element("span", { translate: "no" }, name), element("small", {}, panel?.note ?? "")),
  element("span", { class: "points" }, String(panel?.score ?? 0), element("span", { class: "sr" }, ` ${texts.points} `)),
  element("span", { class: "facts" },
    element("span", { class: `power${panel?.played ? "" : " none"}`, title: texts.power }, panel?.played || "–"), ...figures,
    element("span", { class: "clock", title: seat in step.clocks ? texts.left : texts.thought }, time)));
  if (panel?.hand) item.append(hand(panel.hand, said(texts.hand, { name })));
  return item;
}

function hand(cards, label) {
  return element("ul", { class: "hand", "aria-label": label }, ...cards.map(({ title, text, state }) =>
    element("li", { class: `pc ${state}` }, title, element("i", {}, text ?? ""))));
}

export function duration(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(seconds / 3600);
  return hours >= 48 ? `${Math.round(seconds / 86_400)} d` : [...(hours ? [hours] : []), ...parts].join(":");
}

export function cards(list, scene, signs, texts, names, board) {
  if (isDrawn(list, scene.cards)) return;
  filledWith(list, scene.cards.map((card) =>
    element("li", { class: `action ${card.state ?? ""}`, title: card.detail },
      card.pips ? element("span", { class: "pips", "aria-label": said(texts.places, { count: card.pips }), role: "img" },
        ...Array.from({ length: card.pips }, () => element("i"))) : null,
      element("span", { class: "art" }, card.symbol ? board.picture(card.symbol) : card.icon ? signs.icon(card.icon) : null),
      element("span", {}, element("span", { class: "name" }, card.title), element("span", { class: "does" }, card.text ?? "")),
      card.seat ? element("span", { class: "by" }, signs.chip(card.seat, said(texts.taken, { name: names.seats[card.seat] }))) : null)));
}

export function rounds(list, scene, texts) {
  if (isDrawn(list, scene.rounds)) return;
  const items = scene.rounds.flatMap(({ number, state, scores }) => [
    element("li", { class: `r ${state}`, "aria-current": state === "now" ? "true" : null }, String(number)),
    ...(scores ? [element("li", { class: `crownlet ${state}`, "aria-label": texts.scoring })] : [])]);
  filledWith(list, items);
}

export function leads(list, outline, step, signs, texts, names) {
  if (isDrawn(list, JSON.stringify(step.leads), outline.spaces)) return;
  filledWith(list, outline.spaces.map(({ space, short, name }) => {
    const seats = step.leads[space] ?? [];
    const told = seats.length ? seats.map((seat) => names.seats[seat]).join(", ") : texts.nobody;
    return element("li", { title: `${name}: ${told}` },
      element("span", { class: seats.length > 1 ? "tied" : "", "aria-hidden": "true" }, ...seats.slice(0, 3).map((seat) => signs.chip(seat))),
      element("span", { "aria-hidden": "true" }, short), element("span", { class: "sr" }, `${name}: ${told}`));
  }));
}
