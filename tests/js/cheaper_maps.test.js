// Cheaper attention: where its words stand, and what is kept and lost.

import assert from "node:assert/strict";
import test from "node:test";

import { favourite, inLine, inPercent, split } from "../../pages/why/components/cheaper_maps/cheaper_maps.js";

test("words share the line by their letters, and fill it", () => {
  const words = ["nothing", "about", "the", "room"];
  for (const whole of [120, 1200]) {
    const { middles, letters } = inLine(words, whole);
    assert.deepEqual(
      middles,
      middles.toSorted((a, b) => a - b),
    );
    assert.ok(middles[0] > 0 && middles.at(-1) < whole && letters <= 20);
    assert.ok(middles[1] - middles[0] > middles[2] - middles[1], "longer words have more room");
  }
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
