// Words that are moved on: their weights between positions, what changes, and how it is said.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  BOUND,
  changeOf,
  degreesApart,
  finding,
  isNoticed,
  nextOf,
  OTHERS,
  rowOf,
  signed,
  USUAL,
  waveOf,
  weightsAt,
  whatDoes,
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

test("it asks before the move, and answers with the largest change after it", () => {
  const changes = { added: { by: -0.058 }, turned: { by: 3e-8 }, priced: { by: 0 } };
  assert.equal(finding(changes, 0), "Move all the words on: which of the three notices?");
  assert.equal(
    finding(changes, 10),
    "Only “added” notices: an attention weight changes by 0.06. “Turned” and “priced” see the same distances as before.",
  );
  assert.match(finding({ ...changes, added: { by: -0.0042 } }, 10), / changes by 0\.004\. /);
  assert.match(finding({ ...changes, added: { by: 0 } }, 10), /^None of the three notices/);
  assert.equal(
    finding({ ...changes, priced: { by: 0.2 } }, 1),
    "Only “added” and “priced” notice: an attention weight changes by 0.20. “Turned” sees the same distances as before.",
  );
  const all = { added: { by: 0.1 }, turned: { by: 0.1 }, priced: { by: 0.2 } };
  assert.equal(finding(all, 1), "All three notice: an attention weight changes by 0.20.");
});

test("the button leads through all five ways and back", () => {
  let [ways, start] = [USUAL, 0];
  const seen = new Set();
  const says = [];
  for (let press = 0; press < 3; press++) {
    const next = nextOf(ways, start, 10);
    says.push(next.says);
    ({ ways, start } = next);
    for (const way of Object.values(ways)) seen.add(way);
  }
  assert.deepEqual(says, ["Move everything 10 words on", "The same with learned and T5", "Back to the start"]);
  assert.deepEqual([...seen].sort(), ["ALiBi", "T5 relative", "learned", "rotary", "sinusoidal"]);
  assert.deepEqual([ways, start], [USUAL, 0]);
  assert.equal(nextOf(OTHERS, 0, 10).ways, OTHERS, "a move leaves the ways");
});

test("angles are the shorter way round", () => {
  const turn = Math.PI / 10; // 18 degrees
  assert.deepEqual(
    [0, 1, -4, 10, 11, 20].map((far) => Math.abs(degreesApart(turn, far))),
    [0, 18, 72, 180, 162, 0],
  );
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

test("a way is said with its price", () => {
  assert.equal(whatDoes("ALiBi", -0.25), "Each step away costs 0.25 of the score.");
  assert.equal(whatDoes("ALiBi", -(2 ** -8)), "Each step away costs 0.004 of the score.");
  assert.match(whatDoes("learned"), /row of a table/);
  assert.match(whatDoes("sinusoidal"), /wave/);
});
