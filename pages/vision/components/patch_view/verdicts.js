// What the model sees, a line per question: the likeliest answer as a large word, and the shares of all as one bar.

import { el } from "../../../../attention_view/lab.js";
import { inPercent } from "../answers.js";

const NAMED = 0.16; // share of a bar with room for a name

/** A line for {question, answers, shares, right}. */
export function verdictOf({ question, answers, shares, right }) {
  const order = answers.map((_, n) => n).sort((a, b) => shares[b] - shares[a]);
  const [best, ...others] = order;
  const all = order.map((n) => `${answers[n]} ${inPercent(shares[n])}`).join(", ");
  const part = (n, name, classes) =>
    el(
      "i",
      { class: classes, style: `width: ${100 * shares[n]}%`, title: `${answers[n]} ${inPercent(shares[n])}` },
      name,
    );
  return el(
    "div.question",
    el("h2", question),
    el(best === right ? "p.verdict.right" : "p.verdict", answers[best]),
    el(
      "div.shares",
      { role: "img", "aria-label": all },
      part(best, inPercent(shares[best]), "best"),
      ...others.map((n) => part(n, shares[n] > NAMED ? answers[n] : "", "")),
    ),
  );
}
