// Copy buttons for code, the menu of pages, and the sections that an address names. Without it every page can be read.

const main = document.querySelector("main");
const menu = document.querySelector(".docs-menu");
const wide = matchMedia("(min-width: 901px)");

/** The menu is open where there is room for it. */
function fitMenu() {
  menu.open = wide.matches;
}

/** Lines that were typed: of a session in Python, those after a prompt. */
function typed(text) {
  if (!text.startsWith(">>> ")) return text;
  const lines = text.split("\n").filter((line) => /^(>>>|\.\.\.)( |$)/.test(line));
  return lines.map((line) => line.slice(4)).join("\n") + "\n";
}

function addCopyButton(block) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = main.dataset.copy;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(typed(block.querySelector("code").textContent));
    button.textContent = main.dataset.copied;
    setTimeout(() => (button.textContent = main.dataset.copy), 2000);
  });
  block.append(button);
}

/** Open what the address names, so that a link leads to something that can be read. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) {
    target.open = true;
    target.scrollIntoView();
  }
}

fitMenu();
wide.addEventListener("change", fitMenu);
if (navigator.clipboard) document.querySelectorAll(".code").forEach(addCopyButton);
addEventListener("hashchange", openTarget);
openTarget();
document.documentElement.dataset.ready = "docs";
