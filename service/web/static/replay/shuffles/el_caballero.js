// What El Caballero shuffles, dealt again from the seed: the first tile, the stack, the first player.

const DRAWN = ["start_tile_drawn", "stack_shuffled", "first_player_drawn"];
const BLOCKS = 64; // of eight numbers; a game needs about a hundred

/** Gives whether everything that was drawn follows from the seed; `table` lists what games shuffle (docs/verify.json). */
export async function deal({ el_caballero: table }, facts, seed, { words, canonical, check }) {
  const { below, shuffled } = await words(seed, BLOCKS);
  const drawn = DRAWN.map((name) => facts.find(({ content }) => content.fact === name));
  check(drawn.every(Boolean), 0, "drawn");
  const [start, stack, player] = drawn;
  const seats = table.seats.slice(0, facts[0].content.players);
  const tiles = shuffled(table.tiles), first = tiles.find((tile) => table.plain.includes(tile));
  const expected = [
    [start, start.content.tile, first],
    [stack, stack.content.stack, shuffled(tiles.filter((tile) => tile !== first))],
    [player, player.content.player, seats[below(seats.length)]],
  ];
  for (const [{ version }, was, should] of expected) {
    check(canonical(was) === canonical(should), version, "seed");
  }
  return true;
}
