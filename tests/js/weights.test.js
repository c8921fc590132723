// Cross-attention of a translation: where playing opens.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Weights } from "../../pages/translation/components/alignment_threads/weights.js";

/** Weights of one head, each target word looking at one source word. */
const of = (tops, target) => {
  const source = ["a", "b", "c", "d"];
  const weights = tops.flatMap((top) => source.map((_, j) => (j === top ? 1 : 0)));
  return new Weights({ source, target, weights, heads: 1, layers: 1, ghost: [] }, 0, -1);
};

test("playing opens at the first word for which the model goes back", () => {
  assert.equal(of([0, 1, 3, 2, 1], ["w", "x", "y", "z", "v"]).turn, 3);
  assert.equal(of([3, 2, 1], ["w", "x", "y"]).turn, 1);
});

test("it opens at the first word where the order is the same, and the end is no word", () => {
  assert.equal(of([0, 1, 1, 2], ["w", "x", "y", "z"]).turn, 0);
  assert.equal(of([0, 1, 0], ["w", "x", "⟨end⟩"]).turn, 0);
});
