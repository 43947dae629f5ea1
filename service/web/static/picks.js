// So many of some things are chosen: a count says how many are left, and no more than that can be ticked.

/** Looks after all such choices within a form, also those that come into it later. */
export function choosing(form) {
  form.addEventListener("change", ({ target }) => target.closest("[data-picks]") && count(target.closest("[data-picks]")));
  form.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-fill],[data-clear]");
    if (!button) return;
    const picks = button.closest("[data-picks]");
    if ("fill" in button.dataset) fill(picks);
    else for (const box of boxes(picks)) box.checked = false;
    count(picks);
  });
  counted(form);
}

/** Counts anew, where a form was shown again. */
export function counted(form) {
  for (const picks of form.querySelectorAll("[data-picks]")) {
    for (const button of picks.querySelectorAll("[data-fill],[data-clear]")) button.hidden = false;
    count(picks);
  }
}

function boxes(picks) {
  return [...picks.querySelectorAll('[type="checkbox"]')];
}

function left(picks) {
  return Number(picks.dataset.picks) - boxes(picks).filter((box) => box.checked).length;
}

function count(picks) {
  const told = picks.querySelector("output"), missing = left(picks);
  told.textContent = missing > 0 ? told.dataset.left.replace("{count}", missing) : told.dataset.whole;
  picks.toggleAttribute("data-full", missing <= 0);
  for (const box of boxes(picks)) box.disabled = missing <= 0 && !box.checked;
}

function fill(picks) {
  const free = boxes(picks).filter((box) => !box.checked);
  for (let missing = left(picks); missing > 0; missing--) free.splice(Math.floor(Math.random() * free.length), 1)[0].checked = true;
}
