// A hundred chips: whatever is moved, they stay a hundred, and everything keeps one.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  bits,
  CHIPS,
  compared,
  equal,
  lengths,
  moved,
  partAt,
  pushed,
  stands,
} from "../../pages/generation/components/wager/wager.js";

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

test("a border pushes the next ones on, and each part keeps a chip", () => {
  assert.deepEqual(pushed([20, 20, 20, 40], 0, 30), [30, 10, 20, 40]);
  assert.deepEqual(pushed([20, 20, 20, 40], 0, 55), [55, 1, 4, 40]);
  assert.deepEqual(pushed([20, 20, 20, 40], 2, 5), [3, 1, 1, 95]);
  assert.deepEqual(pushed([20, 20, 20, 40], 1, 400), [20, 78, 1, 1]);
  for (let at = -20; at < 130; at += 7) assert.equal(sum(pushed(equal(6), 2, at)), CHIPS);
});

test("it is said what a bet stands to cost, and afterwards who was less surprised", () => {
  const names = ["red", "blue", "something else"];
  assert.equal(stands([34, 33, 33], names), "An even bet: whatever comes, you pay 1.6 bits.");
  assert.equal(stands([25, 50, 25], names), "If it is “blue”, you pay 1.0 bits; if “red”, 2.0 bits.");
  assert.match(stands([10, 30, 60], names), /^If it is something else,/);
  assert.equal(compared("red", 2, 1), "It was “red”. The model was less surprised: 1.0 bits against your 2.0.");
  assert.equal(compared("red", 1, 2), "It was “red”. You were less surprised: 1.0 bits against the model’s 2.0.");
  assert.match(compared("red", 1.01, 1.02), /pay the same: 1.0 bits/);
});

test("every place of the bar is in one part", () => {
  const chips = [20, 1, 1, 78];
  assert.deepEqual(
    [0, 19.9, 20, 20.5, 21, 22, 99, 100, -3].map((at) => partAt(chips, at)),
    [0, 0, 1, 1, 2, 3, 3, 3, 0],
  );
});

test("prices are as long as they are dear, however dear", () => {
  assert.deepEqual(lengths([8, 16]), [0.5, 1]);
  assert.deepEqual(
    lengths([6.64, 1.66]).map((x) => Math.round(100 * x)),
    [100, 25],
  );
  assert.deepEqual(lengths([0, 0]), [0, 0]);
});
