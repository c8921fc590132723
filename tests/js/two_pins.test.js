// One beginning, given twice: on which word a number falls, and what is said of two.
import assert from "node:assert/strict";
import { test } from "node:test";

import { agreeing, fallen, middle, verdict } from "../../pages/lessons/components/two_pins/two_pins.js";

const chances = [0.5, 0.3, 0.1];

test("a number falls on the word whose stretch it is in, or on none that is drawn", () => {
  assert.deepEqual(
    [0, 0.49, 0.51, 0.79, 0.85, 0.95].map((number) => fallen(number, chances)),
    [0, 0, 1, 1, 2, 3],
  );
  assert.deepEqual(
    chances.map((_, at) => fallen(middle(at, chances), chances)),
    [0, 1, 2],
  );
});

test("numbers drawn evenly write each word as often as its chance", () => {
  const counts = [0, 0, 0, 0];
  for (let n = 0; n < 1000; n++) counts[fallen((n + 0.5) / 1000, chances)]++;
  assert.deepEqual(counts, [500, 300, 100, 100]);
});

test("what two words come to", () => {
  const words = [
    ["red", 0.5],
    ["blue", 0.5],
  ];
  assert.equal(agreeing([0.5, 0.5]), 50);
  assert.equal(agreeing(Array(16).fill(1 / 16)), 6);
  assert.equal(verdict(["red", "red"], words), "“red” twice, by luck: only about 50 of 100 pairs agree.");
  const differ = "“red”, then “blue”: chance decides. Even the likeliest has only 50%.";
  assert.equal(verdict(["red", "blue"], words), differ);
  const rare = "Chance decides. Even the likeliest has only 50%.";
  assert.deepEqual(
    [verdict(["…", "…"], words), verdict(["red", "…"], words)],
    [rare, rare],
    "a word that is not named",
  );
  assert.match(verdict(["red", "?"], words, true), /^Now your hand/);
});
