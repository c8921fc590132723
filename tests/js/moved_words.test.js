// Words that are moved on: their weights between positions, what changes, and how it is said.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  BOUND,
  changeOf,
  finding,
  fromTo,
  isNoticed,
  rowOf,
  signed,
  waveOf,
  weightsAt,
  wordUnder,
} from "../../pages/positions/components/moved_words/moved.js";

test("a row between two positions lies between their rows", () => {
  const table = Float32Array.from([0, 1, 4, 5]);
  assert.deepEqual(rowOf(table, 2, 0), [0, 1]);
  assert.deepEqual(rowOf(table, 2, 1), [4, 5], "the last row has none after it");
  assert.deepEqual(rowOf(table, 2, 0.25), [1, 2]);
});

test("the weights of a word are its row of the map at that start", () => {
  const table = Float32Array.from([1, 0, 0, 1, 0.5, 0.5, 0.25, 0.75]);
  assert.deepEqual(weightsAt(table, 2, 1, 1), [0.25, 0.75]);
  assert.deepEqual(weightsAt(table, 2, 0.5, 0), [0.75, 0.25]);
});

test("the largest change has its sign and its word, and rounding is not noticed", () => {
  const change = changeOf([0.5, 0.25, 0.25], [0.5, 0.125, 0.375]);
  assert.deepEqual(change, { by: -0.125, at: 1 });
  assert.equal(isNoticed(change), true);
  assert.equal(isNoticed({ by: BOUND / 2 }), false);
  assert.equal(isNoticed({ by: -BOUND }), true);
  assert.deepEqual([0.058, -0.058, 0].map(signed), ["+0.06", "−0.06", "0"]);
  assert.deepEqual([0.0042, -0.0042, BOUND].map(signed), ["+0.004", "−0.004", "+0.00001"], "the sign is the only one");
});

test("a bar that has noticed shows two weights that do not read as the same", () => {
  assert.equal(fromTo(0.11, 0.34), "0.11 → 0.34");
  assert.equal(fromTo(0.1071, 0.1069), "0.1071 → 0.1069");
  assert.equal(fromTo(0.0042, 0.0042 + BOUND), "0.00420 → 0.00421");
  assert.equal(fromTo(0.004, 0.02), "<0.01 → 0.02");
});

test("it asks before the move, and then says who noticed, against what was guessed", () => {
  const [still, much] = [{ by: 3e-8 }, { by: -0.058 }];
  const lanes = [
    { name: "added", way: "sinusoidal", change: much },
    { name: "turned", way: "rotary", change: still },
    { name: "priced", way: "ALiBi", change: still },
  ];
  const told = { start: 10, step: 10, guess: null, lanes };
  const asks = "Push the whole text 10 places along. Which row of bars will change? Press its name.";
  assert.equal(finding({ ...told, start: 0 }), asks);
  assert.equal(finding({ ...told, start: 0, guess: "priced" }), "You say the price. Now slide the positions.");
  assert.equal(finding(told), "Only the wave notices, by 0.06 of attention. The others count distances.");
  assert.match(finding({ ...told, guess: "turned" }), /^No: only the wave notices,/);
  assert.match(finding({ ...told, guess: "added" }), /^Right: only the wave notices,/);
  const slight = [{ ...lanes[0], way: "learned", change: { by: 0.0042 } }, ...lanes.slice(1)];
  assert.match(finding({ ...told, lanes: slight }), /^Only the table row notices, by 0\.004 of/);
  const all = lanes.map((lane) => ({ ...lane, change: much }));
  assert.equal(
    finding({ ...told, lanes: all }),
    "Only the wave and the clock and the price notice, by 0.06 of attention.",
  );
  assert.match(finding({ ...told, lanes: lanes.slice(1) }), /^Nobody notices/);
});

test("a code is a line from edge to edge, and a word lies under its share of the width", () => {
  assert.deepEqual(waveOf([1, -2, 0], 2), [
    [0, 0.5],
    [0.5, -1],
    [1, 0],
  ]);
  assert.deepEqual(
    [-0.1, 0, 0.5, 0.99, 1.2].map((share) => wordUnder(share, 9)),
    [0, 0, 4, 8, 8],
  );
});
