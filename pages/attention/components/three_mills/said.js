// What is said of a query on a key, for the eye and for a voice.

import { fixed } from "../../../../attention_view/lab.js";

export const FITS = 0.2; // the least attention weight of a key that fits

/** What products add where the signs agree, and what they take away where they differ. */
export const forAndAgainst = (products) => [
  products.reduce((sum, x) => sum + Math.max(0, x), 0),
  products.reduce((sum, x) => sum - Math.min(0, x), 0),
];

/** The key that fits best, of those that may be looked at. */
export const bestOf = ({ scores, open }) =>
  scores.reduce((best, score, n) => (open[n] && (best === null || score > scores[best]) ? n : best), null);

/** What is asked while the query lies on no key. */
export const asking = ({ word }) => [
  "Drag the ",
  ["query", "query"],
  ` of “${word}” down: which `,
  ["key", "key"],
  " does it fit?",
];

/** Of the query on key n: whether it fits, and the sum. products: of the two, number by number */
export function laid({ word, scores, weights }, n, key, products) {
  const [adds, takes] = forAndAgainst(products).map((x) => fixed(x, 1));
  const score = ["score", fixed(scores[n], 1)];
  const sum = [`: same signs add ${adds}, opposite signs take ${takes} away, `, score, "."];
  if (weights[n] >= FITS) return [["query", word], " fits ", ["key", key], ...sum];
  return [["query", word], " does not fit ", ["key", key], ...sum];
}

/** After all keys: which fits best, or that none does. */
export function found({ word, scores, weights, open }, words) {
  const best = bestOf({ scores, open });
  const score = ["score", fixed(scores[best], 1)];
  if (weights[best] < FITS) return ["No key fits ", ["query", word], ": the highest score is ", score, "."];
  const many = open.filter(Boolean).length;
  return [["query", word], " tried ", `${many} keys: `, ["key", words[best]], " fits best, ", score, "."];
}

/** After another word was put in the place of the one that asks: which key it fits, and which that one fitted. */
export function swapped(now, before, words) {
  const [here, there] = [now, before].map(bestOf);
  if (now.weights[here] < FITS) return found(now, words);
  const score = ["score", fixed(now.scores[here], 1)];
  if (here === there) return [["query", now.word], " fits the same key best: ", ["key", words[here]], ", ", score, "."];
  return [
    "Same keys, another query: ",
    ["query", now.word],
    " fits ",
    ["key", words[here]],
    " best, ",
    score,
    `; “${before.word}” fitted `,
    ["key", words[there]],
    ".",
  ];
}
