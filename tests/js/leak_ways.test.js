// The ways of an edit's news: which lines are drawn, and which of them lead to one output.

import assert from "node:assert/strict";
import { test } from "node:test";

import { noticed } from "../../pages/masks/components/leak_ripple/leak_ripple.js";
import {
  arrivals,
  farthest,
  heardAfter,
  judged,
  linesOf,
  looksOn,
  waysTo,
} from "../../pages/masks/components/leak_ripple/ways.js";
import { besideBracket } from "../../pages/masks/components/leak_ripple/leak_ripple.js";

const window3 = Array.from({ length: 8 }, (_, q) => Array.from({ length: 8 }, (_, k) => k <= q && q - k < 3));
const row = (...tokens) => Array.from({ length: 8 }, (_, t) => tokens.includes(t));
const moved = [row(1), row(1, 2, 3), row(1, 2, 3, 4, 5)];
const lines = arrivals(moved, [window3, window3]);

test("a token hears of it from every token that it may look at and that has moved, and keeps what it has heard", () => {
  assert.deepEqual(
    lines.filter(([layer]) => layer === 0),
    [0, 0, 0].map((layer, n) => [layer, 1, n + 1]),
  );
  assert.deepEqual(
    lines.filter(([layer, , to]) => layer === 1 && to > 3),
    [
      [1, 2, 4],
      [1, 3, 4],
      [1, 3, 5],
    ],
  );
  assert.ok(lines.some((line) => String(line) === "1,2,2"));
});

test("a line is drawn from every token that has moved to every one that looks at it, new to it or not", () => {
  const all = linesOf(moved, [window3, window3]);
  const to = (layer, token) => all.filter(([h, , query]) => h === layer && query === token).map(([, from]) => from);
  assert.deepEqual(to(0, 3), [1]);
  assert.deepEqual(to(1, 3), [1, 2, 3], "it has moved before, and hears it from two others again");
  assert.deepEqual(to(1, 6), [], "who has not moved has heard nothing");
  assert.ok(lines.every((line) => all.some((other) => String(other) === String(line))));
});

test("the ways to an output are those that end there", () => {
  assert.deepEqual(waysTo(5, lines, 2), [
    [0, 1, 3],
    [1, 3, 5],
  ]);
  assert.equal(waysTo(4, lines, 2).length, 4);
  assert.deepEqual(waysTo(7, lines, 2), []);
});

test("news arrives after so many layers, or never, and one output is the farthest from the edit", () => {
  assert.deepEqual(
    [1, 3, 5, 7].map((token) => heardAfter(moved, token)),
    [0, 1, 2, -1],
  );
  assert.equal(farthest(moved, 1), 5);
  assert.equal(farthest([row(6), row(0, 6)], 6), 0, "to the left as well");
  assert.equal(farthest([row(6), row()], 6), 6);
});

test("where there is no other token, nothing is counted", () => {
  assert.equal(noticed(0, 0), "there is no other word that could notice");
});

test("of one other token it is said whether it has noticed, of several how many have", () => {
  assert.deepEqual([0, 1].map((n) => noticed(n, 1)), ["the other one has not noticed", "the other one has noticed"]); // prettier-ignore
  assert.deepEqual([1, 2].map((n) => noticed(n, 6)), ["1 of 6 others has noticed", "2 of 6 others have noticed"]); // prettier-ignore
});

test("of a guess it is said how far off it was, and whether any other word has noticed", () => {
  assert.equal(judged("“.”", "“blue”", 4, false), "You said “.”: 4 words off. The farthest that noticed is “blue”.");
  assert.match(judged("“a”", "“blue”", 1, false), /: 1 word off\./);
  assert.equal(judged("“blue”", "“blue”", 0, false), "You said “blue”: right, nothing farther away has noticed.");
  assert.equal(judged("“hat”", "“red”", 1, true), "You said “hat”, but no other word has noticed.");
});

test("what a token on the way may look at is shown where its layer has one of them", () => {
  const ways = waysTo(5, lines, 2);
  assert.deepEqual(looksOn(ways, [window3, window3]), [
    [0, 3, [1, 2, 3]],
    [1, 5, [3, 4, 5]],
  ]);
  assert.deepEqual(
    looksOn(waysTo(4, lines, 2), [window3, window3]).map(([layer]) => layer),
    [1],
    "two ways in the layer below",
  );
});

test("what stands beside a bracket is never cut off by the edge of the picture", () => {
  assert.deepEqual(besideBracket(100, 200, 150, 400), { x: 210, y: 5 });
  assert.deepEqual(besideBracket(200, 380, 150, 400), { x: 190, y: 5, "text-anchor": "end" });
  assert.deepEqual(besideBracket(100, 380, 150, 400), { x: 380, y: -8, "text-anchor": "end" });
});
