// What is said of a query on a key, for the eye and for a voice.

import { fixed } from "../../../../attention_view/lab.js";

const [LEAST, ABOVE_EVEN] = [0.2, 1.5]; // attention weight of a key that fits, and how much more than an even share

/** How many keys may be looked at. */
export const manyOf = ({ open }) => open.filter(Boolean).length;

/** Whether key n fits: of few keys each gets much attention, and more than an even share is asked of it. */
export const fits = (asked, n) => asked.weights[n] >= Math.min(1, Math.max(LEAST, ABOVE_EVEN / manyOf(asked)));

/** What products add where the signs agree, and what they take away where they differ. */
export const forAndAgainst = (products) => [
  products.reduce((sum, x) => sum + Math.max(0, x), 0),
  products.reduce((sum, x) => sum - Math.min(0, x), 0),
];

/** The key that fits best, of those that may be looked at. */
export const bestOf = ({ scores, open }) =>
  scores.reduce((best, score, n) => (open[n] && (best === null || score > scores[best]) ? n : best), null);

const MOST_KEYS = 8; // at once

/** Of a text's keys the `most` that fit best in any of the texts, in their order, and those in `kept` in any case. */
export function pickedOf(texts, kept, most = MOST_KEYS) {
  const rank = ({ scores, open }, n) => (open[n] ? scores[n] : -Infinity);
  const best = (n) => (kept.includes(n) ? Infinity : Math.max(...texts.map((text) => rank(text, n))));
  const all = texts[0].open.slice(0, texts[0].open.lastIndexOf(true) + 1).map((_, n) => n);
  const order = [...all].sort((a, b) => best(b) - best(a));
  return order.slice(0, most).sort((a, b) => a - b);
}

/** What is asked while the query lies on no key. */
export const asking = ({ word }) => [
  "Drag the ",
  ["query", "query"],
  ` of “${word}” down: which `,
  ["key", "key"],
  " does it fit?",
];

/** Of the query on key n: whether it fits, and the sum. products: of the two, number by number */
export function laid(asked, n, key, products) {
  const { word, scores } = asked;
  const [adds, takes] = forAndAgainst(products).map((x) => fixed(x, 1));
  const score = ["score", fixed(scores[n], 1)];
  const sum = [`: same signs add ${adds}, opposite signs take ${takes} away, `, score, "."];
  if (fits(asked, n)) return [["query", word], " fits ", ["key", key], ...sum];
  return [["query", word], " does not fit ", ["key", key], ...sum];
}

/** After all keys: which fits best, or that none does. */
export function found(asked, words) {
  const { word, scores } = asked;
  const [best, many] = [bestOf(asked), manyOf(asked)];
  const score = ["score", fixed(scores[best], 1)];
  if (many === 1) return [["query", word], " may look at one key only, its own: the score is ", score, "."];
  if (!fits(asked, best)) return ["No key fits ", ["query", word], ": the highest score is ", score, "."];
  return [["query", word], " tried ", `${many} keys: `, ["key", words[best]], " fits best, ", score, "."];
}

/** How far keys may differ, number by number, and still be called the same. */
const SAME = 1e-3;

/** Whether all keys but that of the word that asks, `at`, are as they were before it was swapped: in a model that sees
 * all words, and in higher layers, the others have heard of it. */
const areSame = (now, before, at) =>
  now.keys.every((key, n) => n === at || !now.open[n] || key.every((x, d) => Math.abs(x - before.keys[n][d]) < SAME));

/** After another word was put in the place of the asking one, `at`: which key fits it, and which fitted that one. */
export function swapped(now, before, words, at) {
  const [here, there] = [now, before].map(bestOf);
  if (!fits(now, here) || manyOf(now) === 1) return found(now, words);
  const score = ["score", fixed(now.scores[here], 1)];
  if (here === there && here !== at)
    return [["query", now.word], " fits the same key best: ", ["key", words[here]], ", ", score, "."];
  const own = there === at ? before.word : words[there];
  return [
    areSame(now, before, at) && here !== at ? "Same keys, another query: " : "Another query: ",
    ["query", now.word],
    " fits ",
    ["key", words[here]],
    " best, ",
    score,
    `; “${before.word}” fitted `,
    ...(fits(before, there) ? [["key", own]] : ["none"]),
    ".",
  ];
}
