// A lock of letters: which name it spells, and what that comes to.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  besideMark,
  hinted,
  numberOf,
  spelled,
  verdict,
} from "../../pages/challenges/components/name_lock/name_lock.js";

const wheels = ["tkj", "io", "mn"];

test("a name is spelled by the wheels, or not at all", () => {
  assert.deepEqual(spelled("kon", wheels), [1, 1, 1]);
  for (const name of ["kox", "ko", "konn", "", null]) assert.equal(spelled(name, wheels), null, name);
  const names = [..."tkj"].flatMap((a) => [..."io"].flatMap((b) => [..."mn"].map((c) => a + b + c)));
  assert.deepEqual(
    names.map((name) => numberOf(spelled(name, wheels), wheels)),
    [...names.keys()],
  );
});

test("it opens only where both words reach their mark", () => {
  const after = (name, shares) => verdict(name, ["he", "she"], shares, 0.3);
  assert.equal(after("kim", [0.48, 0.51]), "✓ After “kim” the storyteller is in two minds: he 48%, she 51%.");
  const asks = "After “jin” it says “she”. Turn the letters until he and she both reach 30%.";
  assert.equal(after("jin", [0.06, 0.94]), asks);
  assert.match(after("tin", [0.72, 0.26]), /^After “tin” it says “he”\./);
  assert.match(after("bem", [0.7, 0.3]), /^✓/);
});

test("what falls short of the mark does not read like the mark", () => {
  const read = [0.296, 0.29999, 0.3, 0.304, 0.294].map((share) => besideMark(share, 0.3));
  assert.deepEqual(read, ["29.6%", "29.9%", "30%", "30%", "29%"]);
});

test("once it has been open, no letter is asked for any more", () => {
  const after = verdict("jin", ["he", "she"], [0.06, 0.94], 0.3, true);
  assert.equal(after, "After “jin” it says “she”. You have solved this one; the letters still turn.");
  assert.match(verdict("kim", ["he", "she"], [0.48, 0.51], 0.3, true), /^✓/);
});

test("the hint turns the wheel that alone gets furthest, the short way, until the lock is open", () => {
  const shares = Array.from({ length: 12 }, () => [0.9, 0.1]);
  shares[numberOf([1, 0, 0], wheels)] = [0.5, 0.5]; // kim
  assert.deepEqual(hinted([0, 0, 0], { wheels, shares }), [0, 1]);
  assert.deepEqual(hinted([2, 0, 0], { wheels, shares }), [0, -1]);
  assert.deepEqual(hinted([1, 1, 0], { wheels, shares }), [1, 1]);
  assert.deepEqual(hinted([1, 0, 1], { wheels, shares }), [2, 1]);
  assert.equal(hinted([1, 0, 0], { wheels, shares }), null);
  assert.equal(hinted([0, 1, 1], { wheels, shares }), null, "no single wheel gets further");
});
