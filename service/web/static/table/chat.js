// The chat of a table: messages as they are written. Texts of people are only ever set as text, never as markup.

const LONGEST_WAIT = 30000;

/** Follows one room, from the messages that are on the page. */
export function followChat(root) {
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const { chat, room, me, csrf } = root.dataset;
  const muted = new Set();
  let newest = Number(root.dataset.newest);
  let wait = 1000;

  // Showing

  function show(message) {
    newest = Math.max(newest, message.id);
    if (message.removes) return take(message.removes);
    if (muted.has(message.player.id) || message.removed || find(message.id)) return;
    const list = part("said");
    const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    list.firstElementChild.append(line(message));
    part("nobody").hidden = true;
    if (isAtEnd || message.player.id === me) list.scrollTop = list.scrollHeight;
    if (message.player.id !== me) call();
  }

  /** Marks the tab behind which something was written. */
  function call() {
    const panel = root.closest("[role=tabpanel]");
    const tab = panel?.hidden && document.getElementById(panel.getAttribute("aria-labelledby"));
    if (!tab) return;
    tab.dataset.fresh = "";
    tab.addEventListener("click", () => delete tab.dataset.fresh, { once: true });
  }

  function line(message) {
    const item = me ? root.querySelector("template").content.firstElementChild.cloneNode(true) : bareLine();
    item.dataset.message = message.id;
    item.dataset.player = message.player.id;
    const within = (name) => item.querySelector(`[data-part="${name}"]`);
    within("name").textContent = message.player.handle ?? "";
    within("text").textContent = message.text;
    if (message.seat) within("seat").append(shape(message.seat));
    for (const button of item.querySelectorAll("[data-act]")) {
      const about = button.dataset.act === "mute" ? message.player.id : `${room}/${message.id}`;
      button.value = `${button.dataset.act}:${about}`;
      if (button.dataset.act === "remove") button.hidden = !("mayRemove" in root.dataset) && message.player.id !== me;
    }
    return item;
  }

  /** For readers who are not signed in. */
  function bareLine() {
    const item = document.createElement("li");
    const said = document.createElement("p");
    for (const [tag, name] of [["span", "seat"], ["b", "name"], ["span", "text"]]) {
      const piece = document.createElement(tag);
      piece.dataset.part = name;
      piece.translate = false;
      said.append(piece, name === "name" ? " " : "");
    }
    item.append(said);
    return item;
  }

  function shape(seat) {
    const drawn = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    drawn.setAttribute("class", `chip ${seat}`);
    drawn.setAttribute("aria-hidden", "true");
    use.setAttribute("href", `${root.dataset.icons}#seat-${seat}`);
    drawn.append(use);
    return drawn;
  }

  const find = (id) => part("said").querySelector(`[data-message="${Number(id)}"]`);
  const take = (id) => find(id)?.remove();

  // Asking

  async function ask(method, path, body) {
    const headers = { Accept: "application/json", "X-CSRF-Token": csrf };
    if (body) headers["Content-Type"] = "application/json";
    const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
    const told = answer.status === 204 ? null : await answer.json();
    if (!answer.ok) throw new Error(told.detail);
    return told;
  }

  async function tryTo(work) {
    const refused = part("refused");
    refused.hidden = true;
    try {
      return await work();
    } catch (problem) {
      refused.textContent = problem.message;
      refused.hidden = false;
    }
  }

  async function send(event) {
    event.preventDefault();
    const field = event.target.elements.text;
    const text = field.value.trim().replace(/\s+/g, " ");
    if (!text) return;
    await tryTo(async () => {
      show(await ask("POST", chat, { text }));
      field.value = "";
    });
    field.focus();
  }

  const ACTS = {
    async mute(id, player) {
      await ask("PUT", `/api/v1/me/mutes/${encodeURIComponent(player)}`);
      muted.add(player);
      for (const each of part("said").querySelectorAll("li")) if (each.dataset.player === player) each.remove();
      part("told").textContent = part("told").dataset.muted;
    },
    async complain(id) {
      await ask("POST", `${chat}/${room}/${id}/complaint`, {});
      part("told").textContent = part("told").dataset.complained;
    },
    async remove(id) {
      await ask("DELETE", `${chat}/${room}/${id}`);
      take(id);
    },
  };

  root.addEventListener("click", (event) => {
    const button = event.target.closest("[data-act]");
    if (!button) return;
    event.preventDefault();
    const { message, player } = button.closest("li").dataset;
    button.closest("details").open = false;
    tryTo(() => ACTS[button.dataset.act](message, player));
  });
  part("form")?.addEventListener("submit", send);
  // Letters of a message are no keys of the board.
  part("form")?.addEventListener("keydown", (event) => event.stopPropagation());

  // Following

  let source = null;

  function follow() {
    if (source || document.hidden) return;
    source = new EventSource(`${chat}/stream?room=${room}&after=${newest}`);
    source.addEventListener("message", (event) => {
      wait = 1000;
      if (event.data) show(JSON.parse(event.data));
    });
    source.addEventListener("bye", again);
    source.addEventListener("error", () => source?.readyState === EventSource.CLOSED && again());
  }

  function again() {
    rest();
    setTimeout(follow, wait);
    wait = Math.min(2 * wait, LONGEST_WAIT);
  }

  function rest() {
    source?.close();
    source = null;
  }

  // A page that nobody looks at holds no connection.
  document.addEventListener("visibilitychange", () => (document.hidden ? rest() : follow()));
  part("said").scrollTop = part("said").scrollHeight;
  follow();
}

for (const root of document.querySelectorAll("[data-chat]")) followChat(root);
