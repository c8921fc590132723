// Models in one scale: as many cells as heads, on one ground.
import assert from "node:assert/strict";
import { test } from "node:test";

import { cells, headsOf, plan } from "../../pages/pretrained/components/model_skyline/plan.js";

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

test("all are drawn in one scale, beside one another where there is room", () => {
  const wide = plan(MODELS, 900);
  assert.equal(wide.rows.length, 1);
  const { lots } = wide.rows[0];
  for (const [n, lot] of lots.entries()) {
    if (n) assert.ok(lot.middle - lot.lot / 2 >= lots[n - 1].middle + lots[n - 1].lot / 2, "none overlap");
    const heads = MODELS[n].stacks.reduce((sum, [, count]) => sum + count, 0);
    if (heads) assert.ok(Math.abs(lot.width - wide.pitch * heads) <= 12 * (MODELS[n].stacks.length - 1));
    assert.ok(lot.x >= 0 && lot.x + lot.width <= 900);
  }
  assert.equal(headsOf(BOTH), 16);
});

test("in a narrow room they stand in rows, of which none is wider than the room", () => {
  const narrow = plan(MODELS, 240);
  assert.ok(narrow.rows.length > 1);
  for (const { lots } of narrow.rows)
    for (const { middle, lot } of lots.length > 1 ? lots : []) assert.ok(middle + lot / 2 <= 240.01);
  assert.deepEqual(
    narrow.rows.flatMap(({ lots }) => lots.map(({ n }) => n)),
    [0, 1, 2, 3],
  );
});
