// Studies, of a game that ended early.

import assert from "node:assert/strict";
import { test } from "node:test";

import { all, Hidalgo, NotFound, tunnel, URL_OF_SERVICE } from "./harness.mjs";

const guest = () => new Hidalgo(URL_OF_SERVICE).guest();

async function studied() {
  const [host, other] = await Promise.all([guest(), guest()]);
  const table = await other.join(await host.createGame({ players: 2 }));
  await host.start(table);
  await other.resign(table);
  const { version } = await host.game(table);
  return { host, other, version: version - 1, study: await host.studies.create({ title: "Vetoes", game: table.id }) };
}

test("moves are tried, written about and guessed", async () => {
  const { host: { studies }, version, study } = await studied();
  const { decisions: [{ seat, example: move }] } = await studies.position(study, "k1", version);
  assert.ok((await studies.preview(study, "k1", version, { seat, move })).scene);
  const { node } = await studies.edit(study, { kind: "try_move", chapter: "k1", parent: String(version), seat, move });
  await studies.edit(study, { kind: "write_comment", chapter: "k1", node: node.id, text: "*Aha*" });
  const { notes } = await studies.chapter(study, "k1", { viewer: "red" });
  assert.equal(notes[node.id].comments[0].html, "<p><em>Aha</em></p>");
  assert.equal((await studies.guess(study, "k1", version, { seat, move })).variation.node, node.id);
  assert.deepEqual((await studies.history(study, { limit: 2 })).edits.map(({ kind }) => kind), ["write_comment", "try_move"]);
});

test("edits arrive once each, also over a line that is cut", async (t) => {
  const { host: { studies }, other, study } = await studied();
  const way = await tunnel(t);
  await studies.edit(study, { kind: "set_visibility", visibility: "link" });
  const { link, version } = await studies.look(study);
  const reader = await new Hidalgo(way.url).guest();
  const listening = reader.studies.stream(study, { after: version, key: link.split("?key=")[1], pause: 0.05 });
  for (const number of [1, 2, 3]) {
    await studies.edit(study, { kind: "rename", title: `Number ${number}`, seen: version + number - 1 });
    const { value } = await listening.next();
    assert.deepEqual([value.version, value.kind], [version + number, "rename"]);
    way.cut();
  }
  await listening.return();
  await assert.rejects(other.studies.stream(study, { after: 0 }).next(), NotFound);
});

test("a file comes back", async () => {
  const { host: { studies }, study } = await studied();
  for (const format of ["json", "text"]) {
    const document = await studies.export(study, { format });
    const again = await studies.importFile({ format, document });
    assert.equal(await studies.export(again, { format }), document);
  }
});

test("a study is shared, found and deleted", async () => {
  const { host: { studies }, other, study } = await studied();
  await assert.rejects(other.studies.look(study), NotFound);
  await studies.edit(study, { kind: "set_visibility", visibility: "link" });
  const key = (await studies.look(study)).link.split("?key=")[1];
  assert.equal((await other.studies.look(study, { key })).title, "Vetoes");
  await studies.present(study, { chapter: "k1", node: "2", is_writing: true });
  const [found] = await all(studies.find({ owner: "me", limit: 1 }));
  assert.equal(found.id, study.id);
  assert.equal(found.writing_now.length, 1);
  await studies.delete(study);
  await assert.rejects(studies.look(study), NotFound);
});
