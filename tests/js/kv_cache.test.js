// How the steps of a KV cache are counted and drawn.
import assert from "node:assert/strict";
import { test } from "node:test";

import { often, told, toldOf } from "../../pages/generation/components/kv_cache/kv_cache.js";
import { isComputed, rowsOf, soFar, times } from "../../pages/generation/components/kv_cache/stairs.js";

const [ANEW, KEPT] = [
  [1, 2, 3, 4],
  [1, 1, 1, 1],
];

test("what all steps compute is the sum of what each does", () => {
  assert.equal(soFar(ANEW, 3), 6);
  assert.equal(soFar(KEPT, 3), 3);
});

test("without a cache every cell of the stairs is computed, with one only the last of each row", () => {
  const row = (counts, at) => [0, 1, 2, 3].filter((column) => isComputed(counts, at, column));
  assert.deepEqual(row(ANEW, 2), [0, 1, 2]);
  assert.deepEqual(row(KEPT, 2), [2]);
});

test("the first token is computed at every step without a cache, the last once, and with one each is computed once", () => {
  assert.deepEqual([times(ANEW, 0, 4), times(ANEW, 3, 4), times(KEPT, 0, 4)], [4, 1, 1]);
  assert.equal(times(ANEW, 3, 3), 0); // that step is not taken yet
});

test("rows follow each other without a gap, fill the height, and the one of this step is the tallest", () => {
  for (const [all, n] of [
    [1, 1],
    [23, 1],
    [23, 17],
    [23, 23],
    [121, 60],
  ]) {
    const rows = rowsOf(all, n, 400);
    rows.reduce((end, [top, height]) => (assert.ok(Math.abs(top - end) < 1e-6), top + height), 0);
    assert.ok(Math.abs(rows.at(-1)[0] + rows.at(-1)[1] - 400) < 1e-6);
    assert.equal(Math.max(...rows.map(([, height]) => height)), rows[n - 1][1]);
  }
});

test("once is once, and thousands have their comma", () => {
  assert.deepEqual([1, 2, 17, 1234].map(often), ["once", "twice", "17 times", "1,234 times"]);
});

test("what a cache comes to counts all steps so far", () => {
  const counts = { anew: ANEW, kept: KEPT };
  assert.equal(told(counts, 3), "Keys and values of 3 tokens are computed 6 times without a cache, 3 times with one.");
  assert.equal(told(counts, 1), "The key and value of 1 token are computed once, with a cache or without.");
});

test("of a token that is held, it says how often it was computed in both ways", () => {
  const data = { anew: ANEW, kept: KEPT, tokens: ["mia", "found", "a", "hat"] };
  assert.equal(toldOf(data, 1, 4), "“found” was computed 3 times, always the same. With a cache: once.");
  assert.equal(toldOf(data, 3, 4), "“hat” was computed once, with a cache or without.");
});
