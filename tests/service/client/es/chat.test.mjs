// What players say at a table, and the table after it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Forbidden, Hidalgo, NotNow, tunnel, URL_OF_SERVICE } from "./harness.mjs";

const guest = () => new Hidalgo(URL_OF_SERVICE).guest();

async function seated() {
  const [host, other] = await Promise.all([guest(), guest()]);
  const game = await host.start(await other.join(await host.createGame({ players: 2 })));
  return { host, other, game };
}

test("messages arrive once each, also over a line that is cut", async (t) => {
  const { host, other, game } = await seated(), way = await tunnel(t);
  const listening = new Hidalgo(way.url, { token: other.token }).chat.stream(game, { pause: 0.05 });
  for (const number of [1, 2, 3]) {
    await host.chat.write(game, `Number ${number}`);
    const { value } = await listening.next();
    assert.deepEqual([value.id, value.room, value.text], [number, "players", `Number ${number}`]);
    way.cut();
  }
  await listening.return();
  const spectator = await guest();
  assert.deepEqual((await spectator.chat.look(game)).messages, []);
  await assert.rejects(spectator.chat.look(game, { room: "players" }), Forbidden);
});

test("a message is removed, complained of, and its author muted", async () => {
  const { host, other, game } = await seated(), message = await other.chat.write(game, "oops");
  await host.chat.complain(game, message, { reason: "an insult" });
  await host.chat.mute(message.player.id);
  assert.deepEqual((await host.chat.mutes()).map(({ id }) => id), [message.player.id]);
  assert.deepEqual((await host.chat.look(game)).messages, []);
  await host.chat.unmute(message.player.id);
  await host.chat.remove(game, message);
  const { messages } = await host.chat.look(game);
  assert.deepEqual(messages.map(({ text, removes }) => [text, removes]), [["", null], ["", message.id]]);
});

test("after the end the same people sit down again", async () => {
  const { host, other, game } = await seated();
  await assert.rejects(host.rematch(game), NotNow);
  await other.resign(game);
  const table = await host.rematch(game), again = await other.rematch(game);
  assert.deepEqual([again.id, again.status], [table.id, "running"]);
});
