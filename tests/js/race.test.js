// The race of heads: who overtakes whom.
import assert from "node:assert/strict";
import { test } from "node:test";

import { lanesAt, overtaken } from "../../pages/live/components/training_film/race.js";

test("who is clearly ahead runs on the upper lane", () => {
  assert.deepEqual(overtaken([0, 1, 2], [0.1, 0.9, 0.5]), [1, 2, 0]);
  assert.deepEqual(overtaken([1, 2, 0], [0.95, 0.9, 0.5]), [0, 1, 2]);
});

test("near chance nobody hops: a lead of a hair changes no lane", () => {
  assert.deepEqual(overtaken([0, 1, 2], [0.1, 0.12, 0.11]), [0, 1, 2]);
});

test("who has no score overtakes nobody", () => {
  assert.deepEqual(overtaken([0, 1], [0.5, NaN]), [0, 1]);
  assert.deepEqual(overtaken([0, 1], [NaN, NaN]), [0, 1]);
});

test("lanes are those of the race so far, not of the way one came", () => {
  const race = [
    [0.1, 0.1],
    [0.2, 0.8],
    [0.82, 0.8],
  ];
  assert.deepEqual(lanesAt(race.slice(0, 1)), [0, 1]);
  assert.deepEqual(lanesAt(race), [1, 0]); // a hair ahead is not enough for whoever was behind
  assert.deepEqual(lanesAt([race[2]]), [0, 1]);
  assert.deepEqual(lanesAt([]), []);
});
