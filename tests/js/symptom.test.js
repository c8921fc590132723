// What a model with a wrong line answers, beside a healthy one: which words are odd.

import assert from "node:assert/strict";
import { test } from "node:test";

import { compared, said } from "../../pages/bugs/components/symptom/symptom.js";

test("a word is odd where a healthy model says another one; what stands for the rest is not", () => {
  const odd = (answer, healthy) => compared(answer, healthy).map((one) => one.odd);
  assert.deepEqual(odd("a red hat …", "a blue hat. …"), [false, true, true, false]);
  assert.deepEqual(odd("a a a", "a"), [false, true, true]);
});

test("an error stays whole", () => {
  const error = "RuntimeError: the types differ";
  assert.deepEqual(compared(error, "runs"), [{ word: error, odd: true }]);
});

test("who hears an answer is told how many of its words are odd", () => {
  assert.equal(said(compared("a red hat …", "a blue hat. …")), "(2 of 3 words differ from the healthy model’s)");
  assert.equal(said(compared("a red", "a blue")), "(1 of 2 words differs from the healthy model’s)");
  assert.equal(said(compared("red …", "blue hat")), "(differs from the healthy model’s)");
  assert.equal(said(compared("a blue", "a blue")), "");
});
