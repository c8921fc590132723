// What a model says with a head cut or carried over, and what is said of it and of all others.
import assert from "node:assert/strict";
import { test } from "node:test";

import { headFirst, headName, isMark, nextBySize } from "../../pages/pretrained/components/head_stage/picture.js";
import { chances, leastOfOthers, lookedAt, ranked, said } from "../../pages/pretrained/components/head_stage/ranks.js";
import { HeadStage } from "../../pages/pretrained/components/head_stage/head_stage.js";
import { CARRY, CUT, ofOthers } from "../../pages/pretrained/components/head_stage/wording.js";

const shaped = (numbers, ...shape) => Object.assign(Float32Array.from(numbers), { shape });
// Two layers of two heads, three words.
const ARRAYS = {
  before: shaped([0.75, 0.25, 0], 3),
  heads: shaped([0.5, 0.25, 0.25, 0.75, 0.25, 0, 0, 0.25, 0.75, 0.625, 0.375, 0], 2, 2, 3),
  layers: shaped([0.25, 0.5, 0.25, 0, 0, 1], 2, 3),
  moved: shaped([0.25, 0, 0.75, 0.125], 2, 2),
};
const LABELS = ["jack", "paula", "cleo"];

test("a head, a layer or nothing is cut", () => {
  assert.deepEqual([...chances(ARRAYS, null)], [0.75, 0.25, 0]);
  assert.deepEqual([...chances(ARRAYS, [1, 0])], [0, 0.25, 0.75]);
  assert.deepEqual([...chances(ARRAYS, [1, null])], [0, 0, 1]);
});

test("the answer with all heads comes first, then what is likeliest now", () => {
  const after = chances(ARRAYS, [1, 0]);
  assert.deepEqual(ranked(after, 5), [0, 2, 1]);
  assert.deepEqual(ranked(after, 2), [0, 2]);
  assert.equal(said(after), 2);
  assert.equal(said(chances(ARRAYS, [0, 1])), 0);
});

test("the others keep at least what the worst of them keeps", () => {
  assert.equal(leastOfOthers(ARRAYS, [1, 0]), 0.5);
  assert.equal(leastOfOthers(ARRAYS, [0, 0]), 0);
});

test("threads lead to what is looked at, not to the token itself", () => {
  assert.deepEqual(lookedAt(Float32Array.from([0.01, 0.5, 0.04, 0.45]), 3), [1]);
});

test("the finding names the head, the word it says now and the one it said", () => {
  assert.equal(CUT.finding([1, 0], "cleo", "jack"), "Without head 0 of layer 1, it says “cleo” instead of “jack”.");
  assert.equal(CUT.finding([0, 1], "jack", "jack"), "Without head 1 of layer 0, it still says “jack”.");
  assert.equal(
    CUT.finding([1, null], "cleo", "jack"),
    "Without all heads of layer 1, it says “cleo” instead of “jack”.",
  );
  assert.equal(
    CARRY.finding([1, 0], "hat", "ball", 0.62),
    "Head 0 of layer 1 carries 62% of the difference, and “ball” becomes “hat”.",
  );
  assert.equal(
    CARRY.finding([1, 0], "ball", "ball", 0),
    "Head 0 of layer 1 carries none of the difference, and it still says “ball”.",
  );
  assert.equal(
    CARRY.finding([1, 0], "ball", "ball", -0.04),
    "Head 0 of layer 1 pulls the other way (−4% of the difference), and it still says “ball”.",
  );
});

test("none of the difference is only what is none of it", () => {
  const told = (share) =>
    CARRY.finding([1, 0], "ball", "ball", share).split(" of layer 1 ")[1].split(", and it still")[0];
  assert.equal(told(0.0018), "carries hardly any of the difference (0.2%)");
  assert.equal(told(-0.0022), "carries hardly any of the difference (−0.2%)");
  assert.equal(told(0.0004), "carries hardly any of the difference (under 0.1%)");
  assert.equal(told(0.0061), "carries 1% of the difference");
  assert.equal(told(0.9999), "carries over 99.9% of the difference");
  assert.equal(told(-1e-7), "carries none of the difference");
});

test("of all other heads it is said which of them changes the word, and how little is lost without any of them", () => {
  assert.equal(ofOthers(CUT, ARRAYS, [1, 0], LABELS), "Take out any other head, and “jack” keeps at least 50%.");
  assert.equal(ofOthers(CUT, ARRAYS, [0, 0], LABELS), "Only without head 0 of layer 1 does it say another word.");
  assert.equal(ofOthers(CUT, ARRAYS, null, LABELS), "Only without head 0 of layer 1 does it say another word.");
  assert.equal(ofOthers(CARRY, ARRAYS, [1, 0], LABELS), "Whichever other head is carried over, it still says “jack”.");
  assert.equal(ofOthers(CARRY, ARRAYS, [0, 0], LABELS), "Only head 0 of layer 1 changes the answer.");
  const two = { ...ARRAYS, heads: shaped([0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0], 2, 2, 3) };
  assert.equal(ofOthers(CUT, two, [0, 1], LABELS), "2 of the 4 heads, each taken out alone, change the word.");
  const none = { ...ARRAYS, heads: shaped([1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0], 2, 2, 3) };
  assert.equal(ofOthers(CUT, none, [0, 1], LABELS), "Whichever other head is taken out, it still says “jack”.");
  assert.equal(ofOthers(CUT, none, null, LABELS), "Whichever head is taken out, it still says “jack”.");
});

test("heads were taken out one at a time, and no sentence speaks of several that are out together", () => {
  const changes = (...heads) => {
    const rows = [0, 1, 2, 3].flatMap((at) => (heads.includes(at) ? [0, 1, 0] : [1, 0, 0]));
    return { ...ARRAYS, heads: shaped(rows, 2, 2, 3) };
  };
  const told = (wording, cut, ...heads) => ofOthers(wording, changes(...heads), cut, LABELS);
  assert.equal(told(CUT, [0, 0], 0, 2), "1 other head, taken out alone, changes the word, too.");
  assert.equal(told(CUT, [0, 0], 0, 1, 3), "2 other heads, each taken out alone, change the word, too.");
  assert.equal(told(CUT, null, 0, 1, 3), "3 of the 4 heads, each taken out alone, change the word.");
  assert.equal(told(CUT, [1, null], 0, 1, 3), "3 of the 4 heads, each taken out alone, change the word.");
  assert.equal(told(CARRY, [0, 0], 0, 2), "1 other head, carried over alone, changes the answer, too.");
  assert.equal(told(CARRY, [0, 0], 0, 1, 3), "2 other heads, each carried over alone, change the answer, too.");
  assert.equal(told(CARRY, null, 0, 1, 3), "3 of the 4 heads, each carried over alone, change the answer.");
});

test("the dark button takes heads by size and begins anew after the last", () => {
  const order = [2, 0, 3, 1];
  for (const [n, at] of order.entries()) assert.equal(nextBySize(ARRAYS.moved, at), order[(n + 1) % 4]);
});

test("a head has one name", () => {
  assert.equal(headName([2, 3]), "head 3 of layer 2");
  assert.equal(headFirst([2, null]), "All heads of layer 2");
});

test("what a head carries is written below it by the rule for shares, also where it pulls the other way", () => {
  const shares = [0, 0.001, 0.624, -0.0003, -0.003, -0.04];
  const stage = { turns: { isOn: false }, H: shares.length, arrays: { moved: shares }, wording: CARRY };
  const below = shares.map((_, head) => HeadStage.prototype.seen.call(stage, 0, head).text);
  assert.deepEqual(below, ["0%", "0.1%", "62%", ">−0.1%", "−0.3%", "−4%"]);
});

test("a mark is no word", () => {
  assert.deepEqual(["⟨start⟩", "[CLS]", "hat", "["].map(isMark), [true, true, false, false]);
});
