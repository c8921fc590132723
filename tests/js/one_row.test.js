// One row of a head through all stages: its sentences, and one scale for its scores.
import assert from "node:assert/strict";
import { test } from "node:test";

import { scaleOf, span } from "../../pages/attention/components/attention_steps/row_figure.js";
import { keyCalled, sentence } from "../../pages/attention/components/attention_steps/told.js";

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
    scores: "hat meets every key: its products with a add up to a score of 8.",
    scaled: "Divided by √4 = 2, the score with a becomes 4.",
    masked: "The mask hides 1 of 3 keys from hat; the others keep their scores.",
    weights: "Softmax turns the scores into shares of 1: hat gives 0.99 to a.",
    output: "hat gives 0.99 of its attention to a, and takes that share of its value.",
  };
  for (const [stage, sentence] of Object.entries(told)) assert.equal(said({ stage, col: 0 }), sentence);
  assert.match(said({ stage: "weights", col: 1 }), /0.01 to itself/);
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

test("the same word at another place is called by where it stands", () => {
  const labels = ["red", "hat", "red"];
  assert.equal(keyCalled(labels, 2, 0), "the earlier red");
  assert.equal(keyCalled(labels, 0, 2), "the later red");
  assert.equal(keyCalled(labels, 2, 2), "itself");
  assert.equal(keyCalled(labels, 2, 1), "hat");
});

test("all strips of scores have one scale, and fill their room together with the shares", () => {
  const spans = [
    [8, -2, null],
    [4, -1],
  ].map(span);
  assert.deepEqual(spans, [
    [-2, 8],
    [-1, 4],
  ]);
  assert.deepEqual(span([null, 3]), [0, 3]);
  const { unit, whole } = scaleOf([10, 5], 300);
  assert.ok(Math.abs(15 * unit + whole - 300) < 1e-9);
  assert.ok(Number.isFinite(scaleOf([0, 0], 300).unit), "scores of nothing but 0");
});
