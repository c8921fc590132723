// Attention that runs into the word being written.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Weights } from "../../pages/translation/components/alignment_threads/weights.js";
import { ends, thickness } from "../../pages/translation/components/written_word/ribbons.js";
import { hits, jump, readBack } from "../../pages/translation/components/written_word/written_word.js";

const at = (...places) => places.map((x) => ({ x, y: 0 }));

test("ribbons lie side by side, together as wide as their weights, around the middle of the word", () => {
  const found = ends([0.5, 0.25, 0.25], at(100, 200, 300), 200, 40, 0.03);
  assert.deepEqual(found, [
    [0, 190, 20],
    [1, 205, 10],
    [2, 215, 10],
  ]);
});

test("they end in the order in which they begin, so that none crosses another; slight ones are left out", () => {
  const found = ends([0.5, 0.01, 0.49], at(300, 200, 100), 0, 100, 0.03);
  assert.deepEqual(
    found.map(([j]) => j),
    [2, 0],
  );
  assert.ok(found[0][1] < found[1][1]);
});

test("an arc from what was written before is as thick as its attention weight", () => {
  assert.deepEqual(
    [0, 0.5, 1].map((weight) => Number(thickness(weight)["stroke-width"])),
    [1, 4, 7],
  );
});

test("the first question is on the word for which the decoder jumps", () => {
  const at = (tops, mistake = null) => jump({ top: (i) => tops[i] }, { target: [..."abcde", "⟨end⟩"], mistake });
  assert.equal(at([0, 1, 1, 2, 4, 4]), 4, "neither again nor the word after");
  assert.equal(at([0, 1, 0, 2, 4, 4]), 2, "back");
  assert.equal(at([0, 1, 2, 3, 4, 0]), 0, "the end looks anywhere");
  assert.equal(at([3, 4, 4, 4, 4, 4]), 0);
  assert.equal(at([0, 1, 2, 4, 4, 4], [1, "x", "b"]), 0, "it has gone wrong before");
  assert.equal(at([0, 1, 2, 4, 4, 4], [3, "x", "d"]), 3);
});

test("it is said what the arcs are, where there are some", () => {
  const said = "Run 2 of 7: the decoder reads what it has written";
  assert.equal(readBack(2, 7, false), `${said}. The arcs are its self-attention`);
  assert.equal(readBack(2, 7, true), said, "a phone has no arcs");
  assert.equal(readBack(1, 1, true), "The decoder runs once");
});

test("guesses are counted once there are some, up to the word that is written", () => {
  const rows = [0.5, 0.5, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0];
  const weights = new Weights({ source: ["a", "b", "c", "d"], target: ["A", "B", "C"], heads: 1, weights: rows }, 0, 0);
  const guesses = new Map([
    [0, 0],
    [2, 3],
  ]);
  assert.equal(hits(weights, new Map(), 2), "");
  assert.equal(hits(weights, guesses, 1), "1 of 1 looked where you said");
  assert.equal(hits(weights, guesses, 2), "1 of 2 looked where you said");
  const other = hits(weights, guesses.set(0, 1), 0);
  assert.equal(other, "1 of 1 looked where you said", "the verdict takes either of two that are looked at as much");
});
