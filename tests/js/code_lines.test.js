// The lines of an exhibit of the museum: how each looks, and what is said of them.
import assert from "node:assert/strict";
import { test } from "node:test";

import { look, verdict } from "../../pages/bugs/components/code_lines/code_lines.js";

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
  assert.match(says([line({ tried: true })]), /^Nothing is wrong with that one/);
  const split = line({ tried: true, gloss: "Cut each token’s numbers into heads" });
  const job = "That line does its job: “Cut each token’s numbers into heads.” Look again.";
  assert.equal(verdict({ code: [line({ tried: true }), split], open: false, cured: false }, 1), job);
  assert.match(verdict({ code: [line({ tried: true }), split], open: false, cured: false }, 0), /^Nothing is wrong/);
  assert.match(
    verdict({ code: [line(), split], open: false, cured: false }, 0),
    /^Nothing is wrong/,
    "not heard of yet",
  );
  assert.match(says([WRONG], true), /back/);
  assert.match(says([WRONG], true, true), /^Cured/);
});
