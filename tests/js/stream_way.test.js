// A token's way up: where ranks stand, one smooth line through them, and where the model stops at first.

import assert from "node:assert/strict";
import test from "node:test";

import { across, firstStop, lineThrough, placed } from "../../pages/blocks/components/stream_way/way.js";

test("the first ranks have columns, the others share what is behind them by their logarithm", () => {
  assert.equal(across(1, 6, 2000), 0);
  assert.equal(across(2, 6, 2000), across(3, 6, 2000) / 2);
  assert.equal(across(2000, 6, 2000), 1);
  const far = [12, 24, 48].map((rank) => across(rank, 6, 2000));
  assert.ok(Math.abs(far[2] - far[1] - (far[1] - far[0])) < 1e-12);
  assert.ok(across(6, 6, 2000) < across(7, 6, 2000));
  assert.equal(across(7, 6, 7), 1);
});

test("the line is upright in each of its points", () => {
  const line = lineThrough([
    [10, 40],
    [30, 20],
    [0, 0],
  ]);
  assert.equal(line, "M10 40C10 30 30 30 30 20C30 10 0 10 0 0");
});

test("the model stops at first where it would still say another word", () => {
  assert.equal(firstStop([1938, 574, 1, 1]), 1);
  assert.equal(firstStop([3, 1, 2, 1]), 2);
  assert.equal(firstStop([1, 1, 1]), 2, "it leads all along");
});

test("ranks are written as people say them", () => {
  assert.deepEqual([1, 2, 3, 11, 322, 1938].map(placed), ["1st", "2nd", "3rd", "11th", "322nd", "1,938th"]);
});
