// What is said of a closing bracket of a piece of code.

import assert from "node:assert/strict";
import { test } from "node:test";
import { told } from "../../pages/beyond/components/code_brackets/code_brackets.js";

const data = {
  head: "layer 2, head 4",
  pieces: [
    ["", "f"],
    ["", "("],
    ["", "x"],
    ["", ")"],
  ],
};
const one = { at: 3, partner: 1, looks: 1, expected: ")", p: 0.98, row: [0.1, 0.7, 0.1], rest: 0.1 };

test("a bracket that looks at its partner", () => {
  assert.equal(
    told(data, one),
    "To write ), layer 2, head 4 looks most at ( (0.70), its partner. It expects ): it gives ) a probability of 0.98.",
  );
});

test("one that looks elsewhere, one that rests at the start, and one that closes nothing", () => {
  assert.match(told(data, { ...one, looks: 2 }), /at x \(0\.10\), which is not its partner/);
  assert.match(told(data, { ...one, looks: -1 }), /at the start of the text \(0\.10\)/);
  assert.match(told(data, { ...one, partner: null, expected: "]" }), /expects \], not \).*closes nothing/);
});
