// What picture.js works out from q and k, on one head of two tokens that fits on a sheet of paper.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Picture } from "../../attention_view/picture.js";
import { packed } from "./payload.js";

const LN3 = Math.fround(Math.log(3));
const HEADER = { layers: 1, heads: 1, queries: ["a", "b"], keys: ["a", "b"], scale: 2, tier: "exact" };
const ARRAYS = {
  largest: { shape: [1, 1], values: [1] },
  weights: { shape: [1, 1, 2, 2], values: [1, 0, 0.25, 0.75] },
  q: { shape: [1, 1, 2, 2], values: [1, 0, LN3, 5] },
  k: { shape: [1, 1, 2, 2], values: [2, 0, 4, 0] },
  mask: { shape: [2, 2], values: [1, 0, 1, 1], type: "u1" },
};
const picture = new Picture(packed(ARRAYS, HEADER));
const near = (a, b, within = 1e-6) => a.forEach((x, n) => assert.ok(Math.abs(x - b[n]) < within, `${a} is not ${b}`));

test("a payload says how many layers, heads, queries and keys there are", () => {
  assert.deepEqual([picture.L, picture.H, picture.T, picture.S], [1, 1, 2, 2]);
  assert.deepEqual([...picture.matrix("weights", 0, 0)], [1, 0, 0.25, 0.75]);
});

test("scores are q·k, and are divided by the scale", () => {
  assert.deepEqual([...picture.matrix("scores", 0, 0)], [2, 4, 2 * LN3, 4 * LN3]);
  assert.deepEqual([...picture.matrix("scaled", 0, 0)], [1, 2, LN3, 2 * LN3]);
});

test("the output is the mean of the values by their weights", () => {
  const values = new Picture(packed({ ...ARRAYS, v: { shape: [1, 1, 2, 2], values: [4, 0, 8, 2] } }, HEADER));
  near([...values.matrix("output", 0, 0)], [4, 0, 7, 1.5]);
  assert.equal(picture.vectors(0, 0).v, undefined, "not where no values were sent");
});

test("a tag belongs to a head, and of several with one name the first leads", () => {
  const tag = (name, head) => ({ name, layer: 0, head, score: 0.5, query: null });
  const tags = [tag("previous word", 1), tag("looks at itself", 0), tag("previous word", 2)];
  const named = new Picture(packed(ARRAYS, { ...HEADER, heads: 3, tags }));
  assert.deepEqual([named.tag(0, 2).name, named.tag(0, 3)], ["previous word", null]);
  assert.deepEqual(
    named.leading(5).map(({ head }) => head),
    [1, 0],
  );
  assert.equal(named.leading(1).length, 1);
  assert.deepEqual([picture.tag(0, 0), picture.leading(5)], [null, []]);
});

test("a weight is explained: e to the ln 3 and the 2 ln 3 are 3 and 9, so a quarter and three", () => {
  const { products, dot, scaled, allowed, weight, bias } = picture.explain(0, 0, 1, 1);
  assert.deepEqual(products, [4 * LN3, 0]);
  near([dot, scaled, weight], [4 * Math.log(3), 2 * Math.log(3), 0.75]);
  assert.deepEqual([allowed, bias], [true, null]);
});

test("a blocked key weighs nothing, and the only one left all", () => {
  assert.equal(picture.explain(0, 0, 0, 1).weight, 0);
  assert.equal(picture.explain(0, 0, 0, 0).weight, 1);
  assert.deepEqual([picture.choices(0), picture.choices(1)], [1, 2]);
});

test("a row where all is blocked has no weights at all", () => {
  const closed = new Picture(packed({ ...ARRAYS, mask: { shape: [2, 2], values: [0, 0, 1, 1], type: "u1" } }, HEADER));
  const { weight, sum, exp } = closed.explain(0, 0, 0, 0);
  assert.deepEqual([weight, sum, exp], [0, 0, 0]);
});

test("layers with masks of their own: each head is worked out and counted with that of its layer", () => {
  const [open, causal, own] = [
    [1, 1, 1, 1],
    [1, 0, 1, 1],
    [0, 1, 1, 1],
  ];
  const mask = { shape: [3, 2, 2], values: [...open, ...causal, ...own], type: "u1" };
  const mixed = new Picture(packed({ ...ARRAYS, mask }, { ...HEADER, layers: 3, masks: [1, 0, 2] }));
  assert.deepEqual(Array.from(mixed.maskOf(0)), causal);
  assert.equal(mixed.maskOf(0), mixed.maskOf(0), "always the same object: what is drawn of it is kept");
  assert.equal(mixed.explain(0, 0, 0, 1).weight, 0);
  assert.deepEqual(
    [0, 1, 2].map((layer) => [mixed.allowed(0, 0, layer), mixed.allowed(0, 1, layer), mixed.choices(0, layer)]),
    [
      [true, false, 1],
      [true, true, 2],
      [false, true, 1],
    ],
  );
  const both = [
    [0, 0],
    [2, 0],
  ];
  assert.deepEqual(Array.from(mixed.maskOfAll(both)), open, "open where any of them is");
});

test("a bias is found by its distance and added to the scaled score", () => {
  const biased = new Picture(packed({ ...ARRAYS, bias: { shape: [1, 3], values: [-1, 0, 7] } }, HEADER));
  assert.deepEqual([biased.bias(0, 1, 0), biased.bias(0, 0, 0), biased.bias(0, 0, 1)], [-1, 0, 7]);
  near([...biased.matrix("biased", 0, 0)], [1, 9, LN3 - 1, 2 * LN3]);
  near([biased.explain(0, 0, 1, 0).weight], [1 / (1 + 9 / (3 / Math.E))]);
});

test("bytes are steps of the head's largest weight; the head in view is worked out from q and k", () => {
  const arrays = {
    ...ARRAYS,
    largest: { shape: [1, 2], values: [1, 0.51] },
    weights: { shape: [1, 2, 2, 2], values: [255, 0, 64, 191, 255, 0, 0, 5], type: "u1" },
    "view:q": { ...ARRAYS.q, shape: [2, 2] },
    "view:k": { ...ARRAYS.k, shape: [2, 2] },
  };
  delete arrays.q;
  delete arrays.k;
  const sent = new Picture(packed(arrays, { ...HEADER, heads: 2, tier: "bytes", view: [0, 0] }));
  assert.deepEqual([sent.isExact(0, 0), sent.isExact(0, 1)], [true, false]);
  near([...sent.matrix("weights", 0, 0)], [1, 0, 0.25, 0.75]);
  near([...sent.matrix("weights", 0, 1)], [0.51, 0, 0, 0.01]);
  assert.equal(sent.explain(0, 1, 0, 0), null);
});

test("with q and k of all heads every head is exact, however few steps were sent", () => {
  const weights = { shape: [1, 1, 2, 2], values: [255, 0, 64, 191], type: "u1" };
  const alone = new Picture(packed({ ...ARRAYS, weights }, { ...HEADER, tier: "bytes" }));
  assert.equal(alone.isExact(0, 0), true);
  near([...alone.matrix("weights", 0, 0)], [1, 0, 0.25, 0.75]);
});

test("a thumbnail's cell stands for its square", () => {
  const tokens = ["a", "b", "c", "d"];
  const arrays = {
    largest: { shape: [1, 1], values: [0.5] },
    weights: { shape: [1, 1, 2, 2], values: [255, 0, 51, 102], type: "u1" },
  };
  const small = new Picture(
    packed(arrays, { ...HEADER, queries: tokens, keys: tokens, tier: "thumbnail", view: [0, 1] }),
  );
  near([...small.matrix("weights", 0, 0)], [0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0.1, 0.1, 0.2, 0.2, 0.1, 0.1, 0.2, 0.2]);
});

test("keys that a group of heads shares are found by every head of the group", () => {
  const rows = (n) => Array.from({ length: n }, (_, i) => i);
  const arrays = {
    weights: { shape: [2, 4, 1, 1], values: rows(8).fill(1) },
    q: { shape: [2, 4, 1, 1], values: rows(8) },
    k: { shape: [2, 2, 1, 1], values: [10, 20, 30, 40] },
  };
  const grouped = new Picture(packed(arrays, { ...HEADER, layers: 2, heads: 4, queries: ["a"], keys: ["a"] }));
  const all = [0, 1].flatMap((layer) => rows(4).map((head) => grouped.vectors(layer, head)));
  assert.deepEqual(
    all.map(({ q }) => q[0]),
    rows(8),
  );
  assert.deepEqual(
    all.map(({ k }) => k[0]),
    [10, 10, 20, 20, 30, 30, 40, 40],
  );
});

test("the first look goes to the largest weight between two places, in a row with a choice", () => {
  const strongest = (values, S, mask) => {
    const tokens = Array.from({ length: S }, String);
    const arrays = { weights: { shape: [1, 1, S, S], values } };
    if (mask) arrays.mask = { shape: [S, S], values: mask, type: "u1" };
    return new Picture(packed(arrays, { ...HEADER, queries: tokens, keys: tokens })).strongest(0, 0);
  };
  assert.deepEqual(strongest([0.9, 0.1, 0.4, 0.6], 2), [1, 0]);
  assert.deepEqual(strongest([1, 0, 0, 1], 2), [0, 0], "a head that looks at itself alone");
  const causal = Array.from({ length: 25 }, (_, n) => (n % 5 <= Math.floor(n / 5) ? 1 : 0));
  const weights = Array(25).fill(0);
  weights[5] = 0.99; // of two keys
  weights[22] = 0.5; // of five
  assert.deepEqual(strongest(weights, 5, causal), [4, 2]);
});
