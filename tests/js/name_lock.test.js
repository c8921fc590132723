// A lock of letters: which name it spells, and what that comes to.
import assert from "node:assert/strict";
import { test } from "node:test";

import { besideMark, numberOf, spelled, verdict } from "../../pages/challenges/components/name_lock/name_lock.js";
import { between } from "../../pages/challenges/components/balance.js";

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

test("what is said of a name: whose it is, and what the storyteller makes of it", () => {
  const lock = { words: ["he", "she"], known: [["tim", "jim"], ["meg"]], mark: 0.3 };
  const after = (name, shares) => verdict(name, lock, shares);
  assert.equal(after("tim", [0.99, 0.01]), "“tim” is a boy’s name in its stories. It says “he”. Turn a letter.");
  assert.equal(after("meg", [0.01, 0.99]), "“meg” is a girl’s name in its stories. It says “she”. Turn a letter.");
  const nobody = "is neither a boy’s nor a girl’s name in its stories";
  assert.equal(after("jin", [0.06, 0.94]), `“jin” ${nobody}. It says “she” all the same.`);
  assert.equal(after("kim", [0.48, 0.51]), `✓ “kim” ${nobody}: it is in two minds.`);
  assert.match(after("bem", [0.7, 0.3]), /^✓/);
  assert.equal(after("bin", [0.75, 0.25]), "Close! “she” has 25% and needs 30%.");
});

test("between two letters the beam is between their shares", () => {
  assert.deepEqual(between([1, 0], [0.5, 0.5], 0), [1, 0]);
  assert.deepEqual(between([1, 0], [0.5, 0.5], 0.5), [0.75, 0.25]);
});

test("what falls short of the mark does not read like the mark", () => {
  const read = [0.296, 0.29999, 0.3, 0.304, 0.294].map((share) => besideMark(share, 0.3));
  assert.deepEqual(read, ["29.6%", "29.9%", "30%", "30%", "29%"]);
});
