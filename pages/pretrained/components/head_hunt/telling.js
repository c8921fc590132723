// What is said of a head that is taken out, and of all of them in the end.

import { ordinal } from "../../../../attention_view/lab.js";
import { bySize, headFirst, headName, headOf } from "../head_stage/picture.js";
import { chances, leastOfOthers, said } from "../head_stage/ranks.js";

/** The heads, by their places, without each of which alone the model says another word. */
export function needed(arrays) {
  const was = said(arrays.before);
  return [...arrays.moved.keys()].filter((at) => said(chances(arrays, headOf(at, arrays.moved.shape[1]))) !== was);
}

/** The heads that the dark button tries: one without which least moves, one without which a little moves, and the one
 * without which most moves. */
export function threeOf(moved) {
  const order = bySize(moved);
  return [...new Set([order.at(-1), order[1] ?? order[0], order[0]])];
}

/** The sentence above the heads. state: what is out, which heads were tried, which of all are needed; the words that
 * are said now and with all heads, and how sure of it the model is. */
export function finding(state, words) {
  const { out, tries, found, isAll, isTold, needed, arrays } = state;
  const { now, was, sure } = words;
  if (isTold) return ofAll(arrays, needed, words);
  if (!out)
    return tries || isAll ? `With all heads, it says “${was}”.` : question(was, sure, needed, arrays.moved.length);
  const isFinder = String(found) === String([tries, ...out]);
  const does = now === was ? `it still says “${was}”, ${sure} sure.` : `it says “${now}” instead of “${was}”.`;
  return isFinder
    ? `Found on the ${ordinal(tries)} try: without ${headName(out)}, ${does}`
    : `Without ${headName(out)}, ${does}`;
}

const question = (was, sure, needed, all) =>
  `It says “${was}”, ${sure} sure. ` +
  (needed.length === 1
    ? `Which one of these ${all} heads does it need?`
    : `Does it need any one of these ${all} heads?`);

/** What all heads cost, once they are told. */
export function ofAll(arrays, needed, { labels, was }) {
  const all = arrays.moved.length;
  if (!needed.length) return `Whichever of the ${all} heads is taken out, it still says “${was}”.`;
  if (needed.length > 1) return `${needed.length} of the ${all} heads, each taken out alone, change the word.`;
  const only = headOf(needed[0], arrays.moved.shape[1]);
  const least = Math.floor(100 * leastOfOthers(arrays, only));
  if (said(arrays.before) !== 0) return `${headFirst(only)} alone changes the word when it is taken out.`;
  return `It needs one of its ${all} heads: take out any other, and “${labels[0]}” keeps at least ${least}%.`;
}

/** What the dark button says. */
export const act = ({ isFound, isAll, tries }) =>
  isAll ? "Start again" : isFound ? "Show all" : tries ? "Try another" : "Try one for me";

export const where = (from, to) => `From “${from}”, this head looks most at ${to}.`;
