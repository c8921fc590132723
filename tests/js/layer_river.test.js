// The river of a layer: where its stations stand, in the whole and seen closely.
import assert from "node:assert/strict";
import { test } from "node:test";

import { laneAt, laneBeside, lanesOf } from "../../pages/blocks/components/layer_river/lanes.js";
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

test("of many lanes the one that is followed is large, and of few none", () => {
  const { tops, large } = lanesOf(17, 350, 4);
  const heights = tops.slice(1).map((end, lane) => end - tops[lane]);
  assert.equal(large, 4);
  assert.ok(heights.every((height, lane) => lane === 4 || (height >= 13 && heights[4] > 5 * height)));
  assert.ok(Math.abs(tops.at(-1) - 350) < 17, "they fill the height");
  const few = lanesOf(4, 350, 1);
  assert.equal(few.large, null);
  assert.equal(new Set(few.tops.slice(1).map((end, lane) => end - few.tops[lane])).size, 1);
  assert.deepEqual(
    [laneAt(tops, tops[4] + 1), laneAt(tops, tops[5] - 1), laneAt(tops, -1), laneAt(tops, 999)],
    [4, 4, -1, -1],
  );
});

test("arrow keys lead to the lane above and below, and not beyond", () => {
  assert.deepEqual([laneBeside("ArrowUp", 3, 5), laneBeside("ArrowDown", 3, 5), laneBeside("Home", 3, 5)], [2, 4, 0]);
  assert.deepEqual(
    [laneBeside("ArrowUp", 0, 5), laneBeside("ArrowDown", 4, 5), laneBeside("x", 2, 5)],
    [null, null, null],
  );
});
