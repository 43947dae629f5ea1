// The desk: a ruling that is being written shows what it would change, and the page follows the tournament. The server
// foresees and tells everything; nothing is computed here.

const WAIT = 250; // milliseconds after the last key
const EVERY = 2000;
const LONGEST = 60000;
let timer = 0;
let asking = 0;
let wait = EVERY;

const desk = () => document.querySelector("[data-desk]");
const ruling = () => document.querySelector("[data-ruling]");
const parsed = async (answer) => new DOMParser().parseFromString(await answer.text(), "text/html");

// The ruling

async function preview() {
  const form = ruling();
  const mine = ++asking;
  const fields = new URLSearchParams(new FormData(form));
  fields.set("act", "preview");
  form.setAttribute("aria-busy", "true");
  const answer = await fetch(form.getAttribute("action"), { method: "POST", body: fields, headers: { Accept: "text/html" } });
  const fresh = (await parsed(answer)).querySelector("[data-ruling]");
  if (mine === asking && fresh && form.isConnected) put(form, fresh);
  form.removeAttribute("aria-busy");
}

function put(form, fresh) {
  const kind = form.querySelector("[data-part=what]").dataset.kind;
  const focused = document.activeElement?.name;
  const parts = ["effect", "rule"];
  if (fresh.querySelector("[data-part=what]").dataset.kind !== kind || kind === "rewind") parts.push("what");
  for (const part of parts) {
    form.querySelector(`[data-part=${part}]`).replaceWith(document.importNode(fresh.querySelector(`[data-part=${part}]`), true));
  }
  if (focused && document.activeElement === document.body) form.elements[focused]?.focus?.({ preventScroll: true });
  check();
}

/** Without a reason there is no ruling: the button says so. */
function check() {
  const button = ruling()?.querySelector("[data-part=rule]");
  if (!button) return;
  const empty = !ruling().elements.reason.value.trim();
  button.setAttribute("aria-disabled", String(empty));
  button.title = empty ? ruling().dataset.reasonless : "";
}

const inRuling = (event) => ruling()?.contains(event.target);

document.addEventListener("change", (event) => {
  if (inRuling(event) && event.target.name !== "reason") preview();
});
document.addEventListener("input", (event) => {
  if (!inRuling(event)) return;
  check();
  if (event.target.name === "reason" || event.target.type === "radio") return;
  clearTimeout(timer);
  timer = setTimeout(preview, WAIT);
});
document.addEventListener("submit", (event) => {
  if (!inRuling(event)) return;
  const act = event.submitter?.value;
  if (act === "rule" && !ruling().elements.reason.value.trim()) {
    event.preventDefault();
    ruling().elements.reason.focus();
  }
  if (act === "preview") {
    event.preventDefault();
    preview();
  }
});

// The tournament goes on

/** Whether somebody is writing: then nothing is taken from under their hands. */
function isBusy() {
  const fields = desk().querySelectorAll(["input:not([type=hidden]):not([type=radio])", "textarea", "select"].join());
  return desk().querySelector("details[open]") !== null || [...fields].some(isTouched);
}

function isTouched(field) {
  if (field === document.activeElement) return true;
  if (field.tagName === "SELECT") return [...field.options].some((option) => option.selected !== option.defaultSelected && option.defaultSelected);
  return field.value !== field.defaultValue;
}

async function look() {
  if (document.hidden || isBusy()) return;
  const address = new URL(location.href);
  address.searchParams.set("part", "state");
  const headers = { Accept: "text/html", "If-None-Match": `"${desk().dataset.tag}"` };
  const state = await fetch(address, { headers, cache: "no-store" });
  wait = state.ok || state.status === 304 ? EVERY : Math.min(2 * wait, LONGEST);
  if (state.status !== 204) return;
  const whole = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
  if (whole.ok && !isBusy()) replace(await parsed(whole));
}

function replace(fresh) {
  const focused = document.activeElement?.closest?.("[data-desk]") ? document.activeElement : null;
  const same = focused && [...fresh.querySelectorAll("[data-desk] a, [data-desk] button, [data-desk] summary")].find(
    (each) => each.textContent === focused.textContent && each.getAttribute("href") === focused.getAttribute("href"),
  );
  for (const part of [".hero", ".tabs", "[data-desk]"]) {
    const place = document.querySelector(`main ${part}`);
    const next = fresh.querySelector(`main ${part}`);
    if (place && next) place.replaceWith(document.adoptNode(next));
  }
  same?.focus({ preventScroll: true });
  check();
}

async function keepLooking() {
  await look().catch(() => (wait = Math.min(2 * wait, LONGEST)));
  setTimeout(keepLooking, wait);
}

check();
setTimeout(keepLooking, EVERY);
