// A curve that is drawn: which places a stroke passes, how far a drawing is from the truth, and how that is said.

import assert from "node:assert/strict";
import { test } from "node:test";

import { compared, stroke, told } from "../../lab/kit/components/drawn_curve.js";
import { ticks } from "../../pages/why/components/curve_guess/curve_guess.js";

test("a stroke sets every place that it passes, in either direction, and none beyond the ends", () => {
  assert.deepEqual(stroke([0.5, 1], [3.5, 4], 1, 5), { 1: 1.5, 2: 2.5, 3: 3.5 });
  assert.deepEqual(stroke([3.5, 4], [0.5, 1], 1, 5), { 1: 1.5, 2: 2.5, 3: 3.5 });
  assert.deepEqual(stroke([-4, 7], [9, 7], 2, 4), { 2: 7, 3: 7, 4: 7 });
  assert.deepEqual(stroke([2.2, 1], [2.3, 5], 1, 4), { 2: 5 }, "a tap counts for the nearest place");
  assert.deepEqual(stroke([2, 1], [2, 5], 1, 4), { 2: 5 }, "straight upwards");
  assert.deepEqual(stroke([-3, 1], [-2, 5], 1, 4), {}, "too far off");
});

test("the difference leaves out what was given", () => {
  const { mean, lean, worst } = compared([9, 4, 2, 5], [0, 2, 3, 1], 1);
  assert.ok(Math.abs(mean - 7 / 3) < 1e-12);
  assert.ok(Math.abs(lean - 5 / 3) < 1e-12);
  assert.equal(worst, 3);
});

const say = (drawn, truth) =>
  told({ drawn, truth, given: 1, names: ["a", "b", "c"], ends: [0, 10], write: (value) => `${value} u` });

test("one sentence says how far, in which direction and where most", () => {
  assert.equal(
    say([0, 6, 4], [0, 2, 4]),
    "Yours is 2 u away on average, mostly too high; the largest gap is at b, where you drew 6 u and it is 2 u.",
  );
  assert.match(say([0, 1, 1], [0, 5, 5]), /mostly too low/);
  assert.match(say([0, 1, 5], [0, 3, 3]), /now above, now below/);
  assert.equal(say([0, 3, 3], [0, 3, 3.5]), "Very close: the largest gap is at c, where you drew 3 u and it is 3.5 u.");
});

test("ticks are round and lie within the ends", () => {
  assert.deepEqual(ticks([0, 100]), [0, 20, 40, 60, 80, 100]);
  assert.deepEqual(ticks([0, 150]), [0, 50, 100, 150]);
  assert.deepEqual(ticks([0, 4]), [0, 1, 2, 3, 4]);
  assert.deepEqual(ticks([-1, 1]), [-1, -0.5, 0, 0.5, 1]);
});
