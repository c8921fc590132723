// Answers with their probabilities, as bars; a second round of answers stands in the same rows.

import { asShare, el } from "../../../attention_view/lab.js";

const mark = () => el("span.mark", " ✓");
const largest = (shares) => shares.indexOf(Math.max(...shares));

/** One question: {question, answers, shares, right}; `before`, if given, is outlined behind the bars. */
export function questionOf({ question, answers, shares, right, before }) {
  const best = largest(shares);
  const changed = before && largest(before) !== best;
  return el(
    "div",
    { class: changed ? "question changed" : "question" },
    el("h2", question, changed ? el("span.quiet", " · another answer") : null),
    ...answers.map((answer, n) =>
      el(
        "div",
        { class: n === best ? "answer best" : "answer" },
        el("span.name", { title: answer }, answer, n === right ? mark() : null),
        el(
          "span.track",
          el("i", { style: `width: ${shares[n] < 0.005 ? 0 : 100 * shares[n]}%` }),
          before ? el("u", { style: `width: ${100 * before[n]}%` }) : null,
        ),
        el("span.amount", asShare(shares[n])),
      ),
    ),
  );
}
