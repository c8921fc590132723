// Changes to a layer: where the walk goes, where they lie on the axis, what is said of them, what drawings compute.

import assert from "node:assert/strict";
import test from "node:test";

import {
  axisOf,
  deepSaid,
  gainSaid,
  landsSaid,
  levels,
  markOf,
  marksIn,
  mean,
  summaryOf,
} from "../../pages/blocks/components/two_blocks/axis.js";
import { layerNorm, rate, rmsNorm } from "../../pages/blocks/components/two_blocks/drawings.js";
import { nextOf } from "../../pages/blocks/components/two_blocks/two_blocks.js";

const NAMES = ["norm", "place", "positions"];
const DEEP = ["deep after", "deep before"];

test("the dark button drops one, all others, and two again in a deep stack, and starts over", () => {
  const next = (...down) => nextOf(NAMES, new Set(down), DEEP);
  assert.equal(next(), "norm");
  assert.equal(next("place"), "all");
  assert.equal(next(...NAMES), "all", "each alone says nothing of all at once");
  assert.equal(next("all"), "all", "a visitor's own block says nothing of the others");
  assert.equal(next(...NAMES, "all"), "deep");
  assert.equal(next(...NAMES, "all", "deep"), "deep after");
  assert.equal(next(...NAMES, "all", "deep", "deep after"), "deep before");
  assert.equal(next(...NAMES, "all", "deep", ...DEEP), "chart");
});

// ---- the axis -------------------------------------------------------------------------------------------------------

test("all losses lie on one axis which is cut to them, and less is further right", () => {
  const { at, lossAt } = axisOf([0.5, 0.8, 0.7]);
  assert.ok(at(0.8) > 0 && at(0.8) < 0.1);
  assert.ok(at(0.5) > 0.9 && at(0.5) < 1);
  assert.ok(Math.abs(at(0.65) - 0.5) < 1e-12);
  assert.ok(Math.abs(lossAt(at(0.61)) - 0.61) < 1e-12, "what a hand points at is the loss that lies there");
  assert.ok(Math.abs(axisOf([0.7]).at(0.7) - 0.5) < 1e-12, "a single loss has room on either side");
});

test("the axis is marked at round numbers among the losses", () => {
  assert.deepEqual(marksIn([0.83, 0.52]), [0.6, 0.7, 0.8]);
  assert.deepEqual(marksIn([0.5, 1.2]), [0.6, 0.8, 1, 1.2]);
  assert.ok(marksIn([0.5, 40]).length <= 7);
  const marks = [-0.4, 0, 0.1].map((gain) => markOf(gain, 0.762));
  assert.deepEqual(marks, ["0.4 worse", "2017: loss 0.76", "0.1 better"]);
});

test("what lies at one place piles up, and what has room beside lies on the ground", () => {
  const pile = [
    [0, 10],
    [5, 15],
    [12, 20],
    [4, 8],
    [30, 40],
  ];
  assert.deepEqual(levels(pile), [0, 1, 0, 2, 0]);
});

// ---- what is said ---------------------------------------------------------------------------------------------------

const SEEDS = [0.7, 0.8];
const PART = { term: "pre-norm", losses: [0.74], clear: false, buys: "" };

test("what a change came to is held against luck and against the bet", () => {
  assert.equal(gainSaid([0.9], SEEDS), "0.15 worse");
  assert.equal(landsSaid(PART, SEEDS), "Pre-norm: 0.01 better, within luck. It costs the same.");
  assert.match(landsSaid(PART, SEEDS, 0.65), /^You bet 0\.10 better\. Pre-norm: /);
  const far = { ...PART, losses: [0.5], clear: true };
  assert.equal(landsSaid(far, SEEDS), "Pre-norm: 0.25 better, beyond luck.");
  assert.match(landsSaid({ ...PART, buys: "−50% cache" }, SEEDS), /luck\. What it buys: −50% cache\.$/);
  assert.match(landsSaid({ ...PART, buys: "+200% parameters" }, SEEDS), /What it costs: \+200% parameters\.$/);
  assert.match(landsSaid({ ...PART, losses: [] }, SEEDS), /diverged/);
  assert.match(landsSaid({ ...PART, losses: null }, SEEDS), /was not trained, so it has no loss/);
});

test("the summary counts what stays within luck and names what does not", () => {
  const all = { term: "all at once", losses: [0.5] };
  const far = { ...PART, term: "rotary positions", losses: [0.6], clear: true };
  const said = "Two of three changes stay within luck. Rotary positions: 0.15 better. All at once: 0.25 better.";
  assert.equal(summaryOf([PART, far, PART], all, SEEDS), said);
  assert.match(summaryOf([PART, PART], all, SEEDS), /^Two of two changes stay within luck\. All at once/);
});

test("of the deep stack both losses are said", () => {
  const [old, other] = [3.4, 0.75].map((loss) => ({ term: "pre-norm, 8 layers", losses: [loss] }));
  assert.equal(
    deepSaid([old, other], [2, 8]),
    "In two layers pre-norm changed nothing. In eight, 2017’s block fails: loss 3.40. With pre-norm: 0.75.",
  );
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
