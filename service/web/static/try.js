// Trying an operation: the form of each is sent by the client that every site can import.

import { Hidalgo, Problem } from "/client/hidalgo.js";

const PREFIX = "/api/v1";
const tokens = document.getElementById("token");

function client() {
  return new Hidalgo(location.origin, { token: tokens.elements.token.value.trim() || null, retryFor: 0 });
}

/** The request that a form describes; a field that was left empty is left out. */
function described(form) {
  let path = form.dataset.path.slice(PREFIX.length);
  const query = {};
  for (const { name, value, dataset } of form.querySelectorAll("[data-place]")) {
    if (dataset.place === "path") path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value) query[name] = value;
  }
  const text = form.elements.body?.value.trim();
  return { path, query, body: text ? JSON.parse(text) : form.elements.body ? {} : undefined };
}

/** A stream never ends by itself: its first words are enough. */
function isStream(path) {
  return path.endsWith("/stream");
}

async function answerOf(form) {
  const { path, query, body } = described(form);
  const headers = isStream(path) ? { Accept: "application/x-ndjson" } : {};
  const signal = AbortSignal.timeout(15_000);
  const reply = await client().request(form.dataset.method, path, { query, body, headers, signal });
  return `${reply.status}\n${pretty(reply.text)}`;
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function refusal(error) {
  if (error instanceof SyntaxError) return tokens.dataset.unreadable;
  if (!(error instanceof Problem) || !error.status) return tokens.dataset.unanswered;
  return `${error.status} ${error.code}\n${error.message}`;
}

function show(place, text) {
  const block = document.createElement("pre");
  block.tabIndex = 0;
  block.textContent = text;
  place.replaceChildren(block);
}

for (const form of document.querySelectorAll(".try")) {
  form.hidden = isStream(form.dataset.path);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    show(form.querySelector(".answer"), await answerOf(form).catch(refusal));
  });
}

tokens.hidden = false;
tokens.addEventListener("submit", async (event) => {
  event.preventDefault();
  const guest = new Hidalgo(location.origin);
  const place = document.getElementById("guest");
  try {
    tokens.elements.token.value = (await guest.guest()).token;
    place.textContent = (await guest.me()).handle;
  } catch (error) {
    place.textContent = refusal(error);
  }
});
document.documentElement.dataset.tries = "ready";
