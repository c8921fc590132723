// A thread from a word to one of another line strikes through no word.
import assert from "node:assert/strict";
import { test } from "node:test";

import { around, rounded } from "../../pages/pretrained/components/head_hunt/threads.js";

const [TALL, RIGHT] = [36, 500];
const FEET = [40, 100, 160, 220]; // of four lines
const ACROSS = [20, 250, 480];

const parts = (points) => points.slice(1).map((to, n) => [points[n], to]);

/** Whether a part of a way runs through the words of a line. */
const strikes = (points) =>
  parts(points).some(([[x, y], [a, b]]) =>
    FEET.some((foot) => {
      const isWithin = Math.max(y, b) > foot - TALL && Math.min(y, b) < foot;
      return isWithin && Math.max(x, a) > 0 && Math.min(x, a) < RIGHT;
    }),
  );

test("a thread between lines strikes through no word, however far apart they are", () => {
  for (const y of FEET) {
    const to = FEET.filter((foot) => foot !== y).flatMap((foot) => ACROSS.map((a) => [a, foot]));
    for (const [n, way] of around([250, y], to, RIGHT).entries()) {
      assert.equal(strikes(way), false, `from ${y} to ${to[n]}`);
      assert.deepEqual([way[0], way.at(-1)], [[250, y], to[n]]); // prettier-ignore
    }
  }
  assert.ok(strikes([[250, 180], [250, 40]]), "the straight one would"); // prettier-ignore
});

test("threads out of the last word cross no other, and have round corners", () => {
  const to = FEET.slice(0, 3).flatMap((foot) => ACROSS.map((a) => [a, foot]));
  const ways = around([250, 220], to, RIGHT).map((way) => parts(way).slice(2));
  const isBetween = (n, ...ends) => n > Math.min(...ends) && n < Math.max(...ends);
  const cross = ([[x, y], [a, b]], [[c, d], [e, f]]) =>
    (x === a && d === f && isBetween(x, c, e) && isBetween(d, y, b)) ||
    (y === b && c === e && isBetween(c, x, a) && isBetween(y, d, f));
  for (const one of ways)
    for (const other of ways)
      if (one !== other) assert.ok(!one.some((part) => other.some((each) => cross(part, each))));
  assert.ok(cross([[0, 5], [9, 5]], [[4, 0], [4, 9]])); // prettier-ignore
  assert.equal(rounded([[0, 20], [0, 0], [40, 0]], 5), "M0.0 20.0L0.0 5.0Q0.0 0.0 5.0 0.0L40.0 0.0"); // prettier-ignore
});
