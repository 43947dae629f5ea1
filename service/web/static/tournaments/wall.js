// The wall: so many boards as fit, one group after the other. It goes on by itself, and can be held.

const EVERY = 12000; // milliseconds
let first = 0;
let held = false;

const boards = () => [...document.querySelectorAll(".wall-board")];

function group() {
  const list = document.querySelector(".boards");
  if (!list) return 1;
  const columns = getComputedStyle(list).gridTemplateColumns.split(" ").length;
  const height = boards().find((board) => !board.hidden)?.offsetHeight || 1;
  const rows = Math.max(1, Math.floor((innerHeight - list.getBoundingClientRect().top - scrollY) / height));
  return columns * rows;
}

function show() {
  const all = boards();
  if (!all.length) return;
  const count = group();
  if (first >= all.length) first = 0;
  all.forEach((board, at) => {
    const visible = at >= first && at < first + count;
    board.classList.toggle("shown", visible);
    board.hidden = !visible;
  });
}

function turn() {
  if (!held) first += group();
  show();
}

const hold = document.querySelector("[data-part=hold]");
hold.hidden = false;
hold.addEventListener("click", () => {
  held = !held;
  hold.setAttribute("aria-pressed", String(held));
});
show();
setInterval(turn, EVERY);
// Boards that have changed are new elements: they are shown as the ones before them were.
new MutationObserver(show).observe(document.querySelector("main"), { childList: true, subtree: true });
addEventListener("resize", show);
