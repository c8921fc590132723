// Cheaper attention: how large its map is, what is said of a cell, and what is kept and lost.

import assert from "node:assert/strict";
import test from "node:test";

import { favourite, inPercent, sideOf, split, told } from "../../pages/why/components/cheaper_maps/cheaper_maps.js";

test("the map stands beside the ways, as tall as the window leaves room for, and above them on a phone", () => {
  assert.deepEqual(sideOf(1210, 300), { isWide: true, side: 300 });
  assert.ok(sideOf(1210, 900).side + 470 < 1210);
  assert.deepEqual(sideOf(360, 300), { isWide: false, side: 268 });
});

test("a cell that is not computed has no weight", () => {
  assert.match(told("the", "cat", 0.25, "window", NaN), /0\.25 in full attention, not computed with “window”/);
  assert.match(told("the", "cat", 0.25, "in blocks", 0.25), /0\.25 with “in blocks”/);
});

test("what is kept is at most what full attention has, and the rest is lost", () => {
  const full = [0.75, 0.25, 1, 0.125]; // two queries, two keys
  assert.deepEqual(split(full, [NaN, 1, 1, NaN], 2, 1.5), { kept: [0, 0.25, 1, 0], lost: [[0, 0, 0.75]] });
  assert.deepEqual(split(full, [0.25, 0.75, 1, 0.125], 2, 1.5), { kept: [0.25, 0.25, 1, 0.125], lost: [[0, 0, 0.5]] });
  assert.deepEqual(split(full, full, 2, 1.5), { kept: full, lost: [] });
  assert.equal(favourite(full, 2), 0);
  assert.equal(favourite([0.4, 0.6, 0.1, 0.9], 2), 1);
});

test("a share is said in whole percent, and is nothing or all only where it is so", () => {
  assert.deepEqual([0, 3e-7, 0.002, 0.7129, 0.998, 1].map(inPercent), ["0%", "0%", "1%", "71%", "99%", "100%"]);
});
