// One row of a head through all stages: its sentences, and one scale for its scores.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Steps } from "../../pages/attention/components/attention_steps/attention_steps.js";
import { ingredients, RowFigure, scoreFor, span } from "../../pages/attention/components/attention_steps/row_figure.js";
import { onward, softmax } from "../../pages/attention/components/attention_steps/stages.js";
import { keyCalled, sentence, standing, yours } from "../../pages/attention/components/attention_steps/told.js";

const stages = {
  scores: [[], [8, -2, 0.5]],
  scaled: [[], [4, -1, 0.25]],
  masked: [[], [4, -1, null]],
  weights: [[], [0.99, 0.01, 0]],
};
const ROW = { row: 1, labels: ["a", "hat", "a"], stages, blocked: [false, false, true], width: 4 };
const said = (more) =>
  sentence({ ...ROW, ...more })
    .map((part) => (typeof part === "string" ? part : part[1]))
    .join("");

test("each stage is said with the numbers of the chosen key", () => {
  const told = {
    scores: "hat meets every key: its products with a add up to a score of 8.0.",
    scaled: "Divided by √4 = 2, the score with a becomes 4.0.",
    masked: "The mask hides 1 of 3 keys from hat; the others keep their scores.",
    weights: "hat gives 0.99 of its attention to a.",
    output: "So hat takes in 0.99 of the value of a.",
  };
  for (const [stage, sentence] of Object.entries(told)) assert.equal(said({ stage, col: 0 }), sentence);
  const moved = { stage: "scores", col: 0, own: 9.25 };
  assert.equal(said(moved), "You set the score of hat with a to 8.0; the model’s is 9.3.");
  assert.match(said({ stage: "weights", col: 1 }), /0.01 of its attention to itself/);
});

test("before softmax the share is asked for, and with softmax what was said of it stands beside it", () => {
  const asks = { stage: "scores", asks: true };
  assert.equal(
    said({ ...asks, col: 0 }),
    "hat scores a 8.0, the highest of 3. How much of its attention will that be?",
  );
  assert.equal(
    said({ ...asks, col: 0, said: 0.4 }),
    "hat scores a 8.0, the highest of 3. You say: 0.40 of its attention.",
  );
  assert.equal(said({ stage: "weights", col: 0, said: 0.4 }), "You said 0.40; hat gives 0.99 of its attention to a.");
  assert.equal(standing([3, 1, 2], 2), "the 2nd highest of 3");
});

test("a key that the mask hides gets no attention, and its score is still a score", () => {
  for (const stage of ["masked", "weights", "output"])
    assert.equal(said({ stage, col: 2 }), "The mask hides a from hat: it gets no attention at all.");
  assert.match(said({ stage: "scores", col: 2 }), /a score of 0.5/);
});

test("the mask of the last word hides nothing", () => {
  const sentence = said({ stage: "masked", col: 0, blocked: [false, false, false] });
  assert.equal(sentence, "The mask hides nothing from hat: no word comes after it.");
});

test("the walk goes on to the next stop, and from the last to the first", () => {
  const path = ["scores", "scaled", "masked", "weights", "output"];
  assert.deepEqual(path.map((stage) => onward(path, stage)[0]), [...path.slice(1), "scores"]); // prettier-ignore
  assert.deepEqual(onward(path, "scaled"), ["masked", "Mask"]);
  assert.deepEqual(onward(["scores", "scaled", "weights"], "scaled"), ["weights", "Softmax"], "no mask at all");
});

test("a share is held against the next one, where one can tell by how much", () => {
  const told = (weights) =>
    sentence({
      stage: "weights",
      row: 2,
      col: 0,
      labels: ["hat", "ball", "red"],
      stages: { weights: [[], [], weights] },
      blocked: [false, false, false],
      width: 4,
    })
      .map((part) => (typeof part === "string" ? part : part[1]))
      .join("");
  assert.equal(told([0.75, 0.25, 0]), "red gives 0.75 of its attention to hat, three times what ball gets.");
  assert.match(told([0.7549, 0.2451, 0]), /, three times what ball gets/, "as 0.75 and 0.25 are read");
  assert.match(told([0.667, 0.333, 0]), /0\.67 of its attention to hat, twice what ball gets/);
  assert.match(told([0.75, 0.24, 0]), /, 3\.1 times what/);
  assert.equal(told([0.25, 0.75, 0]), "red gives 0.25 of its attention to hat.", "it is not ahead");
  assert.equal(told([0.99, 0.01, 0]), "red gives 0.99 of its attention to hat.", "nobody can see how many times");
  assert.equal(told([1, 0, 0]), "red gives 1.00 of its attention to hat.");
});

test("the same word at another place is called by where it stands", () => {
  const labels = ["red", "hat", "red"];
  assert.equal(keyCalled(labels, 2, 0), "the earlier red");
  assert.equal(keyCalled(labels, 0, 2), "the later red");
  assert.equal(keyCalled(labels, 2, 2), "itself");
  assert.equal(keyCalled(labels, 2, 1), "hat");
});

test("a share that a hand has made is said beside the model’s, of a key that can be told from its like", () => {
  const labels = ["red", "hat", "red"];
  const plain = (row, col) =>
    yours(row, col, labels, 0.354, 0.75)
      .map((part) => (typeof part === "string" ? part : part[1]))
      .join("");
  assert.equal(plain(2, 1), "You give “hat” 0.35; the model gave it 0.75.");
  assert.equal(plain(2, 0), "You give the earlier “red” 0.35; the model gave it 0.75.");
  assert.equal(plain(2, 2), "You give “red” itself 0.35; the model gave it 0.75.");
});

test("bars reach from the least score to the largest, and 0 is always within", () => {
  assert.deepEqual(span([8, -2, null]), [-2, 8]);
  assert.deepEqual(span([null, 3]), [0, 3]);
});

test("a share that a hand asks for is what softmax makes of the score that it gets", () => {
  const scores = [2, null, -1, 0.5];
  for (const target of [0.01, 0.4, 0.97]) {
    const moved = scores.with(2, scoreFor(target, scores, 2));
    assert.ok(Math.abs(softmax([moved]).weights[0][2] - target) < 1e-9);
  }
  assert.equal(scoreFor(0.3, [null, 4], 1), 4, "alone it has the whole share, whatever its score");
  assert.ok(Number.isFinite(scoreFor(1.4, scores, 0)) && Number.isFinite(scoreFor(-1, scores, 0)));
});

test("an output is made of the two largest shares, the chosen key, and the rest if it comes to anything", () => {
  const weights = [0.1, 0.6, 0.05, 0.25];
  const parts = (chosen) => ingredients(weights, chosen).map(({ keys }) => keys);
  assert.deepEqual(parts(1), [[1], [3], [0, 2]]);
  assert.deepEqual(parts(2), [[1], [2], [3], [0]]);
  assert.ok(Math.abs(ingredients(weights, 1)[2].weight - 0.15) < 1e-9);
  assert.deepEqual(ingredients([0.752, 0.001, 0.247], 0).length, 2);
});

test("a key that moves nothing is no guess", () => {
  const said = [];
  const guess = { level: 0.5, say: (share) => said.push(share.toFixed(2)) };
  const steps = { state: { col: 1, row: 0 }, asks: true, guess };
  const figure = Object.assign(Object.create(RowFigure.prototype), { steps, isFixed: () => false });
  for (const key of ["Home", "x", "ArrowUp"]) figure.key({ key, preventDefault() {}, stopPropagation() {} });
  assert.deepEqual(said, ["0.51"]);
});

test("of another text the reader is asked again, unless its shares are in view", () => {
  const asks = (stage, ...texts) => {
    const steps = Object.assign(Object.create(Steps.prototype), { state: { stage, feature: 0 }, isTold: true });
    for (const text of texts) {
      const data = { labels: text.split(" "), matrices: { v: [[0]] }, start: { row: 0, col: 0 } };
      Object.assign(steps, { data }).keepWithin();
    }
    return steps.asks;
  };
  assert.equal(asks("scores", "the cat", "the cat"), false, "the shares were shown");
  assert.equal(asks("scores", "the cat", "a dog"), true);
  assert.equal(asks("weights", "the cat", "a dog"), false);
});
