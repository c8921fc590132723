// Changes to a layer: where the walk goes, what is said of all, what the lanes show, and what drawings compute.

import assert from "node:assert/strict";
import test from "node:test";

import { layerNorm, rate, rmsNorm } from "../../pages/blocks/components/two_blocks/drawings.js";
import { axisOf, byChange, marksIn, mean } from "../../pages/blocks/components/two_blocks/lanes.js";
import { markOf, nextOf, orderOf, summaryOf } from "../../pages/blocks/components/two_blocks/two_blocks.js";

const NAMES = ["norm", "place", "experts", "feed_forward", "kv_heads", "positions"];

// ---- the walk ------------------------------------------------------------------------------------------------------

test("the walk tries two parts, then all others each alone, then all at once, and goes back to 2017", () => {
  const tried = new Set();
  const path = ["chart"];
  while (path.length < 6) {
    path.push(nextOf(NAMES, tried, path.at(-1)));
    for (const name of path.at(-1) === "rest" ? NAMES : [path.at(-1)]) tried.add(name);
  }
  assert.deepEqual(path, ["chart", "norm", "place", "rest", "all", "chart"]);
  assert.equal(nextOf(NAMES, new Set(NAMES.slice(1)), "chart"), "norm", "a single one is shown by itself");
  assert.equal(nextOf(NAMES, new Set(["experts"]), "chart"), "place", "after a bet, what changes most");
});

test("the walk begins with the uppermost change, and then makes the one that moves the loss most", () => {
  const parts = Object.entries({ norm: 0.76, place: 0.75, positions: 0.6 }).map(([name, x]) => ({ name, losses: [x] }));
  assert.deepEqual(orderOf(parts, [0.77]), ["norm", "positions", "place"]);
});

test("the summary counts the changes that alone go further than chance", () => {
  const parts = (...clear) => NAMES.map((name) => ({ term: name, clear: clear.includes(name) }));
  const told = "the loss by more than chance";
  assert.equal(summaryOf(parts("norm")), `Of six changes, only one moves ${told}: norm.`);
  assert.equal(summaryOf(parts("norm", "place")), `Of six changes, two move ${told}: norm, place.`);
  assert.equal(summaryOf(parts()), `Of six changes, none moves ${told}.`);
});

// ---- the lanes ------------------------------------------------------------------------------------------------------

test("all losses lie on one axis which is cut to them, and less is further right", () => {
  const at = axisOf([0.5, 0.8, 0.7]);
  assert.ok(at(0.8) > 0 && at(0.8) < 0.1);
  assert.ok(at(0.5) > 0.9 && at(0.5) < 1);
  assert.ok(Math.abs(at(0.65) - 0.5) < 1e-12);
  assert.ok(Math.abs(axisOf([0.7])(0.7) - 0.5) < 1e-12, "a single loss has room on either side");
});

test("the axis is marked at round numbers among the losses", () => {
  assert.deepEqual(marksIn([0.83, 0.52]), [0.6, 0.7, 0.8]);
  assert.deepEqual(marksIn([0.5, 1.2]), [0.6, 0.8, 1, 1.2]);
  assert.ok(marksIn([0.5, 40]).length <= 7);
  assert.deepEqual([-0.4, 0, 0.1, 0.02].map(markOf), ["0.4 higher", "loss as 2017", "0.1 lower", "0.02 lower"]);
});

test("the walk begins with what changes the loss most, in either direction", () => {
  const stops = Object.entries({ norm: [0.76], positions: [0.5], place: null, experts: [1.2], kv: [] });
  const names = byChange(
    stops.map(([name, losses]) => ({ name, losses })),
    [0.7, 0.8],
  );
  assert.deepEqual(names, ["experts", "positions", "norm", "place", "kv"]);
  assert.equal(mean([0.7, 0.8]), 0.75);
});

// ---- the drawings ---------------------------------------------------------------------------------------------------

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
