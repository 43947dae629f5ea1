// Beside the scores: who led each space at the end of each round, and who thought how long.

import { element, said, shape } from "./dom.js";
import { duration } from "./panels.js";

/** Spaces by rounds; a press on a round leads to its end. */
export function majorities(table, { spaces, scores, seats }, timeline, signs, texts) {
  const names = Object.fromEntries(seats.map(({ seat, name }) => [seat, name]));
  const rounds = scores.filter(({ version }) => timeline.step(version));
  const head = element("tr", {}, element("td"), ...rounds.map(({ round, version }) => element("th", { scope: "col" },
    element("button", { type: "button", "data-act": "go", "data-to": version, "aria-label": said(texts.round, { number: round }) }, String(round)))));
  const rows = spaces.map(({ space, name }) => element("tr", {}, element("th", { scope: "row" }, name),
    ...rounds.map(({ version }) => leaders(timeline.step(version).leads[space] ?? [], names, signs))));
  table.replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
}

function leaders(seats, names, signs) {
  return element("td", { class: seats.length > 1 ? "tied" : "" }, ...seats.slice(0, 3).map((seat) => signs.chip(seat)),
    element("span", { class: "sr" }, seats.map((seat) => names[seat]).join(", ") || "–"));
}

/** A bar for each player, cut into rounds, and the longest thought of all. */
export function times(list, { seats }, timeline, signs, texts) {
  const spent = Object.fromEntries(seats.map(({ seat }) => [seat, new Map()]));
  let longest = null;
  for (const step of timeline.steps) {
    if (step.thought_ms === null || !spent[step.by]) continue;
    spent[step.by].set(step.round, (spent[step.by].get(step.round) ?? 0) + step.thought_ms);
    if (step.thought_ms > (longest?.thought_ms ?? 0)) longest = step;
  }
  const whole = (seat) => [...spent[seat].values()].reduce((sum, used) => sum + used, 0);
  const most = Math.max(1, ...seats.map(({ seat }) => whole(seat)));
  list.replaceChildren(...seats.map(({ seat, name }) => element("li", {},
    signs.chip(seat), element("span", { class: "who", translate: "no" }, name), element("span", { class: "num" }, duration(whole(seat))),
    bar(seat, [...spent[seat]], most, texts))),
  ...(longest ? [element("li", { class: "longest" }, element("button", { type: "button", "data-act": "go", "data-to": longest.version },
    said(texts.longest, { name: seats.find(({ seat }) => seat === longest.by).name, time: duration(longest.thought_ms), version: longest.version })))] : []));
}

function bar(seat, rounds, most, texts) {
  let from = 0;
  const pieces = rounds.map(([round, used]) => {
    const width = 100 * used / most, told = said(texts.thoughtIn, { number: round, time: duration(used) });
    const piece = shape("rect", { x: from, y: 0, width: Math.max(0, width - 0.4), height: 8 }, shape("title", {}, told));
    from += width;
    return piece;
  });
  return shape("svg", { class: `bar ${seat}`, viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" }, ...pieces);
}
