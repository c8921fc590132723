// The wall of texts: where each goes wrong, and their order.

import assert from "node:assert/strict";
import test from "node:test";

import { sorted } from "../../pages/generation/components/story_wall/story_wall.js";

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
