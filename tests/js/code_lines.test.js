// The lines of an exhibit of the museum: how each looks, and what is said of them.
import assert from "node:assert/strict";
import { test } from "node:test";

import { change, look, verdict } from "../../pages/bugs/components/code_lines/code_lines.js";

const line = (more = {}) => ({ text: "return x", depth: 1, head: false, tried: false, cure: null, ...more });
const WRONG = line({ cure: "return x + y" });

test("only the line with a cure flips, and only once it has been found", () => {
  const kind = (one, open, cured = false) => look(one, { open, cured }).kind;
  assert.equal(kind(line(), false), "suspect");
  assert.equal(kind(line({ tried: true }), false), "tried");
  assert.equal(kind(line({ head: true }), false), "head");
  assert.equal(kind(WRONG, true), "faulty");
  assert.equal(kind(WRONG, true, true), "cured");
  assert.equal(kind(line(), true, true), "suspect");
});

test("what is said follows what was pressed", () => {
  const says = (code, open = false, cured = false) => verdict({ code, open, cured });
  assert.match(says([line()]), /^One line is wrong/);
  assert.equal(says([line({ tried: true })]), "That line does its job. Look again.");
  assert.match(says([WRONG], true), /back/);
  assert.equal(says([WRONG], true, true), "Cured. Press the line to break it again.");
  const axis = line({ text: "x.softmax(dim=-2)", cure: "x.softmax(dim=-1)" });
  assert.equal(says([axis], true, true), "Cured: -2 is now -1. Press the line to break it again.");
});

test("what differs between a line and its cure is marked in whole words", () => {
  assert.deepEqual(change("x.softmax(dim=-2)", "x.softmax(dim=-1)"), ["x.softmax(dim=", "-2", "-1", ")"]);
  assert.deepEqual(change("return x", "return x + y"), ["return x", "", " + y", ""]);
  assert.deepEqual(change("a(b) + a(b)", "a(b)").join("|"), "a(b)| + a(b)||");
  assert.deepEqual(change("mask == 0", "mask != 0"), ["mask ", "=", "!", "= 0"]);
});
