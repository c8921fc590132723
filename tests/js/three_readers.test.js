// What a reader's probability says, and which words of a review are marked.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  agreed,
  fooled,
  judgement,
  pieces,
  points,
  verdict,
} from "../../pages/finetuning/components/three_readers/three_readers.js";

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

const READERS = [
  { name: "word counts", praise: 0.6 },
  { name: "MiniLM, all 6 layers", praise: 0.3 },
];

test("who agrees with the visitor is named, and who does not", () => {
  assert.equal(agreed("blame", READERS), "MiniLM with all 6 layers agrees with you; word counts do not.");
  assert.equal(agreed("praise", READERS), "Word counts agree with you; MiniLM with all 6 layers does not.");
  const shallow = [...READERS, { name: "MiniLM, embeddings only", praise: 0.9 }];
  assert.equal(
    agreed("praise", shallow),
    "Word counts and MiniLM with only its embeddings agree with you; MiniLM with all 6 layers does not.",
  );
  assert.equal(agreed("praise", READERS.slice(0, 1)), "All three readers agree with you.");
  assert.equal(agreed("blame", READERS.slice(0, 1)), "No reader agrees with you.");
});

test("a review that fools every reader is named", () => {
  const [right, wrong] = [
    [0.9, 0.4],
    [0.6, 0.7],
  ];
  const record = [
    { text: "Good.", is_praise: true, praise: right },
    { text: "Not good.", is_praise: false, praise: wrong },
  ];
  assert.equal(fooled(record), "All three took “Not good.” for praise.");
  assert.match(fooled(record.slice(0, 1)), /^What three readers said/);
});

test("who is undecided is neither right nor wrong, and is taken in by nothing", () => {
  assert.deepEqual(
    [0.9, 0.5, 0.1].map((praise) => judgement(praise, true)),
    ["right", "undecided", "wrong"],
  );
  assert.deepEqual(
    [0.9, 0.5, 0.1].map((praise) => judgement(praise, false)),
    ["wrong", "undecided", "right"],
  );
  const record = [{ text: "Good.", is_praise: true, praise: [0.1, 0.5] }];
  assert.match(fooled(record), /^What three readers said/);
});
