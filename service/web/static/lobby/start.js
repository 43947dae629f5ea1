// The start form: it shows what belongs to the game that is chosen, its summary says what is chosen behind it, and it is
// sent once.

import { choosing } from "../picks.js";

const form = document.querySelector("[data-start]");

/** What differs from what the form would do by itself. */
function changes() {
  return [...form.querySelectorAll("[data-matter]")].filter((matter) => matter.offsetParent).flatMap(changed);
}

function changed(matter) {
  if (matter.matches("select")) return matter.value ? [matter.selectedOptions[0].textContent] : [];
  const chosen = [...matter.querySelectorAll(":checked")].filter((input) => !input.defaultChecked && !input.closest("[data-picks]"));
  return chosen.map((input) => (input.parentElement.querySelector("b") ?? input.parentElement).textContent.trim());
}

/** The agreements of this game and its expansions, and so many players as may play it. */
function show(game) {
  for (const part of form.querySelectorAll("[data-of-game]")) part.hidden = part.dataset.ofGame !== game.value;
  const ticked = [...form.querySelectorAll('[name="expansions"]:checked')].map((input) => input.value);
  for (const part of form.querySelectorAll("[data-of-expansion]")) part.hidden = !ticked.includes(part.dataset.ofExpansion);
  const numbers = game.dataset.players.split(" "), seats = [...form.querySelectorAll('[name="players"]')];
  for (const input of seats) input.parentElement.hidden = input.disabled = !numbers.includes(input.value);
  if (!seats.some((input) => input.checked && !input.disabled)) seats.findLast((input) => !input.disabled).checked = true;
}

if (form) {
  const told = form.querySelector("[data-start-summary]");
  const games = form.querySelector('[name="game"]');
  const button = form.querySelector("button.primary");
  const update = () => {
    const [game] = games.selectedOptions;
    show(game);
    const differing = changes();
    told.textContent = [game.dataset.summary, differing.length ? `${differing.join(", ")}.` : ""].join(" ").trim();
  };
  form.addEventListener("change", update);
  choosing(form);
  show(games.selectedOptions[0]);
  form.addEventListener("submit", () => setTimeout(() => (button.disabled = true)));
  // A page that comes back from the browser's memory would ask for the same table again.
  addEventListener("pageshow", (event) => event.persisted && location.reload());
}
