// Requests: what has a default may be left out; what has none may not.

import type { components, operations, paths } from "../generated/openapi-typescript/schema";
import { postGames as heyPostGames } from "../generated/hey-api/sdk.gen";
import { postGames as orvalPostGames } from "../generated/orval/client";

type NewGame = components["requestBodies"]["NewGame"]["content"]["application/json"];

export const smallest: NewGame = { players: 2 };
export const timed: NewGame = { players: 2, time: { bank_ms: 600_000 }, options: { game_length: "short" } };

// @ts-expect-error A table has a number of seats.
export const nothing: NewGame = {};

// @ts-expect-error A table is seen by all or by its players.
export const secret: NewGame = { players: 2, visibility: "secret" };

export const made = heyPostGames({ body: { players: 2 }, headers: { "Idempotency-Key": "table-1" } });
export const madeToo = orvalPostGames({ players: 2 });

type Problem = operations["post_games_moves"]["responses"]["409"]["content"]["application/problem+json"];

export function tooLate(problem: Problem): boolean {
  // @ts-expect-error No move is answered like this.
  if (problem.code === "handle_free") return false;
  return problem.code === "time_is_up" || problem.code === "not_your_decision";
}

export type Look = paths["/api/v1/games/{game}"]["get"]["responses"]["200"]["content"]["application/json"];
export const seats = (game: Look): (string | null)[] => game.seats.map((seat) => seat.player?.handle ?? null);
