// Tokens left out or put together, on heads of a few tokens that can be added up by hand.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Picture } from "../../attention_view/picture.js";
import { grouped, groupsOf, offered, reading, Reading, remarks, wordOf } from "../../attention_view/tokens.js";
import { packed } from "./payload.js";

const ALL = { hidden: false, whole: false, pair: "" };
const MARKS = {
  special: [true, false, false, false, true, false, true],
  words: [null, 0, 1, 1, null, 0, null],
  segments: [0, 0, 0, 0, 0, 1, 1],
};
const TOKENS = ["[CLS]", "so", "play", "##ing", "[SEP]", "go", "[SEP]"];
const N = TOKENS.length;
const WEIGHTS = Array.from({ length: N * N }, (_, n) => ((n * 37) % 101) / 101);

function picture({ marks = { query: MARKS, key: MARKS }, tier = "exact", ...more } = {}) {
  const arrays = {
    weights: { shape: [1, 1, N, N], values: WEIGHTS },
    largest: { shape: [1, 1], values: [Math.max(...WEIGHTS)] },
    ...more,
  };
  return new Picture(packed(arrays, { layers: 1, heads: 1, queries: TOKENS, keys: TOKENS, scale: 1, tier, marks }));
}

const at = (i, j) => Math.fround(WEIGHTS[i * N + j]);
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);

test("special tokens go, words are joined, one text of a pair stays", () => {
  const groups = (change) => groupsOf(N, MARKS, { hidden: false, whole: false, segment: "", ...change });
  assert.deepEqual(groups({}), [[0], [1], [2], [3], [4], [5], [6]]);
  assert.deepEqual(groups({ hidden: true }), [[1], [2], [3], [5]]);
  assert.deepEqual(groups({ whole: true }), [[0], [1], [2, 3], [4], [5], [6]]);
  assert.deepEqual(groups({ segment: 1 }), [[5], [6]]);
  assert.deepEqual(groups({ hidden: true, whole: true, segment: 0 }), [[1], [2, 3]]);
  // A word of the second text has the number of one of the first; what lies between keeps them apart, or the text does.
  const words = { words: [0, 0, 0], segments: [0, 1, 1] };
  assert.deepEqual(groupsOf(3, words, { whole: true, segment: "" }), [[0], [1, 2]]);
  assert.deepEqual(
    groupsOf(3, { words: [0, 1, 0], special: [false, true, false] }, { hidden: true, whole: true, segment: "" }),
    [[0], [2]],
  );
  assert.equal(wordOf(["play", "##ing", "##ly"]), "playingly");
  assert.equal(wordOf(["##s"]), "##s");
});

test("keys of a word are added up, and of its queries the mean is taken", () => {
  const seen = reading(picture(), { ...ALL, whole: true });
  assert.deepEqual(seen.queries, ["[CLS]", "so", "playing", "[SEP]", "go", "[SEP]"]);
  const w = seen.matrix("weights", 0, 0);
  near(w[1 * seen.S + 2], at(1, 2) + at(1, 3));
  near(w[2 * seen.S + 1], (at(2, 1) + at(3, 1)) / 2);
  near(w[2 * seen.S + 2], (at(2, 2) + at(2, 3) + at(3, 2) + at(3, 3)) / 2);
  for (let i = 0; i < N; i++) {
    const row = seen.rowOf(i);
    if (seen.rows[row].length > 1) continue;
    const [whole, joined] = [WEIGHTS.slice(i * N, (i + 1) * N), w.slice(row * seen.S, (row + 1) * seen.S)];
    near(
      [...joined].reduce((a, b) => a + b),
      whole.reduce((a, b) => a + b),
    ); // nothing is lost
  }
});

test("hidden keys are left out, and the rest of a row is as it was", () => {
  const seen = reading(picture(), { ...ALL, hidden: true });
  assert.deepEqual(seen.keys, ["so", "play", "##ing", "go"]);
  const w = seen.matrix("weights", 0, 0);
  const tokens = [1, 2, 3, 5];
  tokens.forEach((i, row) => tokens.forEach((j, column) => assert.equal(w[row * 4 + column], at(i, j))));
  assert.deepEqual(seen.place(3, 1), [5, 2]);
  assert.deepEqual([seen.rowOf(5), seen.columnOf(0), seen.columnOf(3)], [3, -1, 2]);
});

test("from one text of a pair to the other, and within each", () => {
  const tokens = (pair) => {
    const { rows, columns } = reading(picture(), { ...ALL, pair });
    return [rows.flat(), columns.flat()];
  };
  const [a, b] = [
    [0, 1, 2, 3, 4],
    [5, 6],
  ];
  assert.deepEqual(
    [tokens("a-b"), tokens("b-a"), tokens("a-a"), tokens("b-b")],
    [
      [a, b],
      [b, a],
      [a, a],
      [b, b],
    ],
  );
});

test("a filter that is not offered, or would leave nothing, changes nothing", () => {
  const plain = picture({ marks: null });
  assert.equal(reading(plain, { hidden: true, whole: true, pair: "a-b" }), plain);
  assert.deepEqual(remarks(plain, plain, { hidden: true, whole: true, pair: "a-b" }), []);
  const special = { special: Array(N).fill(true) };
  const all = picture({ marks: { query: special, key: special } });
  assert.equal(reading(all, { ...ALL, hidden: true }), all);
  assert.match(remarks(all, all, { ...ALL, hidden: true })[0], /Nothing would be left/);
  const one = picture();
  assert.equal(reading(one, ALL), one);
  assert.deepEqual(offered(one), { hidden: true, whole: true, pair: true });
});

test("one side may know more of its tokens than the other, as in cross-attention", () => {
  const seen = reading(picture({ marks: { key: { special: MARKS.special } } }), { ...ALL, hidden: true });
  assert.deepEqual([seen.T, seen.S], [N, 4]);
  assert.deepEqual(offered(seen.whole), { hidden: true, whole: false, pair: false });
});

test("a cell is open if any of its tokens may be looked at", () => {
  const mask = Array.from({ length: N * N }, (_, n) => (n % N <= Math.floor(n / N) ? 1 : 0));
  const seen = reading(picture({ mask: { shape: [N, N], values: mask, type: "u1" } }), { ...ALL, whole: true });
  assert.equal(seen.allowed(1, 2), false);
  assert.equal(seen.allowed(2, 2), true, "the second piece sees the first");
  assert.equal(seen.choices(2), 3);
  assert.equal(seen.allowed(5, 2), true);
});

test("layers with masks of their own keep them when tokens are joined", () => {
  const causal = Array.from({ length: N * N }, (_, n) => (n % N <= Math.floor(n / N) ? 1 : 0));
  const mask = { shape: [2, N, N], values: [...Array(N * N).fill(1), ...causal], type: "u1" };
  const whole = picture({ mask });
  whole.header.masks = [1, 0];
  const seen = reading(whole, { ...ALL, whole: true });
  assert.equal(seen.allowed(1, 2, 0), false);
  assert.equal(seen.allowed(1, 2, 1), true);
});

test("thumbnails follow as far as every cell is here, and say it where it is not", () => {
  const filters = { ...ALL, hidden: true };
  const { data, rows, cols, largest } = reading(picture(), filters).sent(0, 0);
  assert.deepEqual([rows, cols, data.length], [4, 4, 16]);
  near(largest, Math.max(...data));
  const values = WEIGHTS.map((w) => Math.round((w / Math.max(...WEIGHTS)) * 255));
  const thumbnail = picture({ tier: "thumbnail", weights: { shape: [1, 1, N, N], values, type: "u1" } });
  const seen = reading(thumbnail, filters);
  assert.equal(seen.sent(0, 0).rows, N);
  assert.match(remarks(thumbnail, seen, filters).join(" "), /small maps still show all tokens/);
  const bytes = reading(picture({ tier: "bytes", weights: { shape: [1, 1, N, N], values, type: "u1" } }), filters);
  assert.ok(Math.abs(bytes.sent(0, 0).data[0] * bytes.sent(0, 0).unit - at(1, 1)) < 1 / 255);
});

test("the arithmetic of a cell is that of its two tokens; a word of several has none", () => {
  const vectors = { shape: [1, 1, N, 1], values: Array.from({ length: N }, (_, n) => n / 7) };
  const whole = picture({ q: vectors, k: vectors });
  const hidden = reading(whole, { ...ALL, hidden: true });
  assert.deepEqual(hidden.explain(0, 0, 3, 1), whole.explain(0, 0, 5, 2));
  const words = reading(whole, { ...ALL, whole: true });
  assert.ok(words instanceof Reading && words.words);
  assert.equal(words.explain(0, 0, 2, 0), null);
  assert.deepEqual(words.explain(0, 0, 4, 1), whole.explain(0, 0, 5, 1));
});

test("sums of groups, by hand", () => {
  assert.deepEqual([...grouped([1, 2, 3, 4, 5, 6], 3, [[0, 1]], [[0], [1, 2]])], [2.5, 8]);
});
