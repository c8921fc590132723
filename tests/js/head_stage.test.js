// What a model says with a head cut.
import assert from "node:assert/strict";
import { test } from "node:test";

import { chances, leastOfOthers, lookedAt, ranked, said } from "../../pages/pretrained/components/head_stage/ranks.js";
import { belowEach, CARRY, CUT } from "../../pages/pretrained/components/head_stage/wording.js";

const shaped = (numbers, ...shape) => Object.assign(Float32Array.from(numbers), { shape });
// Two layers of two heads, three words.
const ARRAYS = {
  before: shaped([0.75, 0.25, 0], 3),
  heads: shaped([0.5, 0.25, 0.25, 0.75, 0.25, 0, 0, 0.25, 0.75, 0.625, 0.375, 0], 2, 2, 3),
  layers: shaped([0.25, 0.5, 0.25, 0, 0, 1], 2, 3),
  moved: shaped([0.25, 0, 0.75, 0.125], 2, 2),
};

test("a head, a layer or nothing is cut", () => {
  assert.deepEqual([...chances(ARRAYS, null)], [0.75, 0.25, 0]);
  assert.deepEqual([...chances(ARRAYS, [1, 0])], [0, 0.25, 0.75]);
  assert.deepEqual([...chances(ARRAYS, [1, null])], [0, 0, 1]);
});

test("the answer with all heads comes first, then what is likeliest now", () => {
  const after = chances(ARRAYS, [1, 0]);
  assert.deepEqual(ranked(after, 5), [0, 2, 1]);
  assert.deepEqual(ranked(after, 2), [0, 2]);
  assert.equal(said(after), 2);
  assert.equal(said(chances(ARRAYS, [0, 1])), 0);
});

test("the others keep at least what the worst of them keeps", () => {
  assert.equal(leastOfOthers(ARRAYS, [1, 0]), 0.5);
  assert.equal(leastOfOthers(ARRAYS, [0, 0]), 0);
});

test("threads lead to what is looked at, not to the token itself", () => {
  assert.deepEqual(lookedAt(Float32Array.from([0.01, 0.5, 0.04, 0.45]), 3), [1]);
});

test("what stands below each head is explained where something stands there", () => {
  for (const wording of [CUT, CARRY]) {
    assert.match(belowEach(wording, true), /^Below each head: /);
    assert.equal(belowEach(wording, false), "", "maps too small for a number");
  }
});
