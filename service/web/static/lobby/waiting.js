// A table that waits for players: seats are shown as they are taken, and the page leads on when the game begins.

const shown = () => document.querySelector("[data-waiting]");

async function refresh() {
  const answer = await fetch(shown().dataset.waiting, { headers: { Accept: "text/html" }, cache: "no-store" });
  if (answer.redirected) return location.assign(shown().dataset.table);
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-waiting]");
  const focused = focusedControl();
  shown().replaceWith(document.importNode(fresh, true));
  prepare();
  focused?.()?.focus({ preventScroll: true });
}

/** Finds the control that had the focus again, if it is still there. */
function focusedControl() {
  const active = document.activeElement;
  if (!shown().contains(active)) return null;
  const { name, value, tagName } = active;
  return () => [...shown().querySelectorAll(tagName)].find((each) => each.name === name && each.value === value);
}

function prepare() {
  const button = document.querySelector("[data-copy]");
  if (!button || !navigator.clipboard) return;
  const field = button.previousElementSibling;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(field.value);
    button.querySelector("span").textContent = field.dataset.copied;
  });
  field.addEventListener("focus", () => field.select());
}

function listen() {
  const source = new EventSource(shown().dataset.stream);
  for (const kind of ["commit", "end", "bye"]) source.addEventListener(kind, () => refresh().catch(() => {}));
  source.addEventListener("end", () => source.close());
}

prepare();
listen();
document.addEventListener("visibilitychange", () => document.hidden || refresh().catch(() => {}));
