// Which lines of the source are those of the formula.
import assert from "node:assert/strict";
import { test } from "node:test";

import { isThought } from "../../pages/attention/components/attention_steps/reasons.js";

test("a line of the formula computes with its terms; a test, a tap and a comment alone do not", () => {
  const line = (terms, ...parts) => ({ terms, parts });
  assert.ok(isThought(line(["scores"], ["scores = ", ""], ["q", "query"], [" @ ", ""], ["k", "key"])));
  assert.ok(!isThought(line(["scaled"], ["if scaled:", ""])));
  assert.ok(!isThought(line(["scaled"], ["scores = tap(scores)", ""], ["# (T, S)", "comment"])));
  assert.ok(!isThought(line([], ["additive = additive.to(", ""], ["q", "query"], [".dtype)", ""])));
});
