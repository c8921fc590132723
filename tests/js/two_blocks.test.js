// The parts of a block: the bars of loss, and what the drawings compute.

import assert from "node:assert/strict";
import test from "node:test";

import { layerNorm, rate, rmsNorm } from "../../pages/blocks/components/two_blocks/drawings.js";
import { isLarge, marksTo, missing, scaleOf, spoken } from "../../pages/blocks/components/two_blocks/loss_bars.js";

test("all losses stand on one axis from 0, and the largest has room", () => {
  const at = scaleOf(2);
  assert.equal(at(0), 0);
  assert.ok(at(2) > 0.95 && at(2) < 1);
  assert.ok(Math.abs(at(2) - 2 * at(1)) < 1e-12);
  assert.equal(at(9), 1);
});

test("the axis is marked at round numbers from 0", () => {
  assert.deepEqual(marksTo(0.83), [0, 0.2, 0.4, 0.6, 0.8]);
  assert.deepEqual(marksTo(0.1), [0, 0.02, 0.04, 0.06, 0.08, 0.1]);
  assert.ok(marksTo(40).every((mark) => mark >= 0 && mark <= 40));
});

test("large are the rows that tell something, and the whole block", () => {
  assert.ok(isLarge({ name: "norm", clear: true }));
  assert.ok(isLarge({ name: "all", clear: false }));
  assert.ok(!isLarge({ name: "norm", clear: false }));
});

test("a row is read out with its losses, or why it has none", () => {
  const row = { title: "Norm", ways: ["LayerNorm", "RMSNorm"], losses: [0.6, 0.7], change: "−13%" };
  assert.equal(spoken(row, [0.7, 0.8]), "mean loss 0.650 instead of 0.750, −13%; runs 0.600, 0.700");
  assert.equal(spoken({ losses: [0.7, 0.8] }, [0.7, 0.8]), "mean loss 0.750; runs 0.700, 0.800");
  assert.equal(spoken({ ...row, losses: [] }, [0.7]), "diverged");
  assert.equal(spoken({ ...row, losses: null }, [0.7]), "not trained");
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
