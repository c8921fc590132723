// Models as outlines in one scale; the picture of a file in the room that there is.
import assert from "node:assert/strict";
import { test } from "node:test";

import { headsOf, outline, spoken } from "../../pages/pretrained/components/model_skyline/plan.js";
import { holdsOf, sizeOf } from "../../pages/pretrained/components/from_file/holds.js";
import { archOf, mostOf, sizes } from "../../pages/pretrained/components/from_file/wall.js";

const SMALL = { title: "small", stacks: [[2, 3, false]] };
const BOTH = {
  title: "both",
  stacks: [
    [4, 2, false],
    [4, 2, true],
  ],
};

test("outlines are in one scale, and stand beside one another", () => {
  assert.deepEqual(outline(SMALL, 3, 2), [{ x: 0, width: 9, height: 4 }]);
  assert.deepEqual(
    outline(BOTH, 3, 2).map(({ x }) => x),
    [0, 8],
  );
  assert.equal(headsOf(BOTH), 16);
  assert.equal(spoken(SMALL), "6 heads: 3 in each of 2 layers");
});

test("the heads of a file are as large as the room lets them be, and never gone", () => {
  for (const [layers, heads] of [
    [6, 12],
    [2, 4],
    [1, 1],
    [40, 32],
  ]) {
    const { pitch, width, height } = sizes({ layers, heads }, 700, 320);
    assert.ok(width <= 700.01 && height <= 320.01);
    assert.deepEqual([width, height], [pitch * heads, pitch * layers]);
  }
  assert.equal(sizes({ layers: 2, heads: 1000 }, 700, 320).pitch, 2);
});

test("the size of a file, and what it holds", () => {
  assert.deepEqual([300, 171520, 12400000].map(sizeOf), ["1 kB", "172 kB", "12.4 MB"]);
  const file = { layers: 2, heads: 4, tokens: 10, kinds: ["encoder", "cross"], has_vectors: true };
  assert.equal(holdsOf(file), "2 kinds of attention · 8 heads · 10 tokens · q and k");
  assert.equal(holdsOf({ ...file, kinds: ["encoder"], has_vectors: false }), "8 heads · 10 tokens");
});

test("the token that is looked at most is named, with its weight; an arc hangs below the line", () => {
  assert.deepEqual(mostOf([0.1, 0.65, 0.25]), [1, 0.65]);
  const [from, y, , deep] = archOf(10, 250, 30)
    .match(/\d+(\.\d+)?/g)
    .map(Number);
  assert.deepEqual([from, y], [10, 30]);
  assert.ok(deep > 30 && deep <= 98);
});
