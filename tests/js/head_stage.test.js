// What a model says with a head taken out or carried over, and what is said of it and of all others.
import assert from "node:assert/strict";
import { test } from "node:test";

import { headFirst, headName, isMark, nextBySize } from "../../pages/pretrained/components/head_stage/picture.js";
import {
  chances,
  leastOfOthers,
  lookedAt,
  mostOf,
  ranked,
  said,
} from "../../pages/pretrained/components/head_stage/ranks.js";
import { arc } from "../../pages/pretrained/components/head_stage/head_grid.js";
import { HeadStage } from "../../pages/pretrained/components/head_stage/head_stage.js";
import { CARRY, ofOthers } from "../../pages/pretrained/components/head_stage/wording.js";
import { HeadHunt } from "../../pages/pretrained/components/head_hunt/head_hunt.js";
import {
  act,
  finding,
  gauge,
  needed,
  ofAll,
  shownFirst,
  sought,
  where,
} from "../../pages/pretrained/components/head_hunt/telling.js";

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

test("threads lead to what is looked at, and to the token itself a loop", () => {
  assert.deepEqual(lookedAt(Float32Array.from([0.01, 0.5, 0.04, 0.45])), [1, 3]);
  const [start, ...bends] = arc([80, 20], [80, 20]).split(/[MC]/).slice(1);
  const [[x], [a, b, c, , end]] = [start, bends[0]].map((part) => part.trim().split(" ").map(Number));
  assert.ok(a < x && x < end && end < c && b > 30, "it hangs below the word, to both sides");
  assert.equal(arc([80, 20], [80, 90]), null);
});

const STATE = {
  out: null,
  tries: 0,
  found: [],
  isAll: false,
  isTold: false,
  isHint: false,
  hints: 0,
  target: [1, 0],
  needed: [2],
  arrays: ARRAYS,
};
const told = (state, now = "jack") =>
  finding({ ...STATE, ...state }, { now, was: "jack", sure: "75%", labels: LABELS });

test("the model opens whole, with a question that does not say which head it needs, nor that there is one", () => {
  assert.equal(told({}), "It says “jack”, 75% sure. Which one of these 4 heads does it need?");
  for (const heads of [[], [0, 2]])
    assert.equal(told({ needed: heads }), "It says “jack”, 75% sure. Does it need any one of these 4 heads?");
  assert.deepEqual(needed(ARRAYS), [2]);
});

test("of a head that is out it is said what the model says without it, and at which try it was found", () => {
  assert.equal(told({ out: [0, 1], tries: 1 }), "Without head 1 of layer 0, it still says “jack”, 75% sure.");
  const found = { out: [1, 0], tries: 3, found: [3, 1, 0] };
  const found3 = "Found on the 3rd try: without head 0 of layer 1, it says “cleo” instead of “jack”.";
  assert.equal(told(found, "cleo"), found3);
  const plain = "Without head 0 of layer 1, it says “cleo” instead of “jack”.";
  assert.equal(told({ ...found, tries: 4 }, "cleo"), plain, "taken out once more, it is not found again");
  assert.equal(told({ out: [1, 0] }, "cleo"), plain, "a link has found nothing");
  assert.equal(
    told({ ...found, out: [1, null] }, "cleo"),
    "Without all heads of layer 1, it says “cleo” instead of “jack”.",
  );
  assert.equal(
    told({ ...found, out: [0, 0], isAll: true, needed: [0, 2] }, "paula"),
    "Without head 0 of layer 0, it says “paula” instead of “jack”.",
    "another needed head, pressed after all were shown, was not found at that try",
  );
  assert.equal(told({ ...found, hints: 2 }, "cleo"), plain, "a head that was pointed out is not found");
  assert.equal(told({ tries: 2 }), "With all heads, it says “jack”.");
});

test("the head that is found is kept with its try, whichever others are pressed after that", () => {
  const hunt = Object.assign(Object.create(HeadHunt.prototype), { H: 2, needed: [0, 2], arrays: ARRAYS });
  Object.assign(hunt, { grid: { rewrite() {} }, show() {}, tell() {} });
  hunt.begin();
  const says = (out, now) => {
    hunt.take(out);
    return finding(hunt, { now, was: "jack", sure: "75%", labels: LABELS });
  };
  hunt.take([0, 1]);
  assert.match(says([1, 0], "cleo"), /^Found on the 2nd try: without head 0 of layer 1/);
  hunt.tellAll();
  hunt.isTold = false;
  assert.match(says([0, 0], "paula"), /^Without head 0 of layer 0/);
  assert.match(says([1, 0], "cleo"), /^Found on the 2nd try/, "it was");
  hunt.begin();
  hunt.out = [1, 0];
  const words = { now: "cleo", was: "jack", sure: "75%", labels: LABELS };
  assert.match(finding(hunt, words), /^Without head 0/, "a link after a new start has found nothing");
});

test("pointed at first are heads that look at another word and on which nothing hangs, one at the answer last", () => {
  const looks = [
    [0.1, 0.2, 0.7, 0], // at a word
    [0.9, 0.1, 0, 0], // at a mark
    [0, 0.6, 0.2, 0.2], // at the answer
    [0, 0.1, 0.1, 0.8], // at itself
    [0, 0.9, 0.1, 0], // at the answer, and needed
  ];
  const first = (answer) =>
    shownFirst(["⟨start⟩", "jack", "has", "to"], 3, answer, Float32Array.from(looks.flat()), [4]);
  assert.deepEqual(first("jack"), [0, 2]);
  assert.deepEqual(first("ben"), [2, 0], "or else the strongest");
});

test("the button points at the layer of a head that is needed, then at the head; then it tells of all", () => {
  assert.equal(sought([2], ARRAYS.moved), 2);
  assert.equal(sought([3, 0], ARRAYS.moved), 0, "of several, the one that costs most");
  assert.equal(sought([], ARRAYS.moved), 2, "where none is needed, the one that costs most");
  assert.equal(told({ isHint: true, hints: 1 }), "Look in layer 1: point at each of its heads.");
  assert.match(told({ isHint: true, hints: 2 }), /^It is head 0 of layer 1\./);
  const acts = [0, 1, 2].map((hints) => act({ isFound: false, isAll: false, hints }));
  assert.deepEqual(acts, ["Give me a hint", "Another hint", "Take it out"]);
  assert.equal(act({ isFound: true, isAll: false, hints: 1 }), "Show all");
  const last = (header) => act({ isFound: true, isAll: true, hints: 1, header });
  assert.deepEqual([last({}), last({ further: "Ask about the candle" })], ["Start again", "Ask about the candle"]);
});

test("of all heads it is said how many are needed, and what is left without any other, never rounded up", () => {
  const words = { was: "jack", labels: LABELS };
  assert.equal(
    ofAll(ARRAYS, [2], words),
    "It needs one of its 4 heads: take out any other, and “jack” keeps at least 50%.",
  );
  const nearly = { ...ARRAYS, heads: shaped([0.989, 0.011, 0, 1, 0, 0, 0, 0.25, 0.75, 1, 0, 0], 2, 2, 3) };
  assert.match(ofAll(nearly, [2], words), /at least 98%\.$/);
  assert.equal(ofAll(ARRAYS, [], words), "Whichever of the 4 heads is taken out, it still says “jack”.");
  const two = { ...ARRAYS, heads: shaped([0.25, 0.75, 0, 0.75, 0.25, 0, 0, 0.25, 0.75, 0.625, 0.375, 0], 2, 2, 3) };
  assert.equal(
    ofAll(two, [0, 2], words),
    "It needs each of 2 heads: take one out, and it says “paula” or “cleo” instead of “jack”.",
  );
  const four = {
    ...ARRAYS,
    before: shaped([1, 0, 0, 0], 4),
    heads: shaped([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], 2, 2, 4),
  };
  const many = { was: "jack", labels: ["cleo", "tom", "mia", "ann"] };
  assert.match(ofAll(four, [0, 1, 2, 3], many), /says “cleo”, “tom” or another word instead/);
  assert.equal(told({ isTold: true, out: [0, 1] }), ofAll(ARRAYS, [2], words));
});

test("what a head looks most at is named with its weight, and be it the token itself", () => {
  const tokens = ["jack", "to", "it", "to"];
  const most = (...row) => mostOf(tokens, Float32Array.from(row), 3);
  assert.deepEqual(most(0.814, 0.1, 0.05, 0.03), [0, "“jack” (0.81)"]);
  assert.deepEqual(most(0.01, 0.07, 0.04, 0.88), [3, "“to” itself (0.88)"], "not “to” (0.07)");
  assert.deepEqual(most(0.02, 0.96, 0.01, 0.01), [1, "“to” (0.96)"]);
  assert.deepEqual(most(0.01, 0.04, 0.02, 0.93), [3, "“to” itself (0.93)"], "not that it looks nowhere");
  const itself = most(0.01, 0.07, 0.04, 0.88)[1];
  const bare = mostOf(tokens, Float32Array.from([0.01, 0.07, 0.04, 0.88]), 3, false);
  assert.deepEqual(bare, [3, "“to” itself"], "of a head that nobody has tried");
  assert.equal(where("to", itself, [2, 3]), "From “to”, head 3 of layer 2 looks most at “to” itself (0.88).");
  assert.equal(CARRY.where("to", itself), "In the first text it looks from “to” most at “to” itself (0.88).");
});

test("the finding on a head that is carried says how much of the difference it carries", () => {
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

test("of all other heads it is said which of them changes the word, one carried at a time", () => {
  const changes = (...heads) => {
    const rows = [0, 1, 2, 3].flatMap((at) => (heads.includes(at) ? [0, 1, 0] : [1, 0, 0]));
    return { ...ARRAYS, heads: shaped(rows, 2, 2, 3) };
  };
  const others = (head, ...heads) => ofOthers(changes(...heads), head, LABELS);
  assert.equal(others([1, 0], 2), "Whichever other head is carried over, it still says “jack”.");
  assert.equal(others([0, 1]), "Whichever other head is carried over, it still says “jack”.");
  assert.equal(others(null), "Whichever head is carried over, it still says “jack”.");
  assert.equal(others([0, 0], 2), "Only head 0 of layer 1 changes the answer.");
  assert.equal(others([0, 0], 0, 2), "1 other head, carried over alone, changes the answer, too.");
  assert.equal(others([0, 0], 0, 1, 3), "2 other heads, each carried over alone, change the answer, too.");
  assert.equal(others(null, 0, 1, 3), "3 of the 4 heads, each carried over alone, change the answer.");
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
  const stage = { H: shares.length, arrays: { moved: shares } };
  const below = shares.map((_, head) => HeadStage.prototype.seen.call(stage, 0, head).text);
  assert.deepEqual(below, ["0%", "0.1%", "62%", ">−0.1%", "−0.3%", "−4%"]);
});

test("a mark is no word", () => {
  assert.deepEqual(["⟨start⟩", "[CLS]", "hat", "["].map(isMark), [true, true, false, false]);
});

test("the bar is as long as the share; of a model that is all but certain, all nines are as long", () => {
  assert.deepEqual(gauge(0.25, 0.75), { long: 0.25, marks: [] });
  const [whole, less] = [0.99997, 0.99].map((p) => gauge(p, 0.99997));
  assert.deepEqual(
    whole.marks.map(([at, said]) => `${at.toFixed(1)} ${said}`),
    ["0.2 90%", "0.4 99%", "0.6 99.9%", "0.8 99.99%"],
  );
  assert.deepEqual(
    [whole, less, gauge(0, 0.99997)].map(({ long }) => long.toFixed(2)),
    ["0.90", "0.40", "0.00"],
  );
  for (const p of [1, 0.99]) assert.ok(gauge(p, p).long <= 1, "also where it is certain");
});
