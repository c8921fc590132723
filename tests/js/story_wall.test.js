// The wall of texts: where each goes wrong, their order, and which temperature the server is asked for.

import assert from "node:assert/strict";
import test from "node:test";

import { missing, sorted } from "../../pages/generation/components/story_wall/story_wall.js";

const line = (right, rest, fate) => ({ right, rest, fate });

test("whole texts come first, then those that are right the longest", () => {
  const lines = sorted([
    line("mia found", " a a hat.", "wrong"),
    line("mia found a hat.", "", "right"),
    line("", "hat", "wrong"),
    line("mia found a hat", ".. tom", "wrong"),
  ]);
  assert.deepEqual(
    lines.map(({ number }) => number),
    [1, 3, 0, 2],
  );
  assert.deepEqual(
    lines.map(({ good, all, wrong }) => [good, all, wrong]),
    [
      [4, 4, ""],
      [4, 6, ".."],
      [2, 5, "a"],
      [0, 1, "hat"],
    ],
  );
});

test("the wall that is shown is asked for first, then, once the slider is touched, the nearest", () => {
  const all = [0.1, 0.5, 1, 2];
  const known = (...some) => new Set(some);
  assert.equal(missing(all, known(1), 2, false), null, "nobody has touched it");
  assert.equal(missing(all, known(1), 0, false), 0.1, "it is shown");
  assert.equal(missing(all, known(1), 2, true), 0.5);
  assert.equal(missing(all, known(1, 0.5), 2, true), 2);
  assert.equal(missing(all, known(...all), 2, true), null);
});
