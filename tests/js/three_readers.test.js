// What a reader's probability says, and which words of a review are marked.
import assert from "node:assert/strict";
import { test } from "node:test";

import { pieces, points, verdict } from "../../pages/finetuning/components/three_readers/three_readers.js";

test("above a half it is praise, below it blame, and how sure is the share of the side that is named", () => {
  assert.deepEqual(verdict(0.9), ["praise", 0.9]);
  assert.deepEqual(verdict(0.25), ["blame", 0.75]);
  assert.deepEqual(verdict(0.5), ["undecided", 0.5]);
});

test("words that are known are found whatever their case, and nothing of the text is lost", () => {
  const text = "A film: it isn't <b>boring</b>, Film!";
  const cut = pieces(text, ["film", "boring"]);
  assert.equal(cut.map(([piece]) => piece).join(""), text);
  assert.deepEqual(
    cut.filter(([, isKnown]) => isKnown).map(([piece]) => piece),
    ["film", "boring", "Film"],
  );
  const isWord = cut.filter(([, , isOne]) => isOne).map(([piece]) => piece);
  assert.deepEqual(isWord, ["A", "film", "it", "isn't", "b", "boring", "b", "Film"]);
  assert.deepEqual(pieces("", ["film"]), []);
  const quoted = pieces("'boring' and ‘dull’, a 90s film", ["boring", "dull", "film"]);
  assert.deepEqual(
    quoted.filter(([, isKnown]) => isKnown).map(([piece]) => piece),
    ["boring", "dull", "film"],
  );
});

test("a push is written in whole points, and next to nothing is not written", () => {
  assert.deepEqual([0.051, -0.12, 0.004, 0].map(points), ["+5", "−12", "", ""]);
});
