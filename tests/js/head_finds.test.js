// Where a head finds what it is asked for.
import assert from "node:assert/strict";
import { test } from "node:test";

import { hits, threadsOf } from "../../pages/pretrained/components/head_finds/finds.js";

const SHARES = { signed: false };

test("weights are threads as wide as they are, and what is slight is none", () => {
  const header = { asked: [[2, [0]]], says: SHARES };
  const threads = threadsOf([0.5, 0.01, 0.25], 3, header);
  assert.deepEqual(
    threads.map(({ query, key, share, isRight }) => [query, key, share, isRight]),
    [
      [2, 0, 0.5, true],
      [2, 2, 0.25, false],
    ],
  );
});

test("what is added is drawn beside the largest, and keeps its sign", () => {
  const threads = threadsOf([-4, 2, 0.1], 3, { asked: [[2, []]], says: { signed: true } });
  assert.deepEqual(
    threads.map(({ key, value, share }) => [key, value, share]),
    [
      [0, -4, 1],
      [1, 2, 0.5],
    ],
  );
});

test("a hit is the largest of its own row, however small", () => {
  const asked = [
    [1, [0]],
    [2, [0, 1]],
    [2, [2]],
  ];
  const found = Float32Array.from([0.25, 0.75, 0, 0.25, 0.5, 0.25, 0.01, 0.02, 0.04]);
  assert.equal(hits(found, 3, asked), 2, "the first looks more at itself");
  assert.equal(hits(found, 3, []), 0);
});
