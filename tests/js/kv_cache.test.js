// How the steps of a KV cache are counted and drawn.
import assert from "node:assert/strict";
import { test } from "node:test";

import { KvCache, often, told, toldOf } from "../../pages/generation/components/kv_cache/kv_cache.js";
import { does, isComputed, rowsOf, soFar, times } from "../../pages/generation/components/kv_cache/stairs.js";

import { packed } from "./payload.js";

const [ANEW, KEPT] = [
  [1, 2, 3, 4],
  [1, 1, 1, 1],
];

test("what all steps compute is the sum of what each does", () => {
  assert.equal(soFar(ANEW, 3), 6);
  assert.equal(soFar(KEPT, 3), 3);
});

test("without a cache every cell of the stairs is computed, with one only the last of each row", () => {
  const row = (counts, at) => [0, 1, 2, 3].filter((column) => isComputed(counts, at, column));
  assert.deepEqual(row(ANEW, 2), [0, 1, 2]);
  assert.deepEqual(row(KEPT, 2), [2]);
});

test("the first token is computed at every step without a cache, the last once, and with one each is computed once", () => {
  assert.deepEqual([times(ANEW, 0, 4), times(ANEW, 3, 4), times(KEPT, 0, 4)], [4, 1, 1]);
  assert.equal(times(ANEW, 3, 3), 0); // that step is not taken yet
});

test("rows follow each other without a gap, fill the height, and the one of this step is the tallest", () => {
  for (const [all, n] of [
    [1, 1],
    [23, 1],
    [23, 17],
    [23, 23],
    [121, 60],
  ]) {
    const rows = rowsOf(all, n, 400);
    rows.reduce((end, [top, height]) => (assert.ok(Math.abs(top - end) < 1e-6), top + height), 0);
    assert.ok(Math.abs(rows.at(-1)[0] + rows.at(-1)[1] - 400) < 1e-6);
    assert.equal(Math.max(...rows.map(([, height]) => height)), rows[n - 1][1]);
  }
});

test("once is once, and thousands have their comma", () => {
  assert.deepEqual([1, 2, 17, 1234].map(often), ["once", "twice", "17 times", "1,234 times"]);
});

test("what a cache comes to counts all steps so far", () => {
  const counts = { anew: ANEW, kept: KEPT };
  assert.equal(told(counts, 3), "Reading 3 tokens computes 6 key–value pairs without a cache, 3 with one.");
  assert.equal(told(counts, 1), "Reading 1 token computes 1 key–value pair, with a cache or without.");
});

test("nothing is computed again at the first step, nor the newest token at any", () => {
  const says = (counts) => counts.map((computed, at) => does(at + 1, computed));
  assert.deepEqual(says(ANEW).slice(0, 3), [
    "step 1 computes the first",
    "step 2 computes all 2",
    "step 3 computes all 3",
  ]);
  assert.deepEqual(says(KEPT).slice(0, 2), ["step 1 computes the first", "step 2 computes 1 and reuses 1"]);
});

test("the first beat of other numbers ends before new ones are shown", () => {
  const shown = [];
  const cache = Object.assign(Object.create(KvCache.prototype), {
    bytes: "old",
    place: {},
    paint() {},
    data: { read: 9 },
  });
  Object.assign(cache, { endBeat: () => shown.push(cache.data.read), show: (n) => shown.push(n) });
  cache.update(packed({}, { tokens: ["a", "b", "c"], read: 2, place: "" }));
  assert.deepEqual(shown, [9, 2]);
});

test("only the main button takes hold of a row or a token", () => {
  const stairs = { under: () => [0, 0] };
  const held = [];
  const cache = Object.assign(Object.create(KvCache.prototype), {
    n: 1,
    column: null,
    hold: (column) => held.push(column),
  });
  for (const button of [0, 2]) cache.grab({ button, pointerType: "mouse" }, stairs);
  assert.deepEqual(held, [0]);
});

test("of a token that is held, it says how often it was computed in both ways", () => {
  const data = { anew: ANEW, kept: KEPT, tokens: ["mia", "found", "a", "hat"] };
  assert.equal(toldOf(data, 1, 4), "“found” was computed 3 times, always the same. With a cache: once.");
  assert.equal(toldOf(data, 3, 4), "“hat” was computed once, with a cache or without.");
});
