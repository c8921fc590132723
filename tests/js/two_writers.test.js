// What two writers have written after so many letters.
import assert from "node:assert/strict";
import { test } from "node:test";

import { inPercent, longest, places, sighted } from "../../pages/generation/components/two_writers/two_writers.js";

const kinds = (list) => list.map(([kind]) => kind);

test("a letter is right or wrong, a place is open before its turn, and empty where nothing more was written", () => {
  const right = ["a", "b", "c"];
  assert.deepEqual(places(right, ["a", "x"], 2), [
    ["right", "a"],
    ["wrong", "x"],
    ["open", ""],
  ]);
  assert.deepEqual(kinds(places(right, ["a", "x"], 3)), ["right", "wrong", "empty"]);
  assert.deepEqual(kinds(places(right, [], 9)), ["empty", "empty", "empty"]);
});

test("what is written beyond the end of the answer is wrong", () => {
  assert.deepEqual(kinds(places(["a"], ["a", "b"], 9)), ["right", "wrong"]);
  assert.equal(longest([{ right: ["a"], written: [["a", "b"], []] }]), 2);
});

test("a share is said to a tenth of a percent, and nothing is 0%", () => {
  assert.deepEqual([0, 0.99, 0.9985, 1].map(inPercent), ["0%", "99%", "99.9%", "100%"]);
});

test("who is asked for a letter sees those before it, and without the mask all of them, the one asked for, too", () => {
  const right = ["a", "b", "c", "d"];
  assert.deepEqual(sighted(right, 2, false), [
    ["seen", "a"],
    ["seen", "b"],
    ["asked", "?"],
    ["blocked", ""],
  ]);
  assert.deepEqual(sighted(right, 2, true), [
    ["seen", "a"],
    ["seen", "b"],
    ["asked", "c"],
    ["seen", "d"],
  ]);
});
