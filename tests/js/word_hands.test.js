// The pictures of words that a hand moves: what their numbers come to.
import assert from "node:assert/strict";
import { test } from "node:test";

import { cosine, product } from "../../pages/words/components/word_list/arrows.js";
import { entropyOf, reaching, sharesOf } from "../../pages/words/components/word_list/candidates.js";

const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-12, `${a} is not ${b}`);

test("shares add up to 1, and one point more multiplies a share by e against each other", () => {
  const [before, after] = [sharesOf([9.7, 8.6, 2.4]), sharesOf([10.7, 8.6, 2.4])];
  for (const shares of [before, after])
    near(
      shares.reduce((sum, x) => sum + x),
      1,
    );
  near(after[0] / after[1] / (before[0] / before[1]), Math.E);
  near(after[2] / after[1], before[2] / before[1]); // the others keep their proportions
});

test("entropy is 0 where one has all, and largest where all have the same", () => {
  near(entropyOf([1, 0, 0]), 0);
  near(Math.exp(entropyOf([0.25, 0.25, 0.25, 0.25])), 4);
});

test("top-p keeps the fewest words that reach p, and never none", () => {
  const shares = [0.5, 0.3, 0.2];
  assert.deepEqual(
    [0, 0.5, 0.51, 0.8, 1].map((p) => reaching(shares, p)),
    [1, 1, 2, 2, 3],
  );
});

test("the cosine forgets lengths, the dot product does not", () => {
  near(cosine([3, 4], [6, 8]), 1);
  near(cosine([1, 0], [0, 5]), 0);
  near(cosine([1, 2], [-1, -2]), -1);
  near(product([3, 4], [6, 8]), 50);
});
