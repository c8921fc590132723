// What a reader's probability says, and which words of a review are marked.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  found,
  judgement,
  misled,
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

const NAMES = ["word counts", "MiniLM without its layers", "MiniLM with all 6 layers"];
const three = (...praise) => praise.map((one, n) => ({ name: NAMES[n], praise: one }));

test("who is right is named, the visitor among them or not", () => {
  const said = (guess, ...praise) => found(three(...praise), false, { guess });
  const criticism = ": this review is criticism.";
  assert.equal(said("criticism", 0.6, 0.7, 0.1), `You and MiniLM with all 6 layers are right${criticism}`);
  assert.equal(said("criticism", 0.1, 0.7, 0.1), `You, word counts and MiniLM with all 6 layers are right${criticism}`);
  assert.equal(said("criticism", 0.1, 0.2, 0.1), `You and all three models are right${criticism}`);
  assert.equal(said("criticism", 0.6, 0.5, 0.9), `You are right, and no model is${criticism}`);
  assert.equal(said("praise", 0.1, 0.7, 0.8), `Word counts are right, and you are not${criticism}`);
  assert.equal(said("praise", 0.6, 0.7, 0.1), `MiniLM with all 6 layers is right, and you are not${criticism}`);
  assert.equal(said("praise", 0.1, 0.1, 0.1), `All three models are right, and you are not${criticism}`);
  assert.equal(said("praise", 0.6, 0.5, 0.9), `Neither you nor any model is right${criticism}`);
});

test("a word misleads who is wrong, by a push that is no noise and leads the wrong way", () => {
  const words = ["not", "a", "good", "book"];
  const reader = (name, praise, pushes, steady = [true, true, true, true]) => ({ name, praise, pushes, steady });
  const readers = [reader("A", 0.6, [-0.1, 0, 0.08, 0.02]), reader("B", 0.7, [0, 0.01, 0.03, 0])];
  assert.equal(misled(readers, false, words), "A and B fall for “good”.");
  const bare = reader("MiniLM without its layers", 0.7, [0, 0.01, 0.03, 0]);
  assert.equal(misled([bare], false, words), "Without its layers, MiniLM falls for “good”.");
  assert.equal(misled([readers[0], bare], false, words), "A and MiniLM without its layers fall for “good”.");
  assert.equal(misled([reader("word counts", 0.7, [0, 0, 0.03, 0])], false, words), "Word counts fall for “good”.");
  assert.equal(misled(readers.slice(1), false, words), "B falls for “good”.");
  assert.equal(misled(readers, true, words), "", "who is right is not misled");
  const noise = [true, true, false, true];
  assert.equal(misled([reader("A", 0.6, [-0.1, 0, 0.08, 0.02], noise)], false, words), "A falls for “book”.");
  assert.equal(misled([reader("A", 0.4, [-0.1, 0, 0.08, 0])], true, words), "A falls for “not”.");
  const other = reader("B", 0.7, [0.02, 0, 0, 0]);
  assert.equal(misled([readers[0], other], false, words), "A falls for “good”.", "the strongest of all");
  const less = reader("B", 0.7, [0.02, 0, 0.01, 0]);
  assert.equal(misled([readers[0], less], false, words), "A and B fall for “good”.", "B more by another word");
  assert.equal(misled([reader("A", 0.6, [-0.1, 0, 0.004, 0])], false, words), "", "less than a point");
  assert.equal(misled([reader("A", 0.5, [0, 0, 0.08, 0])], false, words), "", "undecided");
  assert.equal(misled([reader("A", 0.6, null, null)], false, words), "", "measured by nobody");
  assert.equal(misled([reader("A", 0.6, [], [])], false, []), "");
  assert.equal(misled(readers, null, words), "", "nobody knows who is wrong");
});

test("who is right is named for who does not guess; of another review what all say is counted", () => {
  const criticism = ": this review is criticism.";
  assert.equal(found(three(0.6, 0.7, 0.9), false), `No model is right${criticism}`);
  assert.equal(found(three(0.6, 0.7, 0.1), false), `MiniLM with all 6 layers is right${criticism}`);
  assert.equal(found(three(0.4, 0.7, 0.9), false), `Word counts are right${criticism}`);
  assert.equal(found(three(0.6, 0.7, 0.9), true), "All three models are right: this review is praise.");
  assert.equal(found(three(0.6, 0.7, 0.9), null), "All three models call this review praise.");
  assert.equal(found(three(0.6, 0.7, 0.1), null), "Two of the three models call this review praise.");
  assert.equal(found(three(0.5, 0.2, 0.1), null), "Two of the three models call this review criticism.");
  assert.equal(found(three(0.5, 0.2, 0.9), null), "One of the three models calls this review praise.");
  assert.equal(found(three(0.5, 0.5, 0.5), null), "All three models are undecided.");
  const unmet = " Word counts know none of its words.";
  const unknown = { text: "xqzt", known: [] };
  assert.equal(found(three(0.6, 0.7, 0.9), null, unknown), `All three models call this review praise.${unmet}`);
  assert.equal(found(three(0.6, 0.7, 0.1), null, unknown), `Two of the three models call this review praise.${unmet}`);
  const film = { text: "film", known: ["film"] };
  assert.equal(found(three(0.6, 0.7, 0.9), null, film), "All three models call this review praise.");
  assert.match(found(three(null, null, null), null), /^Type a review/);
  assert.match(found(three(null, null, null), null, { text: "123 🙂" }), /^There is no word in this/);
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
