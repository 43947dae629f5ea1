// Scores round by round, against the average (lines do not hide each other) or as points.

import { element, said, shape } from "./dom.js";

const WIDTH = 314, HEIGHT = 156, LEFT = 30, RIGHT = 212, TOP = 10, BOTTOM = 136, APART = 14;

/** @param read is given what stands under the pointer, as a sentence, or nothing */
export function chart(svg, outline, signs, texts, { go, read, isPlain = false }) {
  const { seats, scores, marks } = outline;
  if (!scores.length) return svg.replaceChildren();
  const series = isPlain ? plain(seats, scores) : relative(seats, scores);
  const { y, grid } = isPlain ? upward(series) : around(series);
  const x = (index) => LEFT + (index / Math.max(1, scores.length)) * (RIGHT - LEFT);
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute("aria-label", said(isPlain ? texts.chartPoints : texts.chart, { scores: standing(seats, scores.at(-1).scores) }));
  svg.replaceChildren(
    ...bands(scores, marks, x), ...grid.flatMap((value) => gridline(value, y, isPlain)),
    ...scores.map(({ round }, index) => shape("text", { x: x(index + 1), y: 151, "text-anchor": "middle" }, String(round))),
    shape("path", { class: "aim" }),
    ...seats.flatMap(({ seat }) => line(seat, series[seat], x, y)),
    shape("path", { class: "now" }), ...ends(seats, series, scores, x, y, signs));
  const under = ({ clientX }) => {
    const box = svg.getBoundingClientRect(), at = ((clientX - box.left) / box.width * WIDTH - LEFT) / (RIGHT - LEFT) * scores.length;
    return Math.min(scores.length - 1, Math.max(0, Math.round(at) - 1));
  };
  const aim = svg.querySelector(".aim");
  svg.onclick = (event) => go(scores[under(event)].version);
  svg.onpointermove = (event) => {
    const { round, scores: points } = scores[under(event)];
    aim.setAttribute("d", `M${x(under(event) + 1)} ${TOP - 4}V${BOTTOM + 4}`);
    read(said(texts.atRound, { number: round, scores: standing(seats, points) }));
  };
  svg.onpointerleave = () => {
    aim.removeAttribute("d");
    read("");
  };
}

/** Moves the line of the present step. */
export function chartNow(svg, { scores, first }, version) {
  const now = svg.querySelector(".now");
  if (!now) return;
  let from = first, index = 0;
  while (index < scores.length - 1 && version > scores[index].version) from = scores[index++].version;
  const share = (version - from) / Math.max(1, scores[index].version - from);
  const x = LEFT + ((index + Math.min(1, Math.max(0, share))) / Math.max(1, scores.length)) * (RIGHT - LEFT);
  now.setAttribute("d", `M${x.toFixed(1)} ${TOP - 4}V${BOTTOM + 4}`);
}

function plain(seats, rows) {
  return Object.fromEntries(seats.map(({ seat }) => [seat, [0, ...rows.map(({ scores }) => scores[seat] ?? 0)]]));
}

function relative(seats, rows) {
  const series = plain(seats, rows);
  const means = rows.map((_, index) => seats.reduce((sum, { seat }) => sum + series[seat][index + 1], 0) / seats.length);
  return Object.fromEntries(seats.map(({ seat }) => [seat, series[seat].map((value, index) => value - (index ? means[index - 1] : 0))]));
}

function around(series) {
  const most = Math.max(5, ...Object.values(series).flat().map(Math.abs)), step = nice(most * 0.8);
  return { y: (value) => (TOP + BOTTOM) / 2 - (value / most) * ((BOTTOM - TOP) / 2), grid: [step, 0, -step] };
}

function upward(series) {
  const most = Math.max(10, ...Object.values(series).flat()), step = nice(most / 2);
  return { y: (value) => BOTTOM - (value / most) * (BOTTOM - TOP), grid: [0, step, 2 * step] };
}

function nice(most) {
  return [5, 10, 20, 50, 100].findLast((size) => size <= most) ?? 5;
}

function bands(scores, marks, x) {
  const rounds = new Set(marks.filter(({ kind }) => kind === "scoring").map(({ number }) => number));
  return scores.flatMap(({ round }, index) =>
    rounds.has(round) ? [shape("rect", { class: "band", x: x(index + 1) - 6, y: TOP - 4, width: 12, height: BOTTOM - TOP + 8, rx: 3 })] : []);
}

function gridline(value, y, isPlain) {
  const sign = isPlain || value === 0 ? "" : value > 0 ? "+" : "−";
  return [
    shape("path", { class: "grid", d: `M${LEFT} ${y(value)}H${RIGHT}` }),
    shape("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, `${sign}${Math.abs(value)}`)];
}

function line(seat, values, x, y) {
  const d = values.map((value, index) => `${index ? "L" : "M"}${x(index).toFixed(1)},${y(value).toFixed(1)}`).join("");
  return [shape("path", { class: "l case", d }), shape("path", { class: `l ${seat}`, d })];
}

/** Names and scores at the end of each line, kept apart. */
function ends(seats, series, scores, x, y, signs) {
  const last = seats.map(({ seat, name }) => ({ seat, name, at: y(series[seat].at(-1)), score: scores.at(-1).scores[seat] }));
  last.sort((one, other) => one.at - other.at);
  const places = apart(last.map(({ at }) => at));
  return last.flatMap(({ seat, name, at, score }, index) => {
    const chip = signs.chip(seat);
    for (const [attribute, value] of Object.entries({ x: x(scores.length) - 6, y: at - 6, width: 12, height: 12 })) chip.setAttribute(attribute, value);
    const short = name.length > 9 ? `${name.slice(0, 8)}…` : name;
    return [chip, shape("text", { class: "end", x: x(scores.length) + 11, y: places[index] + 4 }, `${short} ${score}`)];
  });
}

/** Heights in order, moved as little as it takes to keep them apart and inside. */
function apart(heights) {
  const places = [];
  for (const height of heights) places.push(Math.max(height, (places.at(-1) ?? -Infinity) + APART));
  const over = Math.max(0, (places.at(-1) ?? 0) - BOTTOM);
  for (let at = places.length - 1, free = Infinity; at >= 0 && over; at--) {
    places[at] = Math.min(places[at], free, at === places.length - 1 ? BOTTOM : Infinity);
    free = places[at] - APART;
  }
  return places;
}

function standing(seats, scores) {
  return seats.map(({ seat, name }) => `${name} ${scores[seat]}`).join(", ");
}

/** The same as numbers. */
export function numbers(table, { seats, scores }, texts) {
  const head = element("tr", {}, element("th", { scope: "col" }, texts.roundShort),
    ...seats.map(({ name }) => element("th", { scope: "col" }, name)));
  const rows = scores.map(({ round, scores: points }) => element("tr", {}, element("th", { scope: "row" }, String(round)),
    ...seats.map(({ seat }) => element("td", { class: "num" }, String(points[seat] ?? 0)))));
  table.replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
}
