// The attention weights of the story: one score changes, and all shares with it.
import assert from "node:assert/strict";
import { test } from "node:test";

import { scoreFor, sharesOf } from "../../pages/words/components/word_list/weighed.js";

const SCORES = [9.7, 8.6, 2.4];

test("shares add up to 1, and one point more multiplies a share by e against each other", () => {
  const [before, after] = [sharesOf(SCORES), sharesOf([10.7, 8.6, 2.4])];
  for (const shares of [before, after]) assert.ok(Math.abs(shares.reduce((sum, x) => sum + x) - 1) < 1e-12);
  assert.ok(Math.abs(after[0] / after[1] / (before[0] / before[1]) - Math.E) < 1e-9);
  assert.ok(Math.abs(after[2] / after[1] - before[2] / before[1]) < 1e-12, "the others keep their proportions");
});

test("the score for a share gives that share while all others keep their scores", () => {
  for (const share of [0.01, 0.4, 0.99]) {
    const score = scoreFor(SCORES, 0, share);
    assert.ok(Math.abs(sharesOf([score, ...SCORES.slice(1)])[0] - share) < 1e-12);
  }
});
