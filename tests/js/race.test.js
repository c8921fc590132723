// The race of heads: who overtakes whom.
import assert from "node:assert/strict";
import { test } from "node:test";

import { fallen, lanesAt, overtaken, Race } from "../../pages/live/components/training_film/race.js";
import { headName } from "../../pages/live/components/training_film/sides.js";

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

test("a head’s score is told from its number", () => {
  const lanes = [
    { racer: { name: "head 0" }, score: 0.954 },
    { racer: { name: "head 1" }, score: 0.1 },
  ];
  assert.equal(Race.prototype.standing.call({ lanes, order: [1, 0] }), "head 1: 0.10, head 0: 0.95");
});

test("heads of two runs are named alike, also where one of them has a single layer", () => {
  const axes = ({ layers }) => ({ heads: [layers, 2] });
  const of = (...runs) => runs.map((run) => headName({ runs, axes }, run, 0, 1));
  assert.deepEqual(of({ name: "A", layers: 1 }, { name: "B", layers: 2 }), ["A 0·1", "B 0·1"]);
  assert.deepEqual(of({ layers: 1 }), ["head 1"]);
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

test("who is overtaken has fallen behind", () => {
  assert.deepEqual(fallen([0, 1, 2], [1, 0, 2]), [0]);
  assert.deepEqual(fallen([0, 1, 2], [2, 0, 1]), [0, 1]);
  assert.deepEqual(fallen([1, 0], [1, 0]), []);
});
