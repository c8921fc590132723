// What is said of a head that is taken out, and of all of them in the end.

import { ordinal } from "../../../../attention_view/lab.js";
import { bySize, headFirst, headName, headOf, isMark } from "../head_stage/picture.js";
import { chances, leastOfOthers, mostOf, said } from "../head_stage/ranks.js";

const MOST_WORDS = 3; // that are named, of those said instead

/** The heads, by their places, without each of which alone the model says another word. */
export function needed(arrays) {
  const was = said(arrays.before);
  return [...arrays.moved.keys()].filter((at) => said(chances(arrays, headOf(at, arrays.moved.shape[1]))) !== was);
}

/** The head that the dark button leads to: of those that are needed, or else of all, the one that costs most. */
export const sought = (needed, moved) => bySize(moved).find((at) => !needed.length || needed.includes(at));

/** The heads that are pointed at first, by their places: six on which nothing hangs, and that look most at another word
 * from the position that is read. The last is one that looks at the answer all the same, or else the one that looks
 * most. looks: rows (heads, T) of attention weights. */
export function shownFirst(tokens, at, answer, looks, needed) {
  const T = tokens.length;
  const seen = Array.from({ length: looks.length / T }, (_, head) => {
    const row = looks.subarray(head * T, (head + 1) * T);
    const [key] = mostOf(tokens, row, at);
    return { head, key, counts: row[key] + (tokens[key] === answer) };
  });
  const isTelling = ({ head, key }) => key !== at && !isMark(tokens[key]) && !needed.includes(head);
  const found = seen.filter(isTelling).sort((a, b) => a.counts - b.counts);
  return found.slice(-6).map(({ head }) => head);
}

/** What the dark button says of the head that it leads to: its layer, then the head itself. */
const hint = (hints, [layer, head]) =>
  hints === 1
    ? `Look in layer ${layer}: point at each of its heads.`
    : `It is head ${head} of layer ${layer}. See where it looks, and take it out.`;

/** The sentence above the heads. state: what is out, which heads were tried, which of all are needed; the words that
 * are said now and with all heads, and how sure of it the model is. */
export function finding(state, words) {
  const { out, tries, found, isAll, isTold, isHint, hints, target, needed, arrays } = state;
  const { now, was, sure } = words;
  if (isTold) return ofAll(arrays, needed, words);
  if (isHint) return hint(hints, target);
  if (!out)
    return tries || isAll ? `With all heads, it says “${was}”.` : question(was, sure, needed, arrays.moved.length);
  const isFinder = hints < 2 && String(found) === String([tries, ...out]);
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

/** "a", "a or b", "a, b or c". */
const listed = (words) => [words.slice(0, -1).join(", "), ...words.slice(-1)].filter(Boolean).join(" or ");

/** What all heads cost, once they are told. */
export function ofAll(arrays, needed, { labels, was }) {
  const all = arrays.moved.length;
  if (!needed.length) return `Whichever of the ${all} heads is taken out, it still says “${was}”.`;
  if (needed.length > 1) {
    const words = needed.map((at) => `“${labels[said(chances(arrays, headOf(at, arrays.moved.shape[1])))]}”`);
    const others = [...new Set(words)];
    const some = others.length > MOST_WORDS ? [...others.slice(0, MOST_WORDS - 1), "another word"] : others;
    return `It needs each of ${needed.length} heads: take one out, and it says ${listed(some)} instead of “${was}”.`;
  }
  const only = headOf(needed[0], arrays.moved.shape[1]);
  const least = Math.floor(100 * leastOfOthers(arrays, only));
  if (said(arrays.before) !== 0) return `${headFirst(only)} alone changes the word when it is taken out.`;
  return `It needs one of its ${all} heads: take out any other, and “${labels[0]}” keeps at least ${least}%.`;
}

/** What the dark button says. */
export const act = ({ isFound, isAll, hints, header }) =>
  isAll
    ? header.further || "Start again"
    : isFound
      ? "Show all"
      : ["Give me a hint", "Another hint", "Take it out"][hints];

export const where = (from, to, head) => `From “${from}”, ${headName(head)} looks most at ${to}.`;

const [SURE, MOST] = [0.99, 6]; // so sure with all heads that no cost would be seen in percent; nines of a scale

/** How many nines a probability begins with: 90% has one, 99% two. */
const nines = (p) => Math.min(MOST, -Math.log10(Math.max(1 - p, 1e-9)));

/** How long the bar of a probability is, of 1, and the marks along it, [where, what]. It goes from 0 to 100%; where the
 * model is all but certain with all heads, each nine is as long as the one before. whole: that probability. */
export function gauge(p, whole) {
  if (whole < SURE) return { long: p, marks: [] };
  const all = Math.ceil(nines(whole));
  const said = (n) => (n === 1 ? "90%" : `99${n > 2 ? "." : ""}${"9".repeat(n - 2)}%`);
  const marks = Array.from({ length: all - 1 }, (_, n) => [(n + 1) / all, said(n + 1)]);
  return { long: Math.min(1, nines(p) / all), marks };
}
