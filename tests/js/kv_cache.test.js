// How the steps of a KV cache are counted and drawn.
import assert from "node:assert/strict";
import { test } from "node:test";

import { columns, inSteps, soFar, stairs, told } from "../../pages/generation/components/kv_cache/kv_cache.js";

test("what all steps compute is the sum of their columns", () => {
  assert.equal(soFar([1, 2, 3, 4], 3), 6);
  assert.equal(soFar([1, 1, 1, 1], 3), 3);
});

test("without a cache every place of the stairs is computed, with one only the last of each row", () => {
  const fresh = (counts) => stairs(counts, 3).filter(([, , isNew]) => isNew);
  assert.equal(stairs([1, 2, 3], 3).length, 6);
  assert.equal(fresh([1, 2, 3]).length, 6);
  assert.deepEqual(
    fresh([1, 1, 1]).map(([column, row]) => [column, row]),
    [
      [0, 0],
      [1, 1],
      [2, 2],
    ],
  );
});

test("one column is one, and thousands have their comma", () => {
  assert.deepEqual([1, 17, 1234].map(columns), ["1 column", "17 columns", "1,234 columns"]);
  assert.equal(inSteps(1, 1), "column in 1 step");
  assert.equal(inSteps(9, 9), "columns in 9 steps");
});

test("what a cache comes to counts the columns of all steps so far", () => {
  const counts = { anew: [1, 2, 3], kept: [1, 1, 1] };
  assert.match(told(counts, 3), /^To read 3 tokens .* computes 6 columns without a cache, and 3 with one\.$/);
  assert.equal(told(counts, 1), "To read 1 token, a model computes 1 column without a cache, and 1 with one.");
});
