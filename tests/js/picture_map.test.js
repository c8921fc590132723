// Where a head looks in a picture: the rows that answers are read from, and the outline of the patches with a thing.

import assert from "node:assert/strict";
import { test } from "node:test";

import { edgesOf, onPatches } from "../../pages/live/components/training_film/picture_map.js";

test("a head's weight on the patches is that of the rows which are read, without the class token's column", () => {
  const map = Uint8Array.from([9, 10, 20, 30, 40, 9, 1, 2, 3, 4, 9, 3, 4, 5, 6, 9, 0, 0, 0, 0, 9, 0, 0, 0, 0]); // 5 x 5
  assert.deepEqual([...onPatches(map, [0], 4)], [10, 20, 30, 40]);
  assert.deepEqual([...onPatches(map, [1, 2], 4)], [2, 3, 4, 5]);
});

test("patches that touch have no line between them", () => {
  assert.equal(edgesOf(new Set([4]), 3).length, 4);
  assert.equal(edgesOf(new Set([4, 5]), 3).length, 6); // two squares side by side: 8 sides, 2 of them in common
  assert.equal(edgesOf(new Set([2, 3]), 3).length, 8); // the end of a row and the beginning of the next do not touch
  assert.deepEqual(edgesOf(new Set(), 3), []);
  assert.equal(edgesOf(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8]), 3).length, 12);
});
