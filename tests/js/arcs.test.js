// Arcs below a sentence lead to what a token looks at.
import assert from "node:assert/strict";
import { test } from "node:test";

import { arc, arcsOf, strand } from "../../attention_view/arcs.js";

test("arcs lead to what has weight, the strongest last, and in a loop to the token itself", () => {
  const weights = [1, 0, 0, 0, 0.5, 0.5, 0, 0, 0.25, 0.03, 0.125, 0.595, 0.25, 0.25, 0.125, 0.375];
  assert.deepEqual(
    arcsOf(weights, 2, 4).map(([j]) => j),
    [2, 0, 3],
  );
  assert.deepEqual(arcsOf(weights, 3, 4), [
    [2, 0.125],
    [0, 0.25],
    [1, 0.25],
    [3, 0.375],
  ]);
  assert.deepEqual(arcsOf(weights, 0, 4), [[0, 1]], "it looks at itself alone"); // prettier-ignore
  const pointed = [0, 1, 2, 3].map((j) => arcsOf(weights, 2, 4, j).map(([key]) => key));
  assert.deepEqual(
    pointed,
    [
      [2, 0, 3],
      [1, 2, 0, 3],
      [2, 0, 3],
      [2, 0, 3],
    ],
    "a faint pair that is pointed at has one, too",
  );
  assert.deepEqual(arcsOf(weights, 0, 4, 2), [[0, 1]], "what has no weight at all has none");
});

test("an arc begins and ends at its tokens, and hangs below the line", () => {
  const [from, ...rest] = arc(10, 100, 30)
    .match(/\d+(\.\d+)?/g)
    .map(Number);
  assert.deepEqual([from, rest[0]], [10, 30]);
  assert.deepEqual(rest.slice(-2), [100, 30]);
  assert.ok(rest[2] > 30 && rest[4] > 30);
});

test("a thread between two lines leads from the foot of the upper word to the top of the lower, whoever asks", () => {
  const [upper, lower] = [
    [10, 20, 5],
    [80, 60, 45],
  ];
  const d = strand(lower, upper);
  assert.equal(d, strand(upper, lower));
  assert.match(d, /^M10 20C/);
  assert.match(d, / 80 45$/);
});
