// How the pairs that a KV cache saves are counted, said and laid out.
import assert from "node:assert/strict";
import { test } from "node:test";

import { memory, striping, timesOf, told, toldOf } from "../../pages/generation/components/kv_cache/kv_cache.js";
import { computed, FAR, lengthAt, spanOf } from "../../pages/generation/components/kv_cache/pile.js";

const DATA = { anew: [1, 2, 3, 4], kept: [1, 1, 1, 1], tokens: ["mia", "found", "a", "hat"] };

test("what all steps compute is the sum of what each did, and goes on in the same way", () => {
  assert.deepEqual(computed(DATA, 3), [6, 3]);
  assert.deepEqual(computed({ anew: [1, 1], kept: [1, 1] }, 2), [2, 2]); // as counted
  assert.deepEqual(computed(DATA, 5), [15, 5]);
  assert.deepEqual(computed(DATA, FAR), [500500, 1000]);
});

test("a token that is pulled in has its own pair last: before, pairs are computed again", () => {
  assert.deepEqual(computed(DATA, 2.5), [4, 2]);
  assert.deepEqual(computed(DATA, 2.99), [5, 2]);
  assert.deepEqual(computed({ ...DATA, anew: [1, 1, 1, 1] }, 2.99), [2, 2], "as counted");
});

test("the knob of the longest text is at the end, and where a knob is says how long the text is", () => {
  for (const near of [5, 7]) {
    for (const n of [1, 2, near, 8, 17, 64, 250, FAR]) assert.equal(Math.round(lengthAt(spanOf(n, near), near)), n);
    assert.equal(spanOf(FAR, near), 1);
    assert.equal(lengthAt(0, near), 1);
  }
});

test("of a step it says what it computed, of a long text what all steps would", () => {
  assert.equal(told(DATA, 1), "For “mia”, 1 pair was computed, with a cache or without.");
  assert.equal(told(DATA, 2), "For “found”, 2 pairs without a cache, 1 with one: the other comes out as before.");
  assert.equal(told(DATA, 4), "For “hat”, 4 pairs without a cache, 1 with one: the other 3 come out as before.");
  assert.equal(told(DATA, FAR), "A text of 1,000 tokens: without a cache, 500 times the work.");
});

test("how often it is the work is what all steps compute over what they would", () => {
  assert.deepEqual(
    [1, 2, 4, 7, FAR].map((n) => timesOf(DATA, n)),
    ["1", "1.5", "2.5", "4", "500"],
  );
  assert.equal(timesOf({ anew: [1, 1], kept: [1, 1] }, 2), "1", "as counted");
  assert.match(striping(32, 12), /one of the 32 numbers .* Drawn is one of 12 heads\.$/);
});

test("of a token that is held, it says how often it was computed in both ways", () => {
  assert.equal(toldOf(DATA, 1, 4), "“found” was computed 3 times, always the same. With a cache: once.");
  assert.equal(toldOf(DATA, 3, 4), "“hat” was computed once, with a cache or without.");
});

test("what a cache takes is said of one token and of all", () => {
  assert.match(memory([1, 1, 1, 8], 2), /2 · 1 layer · 1 head · 1 number · 4 bytes/);
  const says = memory([3, 4, 16, 1536], 1000);
  assert.match(says, /2 · 3 layers · 4 heads · 16 numbers · 4 bytes = 1,536 bytes per token, 1,536,000 for 1,000\.$/);
});
