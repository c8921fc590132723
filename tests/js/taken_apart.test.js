// A translation without a part of the model: what is wrong in it, word by word.
import assert from "node:assert/strict";
import { test } from "node:test";

import { agrees } from "../../pages/translation/components/taken_apart/compared.js";
import { following, saysOf, spoken } from "../../pages/translation/components/taken_apart/parts.js";
import { scored, spared } from "../../pages/translation/components/taken_apart/taken_apart.js";

const words = (text) => text.split(" ").filter(Boolean);
/** The words of the second text that are not those of the first. */
const other = (whole, now) => words(now).filter((_, n) => !agrees(words(whole), words(now))[n]);

test("bold is what the whole model does not write, and nothing where it writes the same", () => {
  assert.deepEqual(other("mia a trouvé", "mia a trouvé"), []);
  assert.deepEqual(other("mia a trouvé un chapeau rouge", "elle a regardé ces oranges"), [
    "elle",
    "regardé",
    "ces",
    "oranges",
  ]);
  assert.deepEqual(other("mia a trouvé un chapeau rouge", "un garçon rouge"), ["garçon"]);
  assert.deepEqual(other("", "la la"), ["la", "la"]);
  assert.deepEqual(other("la", ""), []);
});

test("a word agrees once, the first time that it is written, and in the order of the whole model", () => {
  assert.deepEqual(agrees(words("un chapeau rouge"), words("un chapeau chapeau chapeau")), [true, true, false, false]);
  assert.deepEqual(other("le chat noir", "noir le chat"), ["noir"]);
});

test("a part says what it holds, and what is there once it is out", () => {
  assert.equal(saysOf("memory", false), "one vector per word");
  assert.equal(saysOf("memory", true), "zeros: the decoder reads nothing");
  assert.equal(saysOf("one head", true, ["cross", 1, 3]), "without head 3 of the cross-attention in layer 1");
});

test("what it can best spare is said once every part was out, and only of one", () => {
  const of = (...rights) => spared(rights.map((right, n) => [["positions", "memory", "one head"][n], right]));
  assert.equal(of(3, 0, 21), "Of the four, it can best spare one head.");
  assert.equal(of(3, 50, 21), "Of the four, it can best spare the memory.");
  assert.equal(of(3, -1, 21), "", "the memory was not out yet");
  assert.equal(of(21, 0, 21), "");
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
