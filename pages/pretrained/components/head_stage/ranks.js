// What a model says with a head taken out or carried over: out of the arrays, the few words that matter.

/** The probabilities of all words: with no head touched, or with one head or, where there are any, a whole layer. */
export function chances({ before, heads, layers, moved }, cut) {
  const n = before.length;
  if (!cut) return before;
  const [layer, head] = cut;
  if (head === null) return layers.subarray(layer * n, (layer + 1) * n);
  const at = layer * moved.shape[1] + head;
  return heads.subarray(at * n, (at + 1) * n);
}

/** The numbers of the words to show: the answer with no head touched first, then those that come nearest to it now. */
export function ranked(after, most) {
  const others = [...after.keys()].slice(1).sort((a, b) => after[b] - after[a]);
  return [0, ...others.slice(0, most - 1)];
}

/** The number of the word that is said. */
export const said = (after) => after.indexOf(Math.max(...after));

/** The positions that are looked at with at least so much weight. */
export const lookedAt = (row, least = 0.05) => [...row.keys()].filter((key) => row[key] >= least);

/** What a row of weights looks at most: its place, and what it is called in a sentence, with its weight. */
export function mostOf(tokens, row, at, isWeighed = true) {
  const best = row.indexOf(Math.max(...row));
  const weight = isWeighed ? ` (${row[best].toFixed(2)})` : "";
  return [best, `“${tokens[best]}”${best === at ? " itself" : ""}${weight}`];
}

/** The least probability that the answer keeps when any other single head is taken out. */
export function leastOfOthers({ heads, moved, before }, [layer, head]) {
  const own = layer * moved.shape[1] + head;
  const kept = [...moved.keys()].filter((at) => at !== own).map((at) => heads[at * before.length]);
  return Math.min(1, ...kept);
}
