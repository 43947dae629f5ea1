// What El Grande and its expansions shuffle, dealt again from the seed, in the order in which they draw: the regions, those
// that an expansion sets apart, the stacks of action cards, the first bidder.

const BLOCKS = 64; // of eight numbers; a game needs about a hundred

/** Gives whether everything that was drawn follows from the seed; `table` lists what games shuffle (docs/verify.json). */
export async function deal(table, facts, seed, { words, canonical, check }) {
  const { rules, options, players } = facts[0].content;
  if (!table.rules.includes(rules)) return false;
  const expansions = rules.split("+").slice(1);
  const names = ["regions_drawn", ...each(expansions, table.drawn_apart), "stacks_shuffled", "first_bidder_drawn"];
  const found = Object.fromEntries(names.map((name) => [name, facts.find(({ content }) => content.fact === name)]));
  check(Object.values(found).every(Boolean), 0, "drawn");
  const { below, shuffled } = await words(seed, BLOCKS);
  const seats = table.seats.slice(0, players);
  const [king, ...others] = shuffled(table.regions);
  const homes = others.slice(expansions.reduce((sum, name) => sum + (table.set_apart[name] ?? 0), 0));
  const printed = table.without_stacks.includes(rules) ? [] : table.stacks.map((cards) => shuffled(cards));
  const further = expansions.flatMap((name) =>
    (table.further_stacks[name] ?? []).map((cards) => fromDeck(cards, table.decks[name], options.deck, shuffled)));
  const expected = [
    ["regions_drawn", "king", king],
    ["regions_drawn", "homes", Object.fromEntries(seats.map((seat, index) => [seat, homes[index]]))],
    ["mercenaries_drawn", "region", others[0]],
    ["stacks_shuffled", "stacks", [...printed, ...further]],
    ["first_bidder_drawn", "player", seats[below(seats.length)]],
  ];
  for (const [name, field, should] of expected) {
    if (found[name]) check(canonical(found[name].content[field]) === canonical(should), found[name].version, "seed");
  }
  return true;
}

function each(expansions, lists) {
  return expansions.flatMap((name) => lists[name] ?? []);
}

// Some of the cards of a stack: those that were agreed on, or the first of all of them.
function fromDeck(cards, deck, agreed, shuffled) {
  if (!deck) return shuffled(cards);
  if ((agreed ?? "random") === "random") return shuffled(cards).slice(0, deck.size);
  const numbers = agreed.split(",").map(Number);
  return shuffled(deck[agreed] ?? cards.filter((_, index) => numbers.includes(index + 1)));
}
