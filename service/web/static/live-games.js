// Games on a page, as they go on: the page asks for them again, and only cards that have changed are put in place.

const EVERY = 4000; // milliseconds
const LONGEST = 60000;
let wait = EVERY;

const region = () => document.querySelector("[data-live]");

async function look() {
  const shown = region();
  if (document.hidden || !shown) return;
  const address = new URL(shown.dataset.live, location.href);
  address.searchParams.set("part", "games");
  const headers = { Accept: "text/html", "If-None-Match": `"${shown.dataset.tag}"` };
  const answer = await fetch(address, { headers, cache: "no-store" });
  if (answer.status === 304) return (wait = EVERY);
  if (!answer.ok) return later(Number(answer.headers.get("Retry-After")) * 1000);
  wait = EVERY;
  put(shown, new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-live]"));
}

function later(least = 0) {
  wait = Math.max(least, Math.min(2 * wait, LONGEST));
}

async function keepLooking() {
  await look().catch(() => later());
  setTimeout(keepLooking, wait);
}

/** The new games in place of the old ones; what has not changed stays as it is. */
function put(shown, fresh) {
  const focused = document.activeElement?.closest("[data-state]")?.id;
  const href = document.activeElement?.getAttribute("href");
  if (lists(shown).join() === lists(fresh).join()) {
    for (const list of fresh.querySelectorAll("[data-list]")) update(shown.querySelector(`[data-list="${list.dataset.list}"]`), list);
    share(shown, fresh);
    Object.assign(shown.dataset, { ...fresh.dataset });
  } else shown.replaceWith(document.importNode(fresh, true));
  if (focused && document.activeElement === document.body) refocus(focused, href);
  told();
}

const lists = (part) => [...part.querySelectorAll("[data-list]")].map((list) => list.dataset.list);

function update(list, fresh) {
  const known = new Map([...list.children].map((card) => [card.id, card]));
  let before = null;
  for (const card of [...fresh.children]) {
    const same = known.get(card.id);
    known.delete(card.id);
    const node = same?.dataset.state === card.dataset.state ? same : document.importNode(card, true);
    if (same && node !== same) same.replaceWith(node);
    const next = before ? before.nextElementSibling : list.firstElementChild;
    if (next !== node) list.insertBefore(node, next);
    before = node;
  }
  for (const gone of known.values()) gone.remove();
}

/** Symbols that the new cards refer to, and that the page has not got. */
function share(shown, fresh) {
  const defs = shown.querySelector("svg > defs");
  for (const part of fresh.querySelector("svg > defs")?.children ?? []) {
    if (!document.getElementById(part.id)) defs.append(document.importNode(part, true));
  }
}

function refocus(id, href) {
  const card = document.getElementById(id);
  const links = [...(card?.querySelectorAll("a") ?? [])];
  (links.find((link) => link.getAttribute("href") === href) ?? links[0])?.focus({ preventScroll: true });
}

// Clocks

let ahead = 0; // of the service's clock, in milliseconds

function told() {
  const shown = region();
  if (!shown) return;
  ahead = Number(shown.dataset.now) - Date.now();
  for (const lead of document.querySelectorAll("[data-lead-text]")) lead.textContent = shown.dataset.lead;
  const counts = JSON.parse(shown.dataset.counts ?? "{}");
  for (const count of document.querySelectorAll("[data-count]")) count.textContent = counts[count.dataset.count] || "";
  for (const time of document.querySelectorAll("time[datetime]:not([data-clock])")) time.textContent = day(new Date(time.dateTime));
}

function count() {
  const sentence = region()?.dataset.left;
  for (const clock of document.querySelectorAll("[data-deadline]")) {
    const left = Math.max(0, Math.floor((Number(clock.dataset.deadline) - Date.now() - ahead) / 1000));
    const digits = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (left < 3600 && sentence) clock.textContent = sentence.replace("{time}", digits);
  }
}

/** The last days as the reader's language calls them; other days by their date. */
function day(date) {
  const language = document.documentElement.lang;
  const days = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(date).setHours(0, 0, 0, 0)) / 86400000);
  if (days < 7) return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-days, "day");
  const year = days > 300 ? { year: "numeric" } : {};
  return date.toLocaleDateString(language, { day: "numeric", month: "short", ...year });
}

told();
setInterval(count, 1000);
setTimeout(keepLooking, EVERY);
document.addEventListener("visibilitychange", () => look().catch(() => later()));
