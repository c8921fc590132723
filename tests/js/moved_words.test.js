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

test("it asks before the push, then says whether bars moved, and at last who alone noticed", () => {
  const [still, much] = [3e-8, -0.058];
  const told = { start: 10, lane: "added", change: { by: much }, known: { added: much } };
  assert.match(finding({ ...told, start: 0 }), /^A wave is added .* Push the ruler: do the bars change\?$/);
  assert.equal(finding(told), "The bars change, by up to 0.06: this model knows where a word is.");
  assert.match(finding({ ...told, change: { by: 0.0042 } }), /by up to 0\.004:/);
  const turned = { start: 10, lane: "turned", change: { by: still }, known: { added: much, turned: still } };
  assert.match(finding(turned), /^All clocks turn, no bar moves: .* how far apart/);
  const all = { ...turned, lane: "priced", known: { ...turned.known, priced: still } };
  assert.equal(finding(all), "Only the wave notices. The others know nothing but distance.");
  assert.match(finding({ ...all, known: { ...all.known, turned: much } }), /^No price changes, no bar moves/);
  assert.match(finding({ ...all, start: 0 }), /Push the ruler/);
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
