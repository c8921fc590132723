// The picture of a changed word: how strong a ground says how far a vector has moved.
import assert from "node:assert/strict";
import test from "node:test";

import { exchanged, ground } from "../../pages/translation/components/changed_word/changed_word.js";

test("the ground of a word is as strong as its vector has moved", () => {
  assert.equal(ground(1), 11);
  assert.equal(ground(1.0000001), 11);
  assert.equal(ground(0.5), 33);
  assert.equal(ground(0), 55);
  assert.equal(ground(-1), 55);
});

test("words are said to stand for each other only where as many differ on both sides", () => {
  const a = { words: ["un", "chapeau", "rouge"], changed: [0, 1] };
  const b = { words: ["une", "maison", "rouge"], changed: [0, 1] };
  assert.deepEqual(exchanged([a, b]), [
    ["un", "une"],
    ["chapeau", "maison"],
  ]);
  assert.deepEqual(exchanged([a, { words: ["du", "lait", "chaud", "rouge"], changed: [0, 1, 2] }]), []);
});
