// A hundred chips: whatever is moved, they stay a hundred, and everything keeps one; and what is said of those kept.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  CHIPS,
  Wager,
  carried,
  filled,
  outcomeSaid,
  placed,
  shelves,
  soFarSaid,
  stands,
  toDo,
  told,
  under,
} from "../../pages/generation/components/wager/wager.js";

const NAMES = ["pin", "pot", "drill", "something else"];
const sum = (chips) => chips.reduce((a, b) => a + b, 0);

test("no chip is placed at first; a word is filled from the purse alone, and never at another word's cost", () => {
  const none = [0, 0, 0, 0];
  assert.deepEqual(placed(none, 2, 10), [0, 0, 10, 0]);
  assert.deepEqual(placed([0, 0, 90, 0], 2, 200), [0, 0, 97, 0], "one is left for each other word");
  assert.deepEqual(placed([0, 0, 97, 0], 0, 10), [1, 0, 97, 0], "the pile of another is not touched");
  assert.deepEqual(placed([25, 25, 25, 25], 1, 40), [25, 25, 25, 25]);
  assert.deepEqual(placed([25, 25, 25, 25], 1, 15), [25, 15, 25, 25], "back to the purse");
  assert.deepEqual(filled([0, 0, 97, 0]), [1, 1, 97, 1]);
  assert.deepEqual(filled([0, 20, 0, 0]), [20, 40, 20, 20]);
  let state = 7;
  const random = (n) => (state = (state * 16807) % 2147483647) % n;
  let chips = none;
  for (let k = 0; k < 500; k++) {
    const [i, before] = [random(4), chips];
    chips = placed(chips, i, chips[i] + random(60) - 25);
    assert.ok(chips.every((chip, j) => j === i || chip === before[j]));
    assert.ok(sum(chips) <= CHIPS && chips.every((chip) => Number.isInteger(chip) && chip >= 0), `${chips}`);
    assert.equal(sum(filled(chips)), CHIPS);
    assert.ok(filled(chips).every((chip, j) => chip >= Math.max(1, chips[j])));
  }
});

test("chips are carried from the pile to a word, from word to word, and back", () => {
  assert.deepEqual(carried([0, 0, 0, 0], null, 2, 10), [0, 0, 10, 0]);
  assert.deepEqual(carried([0, 80, 0, 0], 1, 3, 80), [0, 0, 0, 80]);
  assert.deepEqual(carried([0, 80, 0, 0], 1, null, 80), [0, 0, 0, 0]);
  assert.deepEqual(carried([10, 20, 60, 10], 2, 0, 60), [69, 20, 1, 10], "one stays where nothing is left to spread");
  assert.deepEqual(carried([1, 97, 1, 1], 0, 1, 1), [1, 97, 1, 1]);
  assert.deepEqual(carried([0, 95, 0, 0], null, 1, 10), [0, 97, 0, 0]);
  let state = 7;
  const random = (n) => (state = (state * 16807) % 2147483647) % n;
  let chips = [0, 0, 0, 0];
  for (let k = 0; k < 500; k++) {
    const [from, to] = [random(5) - 1, random(5) - 1].map((at) => (at < 0 ? null : at));
    chips = carried(chips, from, to, from === null ? 10 : chips[from]);
    assert.ok(sum(chips) <= CHIPS && chips.every((chip) => Number.isInteger(chip) && chip >= 0), `${chips}`);
    assert.ok(filled(chips).every((chip) => chip >= 1) && sum(filled(chips)) === CHIPS);
  }
});

test("a pile is raised beyond the top of its column, but nothing is dropped there", () => {
  const columns = [0, 1, 2].map((n) => ({ left: 100 * n, right: 100 * n + 80, top: 200 }));
  const foot = { top: 500, bottom: 540, height: 40 };
  const at = (x, y, held) => under({ clientX: x, clientY: y }, columns, foot, held);
  assert.deepEqual([at(140, 300, 1), at(140, 195, 1), at(140, 20, 1)], [1, 1, 1]);
  assert.deepEqual([at(40, 300, 1), at(240, 201, 1), at(140, 520, 1)], [0, 2, null], "another column, or the rest");
  assert.deepEqual([at(40, 195, 1), at(90, 300, 1), at(140, 600, 1)], [undefined, undefined, undefined]);
  assert.equal(at(140, 195), undefined);
});

test("what is not placed is said", () => {
  assert.equal(toDo([0, 0, 0]), "Press a word, or drag chips there.");
  assert.equal(toDo([40, 0, 0]), "60 chips in your purse. What you leave is spread evenly.");
  assert.equal(toDo([98, 0, 0]), "Your last 2 chips go to the words without one.");
  assert.equal(toDo([60, 20, 20]), "Your purse is empty.");
});

test("a bet says what is on the word with most", () => {
  assert.equal(stands([20, 10, 60, 10], NAMES), "60 chips on “drill”, none left.");
  assert.equal(stands([0, 10, 0, 0], NAMES), "10 chips on “pot”, 90 left.");
  assert.equal(stands([1, 0, 0, 0], NAMES), "1 chip on “pin”, 99 left.");
  assert.equal(stands([10, 10, 20, 60], NAMES), "60 chips on something else, none left.");
});

test("a reveal names the reader's chips first, and nobody who has not bet", () => {
  const player = (name, chips, kept = []) => ({ key: name.replace("the ", ""), name, chips, kept });
  const bets = { model: player("the model", [50, 3, 45, 2]), table: player("a word table", [1, 1, 1, 97]) };
  const of = (you) => ({
    truth: "drill",
    outcome: 2,
    names: NAMES,
    players: [player("you", you), bets.model, bets.table],
  });
  assert.equal(outcomeSaid(of(null)), "It was “drill”. A word table keeps 1 chip, the model 45.");
  assert.equal(outcomeSaid(of([41, 41, 17, 1])), "It was “drill”. You keep 17 chips, a word table 1, the model 45.");
  assert.equal(outcomeSaid(of([97, 1, 1, 1])), "It was “drill”. You keep 1 chip, a word table 1, the model 45.");
  bets.model = player("the model", [94, 3, 1, 2]);
  assert.equal(
    outcomeSaid(of([1, 1, 97, 1])),
    "It was “drill”. You keep 97 chips, a word table 1, the model 1: it had 94 on “pin”.",
  );
  const kept = [player("you", null, [70, 20]), player("the model", null, [45, 95])];
  assert.equal(soFarSaid({ players: kept }), "You have kept 90 so far.");
  assert.equal(soFarSaid(of(null)), "", "nothing is summed before the first bet");
});

test("lost chips are told by word only where one word had a row of them, more than any other", () => {
  const others = "lost on other words";
  assert.deepEqual(shelves([49, 3, 45, 3], 2, NAMES), [[45, "on “drill”"], [49, "lost on “pin”"], [6, others]]); // prettier-ignore
  assert.deepEqual(shelves([9, 3, 85, 3], 2, NAMES), [[85, "on “drill”"], [15, others]]); // prettier-ignore
  assert.deepEqual(shelves([20, 20, 40, 20], 3, NAMES).length, 3, "drill had more than any");
  assert.deepEqual(shelves([30, 30, 20, 20], 2, NAMES), [[20, "on “drill”"], [80, others]]); // prettier-ignore
  assert.equal(shelves([2, 2, 2, 94], 2, NAMES)[1][1], "lost on words not listed");
});

test("the dark button waits until a chip is laid", () => {
  const sent = [];
  const wager = Object.create(Wager.prototype);
  Object.assign(wager, { data: { round: "22-0" }, isOpen: true, chips: [0, 0], send: (...all) => sent.push(all) });
  wager.act();
  assert.deepEqual(sent, [], "no chip is laid for nothing");
  wager.chips = [1, 0];
  wager.act();
  assert.deepEqual(sent, [["bet", { round: "22-0", chips: [50, 50] }]]);
});

test("of a story those words are marked that can be bet on", () => {
  const words = told("a red hat. then red, said mia", ["red", "hat", "something else"]);
  assert.deepEqual(
    words.filter(({ isNamed }) => isNamed).map(({ piece }) => piece),
    ["red", "hat", "red"],
  );
  assert.equal(words.map(({ piece }) => piece).join(""), "a red hat. then red, said mia");
});
