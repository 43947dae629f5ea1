// Starts the studio, with what its page brings along.

import { said } from "../replay/dom.js";
import { StoredGame } from "../replay/source.js";
import { StudyClient } from "./client.js";
import { Studio } from "./studio.js";

const given = (id) => JSON.parse(document.getElementById(id).textContent);
const page = document.querySelector("[data-replay]"), texts = given("texts");

async function start() {
  const { study, linkKey: key, game } = page.dataset;
  const client = new StudyClient(study, key, (state) => studio.parts.saved(state));
  const studio = new Studio(page, new StoredGame(game), given("game"), texts, client, given("study"));
  await studio.begin();
}

start().catch((problem) => {
  page.querySelector('[data-part="toast"]').textContent = said(texts.trouble, { problem: problem.message });
});
