// A lock of letters: which name it spells, and what that comes to.
import assert from "node:assert/strict";
import { test } from "node:test";

import { numberOf, spelled, verdict } from "../../pages/challenges/components/name_lock/name_lock.js";

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
  assert.match(after("jin", [0.06, 0.94]), /^After “jin” it says “she”\./);
  assert.match(after("tin", [0.72, 0.26]), /^After “tin” it says “he”\./);
  assert.match(after("bem", [0.7, 0.3]), /^✓/);
});
