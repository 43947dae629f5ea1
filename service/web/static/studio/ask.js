// Questions in a dialog. Esc is the safe answer.

/** Before something is lost. @returns {Promise<boolean>} */
export async function asked(dialog, title, text, verb) {
  dialog.querySelector("h2").textContent = title;
  dialog.querySelector("p").textContent = text;
  dialog.querySelector('[value="yes"]').textContent = verb;
  return (await answered(dialog)) === "yes";
}

/** For a name. @returns {Promise<string|null>} */
export async function named(dialog, title, name) {
  const input = dialog.querySelector("input");
  dialog.querySelector("h2").textContent = title;
  input.value = name;
  const answer = answered(dialog);
  input.select();
  return (await answer) === "yes" && input.value.trim() && input.value.trim() !== name ? input.value.trim() : null;
}

function answered(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true }));
}
