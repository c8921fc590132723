// What a model says with a head carried over: out of the arrays, the few words that matter.

/** The probabilities of all words: with no head touched, or with one. */
export function chances({ before, heads, moved }, cut) {
  const n = before.length;
  if (!cut) return before;
  const [layer, head] = cut;
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
export function mostOf(tokens, row, at) {
  const best = row.indexOf(Math.max(...row));
  return [best, `“${tokens[best]}”${best === at ? " itself" : ""} (${row[best].toFixed(2)})`];
}
