// What a reader's probability says, and which words of a review are marked.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  agreed,
  found,
  judged,
  judgement,
  pieces,
  points,
  untold,
  verdict,
  weighed,
  weighing,
} from "../../pages/finetuning/components/three_readers/three_readers.js";

test("above a half it is praise, below it criticism, and how sure is the share of the side that is named", () => {
  assert.deepEqual(verdict(0.9), ["praise", 0.9]);
  assert.deepEqual(verdict(0.25), ["criticism", 0.75]);
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

test("the word that adds most and the one that takes most away are named", () => {
  const words = ["not", "a", "good", "book"];
  assert.equal(weighing(words, [-0.05, 0.01, 0.08, 0]), "“good” adds 8 points of praise, and “not” takes 5 away");
  assert.equal(weighing(words, [0, 0, 0.011, 0]), "“good” adds 1 point of praise");
  assert.equal(weighing(words, [-0.2, 0, 0, 0]), "“not” takes 20 points of praise away");
  assert.equal(weighing(words, [0, 0, 0, 0]), "");
  assert.equal(weighing([], []), "");
});

test("words that do little, nothing, or the opposite of the verdict are told as what they are", () => {
  const words = ["laughed", "cried"];
  assert.equal(weighed(words, [0, 0], 0.9), "no word is more than noise");
  assert.equal(weighed(words, [0.001, 0], 0.999), "no word moves the verdict by as much as a point");
  assert.equal(weighed([], [], null), "no word is more than noise");
  assert.equal(weighed(words, [0.02, 0], 0.9), "“laughed” adds 2 points of praise");
  const against = "no single word decides; “laughed” adds 2 points of praise";
  assert.equal(weighed(words, [0.02, 0], 0.34), against);
  assert.equal(weighed(words, [0.02, -0.001], 0.34), against, "what has no colour is not told");
  assert.match(weighed(words, [0.02, -0.03], 0.34), /^“laughed” adds 2 .*“cried” takes 3 away$/);
  assert.match(weighed(words, [0, -0.03], 0.9), /^no single word decides; “cried” takes 3 points of praise away$/);
  assert.match(weighed(words, [0.02, 0], 0.5), /^“laughed”/, "who is undecided has no verdict");
});

const READERS = [
  { name: "word counts", praise: 0.6 },
  { name: "MiniLM with all 6 layers", praise: 0.3 },
];

test("who agrees with the visitor is named, and who does not", () => {
  assert.equal(agreed("criticism", READERS), "MiniLM with all 6 layers agrees with you; word counts do not.");
  assert.equal(agreed("praise", READERS), "Word counts agree with you; MiniLM with all 6 layers does not.");
  const shallow = [...READERS, { name: "MiniLM without its layers", praise: 0.9 }];
  assert.equal(
    agreed("praise", shallow),
    "Word counts and MiniLM without its layers agree with you; MiniLM with all 6 layers does not.",
  );
  assert.equal(agreed("praise", READERS.slice(0, 1)), "All three models agree with you.");
  assert.equal(agreed("criticism", READERS.slice(0, 1)), "No model agrees with you.");
});

test("the visitor hears whether it was right, where that is known", () => {
  assert.equal(judged("praise", true), "You said praise, and you are right.");
  assert.equal(judged("criticism", false), "You said criticism, and you are right.");
  assert.equal(judged("praise", false), "You said praise, but it is criticism.");
  assert.equal(judged("criticism", null), "You said criticism.");
});

test("what all readers say is counted, and whether they are right", () => {
  const names = ["word counts", "MiniLM without its layers", "MiniLM with all 6 layers"];
  const three = (...praise) => praise.map((one, n) => ({ name: names[n], praise: one }));
  const all = "All three models call this review praise. All three are";
  assert.equal(found(three(0.6, 0.7, 0.9), false), `${all} wrong.`);
  assert.equal(found(three(0.6, 0.7, 0.9), true), `${all} right.`);
  const last = "Only MiniLM with all 6 layers is right: this review is criticism.";
  assert.equal(found(three(0.6, 0.7, 0.1), false), last);
  assert.equal(found(three(0.4, 0.7, 0.9), false), "Only word counts are right: this review is criticism.");
  assert.equal(found(three(0.6, 0.7, 0.1), true), "Two of the three models are right: this review is praise.");
  assert.equal(found(three(0.1, 0.5, 0.1), true), "None of the three models is right: this review is praise.");
  assert.equal(found(three(0.6, 0.7, 0.1), null), "Two of the three models call this review praise.");
  assert.equal(found(three(0.1, 0.2, 0.1), null), "All three models call this review criticism.");
  assert.equal(found(three(0.5, 0.2, 0.1), null), "Two of the three models call this review criticism.");
  assert.equal(found(three(0.5, 0.2, 0.9), null), "One of the three models calls this review praise.");
  assert.equal(found(three(0.5, 0.5, 0.5), null), "All three models are undecided.");
  const unmet = " Word counts know none of its words.";
  assert.equal(found(three(0.6, 0.7, 0.9), null, "xqzt", []), `All three models call this review praise.${unmet}`);
  assert.equal(
    found(three(0.6, 0.7, 0.1), null, "xqzt", []),
    `Two of the three models call this review praise.${unmet}`,
  );
  assert.equal(found(three(0.6, 0.7, 0.9), null, "film", ["film"]), "All three models call this review praise.");
  assert.match(found(three(null, null, null), null), /^Type a review/);
  assert.match(found(three(null, null, null), null, "123 🙂"), /^There is no word in this/);
});

test("it is said why nobody knows what each word does", () => {
  assert.equal(untold(60, 32), "measured only in reviews of at most 32 words.");
  assert.equal(untold(5, 32), "not measured here: this server has no MiniLM.");
});

test("who is undecided is neither right nor wrong", () => {
  assert.deepEqual(
    [0.9, 0.5, 0.1].map((praise) => judgement(praise, true)),
    ["right", "undecided", "wrong"],
  );
  assert.deepEqual(
    [0.9, 0.5, 0.1].map((praise) => judgement(praise, false)),
    ["wrong", "undecided", "right"],
  );
});
