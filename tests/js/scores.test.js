// Heads in the order of a score, and those that have enough of it.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Picture } from "../../attention_view/picture.js";
import { ordered, orders, score, scoreRange, scoreText, sortedBy } from "../../attention_view/scores.js";
import { packed } from "./payload.js";

const TOKENS = ["a", "b", "c", "d"];
const arrays = {
  weights: { shape: [2, 2, 4, 4], values: Array(64).fill(0.25) },
  largest: { shape: [2, 2], values: [1, 1, 1, 1] },
  "score:entropy": { shape: [2, 2], values: [1.5, 0.25, 2, 0.25] },
  "score:copy": { shape: [2, 2], values: [0.125, 0.9, 0.5, 0.0625] },
};
const header = {
  layers: 2,
  heads: 2,
  queries: TOKENS,
  keys: TOKENS,
  scale: 1,
  tier: "exact",
  chance: { entropy: 2, copy: 0.25 },
};
const seen = new Picture(packed(arrays, { ...header, about: { copy: "how much it copies" } }));

test("every score of the payload offers two orders, the house's in its own words", () => {
  assert.deepEqual(orders(seen), [
    ["", "by layer"],
    ["-entropy", "most even first"],
    ["entropy", "sharpest first"],
    ["-copy", "copy first"],
    ["copy", "copy last"],
  ]);
  assert.deepEqual(orders(new Picture(packed({ weights: arrays.weights }, header))), [["", "by layer"]]);
  assert.deepEqual(
    [sortedBy(""), sortedBy("-copy"), sortedBy("copy")],
    [null, { name: "copy", most: true }, { name: "copy", most: false }],
  );
});

test("heads are ordered by score, and of equal ones the first layer comes first", () => {
  assert.deepEqual(ordered(seen, ""), [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ]);
  assert.deepEqual(ordered(seen, "entropy"), [
    [0, 1],
    [1, 1],
    [0, 0],
    [1, 0],
  ]);
  assert.deepEqual(ordered(seen, "-entropy"), [
    [1, 0],
    [0, 0],
    [0, 1],
    [1, 1],
  ]);
  assert.deepEqual(ordered(seen, "-copy"), [
    [0, 1],
    [1, 0],
    [0, 0],
    [1, 1],
  ]);
});

test("a limit keeps the heads at the front of the order, itself included", () => {
  assert.deepEqual(ordered(seen, "-copy", 0.5), [
    [0, 1],
    [1, 0],
  ]);
  assert.deepEqual(ordered(seen, "copy", 0.125), [
    [1, 1],
    [0, 0],
  ]);
  assert.deepEqual(ordered(seen, "-copy", 1), []);
  assert.deepEqual(ordered(seen, "", 0.9).length, 4, "without an order there is nothing to limit");
});

test("the range of the slider holds every head", () => {
  assert.deepEqual(
    scoreRange(seen, "copy"),
    [0.06, 0.9].map((x, n) => (n ? Math.ceil(100 * Math.fround(0.9)) / 100 : x)),
  );
  const [least, most] = scoreRange(seen, "copy");
  assert.equal(ordered(seen, "-copy", least).length, 4);
  assert.equal(ordered(seen, "copy", most).length, 4);
});

test("a score says its unit, its chance, and where its scale ends", () => {
  const entropy = score(seen, "entropy");
  assert.deepEqual([entropy.title, entropy.chance, entropy.largest], ["Entropy", 2, 2]);
  assert.equal(scoreText(1.5, entropy), "1.50 bits");
  const copy = score(seen, "copy");
  assert.deepEqual(
    [copy.title, copy.about, copy.largest, scoreText(0.5, copy)],
    ["Copy", "how much it copies", 1, "0.50"],
  );
});
