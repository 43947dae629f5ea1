// A new tournament: a change is sent at once, and what follows from it comes back. Nothing is computed here.

import { choosing, counted } from "../picks.js";

const form = document.querySelector("[data-wizard]");
const PARTS = ["matters", "short"];
let asking = 0;

async function ask(act) {
  const mine = ++asking;
  const fields = new URLSearchParams(new FormData(form));
  fields.set("act", act);
  form.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(form.action, { method: "POST", body: fields, headers: { Accept: "text/html" } });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-wizard]");
    if (!fresh) return location.reload();
    if (mine === asking) put(fresh);
  } finally {
    if (mine === asking) form.removeAttribute("aria-busy");
  }
}

/** The new parts in place of the old ones; focus and what is being written stay. */
function put(fresh) {
  const focused = document.activeElement;
  const name = selector(focused);
  const title = form.elements.title.value;
  for (const part of PARTS) {
    const place = form.querySelector(`[data-part=${part}]`);
    place.replaceWith(document.importNode(fresh.querySelector(`[data-part=${part}]`), true));
  }
  form.elements.title.value = title;
  counted(form);
  if (name) form.querySelector(name)?.focus({ preventScroll: true });
}

function selector(element) {
  if (!element || !form.contains(element)) return "";
  if (element.id) return `#${CSS.escape(element.id)}`;
  if (element.type === "radio" || element.type === "checkbox") return `[name="${element.name}"]:checked, [name="${element.name}"]`;
  return element.name ? `[name="${element.name}"]` : "";
}

form.addEventListener("change", (event) => {
  if (event.target.name !== "title" && !event.target.closest("[data-picks]")) ask("show");
});
choosing(form);
form.addEventListener("submit", (event) => {
  const act = event.submitter?.value ?? "show";
  if (act === "open") return;
  event.preventDefault();
  ask(act);
});
