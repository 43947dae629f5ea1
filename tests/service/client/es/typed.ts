// A program in TypeScript, for the compiler to look at.

import { type Answer, type Game, Hidalgo, OAuth, Problem, RuleBroken, sample } from "hidalgo-client";

async function play(hidalgo: Hidalgo, game: Game, signal: AbortSignal): Promise<number> {
  for await (const commit of hidalgo.stream(game, { signal, after: game.version })) {
    const { decisions } = await hidalgo.decisions(game);
    for (const decision of decisions) {
      const answer: Answer = sample(decision.schema);
      const accepted = await hidalgo.move(game, answer, { ifMatch: commit.version, signal });
      console.log(accepted.story.join(", "));
    }
  }
  return game.version;
}

async function main(): Promise<void> {
  const hidalgo = await new Hidalgo("http://127.0.0.1:8000", { retryFor: 600 }).guest();
  const game = await hidalgo.createGame({ players: 2, visibility: "private" });
  try {
    await play(hidalgo, await hidalgo.start(game), new AbortController().signal);
  } catch (error) {
    if (error instanceof RuleBroken) console.log(error.rule);
    else if (error instanceof Problem) console.log(error.code, error.retryAfter ?? 0);
    else throw error;
  }
  for await (const { game: other, position } of hidalgo.positions({ games: [game] })) {
    console.log(other.id, position.version);
  }
  const { pending } = await hidalgo.changeMail({ choices: ["turn"], address: "ana@mail.example" });
  console.log(pending?.length, (await hidalgo.mail()).parked[0]?.error);
  const oauth = new OAuth(hidalgo.url, { clientId: "app", redirectUri: "https://app.example/back" });
  const tokens = await oauth.finish(await oauth.begin());
  console.log(tokens.access_token, tokens.refresh_token?.length);
}

void main();
