// Two blocks side by side: where their parts stand, and on what scale losses are drawn.

import assert from "node:assert/strict";
import test from "node:test";

import { scaleOf, spanOf } from "../../pages/blocks/components/two_blocks/two_blocks.js";

test("the slots fill the height from the bottom up", () => {
  assert.ok(Math.abs(spanOf(0)[1] - 1) < 1e-9);
  assert.ok(Math.abs(spanOf(9)[0]) < 1e-9);
  for (let slot = 1; slot < 10; slot++) assert.ok(Math.abs(spanOf(slot)[1] - spanOf(slot - 1)[0]) < 1e-9);
});

test("all losses are drawn on one scale", () => {
  const at = scaleOf([{ losses: [1, 3] }, { losses: [] }], [2]);
  assert.deepEqual([1, 2, 3].map(at), [0, 0.5, 1]);
  assert.equal(scaleOf([], [2])(2), 0.5);
});
