// How the figures on positions read their numbers.
import assert from "node:assert/strict";
import { test } from "node:test";

import { planOf } from "../../pages/positions/components/position_code/scales.js";
import {
  magnifier,
  perTurn,
  rises,
  thinHand,
  ticksTo,
} from "../../pages/positions/components/position_code/reading.js";
import {
  bandOf,
  besideItself,
  coincide,
  inWords,
  named,
  nearAndFar,
  ticksOf,
} from "../../pages/positions/components/position_maps/ways.js";

test("positions per turn are short", () => {
  assert.deepEqual([2 * Math.PI, 62.83, 198.7, 1987, 19869, 4_123_456].map(perTurn), [
    "6.3",
    "62.8",
    "199",
    "1,987",
    "19,869",
    "4.1 M",
  ]);
});

test("a magnified hand moves by 6 to 60 degrees per position, and a fast one is not magnified", () => {
  for (const turn of [60, 61, 199, 1987, 19869, 4e6]) {
    const angle = (360 / turn) * magnifier(turn);
    assert.ok(angle >= 6 - 1e-9 && angle < 60, `${turn}: ${angle}`);
  }
  assert.deepEqual([6.28, 20, 60].map(magnifier), [1, 1, 1]);
  assert.equal(thinHand(4000), "thin hand: the same turn, enlarged so that one can see it");
  assert.equal(thinHand(1), "thin hand: the same turn", "once is not enlarged");
});

test("ticks are round, few, and below the end", () => {
  for (const length of [8, 16, 24, 32, 48, 64, 100, 128, 200, 256, 512]) {
    const ticks = ticksTo(length);
    assert.ok(ticks.length <= 7 && ticks[0] === 0 && ticks.at(-1) < length, `${length}: ${ticks}`);
  }
});

test("likeness rises where it grows away from the anchor, on either side", () => {
  assert.deepEqual(rises([5, 1, 2], 0), [[1, 2]]);
  assert.deepEqual(rises([2, 1, 5], 2), [[0, 1]]);
  assert.deepEqual(rises([1, 2, 5, 2, 1], 2), []);
});

test("what a row shares among its keys cancels out: where only the distance counts, rows say the same", () => {
  const of = (row) => [0, 1, 2, 3].map((key) => Math.exp(-Math.abs(row - key)));
  const shared = (weights) => weights.map((weight) => weight / weights.reduce((a, b) => a + b));
  const map = [0, 1, 2, 3].flatMap((row) => shared(of(row)));
  for (const row of [0, 1, 3])
    besideItself(map, 4, row).forEach((ratio, key) => assert.ok(Math.abs(ratio - of(row)[key]) < 1e-12));
});

test("rows coincide where the distance alone counts, and do not where one position differs", () => {
  const rows = [0, 1, 2, 3].map((row) => [0, 1, 2, 3].map((key) => Math.exp(-Math.abs(row - key))));
  assert.equal(coincide(rows), true);
  assert.equal(coincide(rows.with(2, rows[2].with(0, 0.5))), false);
});

test("distances have names: few, on either side of the word itself", () => {
  assert.deepEqual(ticksOf(24).map(named), ["20 back", "10 back", "itself", "10 ahead", "20 ahead"]);
  for (const T of [8, 12, 16, 32, 48, 64]) assert.ok(ticksOf(T).length <= 7 && ticksOf(T).every((at) => at < T));
});

test("without likeness the wave has its room, and all of it is within the figure", () => {
  const table = { d: 64, length: 64, groups: 32 };
  for (const width of [1200, 360]) {
    const [whole, part] = [true, false].map((isWhole) => planOf(width, 420, table, isWhole));
    assert.ok(part.wave.w > whole.wave.w);
    assert.ok(part.wave.x + part.wave.w <= width);
    assert.deepEqual(part.map, whole.map);
  }
});

test("a distance is named in full", () => {
  assert.deepEqual([-2, -1, 0, 1, 5].map(inWords), [
    "2 words back",
    "1 word back",
    "itself",
    "1 word ahead",
    "5 words ahead",
  ]);
});

test("of each curve that part is bright which at least half of the positions have", () => {
  assert.deepEqual(nearAndFar(12, 24), { near: [0, 23], far: [] });
  assert.deepEqual(nearAndFar(23, 24), { near: [11, 23], far: [[0, 11]] });
  assert.deepEqual(nearAndFar(0, 24), { near: [0, 12], far: [[12, 23]] });
  assert.deepEqual(nearAndFar(4, 9), { near: [0, 8], far: [] });
  assert.deepEqual(nearAndFar(0, 2), { near: [0, 1], far: [] });
  for (let ahead = 1; ahead < 24; ahead++) {
    const n = Array.from({ length: 24 - ahead }, (_, row) => nearAndFar(row, 24).near[1] >= row + ahead);
    assert.equal(n.every(Boolean), n.length >= 12, `${ahead} ahead`);
  }
});

test("where rows differ, all others are one band from the least to the most at each distance", () => {
  const rows = [
    [1, 2],
    [3, 1],
  ];
  const same = (value) => value;
  assert.deepEqual(bandOf(rows, [0, 1], same, same), ["M-1.0 3.0L0.0 1.0L1.0 2.0L1.0 2.0L0.0 1.0L-1.0 3.0Z"]);
  assert.deepEqual(bandOf(rows, [1], same, same), ["M-1.0 3.0L0.0 1.0L0.0 1.0L-1.0 3.0Z"]);
  assert.deepEqual(bandOf(rows, [], same, same), []);
});
