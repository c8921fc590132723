// What two models are shown in training, and what is said of them.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  asText,
  found,
  inPercent,
  lastFitting,
  shown,
  swapped,
} from "../../pages/generation/components/two_writers/two_writers.js";

test("who has the mask sees what comes before; without it the next word and what follows are there, too", () => {
  const words = ["mia", "found", "a", "red", "ball"];
  const kinds = (seesAhead) => shown(words, 3, seesAhead).map(([kind]) => kind);
  assert.deepEqual(kinds(false), ["seen", "seen", "seen", "blocked", "blocked"]);
  assert.deepEqual(kinds(true), ["seen", "seen", "seen", "next", "seen"]);
});

test("a share is said in whole percent, and is nothing or all only where it is so", () => {
  assert.deepEqual([0, 0.001, 0.7934, 0.9985, 1].map(inPercent), ["0%", "1%", "79%", "99%", "100%"]);
});

test("what runs on ends at the last word that fits", () => {
  for (const most of [0, 1, 6, 7]) assert.equal(lastFitting(7, (n) => n <= most), most); // prettier-ignore
});

test("words are a text, whose full stops and commas follow their words", () => {
  assert.equal(asText(["a", "box", ",", "red", "too", "."]), "a box, red too.");
});

test("in the beat other words come, and the true one returns", () => {
  const at = [0, 0.4, 0.6, 1].map((share) => swapped(["red", "blue", "green", "black"], "blue", share));
  assert.deepEqual(at, ["blue", "red", "black", "blue"]);
});

test("what comes of a missing mask is said of the writer that sees ahead, beside the one that does not", () => {
  const writers = [
    { in_training: 0.79, right: 0.84, sees_ahead: false },
    { in_training: 1, right: 0, sees_ahead: true },
  ];
  const says = "Without the mask: 100% of words right in training, but 0% of stories hold together. With it: 84%.";
  assert.equal(found(writers), says);
  assert.equal(found(writers.toReversed()), says);
});
