// One clock of the position codes: the names on its rim, and the position that its hand is turned to.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  angleAt,
  apartOn,
  eightTell,
  lookalike,
  notEnough,
  placesOfEight,
  planOne,
  positionAt,
  rim,
} from "../../pages/positions/components/position_code/one_hand.js";
import { usualPair } from "../../pages/positions/components/position_code/reading.js";

test("the rim names the positions of the turn that the hand is in", () => {
  const names = (turn, a, length = 64) => rim(turn, a, length).map(([p]) => p);
  assert.deepEqual(names(8, 3), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(names(8, 9), [8, 9, 10, 11, 12, 13, 14, 15]);
  assert.deepEqual(names(8, 9, 12), [8, 9, 10, 11]);
  assert.ok(names(2000, 5).length < 30, "names that would lie on each other are left out");
});

test("a hand that is turned on counts on, past a turn as well", () => {
  const turn = 19.9;
  let a = 0;
  for (let p = 1; p < 64; p++) {
    a = positionAt((2 * Math.PI * p) / turn, turn, a, 64);
    assert.equal(a, p);
  }
  assert.equal(positionAt(-0.4, turn, 0, 64), 0, "there is nothing before the first");
  assert.equal(angleAt({ x: 10, y: 10 }, [20, 10]), Math.PI / 2);
});

test("a whole turn away the hand points almost the same way", () => {
  assert.equal(lookalike(19.9, 4, 64), 24);
  assert.equal(lookalike(19.9, 60, 64), 40);
  assert.equal(lookalike(19.9, 4, 12), null);
});

test("a slow hand is said to move too little, a fast one to come round", () => {
  const says = (text) => `One hand is not enough: ${text}.`;
  assert.equal(notEnough(19.9, 4, 64), says("it turns once every 19.9 positions, so 4 and 24 look almost alike"));
  assert.equal(notEnough(19.9, 4, 12), says("after 19.9 positions it points the same way again"));
  const slow = "it needs 3,970 positions for one turn, so neighbours look almost alike";
  assert.equal(notEnough(3970.1, 4, 64), says(slow));
});

test("the pair that is read first turns most nearly once in 20 positions", () => {
  assert.equal(usualPair([6.3, 19.9, 62.8]), 1);
  assert.equal(usualPair([6.3]), 0);
});

test("everything stands within the room that there is", () => {
  for (const width of [340, 760, 1208]) {
    const { clock, wave, height } = planOne(width, 420);
    assert.ok(clock.x - clock.r > 20 && wave.x + wave.w <= width && wave.y + wave.h < height);
    const { places, height: tall } = placesOfEight(width, 420, 8);
    for (const { x, y, r } of places) assert.ok(r > 30 && x + r < width && y + r <= tall && x >= r && y >= r);
  }
});

test("of several hands the one is named that tells two positions apart best which another shows alike", () => {
  const turns = [6.3, 20, 50, 2000];
  const angle = (p, n) => (2 * Math.PI * p) / turns[n];
  const table = { turns, row: (p) => turns.flatMap((_, n) => [Math.sin(angle(p, n)), Math.cos(angle(p, n))]) };
  const by = turns.map((_, pair) => apartOn(table, pair, 4, 24));
  assert.ok(by[1] < 1e-9, "a whole turn");
  assert.ok(Math.abs(by[2] - 0.8 * Math.PI) < 1e-9, "the shorter way round");
  assert.equal(
    eightTell(table, [0, 1, 2, 3], 4, 24),
    "The hand of dial 3 tells 4 and 24 apart best: it turns once in 50 positions.",
  );
});
