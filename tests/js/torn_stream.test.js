// One layer of the drawing: where its parts stand, and the bypass around a sublayer, whole and torn.
import assert from "node:assert/strict";
import { test } from "node:test";

import { bypass, placesOf, stumps } from "../../pages/blocks/components/torn_stream/layer.js";
import { isSign } from "../../pages/blocks/components/torn_stream/torn_stream.js";

test("the bypass leaves before a sublayer and comes back behind it; torn, it has two ends", () => {
  const [start, end] = [10, 40];
  assert.match(bypass(start, end, 8), /^M10 8V.*V2.5$/);
  const ends = stumps(start, end, 8).split("M").slice(1);
  assert.deepEqual(
    ends.map((d) => Number.parseFloat(d)),
    [start, end],
  );
});

test("a norm stands before its sublayer, or behind the addition, and each sublayer has half of the width", () => {
  for (const isPre of [true, false]) {
    const places = placesOf(100, isPre);
    for (const [n, { leaves, norm, x, wide, comes }] of places.entries()) {
      const between = isPre ? [leaves, norm, x, x + wide, comes] : [leaves, x, x + wide, comes, norm];
      assert.deepEqual(
        between,
        [...between].sort((a, b) => a - b),
      );
      assert.ok(between[0] > 50 * n && between.at(-1) < 50 * (n + 1));
    }
  }
});

test("a sign is what has neither letters nor digits", () => {
  assert.deepEqual([".", "?!", "hat", "it's", "é", "7"].map(isSign), [true, true, false, false, false, false]);
});
