// The verification badge: checks the exported game in this browser, and says what was checked.

import { said } from "./dom.js";
import { NotGenuine, verify } from "./verify.js";

export async function badge(button, source, outline, texts) {
  const label = button.querySelector("span"), told = document.getElementById("proof");
  const say = (state, sentence, proof) => {
    button.dataset.state = state;
    label.textContent = sentence;
    told.querySelector("p").textContent = proof;
  };
  button.addEventListener("click", () => told.showModal());
  button.hidden = false;
  try {
    say("checking", texts.proof.checking, texts.proof.checking);
    const result = await verify(await source.exported(), dealer(outline.rules), (done, all) => {
      if (done % 20 === 0) label.textContent = said(texts.proof.counting, { done, all });
    });
    const sentence = !result.isOver ? texts.proof.chain : result.shuffled ? texts.proof.all : texts.proof.secret;
    say(result.isOver ? "verified" : "running", result.isOver ? texts.proof.verified : texts.proof.running,
      said(sentence, { commits: result.commits, head: result.head }));
  } catch (problem) {
    if (problem instanceof NotGenuine) {
      const { version, message } = problem;
      say("broken", texts.proof.broken, said(version ? texts.proof.where : texts.proof.whole, { version, problem: texts.proof.problems[message] }));
    } else say("unknown", texts.proof.unknown, said(texts.proof.failed, { problem: problem.message }));
  }
}

/** Deals a game anew, as its rules shuffle; there is a module for each game, and a table of what each set of rules has. */
export function dealer(rules) {
  return async (facts, seed, tools) => {
    const game = rules.split("+")[0];
    const { deal } = await import(`./shuffles/${game}.js`);
    const table = await (await fetch("/docs/verify.json")).json();
    return deal(table, facts, seed, tools);
  };
}
