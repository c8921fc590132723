// What a model would say at every height: the large column, and how a rank is written.
import assert from "node:assert/strict";
import { test } from "node:test";

import { lastOther, placed, textTo, tower } from "../../pages/pretrained/components/lens_columns/lens_columns.js";

test("the large column begins at the top and marks where the final word stands first", () => {
  const data = {
    heights: ["embedding", "layer 0"],
    said: [["red", "hat"]],
    chances: [[0.7, 0.9]],
    ranks: [[1838, 1]],
    odds: [[0, 0.9]],
  };
  assert.deepEqual(tower(data, 0), [
    { height: "layer 0", word: "hat", chance: 0.9, rank: 1, odds: 0.9, isAnswer: true },
    { height: "embedding", word: "red", chance: 0.7, rank: 1838, odds: 0, isAnswer: false },
  ]);
});

test("ranks are written as one says them", () => {
  const said = [2, 3, 11, 12, 13, 21, 22, 103, 111, 1838].map(placed);
  assert.deepEqual(said, ["2nd", "3rd", "11th", "12th", "13th", "21st", "22nd", "103rd", "111th", "1,838th"]);
});

test("the stop rests where another word would still be said", () => {
  assert.equal(lastOther([9, 4, 1, 1]), 1);
  assert.equal(lastOther([1, 1, 7, 1]), 2, "a word that it had and lost again");
  assert.equal(lastOther([1, 1, 1]), 2, "nothing changes on the way: the top");
});

test("the text ends with the word that is read out", () => {
  assert.equal(textTo(["a", "red", "hat"], 1, 20), "a red");
  assert.equal(textTo([..."abcdefghij"], 8, 13), "… c d e f g h i");
  assert.equal(textTo(["The", "·hat"], 1, 20), "The\u200b·hat", "tokens that bring their spaces");
  assert.equal(textTo(["a", "word"], 1, 2), "… word", "the word itself, whatever its length");
});
