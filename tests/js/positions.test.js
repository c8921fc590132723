// How the figures on positions read their numbers.
import assert from "node:assert/strict";
import { test } from "node:test";

import { planOf } from "../../pages/positions/components/position_code/scales.js";
import { magnifier, perTurn, rises, ticksTo } from "../../pages/positions/components/position_code/reading.js";
import { alongDiagonal } from "../../pages/positions/components/position_maps/ways.js";

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

test("a diagonal of a map: the least, the most and the mean", () => {
  const map = Float32Array.from([1, 0, 0, 0.25, 0.75, 0, 0.5, 0.5, 0]);
  assert.deepEqual(alongDiagonal(map, 3, 0), { least: 0, most: 1, mean: 1.75 / 3 });
  assert.deepEqual(alongDiagonal(map, 3, 1), { least: 0.25, most: 0.5, mean: 0.375 });
  assert.deepEqual(alongDiagonal(map, 3, 2), { least: 0.5, most: 0.5, mean: 0.5 });
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
