// The tokens as one wants to read them: without special ones, as whole words, or from one text of a pair to the other.
// What is left out or put together is a picture again, so that all else works as before.

import { Picture } from "./picture.js";

export const PAIRS = [
  ["", "both texts", "", ""],
  ["a-b", "A → B", 0, 1],
  ["b-a", "B → A", 1, 0],
  ["a-a", "within A", 0, 0],
  ["b-b", "within B", 1, 1],
];
const SIDES = ["query", "key"];

/** The tokens of one side in groups of those that are shown as one.
 *
 * n tokens with their marks; hidden: leave special ones out; whole: join the tokens of a word; segment: 0, 1, or ""
 * for all */
export function groupsOf(n, { special, words, segments }, { hidden, whole, segment }) {
  const groups = [];
  for (let at = 0; at < n; at++) {
    if (hidden && special?.[at]) continue;
    if (segment !== "" && segments && segments[at] !== segment) continue;
    const last = groups.at(-1)?.at(-1);
    const joins =
      whole &&
      last === at - 1 &&
      words?.[at] != null &&
      words[at] === words[last] &&
      segments?.[at] === segments?.[last];
    if (joins) groups.at(-1).push(at);
    else groups.push([at]);
  }
  return groups;
}

/** A word as its pieces spell it: "play", "##ing" is "playing", and so is "play", "…ing". */
export const wordOf = (pieces) => pieces.map((piece, n) => (n ? piece.replace(/^(##|…)(?=.)/, "") : piece)).join("");

/** For each group of keys the sum, and of these for each group of queries the mean: (rows x columns).
 *
 * matrix of any numbers, S of them in a row */
export function grouped(matrix, S, rows, columns) {
  const out = new Float32Array(rows.length * columns.length);
  let at = 0;
  for (const queries of rows) {
    for (const keys of columns) {
      let sum = 0;
      for (const i of queries) for (const j of keys) sum += matrix[i * S + j];
      out[at++] = sum / queries.length;
    }
  }
  return out;
}

/** Which filters a picture allows: {hidden, whole, pair}, each true where it would change what is seen. */
export function offered(picture) {
  const sides = SIDES.map((side) => picture.marks(side));
  const some = (test) => sides.some((marks) => Boolean(test(marks)));
  const joins = ({ words }) =>
    words && groupsOf(words.length, { words }, { whole: true, segment: "" }).length < words.length;
  return {
    hidden: some(({ special }) => special?.includes(true)),
    whole: some(joins),
    pair: sides.every(({ segments }) => Boolean(segments?.includes(0) && segments.includes(1))),
  };
}

/** The picture through filters: itself where nothing is filtered, and where nothing would be left. */
export function reading(whole, filters) {
  const can = offered(whole);
  const [, , from, to] = PAIRS.find(([name]) => name === (can.pair ? filters.pair : ""));
  const [hidden, joined] = [filters.hidden && can.hidden, filters.whole && can.whole];
  if (!hidden && !joined && from === "") return whole;
  const side = (name, n, segment) => groupsOf(n, whole.marks(name), { hidden, whole: joined, segment });
  const rows = side("query", whole.T, from);
  const columns = side("key", whole.S, to);
  return rows.length && columns.length ? new Reading(whole, rows, columns) : whole;
}

/** What the filters do to the numbers, a sentence each. */
export function remarks(whole, seen, filters) {
  const can = offered(whole);
  const [pair, hidden, joined] = [can.pair && filters.pair, can.hidden && filters.hidden, can.whole && filters.whole];
  if (!pair && !hidden && !joined) return [];
  if (seen === whole) return ["Nothing would be left, so all tokens are shown."];
  const [, name] = PAIRS.find(([value]) => value === pair) ?? [];
  const left = pair ? `Only ${name}` : "Special tokens are hidden";
  return [
    ...(pair || hidden
      ? [`${left}: rows lose their weight on ${pair ? "all others" : "them"}, and add up to less than 1.`]
      : []),
    ...(joined ? ["Whole words: the sum over the tokens of the key, the mean over those of the query."] : []),
    ...(whole.header.tier === "thumbnail" ? ["The small maps still show all tokens."] : []),
  ];
}

/** A picture of which only some tokens are seen, perhaps in groups.
 *
 * rows, columns  lists of the tokens of `whole` that are shown as one */
export class Reading extends Picture {
  constructor(whole, rows, columns) {
    super(null, whole);
    this.whole = whole;
    this.rows = rows;
    this.columns = columns;
    const labels = (tokens, groups) => groups.map((group) => wordOf(group.map((n) => tokens[n])));
    this.queries = labels(whole.queries, rows);
    this.keys = labels(whole.keys, columns);
    this.T = rows.length;
    this.S = columns.length;
    this.words = [...rows, ...columns].some((group) => group.length > 1);
    // q, k and v are those of all tokens, not of these.
    this.arrays = Object.fromEntries(Object.entries(whole.arrays).filter(([name]) => !["q", "k", "v"].includes(name)));
    const { mask } = whole.arrays;
    const [all, n] = [whole.T * whole.S, this.T * this.S];
    if (mask) this.arrays.mask = new Uint8Array((mask.length / all) * n); // of one mask, or of each that layers have
    for (let m = 0; m * all < (mask?.length ?? 0); m++) {
      const sums = grouped(mask.subarray(m * all, (m + 1) * all), whole.S, rows, columns);
      this.arrays.mask.set(
        Uint8Array.from(sums, (sum) => (sum > 0 ? 1 : 0)),
        m * n,
      );
    }
  }

  isUnknown(side, n) {
    const groups = side === "query" ? this.rows : this.columns;
    return groups[n].some((token) => this.whole.isUnknown(side, token));
  }

  vectors(layer, head) {
    return this.whole.vectors(layer, head);
  }

  weights(layer, head) {
    return this.matrix("weights", layer, head);
  }

  matrix(stage, layer, head) {
    const key = `${stage} ${layer} ${head}`;
    if (!this.cache.has(key)) {
      if (this.cache.size > 24) this.cache.clear();
      const of = this.whole.matrix(stage, layer, head);
      const width = of.length / this.whole.T; // of an output, its features
      const columns = stage === "output" ? Array.from({ length: width }, (_, c) => [c]) : this.columns;
      this.cache.set(key, grouped(of, width, this.rows, columns));
    }
    return this.cache.get(key);
  }

  place(i, j) {
    return [this.rows[i][0], this.columns[j][0]];
  }

  rowOf(query) {
    return this.rows.findIndex((group) => group.includes(query));
  }

  columnOf(key) {
    return this.columns.findIndex((group) => group.includes(key));
  }

  /** As of the whole, and the largest value of what is seen. */
  sent(layer, head) {
    const sent = this.whole.sent(layer, head);
    if (this.header.tier === "thumbnail") return sent;
    const data = grouped(sent.data, this.whole.S, this.rows, this.columns);
    const largest = data.reduce((most, value) => Math.max(most, value), 0) * sent.unit;
    return { data, rows: this.T, cols: this.S, unit: sent.unit, largest };
  }

  /** The arithmetic of a cell of two tokens; a word of several has none. */
  explain(layer, head, i, j) {
    const single = this.rows[i].length === 1 && this.columns[j].length === 1;
    return single ? this.whole.explain(layer, head, ...this.place(i, j)) : null;
  }
}
