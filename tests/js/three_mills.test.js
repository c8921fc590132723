// Three mills: where lanes are, which key lies under a hand, and what is said of a query on a key.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bars } from "../../pages/attention/components/three_mills/drawing.js";
import { columnsOf, keyAt, lanesOf } from "../../pages/attention/components/three_mills/places.js";
import {
  asking,
  bestOf,
  forAndAgainst,
  found,
  laid,
  pickedOf,
  swapped,
} from "../../pages/attention/components/three_mills/said.js";

const plain = (said) => said.map((part) => (typeof part === "string" ? part : part[1])).join("");
const WORDS = ["mia", "hat", "ball", "red"];
const red = { word: "red", scores: [-5, 55, 48.7, 6], weights: [0, 0.6, 0.4, 0], open: [true, true, true, true] };

test("a figure that is hidden has places too, none of a negative size", () => {
  for (const width of [0, 390, 619, 620, 1214]) {
    const { word, mill, strip, score } = columnsOf(width);
    for (const column of [word, mill, strip, score]) assert.ok(column.width > 0, String(width));
    assert.ok(word.x + word.width <= mill.x && mill.x + mill.width < strip.x && strip.x + strip.width < score.x);
  }
});

test("the lanes lie one below the other, and the figure is as tall whichever key is open", () => {
  for (const [many, tall] of [
    [1, 520],
    [2, 520],
    [17, 520],
    [17, 440],
    [32, 520],
  ]) {
    const heights = [null, 0, many - 1].map((open) => {
      const { query, keys, all, value, height } = lanesOf({ many, open, tall });
      const lanes = [query, ...keys, value];
      lanes.slice(1).forEach(({ y }, n) => assert.ok(y >= lanes[n].y + lanes[n].height - 1e-9));
      assert.ok(Math.abs(keys.at(-1).y + keys.at(-1).height - all.y - all.height) < 1e-9);
      return height;
    });
    assert.ok(Math.max(...heights) - Math.min(...heights) < 1e-9);
  }
});

test("the key under a hand is the one that it opens, at any height, and above them all there is none", () => {
  for (const many of [1, 2, 17, 32]) {
    const { all } = lanesOf({ many, open: null, tall: 520 });
    assert.equal(keyAt(all.y - 1, lanesOf({ many, open: 0, tall: 520 })), null);
    for (let y = all.y; y < all.y + all.height; y += 3) {
      const open = keyAt(y, lanesOf({ many, open: null, tall: 520 }));
      const lanes = lanesOf({ many, open, tall: 520 });
      assert.equal(keyAt(y, lanes), open);
      assert.ok(y >= lanes.keys[open].y - 1e-9 && y <= lanes.keys[open].y + lanes.keys[open].height + 1e-9);
    }
  }
});

test("bars go up from the middle where numbers are above zero, as far as their share of the largest", () => {
  const path = bars([1, -0.5], { x: 0, y: 0, width: 20, height: 22 }, 1, 1);
  assert.equal(path, "M0 11v-10h10v10zM10 11v5h10v-5z");
});

test("of a query on a key it is said whether they fit, and what agrees and what does not", () => {
  assert.deepEqual(forAndAgainst([3, -1, 2]), [5, 1]);
  const on = (n, products) => plain(laid(red, n, WORDS[n], products));
  assert.equal(on(1, [61.6, -6.6]), "red fits hat: same signs add 61.6, opposite signs take 6.6 away, 55.0.");
  assert.match(on(2, [1]), /^red fits ball: /, "a second key may fit, too");
  assert.match(
    on(0, [24, -29]),
    /^red does not fit mia: same signs add 24\.0, opposite signs take 29\.0 away, −5\.0\.$/,
  );
  assert.equal(plain(asking(red)), "Drag the query of “red” down: which key does it fit?");
});

test("of all keys the best is named, where one fits, and none that may not be looked at", () => {
  assert.equal(bestOf(red), 1);
  assert.equal(bestOf({ ...red, open: [true, false, false, true] }), 3);
  assert.equal(plain(found(red, WORDS)), "red tried 4 keys: hat fits best, 55.0.");
  const untrained = { ...red, weights: [0.1, 0.15, 0.1, 0.1] };
  assert.equal(plain(found(untrained, WORDS)), "No key fits red: the highest score is 55.0.");
});

test("of few keys each gets much attention, which is no fit, and who sees one key has no choice", () => {
  const even = { ...red, weights: [0.24, 0.28, 0.24, 0.24] };
  assert.equal(plain(found(even, WORDS)), "No key fits red: the highest score is 55.0.");
  const alone = { ...red, scores: [3.1], weights: [1], open: [true] };
  assert.equal(plain(found(alone, WORDS)), "red may look at one key only, its own: the score is 3.1.");
});

test("another word that asks fits another key, or the same one", () => {
  const keys = [[1], [2], [3], [4]];
  const blue = { ...red, keys, word: "blue", scores: [-11, 47.6, 54.5, 11], weights: [0, 0.23, 0.77, 0] };
  const before = { ...red, keys };
  const told = (now, was = before) => plain(swapped(now, was, ["mia", "hat", "ball", now.word], 3));
  assert.equal(told(blue), "Same keys, another query: blue fits ball best, 54.5; “red” fitted hat.");
  assert.equal(told({ ...before, word: "big" }), "big fits the same key best: hat, 55.0.");
  const untrained = { ...blue, weights: [0.1, 0.1, 0.1, 0.1] };
  assert.equal(told(untrained), "No key fits blue: the highest score is 54.5.");
  assert.equal(
    told(blue, { ...before, weights: untrained.weights }),
    "Same keys, another query: blue fits ball best, 54.5; “red” fitted none.",
  );
});

test("where the other keys have heard of the swap they are not called the same, nor is the key of the word itself", () => {
  const at = 3;
  const own = { word: "red", scores: [0, 1, 0, 9], weights: [0, 0, 0, 1], open: red.open, keys: [[1], [2], [3], [4]] };
  const now = { ...own, word: "blue", keys: [[1], [2], [3], [9]] };
  const words = ["mia", "hat", "ball", "blue"];
  assert.equal(plain(swapped(now, own, words, at)), "Another query: blue fits blue best, 9.0; “red” fitted red.");
  const heard = { ...now, scores: [0, 9, 0, 1], weights: [0, 1, 0, 0], keys: [[1], [2], [3.5], [9]] };
  assert.match(plain(swapped(heard, own, words, at)), /^Another query: blue fits hat best/);
});

test("of many keys those that fit best in one of the texts are picked, in their order, and those that are asked for", () => {
  const [open, other] = [red.open, { ...red, scores: [9, 0, 60, 1] }];
  assert.deepEqual(pickedOf([red], [3, null], 8), [0, 1, 2, 3]);
  assert.deepEqual(pickedOf([red], [0, null], 3), [0, 1, 2]);
  assert.deepEqual(pickedOf([{ ...red, scores: [0, 5, 1, 6] }, other], [], 2), [0, 2]);
  assert.deepEqual(pickedOf([{ ...red, open: [...open.slice(0, 2), false, false] }], [0], 8), [0, 1], "none to come");
});
