// Which axis is which: the sentence below a picture, which every file carries too.
import assert from "node:assert/strict";
import { test } from "node:test";

import { axesOf, rolesOf, rowSums } from "../../attention_view/axes.js";

const SHOWN = { drawing: "map", across: "key", matrix: [0.25, 0.75, 1, 0], rows: 2, columns: 2, exact: true };
const textOf = (change) =>
  axesOf({ ...SHOWN, ...change })
    .map(([words]) => words)
    .join("");

test("rows are queries, columns are keys, and each wears its colour", () => {
  assert.equal(textOf({}), "row = query that asks · column = key that it looks at · each row sums to 1");
  const coloured = axesOf(SHOWN).filter(([, colour]) => colour);
  assert.deepEqual(coloured, [
    ["query", "query"],
    ["key", "key"],
  ]);
  assert.match(textOf({ drawing: "ribbons" }), /^left = query that asks · right = key that it looks at/);
});

test("a sum is claimed only of numbers that have it", () => {
  assert.doesNotMatch(textOf({ matrix: [0.25, 0.5, 1, 0] }), /sums/, "special tokens are hidden");
  assert.doesNotMatch(textOf({ matrix: [-1, 2, 1, 0] }), /sums/, "scores");
  assert.doesNotMatch(textOf({ exact: false }), /sums/, "steps of 1/255");
  assert.match(textOf({ matrix: [0, 0, 0.5, 0.5] }), /sums to 1, one where all is blocked to 0$/);
  assert.equal(rowSums([0, 0], 1, 2), "");
  assert.equal(
    textOf({ across: "feature", columns: 1, matrix: [1, 1] }),
    "row = query that asks · column = feature of what it is given",
  );
});

test("a rollout has tokens and their sources", () => {
  assert.deepEqual(rolesOf({ flow: true }), { query: "token", key: "source" });
  assert.equal(
    textOf({ flow: true }),
    "row = token after this layer · column = source that it came from · each row sums to 1",
  );
});
