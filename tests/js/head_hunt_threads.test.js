// A thread from a word to one of another line strikes through no word.
import assert from "node:assert/strict";
import { test } from "node:test";

import { around, rounded } from "../../pages/pretrained/components/head_hunt/threads.js";

const LINES = { pitch: 60, tall: 40, right: 500 };
const FEET = [40, 100, 160, 220]; // of four lines

/** Whether a part of a way runs through the words of a line. */
const strikes = (points) =>
  points.slice(1).some(([a, b], n) => {
    const [x, y] = points[n];
    return FEET.some((foot) => {
      const [top, bottom] = [foot - LINES.tall, foot];
      const isWithin = Math.max(y, b) > top && Math.min(y, b) < bottom;
      return isWithin && Math.max(x, a) > 0 && Math.min(x, a) < LINES.right;
    });
  });

test("a thread between lines strikes through no word, however far apart they are", () => {
  for (const low of [1, 2, 3])
    for (let high = 0; high < low; high++)
      for (const [x, a] of [
        [20, 30],
        [250, 380],
        [480, 10],
        [490, 470],
      ])
        // prettier-ignore
        for (const nth of [0, 1, 2]) {
          const way = around([x, FEET[low]], [a, FEET[high]], LINES, nth);
          assert.equal(strikes(way), false, `from line ${low} to ${high}`);
          assert.deepEqual([way[0], way.at(-1)], [[x, FEET[low] - LINES.tall], [a, FEET[high]]]); // prettier-ignore
        }
  assert.ok(strikes([[250, 180], [250, 40]]), "the straight one would"); // prettier-ignore
});

test("it goes around on the nearer side, and with round corners", () => {
  const sides = (x, a) => around([x, 160], [a, 40], LINES)[2][0];
  assert.ok(sides(20, 60) < 0);
  assert.ok(sides(300, 400) > LINES.right);
  assert.equal(rounded([[0, 20], [0, 0], [40, 0]], 5), "M0.0 20.0L0.0 5.0Q0.0 0.0 5.0 0.0L40.0 0.0"); // prettier-ignore
});
