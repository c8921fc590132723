// Two tracks of parts: the way of the stream, the scale of losses, and what the drawings of the norms compute.

import assert from "node:assert/strict";
import test from "node:test";

import { layerNorm, rmsNorm } from "../../pages/blocks/components/two_blocks/drawings.js";
import { scaleOf, trackOf } from "../../pages/blocks/components/two_blocks/two_blocks.js";

test("all losses are drawn on one scale", () => {
  const at = scaleOf([1, 3]);
  assert.deepEqual([1, 2, 3, 9].map(at), [0, 0.5, 1, 1]);
  assert.equal(scaleOf([2, 2])(2), 0.5);
});

test("the stream runs straight through parts on one height and switches between two", () => {
  const straight = trackOf([{ left: 10, right: 20, y: 5 }], 5, 30);
  assert.equal(straight, "M0 5H10H20H30H30");
  const switched = trackOf(
    [
      { left: 10, right: 20, y: 1 },
      { left: 30, right: 40, y: 9 },
    ],
    5,
    50,
  );
  assert.equal(switched, "M0 5C5 5 5 1 10 1H20C25 1 25 9 30 9H40C45 9 45 5 50 5H50");
});

test("the norms are drawn by their formulas", () => {
  const close = (a, b) => a.forEach((x, n) => assert.ok(Math.abs(x - b[n]) < 1e-12));
  close(layerNorm([1, 3]), [-1, 1]);
  close(layerNorm([11, 13]), [-1, 1]); // the mean does not matter
  close(rmsNorm([3, 3]), [1, 1]); // here it does
  close(rmsNorm([30, -30]), [1, -1]);
});
