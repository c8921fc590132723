// The letters of /live and the threads between: where an answer is written, and how large the letters can be.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Run } from "../../pages/live/components/training_film/run.js";
import { placesOf, rowsThatWrite, stoppedAt } from "../../pages/live/components/training_film/threads.js";

const wide = (word) => 0.5 * word.length; // letters half as wide as they are tall

test("with an encoder every row of the cross-attention writes, and each is called what is right there", () => {
  const queries = ["c", "b", "a", "⟨end⟩"];
  const asked = { reads: ["a", "b", "c"], right: [5, 4, 3, 2] };
  assert.deepEqual(rowsThatWrite("cross", { queries }, { cross: {}, decoder: {} }, asked), {
    rows: [0, 1, 2, 3],
    right: queries,
  });
  assert.equal(rowsThatWrite("decoder", { queries }, { cross: {}, decoder: {} }, asked), null);
  assert.equal(rowsThatWrite("encoder", { queries }, { encoder: {} }, asked), null);
});

test("a decoder alone writes from its last word read on: a row is right in the word that follows it", () => {
  const queries = ["⟨start⟩", "2", "+", "3", "=", "5"];
  const asked = { reads: ["2", "+", "3", "="], right: [8, 2] };
  assert.deepEqual(rowsThatWrite("decoder", { queries }, { decoder: {} }, asked), {
    rows: [4, 5],
    right: ["5", "⟨end⟩"],
  });
  assert.equal(rowsThatWrite("decoder", { queries }, { decoder: {} }, { reads: ["2"], right: [] }), null, "it goes on");
  assert.equal(rowsThatWrite("decoder", { queries }, { decoder: {} }, undefined), null);
});

test("letters stand one above the other inside the room, as large as they can be", () => {
  const { size, places } = placesOf([[..."abcdefgh"], [..."hgfedcba■"]], 1000, wide);
  assert.equal(size, 46);
  assert.deepEqual(places[0], places[1].slice(0, 8));
  const steps = places[1].slice(1).map((x, n) => x - places[1][n]);
  assert.ok(Math.max(...steps) - Math.min(...steps) <= 1);
  assert.ok(places[1][0] > 0 && places[1].at(-1) < 1000);
});

test("words do not touch, are centred, and shrink with the room until they would be too small to read", () => {
  const lines = [
    ["la", "souris", "noire", "ne", "dort", "pas"],
    ["the", "black", "mouse", "does", "not", "sleep", "■"],
  ];
  const large = placesOf(lines, 1000, wide);
  const small = placesOf(lines, 420, wide);
  assert.ok(small.size < large.size);
  for (const [{ size, places }, room] of [
    [large, 1000],
    [small, 420],
  ])
    places.forEach((line, n) => {
      line.forEach((x, k) => {
        if (k === 0) return;
        const [a, b] = [lines[n][k - 1], lines[n][k]].map((word) => (Math.max(0.6, wide(word)) * size) / 2);
        assert.ok(x - line[k - 1] > a + b, `${lines[n][k]} touches the word before it`);
      });
      assert.ok(Math.abs((line[0] + line.at(-1)) / 2 - room / 2) < 2 * size);
    });
  assert.equal(placesOf(lines, 200, wide), null);
});

test("an answer that ends too early says so", () => {
  assert.deepEqual([stoppedAt(2, 9), stoppedAt(2, 3), stoppedAt(2, 2)], ["it stopped here", "stopped", ""]);
});

test("a model that has learned nothing may write filler; behind an answer there is none", () => {
  const run = new Run({ id: "a" });
  run.script = { words: ["⟨pad⟩", "⟨start⟩", "⟨end⟩", "⟨unknown⟩", "a"], asked: [{ right: [4, 4, 2, 2] }] };
  run.chances[0] = [
    [90, 80, 70, 0],
    [200, 90, 80, 70],
  ];
  run.ids[0] = [
    [3, 4, 2, 0],
    [3, 0, 0, 4],
  ];
  const words = (frame) => run.says(0, frame).map(({ word }) => word);
  assert.deepEqual(words(0), ["?", "a", "⟨end⟩"]);
  assert.deepEqual(words(1), ["?", "·", "·", "a"]);
});
