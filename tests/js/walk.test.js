// From one kind of head to the next, and what is said of each.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Arcs } from "../../attention_view/arcs.js";
import { beginning, following, isAlike, timesOf, Walk } from "../../attention_view/walk.js";

const said = (name, times) => beginning("Layer 1, head 8", { name, times });

test("a sentence on a head begins with what it is named for", () => {
  assert.equal(said("next word"), "Layer 1, head 8 looks at the next word: ");
  assert.equal(said("rests on the first token"), "Layer 1, head 8 rests on the first token: ");
  assert.equal(said("from a colour to its noun"), "Layer 1, head 8 looks from a repeated colour to its noun: ");
  assert.equal(said("everyone looks at “dog”"), "In layer 1, head 8, everyone looks at “dog”: ");
});

test("it says in how many of the cases that there are", () => {
  assert.equal(said("previous word", [10, 16]), "Layer 1, head 8 looks at the previous word in 10 of 16 cases: ");
  assert.equal(said("same word, earlier", [4, 8]), "Layer 1, head 8 looks back at the same word in 4 of 8 cases: ");
  assert.equal(said("looks at itself", [9, 16]), "Layer 1, head 8 looks at the word itself in 9 of 16 cases: ");
  assert.deepEqual(
    [
      [7, 7],
      [1, 3],
      [1, 1],
      [0, 1],
    ].map(timesOf),
    [" in all 7 cases", " (here 1 of 3)", "", ", though not in the one case here"],
  );
});

test("of less than half of the cases it says where they are counted, and of none it does not say often", () => {
  assert.equal(
    said("what followed it last time", [2, 5]),
    "Layer 1, head 8 often looks at what followed last time (here 2 of 5): ",
  );
  assert.equal(said("from a colour to its noun", [1, 3]).slice(16, 37), "often looks from a re");
  for (const times of [
    [0, 1],
    [0, 4],
    [2, 4],
  ])
    assert.doesNotMatch(said("next word", times), /often/);
});

test("nothing is said twice, and nothing of a head without a name", () => {
  assert.equal(said("“it” looks at “animal”"), "", "the sentence says that itself");
  assert.equal(beginning("Layer 1, head 8", undefined), "");
});

test("the walk goes round, and begins where a head has no name", () => {
  const kinds = ["previous word", "next word", "rests on the first token"].map((name) => ({ name }));
  assert.deepEqual(
    ["previous word", "next word", "rests on the first token", undefined].map((name) => following(kinds, name).name),
    ["next word", "rests on the first token", "previous word", "previous word"],
  );
});

test("the token that asks stays where it shows as well what the head does", () => {
  const best = { key: 3, weight: 1, way: -1 };
  assert.ok(isAlike({ key: 9, weight: 0.95, way: -1 }, best), "the previous one, too");
  assert.ok(isAlike({ key: 3, weight: 0.95, way: -4 }, best), "the same token");
  assert.ok(!isAlike({ key: 9, weight: 0.5, way: -1 }, best), "half as clearly");
  assert.ok(!isAlike({ key: 9, weight: 0.95, way: 2 }, best));
});

test("a head named for one word is told aside of its name by another word", () => {
  const weights = [1, 0, 0, 0.1, 0.8, 0.1, 0.1, 0.8, 0.1]; // rows 1 and 2 look at token 1 and 1
  const picture = {
    S: 3,
    tag: (layer) => (layer ? null : { name: "“it” looks at “animal”", query: 7 }),
    rowOf: () => 2,
    topKey: (i) => [0, 1, 1][i],
    matrix: () => weights,
  };
  const overview = { hunt: { hides: () => false } };
  const view = { picture, overview, isTold: true, shownHeads: [[0, 0]] };
  const aside = (i, changed = {}) => {
    const seen = { ...view, ...changed };
    return Arcs.prototype.isAside.call(
      { view: seen, walk: Object.assign(Object.create(Walk.prototype), { view: seen }) },
      i,
      1,
    );
  };
  assert.ok(!aside(2));
  assert.ok(aside(0), "it looks elsewhere");
  assert.ok(!aside(0, { isTold: false }));
  assert.ok(!aside(0, { shownHeads: [[1, 0]] }), "it has no name");
});
