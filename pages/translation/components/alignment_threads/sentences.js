// What the threads say, as one sentence: of the word that is pointed at, of the one being written, or of a guess.

import { el, fixed } from "../../../../attention_view/lab.js";
import { LEAST } from "../thread_lines.js";

const ORDER = "Not here: the words do not keep their places. ";

const strong = (weight) => el("b.weight", fixed(weight));
const joined = (nodes, glue = ", ") => nodes.flatMap((node, at) => (at ? [glue, ...[node].flat()] : [node].flat()));

/** The sentence on a question: {guess, asked, revealed, ...} of the threads; go(guess) goes on with the next. */
export function ofGuess({ data, weights, guess, asked, revealed }, go) {
  const english = (j) => el("b.source", data.source[j]);
  const foreign = el("b.target", data.target[asked]);
  if (!revealed) {
    const question = `Question ${guess.at + 1} of ${guess.order.length}. Which word does the model look at to write `;
    return [question, foreign, "? Pick it."];
  }
  const [top, right, pick] = [weights.top(asked), weights.right(asked), guess.picks[guess.at]];
  const hits = guess.order.slice(0, guess.at + 1).filter((i, at) => weights.top(i) === guess.picks[at]).length;
  const more = guess.at + 1 < guess.order.length;
  const of = `${hits} of ${guess.at + 1}`;
  const isWrong = right.length > 0 && !right.includes(top);
  const onclick = () => go(more ? { ...guess, at: guess.at + 1 } : null);
  return [
    pick === top ? "Yes. " : pick === asked ? ORDER : "Not here. ",
    "It looks most at ",
    english(top),
    " (",
    strong(weights.at(asked, top)),
    ")",
    ...(isWrong ? ["; it should look at ", ...joined(right.map(english))] : []),
    more ? `. So far ${of}. ` : `. You found ${of}${weights.score(guess)}. `,
    el("button.act", { onclick }, more ? "Next word" : "Show all threads"),
  ];
}

/** The sentence on the word that everything points at. */
export function ofFocus({ data, weights, focus, playing }) {
  if (!focus) return ["Hover over a word to see its threads alone; click or tap to hold it."];
  const { source, target } = data;
  const [side, at] = focus;
  const isTarget = side === "t";
  const best = (isTarget ? weights.row(at) : weights.column(at)).map((w, n) => [w, n]);
  best.sort((a, b) => b[0] - a[0]);
  const english = (j) => el("b.source", source[j]);
  const foreign = (i) => el("b.target", target[i]);
  const other = isTarget ? english : foreign;
  const most = best.slice(0, 3).filter(([w]) => w >= LEAST);
  const named = joined(most.map(([w, n]) => [other(n), " ", strong(w)]));
  if (!isTarget) return [english(at), " is looked at by ", ...(most.length ? named : ["nobody here"]), "."];
  const read = el("span.quiet", ["⟨start⟩", ...target.slice(0, at)].join(" "));
  const begins = playing ? ["The decoder has read ", read, " and writes "] : ["To write "];
  return [...begins, foreign(at), playing ? ", looking at " : ", it looks at ", ...named, "."];
}
