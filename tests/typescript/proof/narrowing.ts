// What a program relies on, whichever generator has made its types. It is never run: it compiles, or not.

import type { components } from "../generated/openapi-typescript/schema";
import type * as Hey from "../generated/hey-api/types.gen";
import type * as Orval from "../generated/orval/client.schemas";

type Schemas = components["schemas"];

export function kingOf(facts: Schemas["Fact"][]): string[] {
  const seen: string[] = [];
  for (const fact of facts) {
    switch (fact.fact) {
      case "king_moved":
        seen.push(fact.region);
        break;
      case "space_scored":
        seen.push(...fact.awards.map((award) => `${award.player} ${award.points.toFixed()}`));
        break;
      case "power_card_recovered":
        // Masked for others: a number, or nothing.
        seen.push(fact.value === null ? "hidden" : fact.value.toFixed());
        break;
      case "answer_sealed":
        if (fact.answer?.kind === "set_disk") seen.push(fact.answer.region);
        break;
      case "seat_taken":
        seen.push(fact.who);
        // @ts-expect-error Taking a seat has nothing to do with a region.
        seen.push(fact.region);
        break;
    }
  }
  return seen;
}

export function kingOfHey(fact: Hey.Fact): string {
  switch (fact.fact) {
    case "king_moved":
      return fact.region;
    case "seat_taken":
      // @ts-expect-error Taking a seat has nothing to do with a region.
      return fact.region;
    default:
      return "";
  }
}

export function kingOfOrval(fact: Orval.Fact): string {
  switch (fact.fact) {
    case "king_moved":
      return fact.region;
    case "seat_taken":
      // @ts-expect-error Taking a seat has nothing to do with a region.
      return fact.region;
    default:
      return "";
  }
}

export function answer(decision: Schemas["Decision"]): Schemas["Move"] {
  switch (decision.kind) {
    case "power":
      return { ...decision.example, value: decision.example.value + 1 };
    case "menu":
      // @ts-expect-error An answer to the menu is one of several: its kind must be looked at.
      decision.example.to;
      return decision.example.kind === "place" ? { ...decision.example, to: { granada: 1 } } : decision.default;
    case "veto":
      return { decision: decision.id, kind: "veto_response", answer: "allow" };
    default:
      return decision.example;
  }
}

export const answerHey = (decision: Hey.Decision): Hey.Move =>
  decision.kind === "power" ? { ...decision.example, value: decision.example.value } : decision.example;

export const answerOrval = (decision: Orval.Decision): Orval.Move =>
  decision.kind === "power" ? { ...decision.example, value: decision.example.value } : decision.example;

// @ts-expect-error A power card has a value.
export const incomplete: Schemas["Move"] = { decision: "1-red", kind: "play_power_card" };

// @ts-expect-error Moves have no other fields.
export const tooMuch: Schemas["Move"] = { decision: "1-red", kind: "end_turn", colour: "red" };

export function limits(schema: Schemas["DecisionSchema"]): [number, number] {
  const total = schema.anyOf[0]["x-total"];
  return [total?.maximum ?? 0, schema["x-at-once"] ?? 1];
}

export function about(notice: Schemas["Notice"]): string {
  switch (notice.kind) {
    case "webhook_disabled":
      return notice.webhook;
    case "round_published":
      return `${notice.tournament} ${notice.round ?? 0}`;
    case "pairing":
      return notice.game + (notice.tournament ?? "");
    case "reminder":
      // @ts-expect-error A reminder is about a game, and has no round.
      return notice.round;
    default:
      return notice.game ?? notice.tournament;
  }
}

export const aboutHey = (notice: Hey.Notice): string => (notice.kind === "reminder" ? notice.game : notice.text);

export const aboutOrval = (notice: Orval.Notice): string => (notice.kind === "reminder" ? notice.game : notice.text);

export function received(delivery: Schemas["Delivery"]): string {
  switch (delivery.kind) {
    case "commit":
      return delivery.event.story.join("; ");
    case "test":
      return delivery.webhook;
    default:
      return delivery.notice.text;
  }
}

export function regions(state: Schemas["State"]): string[] {
  return state.state === null ? [] : Object.keys(state.state.regions);
}

// What is sent to studies and tournaments is told apart by its kind, too.

export const comment: Schemas["Edit"] = { kind: "write_comment", chapter: "k1", node: "20", text: "Aha" };

// @ts-expect-error A comment has a text.
export const wordless: Schemas["Edit"] = { kind: "write_comment", chapter: "k1", node: "20" };

export const entered: Schemas["TournamentAction"] = { kind: "register", player: "bot:greedy:1" };

// @ts-expect-error A ruling has its reason.
export const unfounded: Schemas["TournamentAction"] = { kind: "adjudicate", round: 1, table: 0, result: { places: [1, 2] } };

/** A sentence with its players set apart. */
export function told(sentence: Schemas["Sentence"]): string {
  return sentence.parts.map((part) => (typeof part === "string" ? part : part.name)).join("");
}

export const toldHey = (sentence: Hey.Sentence): string[] =>
  sentence.parts.map((part) => (typeof part === "string" ? part : part.seat));

export const toldOrval = (sentence: Orval.Sentence): string[] =>
  sentence.parts.map((part) => (typeof part === "string" ? part : part.seat));
