// A translation without a part of the model: what is wrong in it, word by word.
import assert from "node:assert/strict";
import { test } from "node:test";

import { pairs } from "../../pages/translation/components/taken_apart/corrected.js";
import { following, spoken } from "../../pages/translation/components/taken_apart/parts.js";
import { scored } from "../../pages/translation/components/taken_apart/taken_apart.js";

const words = (text) => text.split(" ").filter(Boolean);
const compared = (whole, now) => pairs(words(whole), words(now));

test("the same text has nothing to correct", () => {
  assert.deepEqual(compared("mia a trouvé", "mia a trouvé"), [
    ["mia", "mia"],
    ["a", "a"],
    ["trouvé", "trouvé"],
  ]);
});

test("a wrong word stands for the right one at its place, and a missing one leaves a gap", () => {
  assert.deepEqual(compared("mia a trouvé un chapeau rouge", "elle a regardé ces oranges"), [
    ["mia", "elle"],
    ["a", "a"],
    ["trouvé", "regardé"],
    ["un", "ces"],
    ["chapeau", "oranges"],
    ["rouge", ""],
  ]);
});

test("a right word is right wherever it stands, and no right word comes before a wrong one is over", () => {
  assert.deepEqual(compared("le chat noir", "le petit chat"), [
    ["le", "le"],
    ["", "petit"],
    ["chat", "chat"],
    ["noir", ""],
  ]);
  assert.deepEqual(compared("", "la la"), [
    ["", "la"],
    ["", "la"],
  ]);
  assert.deepEqual(compared("la", ""), [["la", ""]]);
});

test("every word of both texts is there once and in its order", () => {
  const [whole, now] = [words("a b c a b d"), words("b a a d c d b")];
  const found = pairs(whole, now);
  assert.deepEqual(found.map(([right]) => right).filter(Boolean), whole);
  assert.deepEqual(found.map(([, word]) => word).filter(Boolean), now);
});

test("it is said what was done to the model", () => {
  assert.equal(spoken("nothing"), "");
  assert.equal(spoken("memory"), "without the encoder’s memory");
  assert.equal(spoken("cross-attention"), "with cross-attention spread evenly");
  assert.equal(spoken("one head", ["decoder", 0, 2]), "without head 2 of the decoder self-attention in layer 0");
});

test("one part follows another, one head too, and after it the first", () => {
  const data = {
    heads: [
      ["encoder", 1, 4],
      ["cross", 1, 4],
    ],
    head: null,
  };
  const seen = ["nothing"];
  for (let n = 0; n < 5; n++) seen.push(following(seen.at(-1), data)[0]);
  assert.deepEqual(seen.slice(1), ["positions", "memory", "cross-attention", "one head", "positions"]);
  assert.deepEqual(following("cross-attention", data), ["one head", ["cross", 0, 0]]);
  const told = { ...data, telling: ["encoder", 0, 1] };
  assert.deepEqual(following("cross-attention", told), ["one head", ["encoder", 0, 1]]);
  const before = { ...data, head: ["decoder", 0, 2] };
  assert.deepEqual(following("cross-attention", before), ["one head", ["decoder", 0, 2]]);
  assert.deepEqual(following("one head", before), ["positions", null]);
});

test("a head whose loss breaks nothing is said to break nothing", () => {
  const right = "new sentences are right";
  assert.equal(
    scored("one head", 100, 100, 100),
    `Without this head, 100 of 100 ${right}, as many as with the whole model.`,
  );
  assert.equal(
    scored("one head", 91, 100, 100, true),
    "Without this head nothing changes here; 91 of 100 new sentences are still right.",
  );
  assert.equal(scored("positions", 4, 100, 100), `Without positions, 4 of 100 ${right}; the whole model: 100 of 100.`);
  assert.equal(scored("nothing", 100, 100, 100), `Which part can it spare? With all of them, 100 of 100 ${right}.`);
  assert.match(scored("memory", 1, 99, 100), /, 1 of 100 new sentences is right; the whole model: 99 of 100\.$/);
});
