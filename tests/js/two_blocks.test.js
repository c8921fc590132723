// The parts of a block: the rows of losses, and what the drawings compute.

import assert from "node:assert/strict";
import test from "node:test";

import { layerNorm, rate, rmsNorm } from "../../pages/blocks/components/two_blocks/drawings.js";
import { marksOf, missing, scaleOf, spoken } from "../../pages/blocks/components/two_blocks/loss_rows.js";

test("all losses have room on one axis", () => {
  const at = scaleOf([1, 3]);
  assert.equal(at(2), 0.5);
  assert.ok(at(1) > 0.04 && at(1) < 0.06);
  assert.ok(Math.abs(at(1) + at(3) - 1) < 1e-12);
  assert.equal(at(9), 1);
  assert.equal(scaleOf([2, 2])(2), 0.5);
});

test("the axis is marked at round numbers within its range", () => {
  assert.deepEqual(marksOf([0.52, 0.83]), [0.6, 0.7, 0.8]);
  assert.deepEqual(marksOf([0.5, 1.2]), [0.6, 0.8, 1, 1.2]);
  for (const range of [
    [0.1, 0.13],
    [0, 40],
  ])
    assert.ok(marksOf(range).every((mark) => mark >= range[0] && mark <= range[1]));
});

test("a row is read out with its losses, or why it has none", () => {
  const row = { title: "Norm", ways: ["LayerNorm", "RMSNorm"], losses: [0.6, 0.7], change: "−13%" };
  assert.equal(spoken(row, [0.7, 0.8]), "Norm, RMSNorm: mean loss 0.650 instead of 0.750, −13%; runs 0.600, 0.700");
  assert.equal(spoken({ ...row, losses: [] }, [0.7]), "Norm, RMSNorm: diverged");
  assert.equal(spoken({ ...row, losses: null }, [0.7]), "Norm, RMSNorm: not trained");
  assert.equal(missing([0.1]), "");
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
