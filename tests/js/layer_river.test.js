// The river of a layer: where its stations stand, in the whole and seen closely.
import assert from "node:assert/strict";
import { test } from "node:test";

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
