// What a reader's probability says, and which words of a review are marked.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  afterwards,
  found,
  judgement,
  pieces,
  struckOut,
  telling,
  verdict,
} from "../../pages/finetuning/components/three_readers/three_readers.js";

test("above a half it is praise, below it criticism, and how sure is the share of the side that is named", () => {
  assert.deepEqual(verdict(0.9), ["praise", 0.9]);
  assert.deepEqual(verdict(0.25), ["criticism", 0.75]);
  assert.deepEqual(verdict(0.5), ["undecided", 0.5]);
});

test("a text is cut into its words, and nothing of it is lost", () => {
  const text = "A film: it isn't <b>boring</b>, Film!";
  const cut = pieces(text);
  assert.equal(cut.map(([piece]) => piece).join(""), text);
  const words = (all) => all.filter(([, isOne]) => isOne).map(([piece]) => piece);
  assert.deepEqual(words(cut), ["A", "film", "it", "isn't", "b", "boring", "b", "Film"]);
  assert.deepEqual(pieces(""), []);
  const quoted = ["boring", "and", "dull", "a", "s", "film"];
  assert.deepEqual(words(pieces("'boring' and ‘dull’, a 90s film")), quoted);
});

const NAMES = ["word counts", "MiniLM without its layers", "MiniLM with all 6 layers"];
const three = (...praise) => praise.map((one, n) => ({ name: NAMES[n], praise: one }));

test("who is right is named, the visitor among them or not", () => {
  const said = (guess, ...praise) => found(three(...praise), false, { guess });
  const criticism = ": it is criticism.";
  assert.equal(said("criticism", 0.6, 0.7, 0.1), `You and MiniLM with all 6 layers are right this time${criticism}`);
  assert.equal(
    said("criticism", 0.1, 0.7, 0.1),
    `You, word counts and MiniLM with all 6 layers are right this time${criticism}`,
  );
  assert.equal(said("criticism", 0.1, 0.2, 0.1), `You and all three models are right this time${criticism}`);
  assert.equal(said("criticism", 0.6, 0.5, 0.9), `You are right, and no model is${criticism}`);
  assert.equal(said("praise", 0.1, 0.7, 0.8), `Word counts are right this time, and you are not${criticism}`);
  assert.equal(
    said("praise", 0.6, 0.7, 0.1),
    `MiniLM with all 6 layers is right this time, and you are not${criticism}`,
  );
  assert.equal(said("praise", 0.1, 0.1, 0.1), `All three models are right this time, and you are not${criticism}`);
  assert.equal(said("praise", 0.6, 0.5, 0.9), `Neither you nor any model is right${criticism}`);
});

test("words that are struck out are named, and whether others like them are left", () => {
  const review = ["Not", "a", "good", "film", "and", "not", "a", "long", "one"];
  assert.equal(struckOut([2], review), "“good”");
  assert.equal(struckOut([5], review), "one “not”");
  assert.equal(struckOut([0, 5], review), "either “not”");
  assert.equal(struckOut([2, 5], review), "“good” and “not”");
  assert.equal(struckOut([0, 1, 2, 3], review), "4 words");
  assert.equal(struckOut([0, 1, 2], ["very", "very", "very"]), "any “very”");
  assert.equal(struckOut([0, 1], ["very", "very", "very"]), "two “very”");
});

test("who turns is told, or else who moves most; and who does not move", () => {
  const says = (before, after) => afterwards(NAMES, before, after, "“not”");
  const [counts, bare, whole] = NAMES;
  assert.deepEqual(says([0.54, 0.6, 0.4], [0.541, 0.62, 0.49]), {
    says: `Without “not”, ${whole} moves 9 points towards praise; word counts do not move.`,
    by: 2,
  });
  assert.deepEqual(says([0.54, 0.6, 0.4], [0.541, 0.65, 0.64]), {
    says: `Without “not”, ${whole} turns to praise; ${counts} do not move.`,
    by: 2,
  });
  assert.equal(says([0.54, 0.6, 0.4], [0.4, 0.3, 0.5]).says, `Without “not”, ${counts} and ${bare} turn to criticism.`);
  assert.equal(
    says([0.6, 0.6, 0.4], [0.5, 0.61, 0.4]).says,
    `Without “not”, ${counts} turn undecided; ${whole} does not move.`,
  );
  assert.equal(
    says([0.6, 0.6, 0.4], [0.59, 0.6, 0.4]).says.split(";")[0],
    "Without “not”, word counts move 1 point towards criticism",
  );
  assert.deepEqual(says([0.6, 0.6, 0.4], [0.6, 0.6, 0.402]), { says: "Without “not”, no model moves.", by: null });
});

test("the words to strike are those that push in almost all trainings, or else the strongest", () => {
  const pushes = [-0.03, 0.2, -0.09];
  assert.deepEqual(telling({ pushes, steady: [true, false, true] }), [2, 0]);
  assert.deepEqual(telling({ pushes, steady: [false, false, false] }), [1]);
  assert.deepEqual(telling({ pushes: null, steady: null }), []);
});

test("who is right is named for who does not guess; of another review what all say is counted", () => {
  const criticism = ": it is criticism.";
  assert.equal(found(three(0.6, 0.7, 0.9), false), `No model is right${criticism}`);
  assert.equal(found(three(0.6, 0.7, 0.1), false), `MiniLM with all 6 layers is right this time${criticism}`);
  assert.equal(found(three(0.4, 0.7, 0.9), false), `Word counts are right this time${criticism}`);
  assert.equal(found(three(0.6, 0.7, 0.9), true), "All three models are right this time: it is praise.");
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
