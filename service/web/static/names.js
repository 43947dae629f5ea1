// The name of a new account: whether it can be had is told while it is typed.
const form = document.querySelector("form.enter"), field = form.querySelector("[name=handle]");
const state = form.querySelector('[data-part="name-state"]'), sit = form.querySelector('[data-part="sit"]');
const PAUSE = 350; // ms without a key
let waiting = 0, asked = "";

async function ask() {
  const handle = (asked = field.value);
  if (!field.validity.valid) return show({ state: "", text: "", near: [] });
  const answer = await fetch(`${state.dataset.address}?handle=${encodeURIComponent(handle)}`).catch(() => null);
  if (answer?.ok && handle === asked) show(await answer.json());
}

function show({ state: known, text, near }) {
  state.dataset.state = known;
  state.replaceChildren(text, ...near.map(offered));
  sit.textContent = known === "free" ? sit.dataset.as.replace("{name}", field.value) : sit.dataset.plain;
}

function offered(name) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", textContent: name });
  button.dataset.name = name;
  return button;
}

field.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(ask, PAUSE);
});
state.addEventListener("click", ({ target }) => {
  const { name } = target.closest("[data-name]")?.dataset ?? {};
  if (!name) return;
  field.value = name;
  field.focus();
  ask();
});
if (field.value && !state.childElementCount) ask();
