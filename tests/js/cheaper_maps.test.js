// Cheaper attention: how large its maps are, and what is said of a cell.

import assert from "node:assert/strict";
import test from "node:test";

import { favourite, missed, sideOf, told } from "../../pages/why/components/cheaper_maps/cheaper_maps.js";

test("two maps share the width with the small ones, and are as tall as the window leaves room for", () => {
  assert.deepEqual(sideOf(1210, 300), { isWide: true, side: 300 });
  const { side } = sideOf(1210, 900);
  assert.ok(2 * side + 250 < 1210);
  assert.deepEqual(sideOf(360, 300), { isWide: false, side: 172 });
});

test("a cell that is not computed has no weight", () => {
  assert.match(told("the", "cat", 0.25, "window", NaN), /0\.25 in full attention, no cell with “window”/);
  assert.match(told("the", "cat", 0.25, "in blocks", 0.25), /0\.25 with “in blocks”/);
});

test("missed is what full attention looks at where nothing is computed", () => {
  const full = [0.75, 0.25, 1, 0.125]; // two queries, two keys
  assert.deepEqual(missed(full, [NaN, 1, 1, NaN], 2, 1.5), { share: 0.4375, strong: [[0, 0, 0.75]] });
  assert.deepEqual(missed(full, full, 2, 1.5), { share: 0, strong: [] });
  assert.equal(favourite(full, 2), 0);
  assert.equal(favourite([0.4, 0.6, 0.1, 0.9], 2), 1);
});
