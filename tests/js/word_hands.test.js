// The pictures of words that a hand moves: what their numbers come to.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Arrows, cosine, product } from "../../pages/words/components/word_list/arrows.js";
import {
  Candidates,
  entropyOf,
  reaching,
  sharesOf,
  writtenOf,
} from "../../pages/words/components/word_list/candidates.js";
import { Loss, lossOf } from "../../pages/words/components/word_list/loss.js";
import { Found, Looks, Pull } from "../../pages/words/components/word_list/story.js";
import { STORY, after } from "../../pages/words/components/word_list/tour.js";
import { Widths } from "../../pages/words/components/word_list/widths.js";

const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-12, `${a} is not ${b}`);

test("shares add up to 1, and one point more multiplies a share by e against each other", () => {
  const [before, after] = [sharesOf([9.7, 8.6, 2.4]), sharesOf([10.7, 8.6, 2.4])];
  for (const shares of [before, after])
    near(
      shares.reduce((sum, x) => sum + x),
      1,
    );
  near(after[0] / after[1] / (before[0] / before[1]), Math.E);
  near(after[2] / after[1], before[2] / before[1]); // the others keep their proportions
});

test("entropy is 0 where one has all, and largest where all have the same", () => {
  near(entropyOf([1, 0, 0]), 0);
  near(Math.exp(entropyOf([0.25, 0.25, 0.25, 0.25])), 4);
});

test("top-p keeps the fewest words that reach p, and never none", () => {
  const shares = [0.5, 0.3, 0.2];
  assert.deepEqual(
    [0, 0.5, 0.51, 0.8, 1].map((p) => reaching(shares, p)),
    [1, 1, 2, 2, 3],
  );
});

test("the cosine forgets lengths, the dot product does not", () => {
  near(cosine([3, 4], [6, 8]), 1);
  near(cosine([1, 0], [0, 5]), 0);
  near(cosine([1, 2], [-1, -2]), -1);
  near(product([3, 4], [6, 8]), 50);
});

const made = (kind, parts) => Object.assign(Object.create(kind.prototype), parts);

test("shares as they are written add up to 1, whatever the heights of the bars", () => {
  assert.deepEqual(writtenOf([1 / 3, 1 / 3, 1 / 3]), ["0.34", "0.33", "0.33"]);
  for (let n = 0; n < 32; n++) {
    const shares = sharesOf([9.7, 8.6 + n / 4, 7.5, 6.1, 5]);
    const written = writtenOf(shares).map(Number);
    assert.equal(Math.round(100 * written.reduce((sum, x) => sum + x)), 100);
    for (const [k, x] of written.entries()) assert.ok(Math.abs(x - shares[k]) < 0.01);
  }
});

test("keys reach every bar, and move the one that is held", () => {
  const bars = made(Candidates, { does: "bar", words: ["hat", "ball", "key"], scores: [3, 2, 1], held: 0 });
  bars.step(1, false);
  bars.step(1, true);
  assert.deepEqual([bars.held, bars.scores], [1, [3, 2.5, 1]]);
  for (let n = 0; n < 9; n++) bars.step(1, false);
  assert.equal(bars.held, 2);
});

test("keys turn the arrow and change its length, and keep it in the grid; one of no length is not stuck", () => {
  const arrow = made(Arrows, { ends: [0, 0] });
  arrow.step(1, true);
  near(Math.hypot(...arrow.ends), 0.1);
  for (let n = 0; n < 60; n++) arrow.step(1, true);
  for (let n = 0; n < 70; n++) {
    arrow.step(1, false);
    arrow.step(1, true);
    assert.ok(Math.max(...arrow.ends.map(Math.abs)) <= 3 + 1e-9);
  }
  arrow.move([5000, 186]);
  assert.deepEqual(arrow.ends, [3, 0]);
  const short = made(Arrows, { ends: [0, 0] });
  short.step(1, false);
  assert.ok(Math.hypot(...short.ends) > 0);
});

test("a slider has a name and a number of its own, and a causal mask is told of", (t) => {
  globalThis.document = { createElementNS: () => ({ setAttribute() {}, append() {} }) };
  t.after(() => delete globalThis.document);
  const row = (texts) => ({ shapes: [], middles: texts.map((_, n) => 10 * n) });
  const [tokens, written, story] = [
    ["hat", "ball", "wants", "the", "red"],
    ["ball", "hat"],
    ["hat", "ball"],
  ];
  const parts = { row, tokens, written, story, names: story, toys: [0, 1], asked: ["the", "red"], share: 0.75 };
  const pull = made(Pull, parts);
  assert.deepEqual(pull.draw().slider, ["Attention weight of “ball”", "0.25", 0, 1]);
  pull.step(1);
  assert.equal(pull.draw().slider[1], "0.30");
  const looks = [[Array(3).fill([0.9, 0.1, 0, 0, 0]), Array(3).fill([0.2, 0.8, 0, 0, 0])]];
  const asking = (more) => made(Looks, { ...parts, looks, asks: 3, asker: 0, n: 1, ...more }).draw();
  assert.deepEqual(asking({ isHead: true }).slider, ["Head", 1, 0, 1]);
  assert.deepEqual(asking({}).slider, ["The word that asks", 0, 0, 2]);
  assert.match(asking({}).said, /^“wants” looks most at “ball”/);
  assert.match(asking({ isMasked: true }).said, /^“wants” may not look ahead: exactly 0 for “the red”\./);
  const rows = [[0.3, 0], [0.7, 0.01]]; // prettier-ignore
  const found = (asked) => made(Found, { row, story, askers: ["the", "red"], rows, asked });
  assert.deepEqual(found(0).draw().slider, ["The word that is asked", 0, 0, 1]);
  assert.equal(found(0).draw().said, "“red” finds “hat” by its key: 0.70. Drag to another word.");
  assert.match(found(1).draw().said, /^Nobody below finds “ball” by its key\./);
  const words = { text: "mia", words: ["hat", "ball"], scores: [3, 2], held: 1, at: 0.5, k: 2, heat: 2 };
  const slider = (name, does) => made(Candidates, { ...words, name, does }).draw().slider;
  assert.deepEqual(slider("softmax", "bar").slice(1), [2, 0, 15.5]);
  assert.deepEqual(slider("temperature", "heat"), ["Temperature", 2, 0.8, 8]);
  assert.deepEqual(slider("sampling", "needle"), ["Random number", 0.5, 0, 1]);
  assert.deepEqual(slider("top-k", "first"), ["k", 2, 1, 2]);
  assert.equal(made(Arrows, { ends: [0, 2], kind: { big: String, isAlone: true } }).draw().slider[1], 90);
});

test("the loss of a sure and right word is 0, and half the chance costs the logarithm of 2 more", () => {
  assert.ok(Object.is(lossOf(1), 0));
  near(lossOf(0.2) - lossOf(0.4), Math.LN2);
  const loss = made(Loss, { text: "mia", word: "found", chance: 0.6, own: 0.6 });
  assert.match(loss.told, /^“mia found” is right, and the model gave it 0\.60/);
  loss.move([0, 0]);
  assert.match(loss.told, /^It hardly expected/); // of which other word it was sure, if of any, nobody knows
  loss.move([9999, 0]);
  assert.equal(loss.chance, 1);
  loss.step(-1);
  near(loss.chance, 0.98);
});

test("a vector keeps at least one of its numbers, and at most all", () => {
  const widths = made(Widths, { numbers: [1, -2, 3], n: 3 });
  widths.move([0]);
  assert.equal(widths.n, 1);
  widths.step(5);
  assert.equal(widths.n, 3);
});

test("the words of the story follow one another and begin anew, all others follow the list", () => {
  const names = ["token", "query", "key", "baseline"];
  for (const [n, name] of STORY.entries()) assert.equal(after(name, names)[0], STORY[(n + 1) % STORY.length]);
  assert.deepEqual(after("loss", names), ["attention weight", "Back to the beginning"]);
  assert.deepEqual(after("token", names), ["query", "Next: query"]);
  assert.equal(after("baseline", names)[0], "token");
});
