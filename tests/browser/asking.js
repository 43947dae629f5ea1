async ({ texts, previews }) => {
  const base = document.querySelector('script[type="module"]').src;
  const module = (path) => import(new URL(path, base));
  const [{ Prompt }, { Board }, { Signs }] = await Promise.all([module("../prompt/prompt.js"), module("board.js"), module("dom.js")]);
  const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL("../prompt/prompt.css", base) });
  await new Promise((resolve) => {
    sheet.onload = resolve;
    document.head.append(sheet);
  });

  const asking = (window.asking = { moves: [], refusals: [], previews: 0 });
  const asked = async (path, seat, body) => {
    const headers = { "Content-Type": "application/json", ...(seat && { Authorization: `Bearer ${asking.tokens[seat]}` }) };
    const answer = await fetch(`/api/v1/${path}`, body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers, cache: "no-store" });
    const told = await answer.json();
    if (!answer.ok) throw new Error(told.detail ?? told.title);
    return told;
  };

  const root = Object.assign(document.createElement("section"), { id: "prompt", hidden: true });
  document.querySelector(".stage .controls").replaceWith(root);
  const svg = document.querySelector("svg[data-board]"), signs = new Signs(document.querySelector("[data-replay]").dataset.icons);

  const submit = async ({ seat, move }) => {
    try {
      await asked(`games/${asking.game}/moves`, seat, move);
      asking.moves.push(move);
    } catch (problem) {
      asking.refusals.push(problem.message);
      throw problem;
    }
  };
  const foresee = async ({ seat, move }) => {
    asking.previews++;
    try {
      return await asked(`games/${asking.game}/moves?dry_run=true&beats=true`, seat, move);
    } finally {
      asking.previews--;
    }
  };
  const preview = previews ? foresee : null;

  /** Looks at another game. */
  asking.open = async (game, tokens) => {
    asking.prompt?.clear();
    Object.assign(asking, { game, tokens, moves: [], refusals: [] });
    const outline = await asked(`games/${game}/outline`);
    const ground = await asked(`rules/${encodeURIComponent(outline.rules)}/ground`);
    asking.names = { seats: Object.fromEntries(outline.seats.map(({ seat, name }) => [seat, name])) };
    asking.board = new Board(svg, ground);
    asking.prompt = new Prompt(root, asking.board, texts, signs);
  };

  /** Asks one of the seats for which the game waits: this one, if it is among them. */
  asking.next = async (wanted) => {
    const { waiting } = await asked(`games/${asking.game}/state`), seat = waiting.includes(wanted) ? wanted : waiting[0];
    if (!seat) return asking.prompt.clear();
    const [{ decisions }, scene] = await Promise.all([asked(`games/${asking.game}/decisions`, seat), asked(`games/${asking.game}/scene?viewer=${seat}`, seat)]);
    asking.board.frame(scene.view);
    asking.board.show(new Map(scene.sprites.map((sprite) => [sprite.key, sprite])));
    return asking.prompt.ask({ decisions, scene, names: asking.names }, { submit, preview });
  };

  /** Asks something of one's own. */
  asking.ask = async (decisions) => {
    const scene = await asked(`games/${asking.game}/scene`);
    asking.prompt.ask({ decisions, scene, names: asking.names }, { submit: async ({ move }) => asking.moves.push(move), preview: null });
  };

  // Playing by nothing but what glows

  const settled = () => new Promise((resolve) => {
    const look = () => (asking.prompt.isBusy ? setTimeout(look) : resolve());
    look();
  });

  /** Everything that can be pressed to get on: what glows, and buttons that are not dead. */
  const offered = () => [
    ...document.querySelectorAll('.prompt-targets [role="button"].legal'),
    ...root.querySelectorAll('[role="radio"]:not([aria-disabled]),[role="checkbox"]:not([aria-disabled])'),
    ...root.querySelectorAll(".stepper button:enabled,.acts button:enabled"),
  ];

  /** Plays so many moves, or to the end, by pressing at random what is offered. Gives the number of moves. */
  asking.play = async (seed, most) => {
    let chance = seed;
    const below = (number) => {
      chance = (chance * 48271) % 2147483647;
      return chance % number;
    };
    for (let presses = 0; asking.moves.length < most; presses++) {
      if (root.hidden) await asking.next();
      if (root.hidden) break;
      if (presses > 100 * most) throw new Error(`no end: ${root.innerText}`);
      const choices = offered(), commit = root.querySelector(".commit:enabled");
      const pressed = commit && below(2) ? commit : choices[below(choices.length)];
      pressed.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      await settled();
    }
    return asking.moves.length;
  };
}
