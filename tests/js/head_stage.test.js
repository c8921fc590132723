// What a model says with a head taken out or carried over, and what is said of it and of all others.
import assert from "node:assert/strict";
import { test } from "node:test";

import { headFirst, headName, isMark, nextBySize } from "../../pages/pretrained/components/head_stage/picture.js";
import { chances, lookedAt, mostOf, ranked, said } from "../../pages/pretrained/components/head_stage/ranks.js";
import { arc } from "../../pages/pretrained/components/head_stage/head_grid.js";
import { HeadStage } from "../../pages/pretrained/components/head_stage/head_stage.js";
import { CARRY, ofOthers } from "../../pages/pretrained/components/head_stage/wording.js";
import { HeadHunt } from "../../pages/pretrained/components/head_hunt/head_hunt.js";
import { act, finding, gauge, placeOf, spared, spelled } from "../../pages/pretrained/components/head_hunt/telling.js";

const shaped = (numbers, ...shape) => Object.assign(Float32Array.from(numbers), { shape });
// Two layers of two heads, three words.
const ARRAYS = {
  before: shaped([0.75, 0.25, 0], 3),
  heads: shaped([0.5, 0.25, 0.25, 0.75, 0.25, 0, 0, 0.25, 0.75, 0.625, 0.375, 0], 2, 2, 3),
  moved: shaped([0.25, 0, 0.75, 0.125], 2, 2),
};
const LABELS = ["jack", "paula", "cleo"];

test("a head or nothing is carried", () => {
  assert.deepEqual([...chances(ARRAYS, null)], [0.75, 0.25, 0]);
  assert.deepEqual([...chances(ARRAYS, [1, 0])], [0, 0.25, 0.75]);
});

test("the answer with all heads comes first, then what is likeliest now", () => {
  const after = chances(ARRAYS, [1, 0]);
  assert.deepEqual(ranked(after, 5), [0, 2, 1]);
  assert.deepEqual(ranked(after, 2), [0, 2]);
  assert.equal(said(after), 2);
  assert.equal(said(chances(ARRAYS, [0, 1])), 0);
});

test("threads lead to what is looked at, and to the token itself a loop", () => {
  assert.deepEqual(lookedAt(Float32Array.from([0.01, 0.5, 0.04, 0.45])), [1, 3]);
  const [start, ...bends] = arc([80, 20], [80, 20]).split(/[MC]/).slice(1);
  const [[x], [a, b, c, , end]] = [start, bends[0]].map((part) => part.trim().split(" ").map(Number));
  assert.ok(a < x && x < end && end < c && b > 30, "it hangs below the word, to both sides");
  assert.equal(arc([80, 20], [80, 90]), null);
});

// Two layers of one head, and of two heads: what is said without every set of the three.
const SETS = {
  said: Float32Array.from([0, 0, 0, 1, 0, 0, 0, 2]),
  kept: Float32Array.from([0.9, 0.8, 0.7, 0.2, 0.9, 0.6, 0.5, 0.1]),
  sure: Float32Array.from([0.9, 0.8, 0.7, 0.6, 0.9, 0.6, 0.5, 0.4]),
  moved: shaped([0.1, 0.3, 0], 1, 3),
};
const ALONE = { ...SETS, said: Float32Array.from([0, 0, 1, 0]) }; // with all heads, and without each

test("a set of heads has its place; where there are too many sets, a head has", () => {
  assert.deepEqual([placeOf(SETS, []), placeOf(SETS, [2, 0]), placeOf(SETS, [1])], [0, 5, 2]); // prettier-ignore
  assert.deepEqual([placeOf(ALONE, []), placeOf(ALONE, [2])], [0, 3]); // prettier-ignore
});

test("as many heads are spared as can be, the surest of these sets, and the word stays all the way", () => {
  assert.deepEqual(spared(SETS), [2, 0]);
  assert.deepEqual(spared({ ...SETS, said: Float32Array.from([0, 1, 1, 1, 1, 1, 1, 1]) }), []);
  assert.deepEqual(spared(ALONE), [], "nobody knows");
});

const STATE = { out: [], most: 2, H: 3, all: 3 };
const WORDS = { now: "jack", was: "jack", sure: "75%" };
const told = (state, now = "jack") => finding({ ...STATE, ...state }, { ...WORDS, now });

test("it asks how many can go, and says what they leave", () => {
  assert.equal(told({}), "It says “jack”. How many of its 3 heads can you take out?");
  assert.equal(told({ out: [1] }), "Without head 1 of layer 0, it still says “jack”, 75% sure.");
  assert.equal(told({ out: [1] }, "cleo"), "Without head 1 of layer 0, it says “cleo”. This one it needs!");
  assert.equal(told({ out: [1, 0] }, "cleo"), "Without 2 of its 3 heads, it says “cleo”. One too many!");
  assert.equal(told({ out: [2, 0] }), "2 of 3 heads are gone, and it still says “jack”! Any 3 would be too many.");
  assert.equal(
    told({ out: [0, 1, 2], most: 3 }),
    "All 3 heads are gone, and it still says “jack”! It needs none of them here.",
  );
});

test("the button shows how many can go, puts back what was too much, and goes further in the end", () => {
  const says = (state) => act({ ...STATE, hasFallen: false, last: null, further: "", ...state });
  assert.deepEqual([says({}), says({ most: 0 })], ["Show how many", "Take out the one it needs most"]);
  assert.equal(says({ most: 0, out: [1], isLed: true }), "Put it back", "a second press does something as well");
  assert.equal(says({ hasFallen: true, last: 1 }), "Put it back");
  assert.equal(says({ hasFallen: true }), "Put all back");
  assert.deepEqual(
    [says({ out: [2, 0] }), says({ out: [2, 0], further: "Ask about the candle" })],
    ["Start again", "Ask about the candle"],
  );
});

test("a head costs what is lost with it, beside those that are out already; of many heads one is out at a time", () => {
  const hunt = (arrays) => {
    const it = Object.assign(Object.create(HeadHunt.prototype), { H: 3, arrays });
    it.grid = { rewrite: () => ({ classList: { add() {}, remove() {} } }) };
    it.begin();
    for (const head of [0, 1]) it.take(head);
    return [it.out, [...it.costs.values()].map((cost) => cost.toFixed(1))];
  };
  assert.deepEqual(hunt(SETS), [[0, 1], ["0.1", "0.6"]]); // prettier-ignore
  assert.deepEqual(hunt({ ...ALONE, kept: Float32Array.from([0.9, 0.8, 0.7, 0.2]) }), [[1], ["0.2"]], "what was put back costs nothing"); // prettier-ignore
});

test("a letter that is said is the beginning of a word, and is called a piece of one", () => {
  assert.deepEqual(["f", "a", "jack", "?", "…man"].map(spelled), ["f…", "a", "jack", "?", "…man"]);
  const says = (now) => finding({ out: [2], most: 2, H: 3, all: 6 }, { now, was: "jack", sure: "90%" });
  assert.match(says("f…"), /, it says “f…”, a piece of a word\. This one it needs!$/);
  assert.match(says("tina"), /, it says “tina”\. This one/);
});

test("what a head looks most at is named with its weight, and be it the token itself", () => {
  const tokens = ["jack", "to", "it", "to"];
  const most = (...row) => mostOf(tokens, Float32Array.from(row), 3);
  assert.deepEqual(most(0.814, 0.1, 0.05, 0.03), [0, "“jack” (0.81)"]);
  assert.deepEqual(most(0.01, 0.07, 0.04, 0.88), [3, "“to” itself (0.88)"], "not “to” (0.07)");
  assert.deepEqual(most(0.02, 0.96, 0.01, 0.01), [1, "“to” (0.96)"]);
  assert.deepEqual(most(0.01, 0.04, 0.02, 0.93), [3, "“to” itself (0.93)"], "not that it looks nowhere");
  const itself = most(0.01, 0.07, 0.04, 0.88)[1];
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
  assert.equal(headFirst([2, 3]), "Head 3 of layer 2");
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
