// What comes next without a head, and whether that is another word.
import assert from "node:assert/strict";
import { test } from "node:test";

import { outcome, verdict } from "../../pages/challenges/components/one_head/one_head.js";

const names = ["he", "she"];

test("the likelier word is read, and it is turned only where it was the other", () => {
  assert.deepEqual(outcome(names, [0.33, 0.64], [0.99, 0.01]), { word: "she", isTurned: true });
  assert.deepEqual(outcome(names, [0.81, 0.1], [0.99, 0.01]), { word: "he", isTurned: false });
  assert.deepEqual(outcome(names, [0.3, 0.6], [0.1, 0.9]), { word: "she", isTurned: false });
});

test("once a head has solved the puzzle, another one that does not is no reason to go on", () => {
  assert.equal(verdict("head 1", "he", false), "Without head 1 it is still he. Press another.");
  assert.equal(verdict("head 2", "she", true, "head 2"), "✓ Without head 2 it is she.");
  const says = "Without head 1 it is still he. You have solved it already: head 2 turns the word.";
  assert.equal(verdict("head 1", "he", false, "head 2"), says);
});
