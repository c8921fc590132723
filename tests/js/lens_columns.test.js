// What a model would say at every height: the large column, and how a rank is written.
import assert from "node:assert/strict";
import { test } from "node:test";

import { placed, tower } from "../../pages/pretrained/components/lens_columns/lens_columns.js";

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
