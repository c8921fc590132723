// The river of a layer: where its stations stand, in the whole and seen closely.
import assert from "node:assert/strict";
import { test } from "node:test";

import { laneAt, laneBeside, lanesOf, namesOf } from "../../pages/blocks/components/layer_river/lanes.js";
import { finding } from "../../pages/blocks/components/layer_river/finding.js";
import { strongest } from "../../pages/blocks/components/layer_river/vectors.js";
import { riverPlaces } from "../../pages/blocks/components/layer_river/layer_river.js";

const stations = ["in", "norm1", "attention", "add1"].map((step) => ({ step, main: step === "in" || step === "add1" }));
const whole = ({ from, x, width }) => x + width - from;

test("stations stand side by side and fill the width", () => {
  const places = riverPlaces(stations, 1000);
  assert.equal(places[0].from, 0);
  for (let n = 1; n < places.length; n++)
    assert.ok(Math.abs(places[n].from - (places[n - 1].x + places[n - 1].width)) < 1e-9);
  assert.ok(Math.abs(places.at(-1).x + places.at(-1).width - 1000) < 1e-9);
});

test("seen closely, one takes what the others give", () => {
  const [far, near] = [undefined, (n) => (n === 2 ? 4 : 0.3)].map((scale) => riverPlaces(stations, 1000, scale));
  assert.ok(whole(near[2]) > 1.7 * whole(far[2]));
  assert.ok([0, 1, 3].every((n) => whole(near[n]) < whole(far[n])));
  assert.ok(Math.abs(near.at(-1).x + near.at(-1).width - 1000) < 1e-9);
});

test("the lane that is followed has two thirds of the height, of many and of few", () => {
  for (const [n, large] of [
    [17, 4],
    [17, 16],
    [4, 1],
    [1, 0],
  ]) {
    const tops = lanesOf(n, 430, large);
    const heights = tops.slice(1).map((end, lane) => end - tops[lane]);
    assert.ok(heights[large] >= 0.65 * 430);
    assert.ok(heights.every((height, lane) => lane === large || height < 0.12 * heights[large]));
    assert.ok(Math.abs(tops.at(-1) - 430) < 1e-9, "they fill the height");
  }
  const tops = lanesOf(17, 430, 4);
  assert.deepEqual(
    [laneAt(tops, tops[4] + 1), laneAt(tops, tops[5] - 1), laneAt(tops, -1), laneAt(tops, 999)],
    [4, 4, -1, -1],
  );
  const fingers = lanesOf(17, 264, 4, 13);
  assert.ok(fingers[1] - fingers[0] === 13, "on a phone a finger finds each of them");
});

test("those that are looked at most are named, and their names keep apart", () => {
  const weights = Array(17).fill(0.01);
  Object.assign(weights, { 13: 0.2, 14: 0.3, 15: 0.25, 3: 0.1, 16: 0.4 });
  const tops = lanesOf(17, 430, 16);
  const names = namesOf(tops, weights, 16);
  assert.deepEqual(
    names.map(([lane]) => lane),
    [13, 14, 15],
    "the followed token itself is named anyway",
  );
  const at = names.map(([lane, by]) => (tops[lane] + tops[lane + 1]) / 2 + by);
  assert.ok(at[1] - at[0] >= 18 && at[2] - at[1] >= 18 && at[2] <= tops[16]);
  const [[above], [below]] = [namesOf(lanesOf(9, 430, 4), [0.3, 0, 0, 0, 0.4, 0, 0, 0, 0.3], 4)].flatMap((two) => [
    two.filter(([lane]) => lane < 4),
    two.filter(([lane]) => lane > 4),
  ]);
  assert.deepEqual([above[0], below[0]], [0, 8]);
});

test("of hidden units the strongest are drawn, in their own order", () => {
  assert.deepEqual(strongest([0, 3, 0, -5, 1, 0], 3), [3, -5, 1]);
  assert.deepEqual(strongest([1, 2], 9), [1, 2]);
});

test("arrow keys lead to the lane above and below, and not beyond", () => {
  assert.deepEqual([laneBeside("ArrowUp", 3, 5), laneBeside("ArrowDown", 3, 5), laneBeside("Home", 3, 5)], [2, 4, 0]);
  assert.deepEqual(
    [laneBeside("ArrowUp", 0, 5), laneBeside("ArrowDown", 4, 5), laneBeside("x", 2, 5)],
    [null, null, null],
  );
});

test("the finding tells how much each sublayer added to the token that is followed", () => {
  const layer = (attention) =>
    [
      ["in", "Stream in", [9, 18.2]],
      ["norm1", "Layer norm", [1, 1]],
      ["attention", "Attention", attention],
      ["add1", "Add +", [9, 9]],
      ["feed_forward", "Feed-forward", [3, 26.8]],
      ["add2", "Add +", [5, 5]],
    ].map(([step, label, lengths]) => ({ step, label, lengths, help: "" }));
  const said =
    "“red” comes in with length 18.2; attention adds a vector of length 17.4, feed-forward one of length 26.8.";
  assert.equal(finding(layer([8, 17.4]), ["the", "red"], 1), said);
  assert.equal(finding(layer([99, 17.4]), ["the", "red"], 1), said, "another token's lengths do not matter");
  assert.match(finding(layer([8, 2]), ["the", "red"], 1), /attention adds a vector of length 2\.00, /);
});
