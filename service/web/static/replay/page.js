// The replay page: starts the viewer of a game that is kept here, with what the page brings along.

import { said } from "./dom.js";
import { StoredGame } from "./source.js";
import { Viewer } from "./viewer.js";

const given = (id) => JSON.parse(document.getElementById(id).textContent);
const page = document.querySelector("[data-replay]"), texts = given("texts");

new Viewer(page, new StoredGame(page.dataset.game), given("game"), texts).begin().catch((problem) => {
  page.querySelector('[data-part="toast"]').textContent = said(texts.trouble, { problem: problem.message });
});
