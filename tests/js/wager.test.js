// A hundred chips: whatever is moved, they stay a hundred, and everything keeps one.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bits, CHIPS, equal, moved } from "../../pages/generation/components/wager/wager.js";

const sum = (chips) => chips.reduce((a, b) => a + b, 0);

test("chips stay whole, at least 1 each, and a hundred together", () => {
  let state = 7;
  const random = (n) => (state = (state * 16807) % 2147483647) % n; // Park and Miller's generator
  let chips = equal(6);
  assert.deepEqual(chips, [17, 17, 17, 17, 16, 16]);
  for (let k = 0; k < 500; k++) {
    const [i, n] = [random(6), random(130) - 10];
    chips = moved(chips, i, n);
    assert.equal(sum(chips), CHIPS);
    assert.ok(chips.every((chip) => Number.isInteger(chip) && chip >= 1));
    assert.equal(chips[i], Math.max(1, Math.min(95, n)));
  }
});

test("the others keep their proportions, or share alike if they had nothing", () => {
  const after = moved([10, 61, 21, 6, 1, 1], 0, 55);
  assert.ok(Math.abs((after[1] - 1) / (after[2] - 1) - 3) < 0.25); // 60 to 20 beyond the one that each keeps
  assert.deepEqual(moved([95, 1, 1, 1, 1, 1], 0, 40), [40, 12, 12, 12, 12, 12]);
});

test("a half costs 1 bit, a quarter 2, and one chip 6.64", () => {
  assert.equal(bits(50), 1);
  assert.equal(bits(25), 2);
  assert.ok(Math.abs(bits(1) - Math.log2(100)) < 1e-12);
});
