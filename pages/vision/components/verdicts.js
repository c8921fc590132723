// What the model sees, a line per question: the likeliest answer as a large word, and the shares of all as one bar.

import { asShare, el } from "../../../attention_view/lab.js";

const NAMED = 0.16; // share of a bar with room for a name
const MOVED = 0.05; // by which the share of an answer has to fall before that is said

const NINES = [0.9, 0.99, 0.999, 0.9999]; // on the scale of all bars

/** How long the bar of a share is, of 1: half of it up to 90%, and then a tenth for each nine. */
export const longOf = (share) =>
  share < 0.9 ? share / 1.8 : Math.min(1, (4 - Math.log10(Math.max(1 - share, 1e-9))) / 10);

/** The marks of that scale. */
export const scaleOf = () => el("div.scale-marks", { "aria-hidden": "true" }, ...NINES.map(markAt));

const markAt = (share) => el("span", { style: `left: ${100 * longOf(share)}%` }, `${+(100 * share).toFixed(2)}%`);

/** The likeliest answer of a question: [its name, its share]. */
export function bestOf({ answers, shares }) {
  const n = shares.indexOf(Math.max(...shares));
  return [answers[n], shares[n]];
}

/** Whether the paint has brought another answer to a question. */
export const isNew = (group) => Boolean(group.was) && bestOf(group)[0] !== group.was[0];

/** What the paint has done to the answer of a question, in two words: "was two", "was 99%"; "" for nothing. */
function wasOf(group) {
  const [, share] = bestOf(group);
  if (!group.was) return "";
  const [before, sure] = group.was;
  if (isNew(group)) return `was ${before}`;
  return sure - share > MOVED ? `was ${asShare(sure)}` : "";
}

/** What the paint has done to all answers, in a sentence; "" where nothing is painted. covered: "2 of 36 patches" */
export function changeOf(groups, covered) {
  if (!groups[0].was) return "";
  const painted = `${covered} painted`;
  const changed = groups.filter(isNew);
  const now = listed(changed.map((group) => bestOf(group)[0]));
  if (changed.length === 1) return `${painted}, and it says ${now}, not ${changed[0].was[0]}.`;
  if (changed.length) return `${painted}, and it says ${now}: ${changed.length} of ${groups.length} answers changed.`;
  const fall = (group) => group.was[1] - bestOf(group)[1];
  const [most] = [...groups].sort((a, b) => fall(b) - fall(a));
  const [answer, share] = bestOf(most);
  if (fall(most) > MOVED)
    return `${painted}: it still says ${answer}, but is ${asShare(share)} sure instead of ${asShare(most.was[1])}.`;
  return `${painted}: ${groups.length > 1 ? `all ${groups.length} answers stay` : `it still says ${answer}`}.`;
}

const listed = (words) => (words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words.join());

/** A line for {question, answers, shares, right, was}. scale: how long a share of the bar is, of 1. */
export function verdictOf(group, scale = (share) => share) {
  const { question, answers, shares, right } = group;
  const order = answers.map((_, n) => n).sort((a, b) => shares[b] - shares[a]);
  const [best, ...others] = order;
  const all = order.map((n) => `${answers[n]} ${asShare(shares[n])}`).join(", ");
  const rest = (1 - scale(shares[best])) / Math.max(1e-9, 1 - shares[best]); // of the bar, for the others by share
  const part = (n, name, classes) =>
    el(
      "i",
      {
        class: classes,
        style: `width: ${100 * (n === best ? scale(shares[n]) : rest * shares[n])}%`,
        title: `${answers[n]} ${asShare(shares[n])}`,
      },
      name,
    );
  const was = wasOf(group);
  return el(
    isNew(group) ? "div.question.moved" : "div.question",
    el("h2", question),
    el(
      "div.word",
      el(best === right ? "p.verdict.right" : "p.verdict", answers[best]),
      was ? el("span.was", was) : null,
    ),
    el(
      "div.shares",
      { role: "img", "aria-label": all },
      part(best, asShare(shares[best]), "best"),
      ...others.map((n) => part(n, shares[n] > NAMED ? answers[n] : "", "")),
    ),
  );
}
