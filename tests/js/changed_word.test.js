// The picture of a changed word: what the finding says.
import assert from "node:assert/strict";
import test from "node:test";

import {
  amiss,
  betOn,
  exchanged,
  loudness,
  outcome,
} from "../../pages/translation/components/changed_word/changed_word.js";

test("words are said to stand for each other only where each of them has another", () => {
  const a = { words: ["un", "chapeau", "rouge"], changed: [0, 1] };
  const b = { words: ["une", "maison", "rouge"], changed: [0, 1] };
  const pairs = [
    [0, 0],
    [1, 1],
  ];
  assert.deepEqual(exchanged({ sides: [a, b], pairs }), [
    ["un", "une"],
    ["chapeau", "maison"],
  ]);
  const longer = { words: ["du", "lait", "chaud", "rouge"], changed: [0, 1, 3] };
  assert.deepEqual(exchanged({ sides: [a, longer], pairs: [] }), []);
});

test("words that stand together give way to others, also to fewer, and those that go are counted", () => {
  const a = { words: ["mia", "a", "trouvé", "un", "chat"], changed: [1, 2] };
  const b = { words: ["mia", "voit", "un", "chat"], changed: [1] };
  for (const pairs of [[], [[2, 1]]]) assert.deepEqual(exchanged({ sides: [a, b], pairs }), [["a trouvé", "voit"]]);
  assert.equal(outcome([a, b]), " changes 2 of the 5 tokens that were written");
  assert.deepEqual(exchanged({ sides: [b, a], pairs: [] }), [["voit", "a trouvé"]]);
});

test("a word that goes here and comes there stands for no other", () => {
  const [a, b] = [
    { words: ["le", "un", "chat"], changed: [0] },
    { words: ["un", "chat", "le"], changed: [2] },
  ];
  assert.deepEqual(exchanged({ sides: [a, b], pairs: [] }), []);
});

test("what is written no more is counted as well", () => {
  const side = (text, ...changed) => ({ words: text.split(" "), changed });
  const [whole, end] = [side("emma a pas sous ⟨end⟩", 0, 1, 2, 3), side("⟨end⟩")];
  assert.equal(outcome([whole, end]), " takes away 4 of the 5 tokens that were written");
  assert.equal(outcome([end, whole]), " changes 4 of 5 tokens");
  assert.equal(outcome([end, end]), " changes nothing in the translation");
});

test("a reader hears how many of the tokens that changed were marked, and how many stay", () => {
  const said = (changed, ...marks) => betOn(changed, new Set(marks));
  assert.equal(said([1, 2]), "");
  assert.equal(said([1, 2], 1), " You marked 1 of them.");
  assert.equal(said([1, 2], 1, 4), " You marked 1 of them, and 1 that stays.");
  assert.equal(said([1, 2], 2, 1), " You marked both.");
  assert.equal(said([1, 2, 5], 1, 2, 5), " You marked all 3.");
  assert.equal(said([1], 1), " You marked it.");
  assert.equal(said([1], 3, 4), " You marked 2 that stay.");
  assert.equal(said([], 3), " You marked 1 that stays.");
});

test("what is wrong with either translation is said, and that it is right now", () => {
  const [right, wrong, other] = [{ fault: "" }, { fault: "It goes wrong." }, { fault: "It does not stop." }];
  assert.equal(amiss([right, right], true), "");
  assert.equal(amiss([wrong, wrong], true), "It goes wrong.");
  assert.equal(amiss([wrong, right], false), "It goes wrong.");
  assert.equal(amiss([wrong, right], true), "Now it is right.");
  assert.equal(amiss([right, other], true), "Now it does not stop.");
});

test("words that changed grow until they touch a neighbour, and never shrink", () => {
  assert.equal(loudness([40, 40, 40], [1], 100), 1.6);
  assert.equal(loudness([40, 60, 40], [1], 60), 80 / 60, "the neighbours keep their size");
  assert.equal(loudness([40, 60, 40], [0, 1], 60), 1.2, "two that grow share the room");
  assert.equal(loudness([40, 60, 40], [1], 40), 1);
  assert.equal(loudness([40], [0], 0), 1.6, "a word that stands alone");
});
