// The race of trainings: what is said of a runner, and its small curves.
import assert from "node:assert/strict";
import { test } from "node:test";

import { curveOf, told } from "../../pages/finetuning/components/continuations/continuations.js";

test("a runner is told in one sentence, with what is its own set off, and what it has lost", () => {
  const all = told("all weights", 40, 0.944, 0.68, 0.96);
  assert.equal(
    all.join(""),
    "After 40 steps, training all weights gets 94% right in new dialogues and 68% in old stories, down from 96%.",
  );
  assert.deepEqual(
    all.filter((_, n) => n % 2),
    ["training all weights", "94%", "68%", "96%"],
  );
  assert.match(
    told("LoRA", 1, 0, 0.2, 0.1).join(""),
    /^After 1 step, LoRA gets 0% .* 20% in old stories, up from 10%\.$/,
  );
  assert.equal(
    told("from scratch", 0, 0, 0, 0).join(""),
    "Before step 1, training from scratch gets 0% right in new dialogues and 0% in old stories.",
  );
});

test("a curve goes from left to right with the steps, and up with the shares", () => {
  const [first, middle, last] = curveOf([0, 20, 40], [0, 0.5, 1]);
  assert.ok(first[0] < middle[0] && middle[0] < last[0]);
  assert.ok(first[1] > middle[1] && middle[1] > last[1]);
  assert.equal(middle[0] - first[0], last[0] - middle[0]);
  assert.equal(first[1] - middle[1], middle[1] - last[1]);
  assert.ok(curveOf([0], [1]).flat().every(Number.isFinite));
});
