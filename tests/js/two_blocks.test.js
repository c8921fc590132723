// A part of 2017 and of today: the scale of losses, the keys of the strip, and what the drawings compute.

import assert from "node:assert/strict";
import test from "node:test";

import { layerNorm, rate, rmsNorm } from "../../pages/blocks/components/two_blocks/drawings.js";
import { beside, scaleOf } from "../../pages/blocks/components/two_blocks/two_blocks.js";

test("all losses are drawn on one scale", () => {
  const at = scaleOf([1, 3]);
  assert.deepEqual([1, 2, 3, 9].map(at), [0, 0.5, 1, 1]);
  assert.equal(scaleOf([2, 2])(2), 0.5);
});

test("arrow keys go round the strip", () => {
  assert.equal(beside("ArrowRight", 6, 7), 0);
  assert.equal(beside("ArrowLeft", 0, 7), 6);
  assert.equal(beside("Enter", 0, 7), null);
});

test("a pair of numbers turns by the paper's rate", () => {
  assert.equal(rate(0, 48), 1);
  assert.ok(Math.abs(rate(24, 48) - 1 / 10_000) < 1e-12);
});

test("the norms are drawn by their formulas", () => {
  const close = (a, b) => a.forEach((x, n) => assert.ok(Math.abs(x - b[n]) < 1e-12));
  close(layerNorm([1, 3]), [-1, 1]);
  close(layerNorm([11, 13]), [-1, 1]); // the mean does not matter
  close(rmsNorm([3, 3]), [1, 1]); // here it does
  close(rmsNorm([30, -30]), [1, -1]);
});
