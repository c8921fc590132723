// Words that are moved on: their weights between positions, what changes, and how it is said.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  BOUND,
  changeOf,
  degreesApart,
  finding,
  isNoticed,
  nextOf,
  rowOf,
  signed,
  waveOf,
  weightsAt,
  whatDoes,
  wordUnder,
} from "../../pages/positions/components/moved_words/moved.js";

test("a row between two positions lies between their rows", () => {
  const table = Float32Array.from([0, 1, 4, 5]);
  assert.deepEqual(rowOf(table, 2, 0), [0, 1]);
  assert.deepEqual(rowOf(table, 2, 1), [4, 5], "the last row has none after it");
  assert.deepEqual(rowOf(table, 2, 0.25), [1, 2]);
});

test("the weights of a word are its row of the map at that start", () => {
  const table = Float32Array.from([1, 0, 0, 1, 0.5, 0.5, 0.25, 0.75]);
  assert.deepEqual(weightsAt(table, 2, 1, 1), [0.25, 0.75]);
  assert.deepEqual(weightsAt(table, 2, 0.5, 0), [0.75, 0.25]);
});

test("the largest change has its sign and its word, and rounding is not noticed", () => {
  const change = changeOf([0.5, 0.25, 0.25], [0.5, 0.125, 0.375]);
  assert.deepEqual(change, { by: -0.125, at: 1 });
  assert.equal(isNoticed(change), true);
  assert.equal(isNoticed({ by: BOUND / 2 }), false);
  assert.equal(isNoticed({ by: -BOUND }), true);
  assert.deepEqual([0.058, -0.058, 0].map(signed), ["+0.06", "−0.06", "0"]);
  assert.deepEqual([0.0042, -0.0042, BOUND].map(signed), ["+0.004", "−0.004", "+0.00001"], "the sign is the only one");
});

test("it asks before the move, and answers with what changed or what stayed", () => {
  const told = { way: "sinusoidal", change: { by: -0.058 }, start: 0, step: 10, turn: Math.PI / 10, price: -0.25 };
  const said = (more) => finding({ ...told, start: 10, ...more });
  assert.equal(finding(told), "Move all words on by 10 places: does the ringed word look elsewhere?");
  assert.equal(said(), "It looks elsewhere: with waves added, an attention weight changes by 0.06.");
  assert.match(said({ change: { by: 0.0042 } }), / changes by 0\.004\.$/);
  const change = { by: 3e-8 };
  assert.equal(
    said({ way: "rotary", change }),
    "It looks exactly where it did: all hands turned, and neighbours are still 18° apart.",
  );
  assert.match(said({ way: "ALiBi", change }), /: each step away still costs 0\.25\.$/);
  assert.match(said({ way: "T5 relative", change, price: 0.1 }), /: the next word still gets 0\.1 on its score\.$/);
  assert.match(said({ change }), /: no attention weight changes\.$/);
  for (const way of ["learned", "rotary", "ALiBi", "T5 relative"]) assert.doesNotMatch(said({ way }), /undefined/);
});

test("the button moves one way after the other, and leads back", () => {
  let lane = "added";
  const begins = { added: 0, turned: 0, priced: 0 };
  const says = [];
  for (let press = 0; press < 4; press++) {
    const next = nextOf(lane, begins, 10);
    says.push(next.says);
    ({ lane } = next);
    begins[lane] = next.start;
  }
  assert.deepEqual(says, [
    "Move everything 10 words on",
    "Try it with clocks",
    "Try it with a price",
    "Back to the start",
  ]);
  assert.deepEqual(nextOf("priced", { added: 3, turned: 0, priced: 0 }, 10).lane, "priced", "what is open goes first");
  assert.deepEqual(nextOf("priced", { added: 0, turned: 0, priced: 9 }, 10).lane, "added");
});

test("angles are the shorter way round", () => {
  const turn = Math.PI / 10; // 18 degrees
  assert.deepEqual(
    [0, 1, -4, 10, 11, 20].map((far) => Math.abs(degreesApart(turn, far))),
    [0, 18, 72, 180, 162, 0],
  );
});

test("a code is a line from edge to edge, and a word lies under its share of the width", () => {
  assert.deepEqual(waveOf([1, -2, 0], 2), [
    [0, 0.5],
    [0.5, -1],
    [1, 0],
  ]);
  assert.deepEqual(
    [-0.1, 0, 0.5, 0.99, 1.2].map((share) => wordUnder(share, 9)),
    [0, 0, 4, 8, 8],
  );
});

test("a way is said with its price", () => {
  assert.equal(whatDoes("ALiBi", -0.25), "Each step away costs 0.25 of the score.");
  assert.equal(whatDoes("ALiBi", -(2 ** -8)), "Each step away costs 0.004 of the score.");
  assert.match(whatDoes("learned"), /row of a table/);
  assert.match(whatDoes("sinusoidal"), /wave/);
});
