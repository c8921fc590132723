// Threads below a sentence, from the word that looks to those that it looks at.

import { arc, strand } from "../../../../attention_view/arcs.js";

const FAINTEST = 0.04; // of attention weight: what is less has no thread, if it is not the most
const SHALLOW = 12; // how deep a thread hangs, at most, where another line is below
const PRESSED = [1 / 3, 2 / 3]; // of more depth, what is left there; and where there are two lines, with more between
const [APART, CABLE] = [1.6, 80]; // pixels from a thread to the next one of a word, and from the first to the last

/** An arc between two places of one line, below it, deeper than the one of a text that is not the subject, and more. */
export function archOf(from, to, y, more = 0) {
  const deep = y + 12 + more + Math.min(46, 1.75 * Math.sqrt(Math.abs(to - from)));
  return `M${from} ${y}C${from} ${deep} ${to} ${deep} ${to} ${y}`;
}

/** The token that the asking one looks at most in a head, and with which weight: [key, weight]; the key is -1 where
 * there is none, or where several have the same weight. */
export function mostOf(row) {
  const weight = Math.max(0, ...row);
  const key = row.indexOf(weight);
  return [weight && key === row.lastIndexOf(weight) ? key : -1, weight];
}

/** The keys that a thread leads to, the weakest first: [[key, weight], ...]. own: the token that asks, which has none
 * to itself; the one that is looked at most always has one. */
export function threadsOf(row, own, [most] = mostOf(row)) {
  const isSeen = ([j, weight]) => j !== own && (j === most || weight >= FAINTEST);
  return [...row.entries()].filter(isSeen).sort((a, b) => a[1] - b[1]);
}

/** A thread from one word to another, [middle, foot, top, line] each; null where lines of text lie between them and it
 * would cross their words, if it is not the one that counts. last: number of the last line; more: depth, in pixels. */
export function threadOf(from, to, last, counts, more = 0) {
  const [x, foot, , line] = from;
  const [end, , , other] = to;
  if (line === other)
    return line === last ? archOf(x, end, foot, more) : arc(x, end, foot, SHALLOW + PRESSED[Number(last === 1)] * more);
  return counts || Math.abs(line - other) === 1 ? strand(from.slice(0, 3), to.slice(0, 3)) : null;
}

/** So many threads side by side, between two words of which the width comes last. */
export function cableOf(from, to, last, n) {
  const way = Math.sign(to[0] - from[0]);
  const moved = ([x, ...more], aside) => [x + aside * Math.min(1, (0.8 * more[3]) / n), ...more];
  return Array.from({ length: n }, (_, k) => {
    const aside = way * (k - (n - 1) / 2);
    return threadOf(moved(from, -aside), moved(to, aside), last, true, k * Math.min(APART, CABLE / n));
  });
}
