// What a cheaper way keeps of full attention's weights, what it misses, and which arcs show that.

export const SEEN = 0.12; // of the largest weight: what is weaker is not seen to be missed
export const DRAWN = 0.05; // of it: what is weaker is not drawn

// How the attention weight is called that a way takes from a word, by the verb of the way.
export const LOST = { misses: "missed", misplaces: "misplaced" };

/** A share in whole percent, which is 0% or 100% only where it is so to a hundredth. */
export function inPercent(share) {
  const whole = Math.round(100 * share);
  return `${whole === 100 && share < 0.9999 ? 99 : whole === 0 && share > 0.0001 ? 1 : whole}%`;
}

/** A share in a word where it is none, half or all. */
const amount = (share) => ({ "0%": "nothing", "50%": "half", "100%": "all" })[inPercent(share)] ?? inPercent(share);

/** What a word looks at, and what a way takes from that; name: of the way, null for full attention; isShut: whether the
 * way hides what the word looks at most. */
export function looking(word, most, { name, loses, lost, isShut }) {
  if (!name) return `${word} looks most at ${most}.`;
  const isWindow = name === "window";
  const hides = isWindow ? `${most} is outside its window` : "this way shuts it off";
  if (isShut) return `${word} wants to look at ${most}, but ${hides}.`;
  const what = amount(lost);
  const of = what === "nothing" ? "" : " of its attention weight";
  return `${word} looks most at ${most}; ${isWindow ? "the window" : "this way"} ${loses} ${what}${of}.`;
}

/** The size of the window from which on the review is read as with full attention. */
export const flipOf = ({ ways, windows }) =>
  1 + (windows.findLast(({ says }) => says !== ways[0].says)?.size ?? windows[0].size - 1);

/** What a window does to the answer; flip: the size from which on that is right; said: of what the word looks at. */
export function narrowed(word, most, { size, flip, isShut, isRight, said }) {
  const beside = `With ${size - 1} word${size > 2 ? "s" : ""} to either side`;
  if (size === flip) return `${beside}, ${isShut ? "" : `${word} sees ${most}, and `}the answer flips.`;
  if (isRight) return `${beside}, the answer is right${size < flip ? " again: by luck?" : "."}`;
  return isShut ? said : `${word} sees ${most}, but the answer is still wrong.`;
}

/** What a window leaves of full attention's weights: a word gives to those less than `size` words away what it has to
 * give, and the others are never looked at. */
export function windowed(full, n, size) {
  const near = (at) => Math.abs(Math.floor(at / n) - (at % n)) < size;
  const sums = new Float64Array(n);
  full.forEach((w, at) => near(at) && (sums[Math.floor(at / n)] += w));
  return Float32Array.from(full, (w, at) => (near(at) ? w / sums[Math.floor(at / n)] : NaN));
}

/** The word that is held at first: of those that a window of this size misses most of, to a percent, the one nearest to
 * what it looks at, so that it is soon seen by a wider window. What is no word, such as ⟨start⟩, is not held. */
export function opening(tokens, full, size) {
  const n = tokens.length;
  const told = tokens.map((token, at) => {
    const row = [...full.subarray(at * n, (at + 1) * n)];
    const missed = row.reduce((sum, w, key) => sum + (Math.abs(at - key) < size ? 0 : w), 0);
    return { at, token, missed: Math.round(100 * missed), far: Math.abs(at - row.indexOf(Math.max(...row))) };
  });
  const words = told.filter(({ token }) => /^\p{L}/u.test(token));
  return words.sort((a, b) => b.missed - a.missed || a.far - b.far)[0]?.at ?? 0;
}

/** The size of a window that ends, on the side of a grip (-1: before, 1: behind), with the word at this place. */
export const sizeFor = (held, side, at, n) => 1 + Math.max(1, Math.min(n - 1, side * (at - held)));

/** The first and the last word that a window shows of n. */
export const spanOf = (held, size, n) => [Math.max(0, held - size + 1), Math.min(n - 1, held + size - 1)];

/** The first and last words of the groups that a way takes n words in: `size` runs of neighbours that are averaged, or
 * blocks of `size`; none for other ways. */
export function groupsOf(name, size, n) {
  const groupOf = {
    "low rank": (at) => Math.floor((at * Math.min(size, n)) / n),
    "block-sparse": (at) => Math.floor(at / size),
    "in blocks": (at) => Math.floor(at / size),
  }[name];
  const groups = [];
  for (let at = 0; groupOf && at < n; at++) (groups[groupOf(at)] ??= [at, at])[1] = at;
  return groups;
}

/** Whether what a cheaper way takes from a weight is seen: much of it, or all that there was to see. */
export const isMissed = (w, kept, largest) =>
  w - kept >= SEEN * largest || (w >= SEEN * largest && kept < DRAWN * largest);

/** What a cheaper way keeps of full attention's weights, cell by cell, and which cells, [query, key, weight], lose so
 * much that it is seen. */
export function split(full, cheaper, n, largest) {
  const kept = full.map((w, at) => (Number.isNaN(cheaper[at]) ? 0 : Math.min(w, cheaper[at])));
  const cells = [...full.keys()].filter((at) => isMissed(full[at], kept[at], largest));
  return { kept, lost: cells.map((at) => [Math.floor(at / n), at % n, full[at] - kept[at]]) };
}

/** The arcs: what is missed behind, then what is seen, the strongest last: [kind, query, key, weight, lies beside].
 * What is missed of a cell that is seen in part lies beside what is seen of it: on one line it could not be told. */
export function arcsOf({ kept, lost }, n, largest) {
  const isSeen = (at) => kept[at] >= DRAWN * largest;
  const seen = [...kept.keys()].filter(isSeen).sort((a, b) => kept[a] - kept[b]);
  return [
    ...lost.map(([i, j, w]) => ["lost", i, j, w, isSeen(i * n + j)]),
    ...seen.map((at) => ["seen", Math.floor(at / n), at % n, kept[at], false]),
  ];
}
