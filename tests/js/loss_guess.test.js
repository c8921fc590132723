// The loss that a visitor expects: values between steps, and a drawing with gaps.

import assert from "node:assert/strict";
import { test } from "node:test";

import { filled, valueAt } from "../../pages/live/components/training_film/guess.js";
import { strongest } from "../../pages/live/components/training_film/letters.js";

test("between two frames the loss is taken from the line between them, and beyond them from the nearest", () => {
  assert.equal(valueAt(5, [0, 10], [3, 1]), 2);
  assert.equal(valueAt(10, [0, 10, 20], [3, 1, 0]), 1);
  assert.equal(valueAt(40, [0, 10], [3, 1]), 1);
  assert.equal(valueAt(0, [4, 10], [3, 1]), 3);
});

test("what was not drawn lies between its neighbours, and nothing drawn is nothing", () => {
  assert.deepEqual(filled([null, 4, null, 2, null]), [4, 4, 3, 2, 2]);
  assert.equal(filled([null, null]), null);
});

test("each row of a map is tied to its largest weight", () => {
  assert.deepEqual(strongest(Uint8Array.from([1, 9, 2, 7, 0, 7]), 3), [1, 0]);
});
