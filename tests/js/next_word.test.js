// The draw of the next word in the browser; that it equals transformer/generation/sampling.py is tested in a browser.
import assert from "node:assert/strict";
import { test } from "node:test";

import { from } from "./scripts.js";

const { distribution, draw, softmax } = await from("next_word.js", "distribution", "draw", "softmax");

test("softmax of logarithms gives the shares, and large numbers do no harm", () => {
  const near = (a, b) => a.forEach((x, i) => assert.ok(Math.abs(x - b[i]) < 1e-12, `${a} is not ${b}`));
  near(softmax([0, Math.log(3)]), [0.25, 0.75]);
  near(softmax([1000, 1000]), [0.5, 0.5]);
});

test("top-k leaves k, and says what took the others out", () => {
  const { final, removed } = distribution([3, 2, 1, 0], [], { temperature: 1, top_k: 2, top_p: 1, penalty: 1 });
  assert.equal(final.filter((p) => p > 0).length, 2);
  assert.deepEqual(
    [...removed],
    [
      [2, "top_k"],
      [3, "top_k"],
    ],
  );
});

test("a draw goes along the words that are left, in the order of their chance", () => {
  const given = distribution([0, Math.log(3)], [], { temperature: 1, top_k: 0, top_p: 1, penalty: 1 });
  assert.equal(draw(given, 0.74).id, 1);
  assert.equal(draw(given, 0.76).id, 0);
});
