// What attention between two sentences says, as one sentence: of the word that is pointed at, of the one being written,
// or of a guess.

import { el, fixed } from "../../../../attention_view/lab.js";
import { LEAST } from "../thread_lines.js";
import { isMost } from "./weights.js";

const ORDER = "Not here: the order is another. ";

const strong = (weight) => el("b.weight", fixed(weight));
const joined = (nodes, glue = ", ") => nodes.flatMap((node, at) => (at ? [glue, ...[node].flat()] : [node].flat()));

/** The sentence on a question: {guess, asked, revealed, ...} of the threads. */
export function ofGuess({ data, weights, guess, asked, revealed }) {
  const english = (j) => el("b.source", data.source[j]);
  const foreign = el("b.target", data.target[asked]);
  if (!revealed) {
    const question = `Question ${guess.at + 1} of ${guess.order.length}. Where does the model look to write `;
    return [question, foreign, "? Pull a thread to that word, or press it."];
  }
  const [top, right, pick] = [weights.top(asked), weights.right(asked), guess.picks[guess.at]];
  const isWrong = right.length > 0 && !right.includes(top);
  return [
    pick === top ? "Yes. " : pick === asked ? ORDER : "Not here. ",
    "It looks most at ",
    english(top),
    " (",
    strong(weights.at(asked, top)),
    ")",
    ...(isWrong ? ["; it should look at ", ...joined(right.map(english))] : []),
    `. ${scored(weights, guess)}`,
  ];
}

/** How many words were found so far, or in the end. */
export function scored(weights, { order, at, picks }) {
  const hits = order.slice(0, at + 1).filter((i, n) => weights.top(i) === picks[n]).length;
  return `${at + 1 < order.length ? "So far" : "You found"} ${hits} of ${at + 1}.`;
}

/** The words of the largest weights: at most three, and at least `least` of them however small. */
function most(weights, named, least = 0) {
  const best = weights.map((w, n) => [w, n]).sort((a, b) => b[0] - a[0]);
  return joined(
    best
      .slice(0, 3)
      .filter(([w], at) => w >= LEAST || at < least)
      .map(([w, n]) => [named(n), " ", strong(w)]),
  );
}

/** Two neighbours that change places: where a word looks just before the one that the word before it looked at. "" if
 * there are none. */
export function crossed(weights, { source, target }) {
  const [i, j] = [weights.turn, weights.top(weights.turn)];
  if (!i || weights.top(i - 1) !== j + 1) return "";
  return `“${source[j]} ${source[j + 1]}” becomes “${target[i - 1]} ${target[i]}”: the threads cross.`;
}

/** What became of the translation as the words above were put in another order. before: what was written, {target} */
export function ofMove(weights, { target }, before) {
  const words = before.target.filter((word) => word !== "⟨end⟩").join(" ");
  if (String(target) !== String(before.target))
    return ["In this order, it writes something else.", ` Before: “${words}”.`];
  const cross = weights.turn ? "The threads went with their words, and cross." : "Now no threads cross.";
  return ["Another order, and the same translation, word for word.", ` ${cross}`];
}

/** How much of the attention of a head, or of all heads of the layer, goes to where a dictionary would have it. */
export function ofAll({ mass, head }) {
  if (mass === null) return "Threads are as thick as the model’s attention weights.";
  const where = head >= 0 ? `In head ${head}, ` : "";
  return `${where}${Math.round(100 * mass)}% of the attention goes to the right words.`;
}

/** What follows on what is wrong with a translation; where nothing else does, how much goes to the right words, if
 * these are known. */
export const afterFault = ([, then], weights) => then || (weights.mass === null ? "" : ofAll(weights));

/** What is wrong with a translation, before anything else: [what has to be said, what may follow]. */
export function ofFault(fault, weights) {
  const more = afterFault(fault, weights);
  return more ? [fault[0], el("span.quiet", ` ${more}`)] : [fault[0]];
}

/** The sentence on the word that everything points at. */
export function ofFocus({ data, weights, focus, before }) {
  if (!focus) {
    if (before) {
      const [main, more] = ofMove(weights, data, before);
      return [main, el("span.quiet", more)];
    }
    if (data.fault[0]) return ofFault(data.fault, weights);
    const cross = crossed(weights, data);
    if (!cross) return [ofAll(weights)];
    const j = weights.top(weights.turn);
    return [cross, el("span.quiet", ` Drag “${data.source[j]}” behind “${data.source[j + 1]}”: do they still?`)];
  }
  const [side, at] = focus;
  const english = (j) => el("b.source", data.source[j]);
  const foreign = (i) => el("b.target", data.target[i]);
  if (side === "t")
    return ["To write ", foreign(at), ", it gives ", ...most(weights.row(at), english, 1), " of its attention."];
  const by = most(weights.column(at), foreign);
  return [english(at), " is looked at by ", ...(by.length ? by : ["nobody here"]), "."];
}

/** The sentence on the word that is being written: what is wrong with it, what was read, and where it looks. A mistake
 * is said once it is written, and what is left unread at the end. guess: the word that a reader took it to look at */
export function ofWritten({ source, target, unread, fault, mistake }, step, row, guess) {
  const given = most(row, (j) => el("b.source", source[j]), 1);
  const verdict =
    guess === undefined ? [] : isMost(row, guess) ? ["Yes. "] : ["You said ", el("b.source", source[guess]), ". "];
  const word = el("b.target", target[step]);
  const where = [...verdict, "To write ", word, ", the decoder gives ", ...given, " of its attention."];
  const wrong = wrongly({ target, unread, fault, mistake }, step);
  if (wrong && wrong === fault[1]) return [wrong]; // of the whole text: it has the line for itself
  return wrong ? [`${wrong} `, el("span.quiet", ...where)] : where;
}

/** What is wrong at a step, as a sentence; "" if nothing is, as far as anybody knows. */
export function wrongly({ target, unread, fault, mistake }, step) {
  if (step === mistake?.[0]) {
    const [, written, right] = mistake;
    return right ? `“${written || target[step]}” is wrong: it should be “${right}”.` : `“${written}” is too much.`;
  }
  if (mistake && step > mistake[0]) return "The text has gone wrong before.";
  if (step === target.length - 1 && fault[1]) return fault[1];
  return unread.some(Boolean) ? fault[0] : "";
}
