// Hands and keys: what is pressed, as the name of an act.

const KEYS = {
  ArrowLeft: "previous", ArrowRight: "next", ArrowUp: "previous-turn", ArrowDown: "next-turn",
  PageUp: "previous-round", PageDown: "next-round", Home: "first", End: "last",
  " ": "play", s: "next-scoring", S: "next-scoring",
};
const OF_OTHERS = "input,textarea,select,dialog,[data-own-keys]"; // whoever has the focus there means something else

export function listen(page, act) {
  for (const link of page.querySelectorAll("a[data-act]")) link.removeAttribute("href");
  page.addEventListener("click", (event) => {
    const pressed = event.target.closest("[data-act]");
    if (!pressed) return;
    event.preventDefault();
    act(pressed.dataset.act, { element: pressed });
  });
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.(OF_OTHERS)) return;
    if (event.key === " " && event.target.closest("button,a,summary")) return;
    const name = KEYS[event.key];
    if (!name) return;
    event.preventDefault();
    act(name, { isHeld: event.repeat });
  });
}

/** Links that are buttons are pressed with Enter and with the space bar, also those that lead nowhere. */
export function pressable(page) {
  page.addEventListener("keydown", (event) => {
    const link = event.target.closest('a[role="button"]');
    if (!link || !(event.key === " " || (event.key === "Enter" && !link.href))) return;
    event.preventDefault();
    link.click();
  });
}
