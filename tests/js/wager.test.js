// A hundred chips: whatever is moved, they stay a hundred, and everything keeps one.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bits, CHIPS, compared, counting, moved, stands, told } from "../../pages/generation/components/wager/wager.js";

const sum = (chips) => chips.reduce((a, b) => a + b, 0);

test("chips stay whole, at least 1 each, and a hundred together", () => {
  let state = 7;
  const random = (n) => (state = (state * 16807) % 2147483647) % n; // Park and Miller's generator
  let chips = [17, 17, 17, 17, 16, 16];
  for (let k = 0; k < 500; k++) {
    const [i, n] = [random(6), random(130) - 10];
    chips = moved(chips, i, n);
    assert.equal(sum(chips), CHIPS);
    assert.ok(chips.every((chip) => Number.isInteger(chip) && chip >= 1));
    assert.equal(chips[i], Math.max(1, Math.min(95, n)));
  }
});

test("the others keep their proportions, or share equally if they had nothing", () => {
  const after = moved([10, 61, 21, 6, 1, 1], 0, 55);
  assert.ok(Math.abs((after[1] - 1) / (after[2] - 1) - 3) < 0.25); // 60 to 20 beyond the one that each keeps
  assert.deepEqual(moved([95, 1, 1, 1, 1, 1], 0, 40), [40, 12, 12, 12, 12, 12]);
});

test("a half costs 1 bit, a quarter 2, and one chip 6.64", () => {
  assert.equal(bits(50), 1);
  assert.equal(bits(25), 2);
  assert.ok(Math.abs(bits(1) - Math.log2(100)) < 1e-12);
});

test("first comes the puzzle, then what a bet stands to cost, and afterwards who had more on it", () => {
  const puzzle = "“red” or “blue”: which one is asked about?";
  const data = { names: ["red", "blue", "something else"], counted: [5, 5, 90], after: "the", puzzle };
  assert.equal(stands([5, 5, 90], data), puzzle);
  assert.equal(counting(data), "Knowing only “the”, you would bet 90 chips on something else.");
  assert.equal(stands([25, 50, 25], data), "You have 50 chips on “blue”. If it comes, your surprise is 1.0 bits.");
  assert.match(stands([10, 30, 60], data), /^You have 60 chips on something else\./);
  const even = { ...data, counted: [34, 33, 33] }; // as where nothing was counted
  assert.equal(counting(even), "Counting does not say what follows “the”: the chips lie evenly.");
  assert.equal(stands([34, 33, 33], even), puzzle);
  assert.match(stands([33, 34, 33], even), /^You have 34 chips on “blue”/);
  const known = (its, counts = 90) => ({
    names: ["red", "blue", "something else"],
    truth: "red",
    outcome: 0,
    model: [its / 100, 1 - its / 100, 0],
    counted: [counts, 100 - counts, 0],
  });
  const says = (mine, its) => compared([mine, 100 - mine, 0], known(its));
  assert.equal(says(25, 50), "It was “red”. The model wins: it had 50 chips on it, you 25.");
  assert.equal(says(50, 25.2), "It was “red”. You win: you had 50 chips on it, the model 25.");
  assert.equal(says(1, 50), "It was “red”. The model wins: it had 50 chips on it, you 1.");
  assert.equal(says(50, 1), "It was “red”. You win: you had 50 chips on it, the model 1.");
  assert.equal(says(1, 0.1), "It was “red”. You win: you had 1 chip on it, the model 0.");
  assert.equal(says(1, 1.2), "It was “red”. You and the model both had 1 chip on it.");
  assert.equal(says(50, 50.3), "It was “red”. You and the model both had 50 chips on it.");
  // whoever has moved no chip has not bet
  assert.equal(compared([1, 99, 0], known(54, 1)), "It was “red”. Counting bet 1 chip on it, the model 54.");
  const less = "It was “red”. Counting bet 1 chip on it, the model 46. The model had most on “blue”: 54.";
  assert.equal(compared([1, 99, 0], known(46, 1)), less);
});

test("of a story those words are marked that can be bet on", () => {
  const words = told("a red hat. then red, said mia", ["red", "hat", "something else"]);
  assert.deepEqual(
    words.filter(({ isNamed }) => isNamed).map(({ piece }) => piece),
    ["red", "hat", "red"],
  );
  assert.equal(words.map(({ piece }) => piece).join(""), "a red hat. then red, said mia");
});
