// A hundred percent: whatever is pulled, they stay a hundred, and everything keeps one; and what is said of the word.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  WHOLE,
  Wager,
  bits,
  even,
  hung,
  pulled,
  soFar,
  told,
  verdict,
  wouldBe,
} from "../../pages/generation/components/wager/wager.js";

const NAMES = ["pin", "pot", "drill", "something else"];
const sum = (percent) => percent.reduce((a, b) => a + b, 0);

test("what is pulled up takes from all others in proportion, and gives it back", () => {
  const open = even(4);
  assert.deepEqual(open, [25, 25, 25, 25]);
  assert.deepEqual(even(6), [17, 17, 17, 17, 16, 16]);
  assert.deepEqual(pulled(open, 2, 70), [10, 10, 70, 10]);
  assert.deepEqual(pulled([61, 31, 4, 4], 3, 35), [41, 21, 3, 35], "twice as likely stays about twice");
  assert.deepEqual(pulled(open, 2, 400), [1, 1, 97, 1], "nothing is impossible");
  assert.deepEqual(pulled([1, 1, 97, 1], 2, 40), [20, 20, 40, 20]);
  let state = 7;
  const random = (n) => (state = (state * 16807) % 2147483647) % n;
  let percent = open;
  for (let k = 0; k < 500; k++) {
    percent = pulled(percent, random(4), random(120) - 10);
    assert.equal(sum(percent), WHOLE);
    assert.ok(
      percent.every((share) => Number.isInteger(share) && share >= 1),
      `${percent}`,
    );
  }
});

test("the surprise is pulled as well: one bit is a half, two a quarter, and 7 are the least share", () => {
  assert.deepEqual([bits(1), bits(0.5), bits(0.25)], [0, 1, 2]);
  assert.equal(hung(even(4), 0, 1)[0], 50);
  assert.equal(hung(even(4), 0, 3)[0], 13);
  assert.equal(hung(even(4), 0, 9)[0], 1);
  assert.equal(hung(even(4), 0, -2)[0], 97);
});

test("as bars are pulled, the word with most and the one with least are told in bits", () => {
  const said = wouldBe([3, 2, 90, 5], NAMES);
  assert.equal(said, "If “drill” comes: 0.2 bits of surprise. “pot” would be 5.6, like 6 heads in a row.");
  for (const n of [4, 6])
    assert.equal(wouldBe(even(n), NAMES), `Whatever comes: ${n === 4 ? "2.0" : "2.6"} bits of surprise.`);
  assert.match(wouldBe([20, 20, 59, 1], NAMES), / Something else would be 6\.6, like 7 heads in a row\.$/);
});

test("a verdict says who was less surprised, and of what the model was sure, where that was wrong", () => {
  const of = (percent, model) =>
    verdict({ truth: "drill", outcome: 2, names: NAMES, percent, model, close: 0.1, sure: 0.5 });
  const right = [0.1, 0.1, 0.5, 0.3];
  const wrong = [0.9375, 0, 0.0625, 0];
  assert.equal(of(null, right), "It was “drill”.");
  assert.equal(of(null, wrong), "It was “drill”. The model was sure of “pin”.");
  assert.equal(of([25, 25, 25, 25], right), "It was “drill”. The model did better.");
  assert.equal(of([20, 20, 51, 9], right), "It was “drill”. You did as well.");
  assert.equal(of([1, 1, 97, 1], wrong), "It was “drill”. You did better: the model was sure of “pin”.");
  assert.equal(of([97, 1, 1, 1], wrong), "It was “drill”. The model did better.");
  assert.equal(soFar({ so_far: [1, 2, 3] }), "");
  assert.equal(soFar({ so_far: [2, 3.14, 11.5] }), "So far: you 3.1 bits, the model 11.5");
});

test("the dark button waits until a bar is pulled", () => {
  const sent = [];
  const wager = Object.create(Wager.prototype);
  const data = { round: "22-0" };
  Object.assign(wager, { data, isOpen: true, hasBet: false, percent: [50, 50], send: (...all) => sent.push(all) });
  wager.act();
  assert.deepEqual(sent, [], "nothing is said yet");
  wager.refresh = () => {};
  wager.set([60, 40]);
  wager.act();
  assert.deepEqual(sent, [["bet", { round: "22-0", percent: [60, 40] }]]);
});

test("of a story those words are marked that can be bet on", () => {
  const words = told("a red hat. then red, said mia", ["red", "hat", "something else"]);
  assert.deepEqual(
    words.filter(({ isNamed }) => isNamed).map(({ piece }) => piece),
    ["red", "hat", "red"],
  );
  assert.equal(words.map(({ piece }) => piece).join(""), "a red hat. then red, said mia");
});
