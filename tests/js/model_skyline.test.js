// A model in the room that there is: as many cells as heads; outlines in one scale.
import assert from "node:assert/strict";
import { test } from "node:test";

import { cells, headsOf, outline, plan } from "../../pages/pretrained/components/model_skyline/plan.js";
import { archOf, mostOf } from "../../pages/pretrained/components/model_skyline/wall.js";

const model = (title, ...stacks) => ({ title, stacks });
const SMALL = model("small", [2, 3, false]);
const BOTH = model("both", [4, 2, false], [4, 2, true]);
const TALL = model("a longer name than it is wide", [9, 1, true]);
const MODELS = [SMALL, BOTH, TALL, model("yours")];

const marks = (path) => path.split("Z").filter(Boolean);

test("a cell for each head, half of one for a head that only looks back", () => {
  const stack = { x: 10, layers: 3, heads: 4, back: false };
  assert.equal(marks(cells(stack, 100, 10, 10)).length, 12);
  assert.equal(marks(cells(stack, 100, 10, 10, 5)).length, 7, "what has arrived is left out");
  assert.ok(marks(cells(stack, 100, 10, 10)).every((mark) => mark.includes("h") && mark.includes("L")));
  assert.ok(marks(cells({ ...stack, back: true }, 100, 10, 10)).every((mark) => !mark.includes("h")));
});

test("the first layer stands on the ground", () => {
  const [first, , , , fifth] = marks(cells({ x: 0, layers: 2, heads: 4, back: false }, 100, 7, 10));
  assert.match(first, /L\S+ 100H/);
  assert.match(fifth, /L\S+ 90H/);
});

test("a model is as large as the room lets it be", () => {
  for (const one of MODELS)
    for (const [width, height] of [
      [800, 400],
      [300, 200],
    ]) {
      const { pitch, rise, stacks, ...drawn } = plan(one, width, height);
      assert.ok(drawn.width <= width + 0.01 && drawn.height <= height + 0.01);
      assert.ok(stacks.every(({ x, heads }) => x + pitch * heads <= drawn.width + 0.01));
      assert.ok(rise <= pitch);
    }
  assert.equal(headsOf(BOTH), 16);
});

test("outlines are in one scale, and stand beside one another", () => {
  assert.deepEqual(outline(SMALL, 3, 2), [{ x: 0, width: 9, height: 4 }]);
  assert.deepEqual(
    outline(BOTH, 3, 2).map(({ x }) => x),
    [0, 8],
  );
});

test("the token that is looked at most is named, with its weight; an arc hangs below the line", () => {
  assert.deepEqual(mostOf([0.1, 0.65, 0.25]), [1, 0.65]);
  const [from, y, , deep] = archOf(10, 250, 30)
    .match(/\d+(\.\d+)?/g)
    .map(Number);
  assert.deepEqual([from, y], [10, 30]);
  assert.ok(deep > 30 && deep <= 98);
});
