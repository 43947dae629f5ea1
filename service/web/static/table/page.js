// Starts the table, with what its page brings along.

import { said } from "../replay/dom.js";
import { Table } from "./table.js";

const given = (id) => JSON.parse(document.getElementById(id).textContent);
const page = document.querySelector("[data-table]"), texts = given("texts");

try {
  new Table(page, given("game"), texts).begin();
} catch (problem) {
  page.querySelector('[data-part="toast"]').textContent = said(texts.trouble, { problem: problem.message });
  throw problem;
}
