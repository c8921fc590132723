// An exhibit of the museum: which words of an answer are odd, and what is said of the lines that were pressed.

import assert from "node:assert/strict";
import { test } from "node:test";

import { change, compared, said, verdict } from "../../pages/bugs/components/exhibit/answers.js";

test("a word is odd where a healthy model says another one; what stands for the rest is not", () => {
  const odd = (answer, healthy) => compared(answer, healthy).map((one) => one.odd);
  assert.deepEqual(odd("a red hat …", "a blue hat. …"), [false, true, true, false]);
  assert.deepEqual(odd("a a a", "a"), [false, true, true]);
});

test("an error stays whole", () => {
  const error = "RuntimeError: the types differ";
  assert.deepEqual(compared(error, "runs"), [{ word: error, odd: true, isError: true }]);
});

test("who hears an answer is told how many of its words are odd", () => {
  assert.equal(said(compared("a red hat …", "a blue hat. …")), "(2 of 3 words differ from the healthy model’s)");
  assert.equal(said(compared("a red", "a blue")), "(1 of 2 words differs from the healthy model’s)");
  assert.equal(said(compared("red …", "blue hat")), "(differs from the healthy model’s)");
  assert.equal(said(compared("a blue", "a blue")), "");
});

test("what is said follows what was pressed", () => {
  const wrong = { text: "return x", cure: "return x + y" };
  const says = (code, more) => verdict({ code, tried: new Set(), found: false, cured: false, ...more });
  assert.match(says([wrong]), /^One line is wrong/);
  assert.equal(says([wrong], { tried: new Set([3]) }), "That line does its job. Look again.");
  assert.match(says([wrong], { found: true }), /back/);
  assert.equal(says([wrong], { found: true, cured: true }), "Cured. Press the line to break it again.");
  const axis = { text: "x.softmax(dim=-2)", cure: "x.softmax(dim=-1)" };
  assert.equal(says([axis], { found: true, cured: true }), "Cured: -2 is now -1. Press the line to break it again.");
});

test("what differs between a line and its cure is marked in whole words", () => {
  assert.deepEqual(change("x.softmax(dim=-2)", "x.softmax(dim=-1)"), ["x.softmax(dim=", "-2", "-1", ")"]);
  assert.deepEqual(change("return x", "return x + y"), ["return x", "", " + y", ""]);
  assert.deepEqual(change("a(b) + a(b)", "a(b)").join("|"), "a(b)| + a(b)||");
  assert.deepEqual(change("mask == 0", "mask != 0"), ["mask ", "=", "!", "= 0"]);
});
