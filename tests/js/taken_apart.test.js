// A translation without a part of the model: what is wrong in it, word by word.
import assert from "node:assert/strict";
import { test } from "node:test";

import { agrees, lost } from "../../pages/translation/components/taken_apart/compared.js";
import { hold, holds, someHead, spoken } from "../../pages/translation/components/taken_apart/parts.js";
import { said, TakenApart } from "../../pages/translation/components/taken_apart/taken_apart.js";

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

test("what fell out is what the whole model writes and the text has not", () => {
  assert.deepEqual(
    lost(words("mia a trouvé un chapeau rouge"), words("un garçon rouge")),
    words("mia a trouvé chapeau"),
  );
  assert.deepEqual(lost(words("la a la"), words("la a la")), []);
  for (const [whole, now] of [
    ["a b", "b a"],
    ["la a la", "a la la"],
  ]) {
    const same = agrees(words(whole), words(now)).filter(Boolean).length;
    assert.equal(lost(words(whole), words(now)).length, words(whole).length - same, "none is both kept and lost");
  }
});

test("it is said what was done to the model", () => {
  assert.equal(spoken("nothing"), "");
  assert.equal(spoken("memory"), "without the encoder’s memory");
  assert.equal(spoken("cross-attention"), "with cross-attention spread evenly");
  assert.equal(spoken("one head", ["decoder", 0, 2]), "without head 2 of the decoder self-attention in layer 0");
});

test("a model that learned without positions is not said to have any", () => {
  assert.deepEqual(holds({ ordered: true }).positions, ["each word has its position", "a bag of words"]);
  assert.deepEqual(holds({ ordered: false }).positions, ["it learned without any", "a bag of words"]);
});

const data = {
  heads: [
    ["encoder", 1, 4],
    ["cross", 1, 4],
  ],
  head: null,
  n: 100,
  texts: { nothing: { words: words("un chat"), right: 100 } },
  without: { "encoder,0,1": ["un"], "cross,0,0": ["la", "⟨end⟩"], "": [] },
};

test("the first head to go is one of the later ones that the sentence can spare", () => {
  assert.deepEqual(someHead(data), ["one head", ["cross", 0, 1]]);
  assert.deepEqual(someHead({ ...data, head: ["encoder", 0, 1] }), ["one head", ["encoder", 0, 1]]);
});

/** A view of which these were out. */
const tried = (...names) =>
  Object.assign(Object.create(TakenApart.prototype), {
    data,
    parts: ["positions", "one head"].map((name) => ({ name })),
    tried: new Set(names),
  });

test("each part goes, then the heads that are needed, then all others at once, then all come back", () => {
  const seen = ["nothing"];
  const next = () => tried(...seen).next;
  assert.deepEqual(next(), ["positions"]);
  seen.push("positions");
  assert.deepEqual(next(), ["one head", ["cross", 0, 1]]);
  seen.push("one head", "cross,0,1");
  assert.deepEqual(next(), ["one head", ["encoder", 0, 1]]);
  seen.push("encoder,0,1", "cross,0,0");
  assert.deepEqual(next(), ["the rest"]);
  seen.push("the rest");
  assert.deepEqual(next(), ["nothing"]);
  assert.deepEqual(Object.assign(tried(...seen), { out: "nothing" }).next, ["positions"], "there is always something");
});

test("what is written without a head is the text of the whole model, but for those that it needs", () => {
  const out = (out, head) => Object.assign(tried(), { out, head }).written;
  assert.equal(out("one head", ["cross", 0, 1]), data.texts.nothing);
  assert.deepEqual(out("one head", ["cross", 0, 0]), { words: ["la"], ended: true });
  assert.deepEqual(out("the rest", null), { words: [], ended: false });
});

test("a head whose loss breaks nothing is said to break nothing", () => {
  const say = (out, more = {}, given = data) =>
    said({ out, gone: [], added: [], right: 3, found: 0, ...more }, given).join(" ");
  assert.equal(say("nothing"), "It gets 100 of 100 new sentences right. Which part can it lose? ");
  assert.equal(say("positions", { gone: ["un"] }), "Without positions, 3 of 100 new sentences are right. ");
  assert.match(
    say("memory", { right: 1 }),
    /^Without the encoder’s memory, nothing changes here; 1 of 100 .* is right/,
  );
  const less = "One head less, and not a word changes.";
  assert.equal(say("one head"), `${less} Only 2 of its 8 heads change this sentence. Find them.`);
  assert.match(say("one head", { found: 1 }), /change this sentence: 1 found\.$/);
  assert.match(say("one head", { found: 2 }), /No other does\. Can the other 6 go at once\?$/);
  const few = (n) => ({
    ...data,
    heads: [["encoder", 1, n]],
    without: { "encoder,0,0": [], "encoder,0,1": [], "": [] },
  });
  assert.match(say("one head", { found: 2 }, few(4)), /No other does\. Can the other 2 go at once\?$/);
  assert.match(say("one head", { found: 2 }, few(3)), /No other does\.$/, "one can go, and there is no other");
  assert.match(say("one head", { found: 2 }, few(2)), /It needs every head\.$/);
  assert.equal(say("one head", {}, { ...data, without: { "": [] } }), `${less} It can lose any one of its 8.`);
  assert.match(say("one head", { gone: words("un chat") }), /^Without this head, it loses “un chat”\./);
  assert.match(say("one head", { added: ["la"] }), /^Without this head, it adds “la”\./);
  assert.equal(say("the rest", { gone: ["un"] }), "Any one of these 6 heads can go, but not all. ");
  assert.equal(say("the rest"), "It can even lose these 6 heads all at once. ");
});

test("a hand that lets go makes a click, one that is taken away makes none, and the right button takes nothing", () => {
  const [classes, presses] = [new Set(), []];
  const part = {
    classList: { contains: (name) => classes.has(name) },
    style: { setProperty() {}, removeProperty() {} },
  };
  const handle = { setPointerCapture() {} };
  hold(handle, part, (isOut) => (presses.push(isOut), classes[isOut ? "delete" : "add"]("out")));
  const at = (clientX, button = 0) => ({ clientX, clientY: 0, button });
  const drag = (...ends) => {
    handle.onpointerdown(at(0));
    handle.onpointermove(at(12));
    for (const end of ends) handle[end]();
  };
  drag("onpointerup", "onlostpointercapture", "onclick"); // the click that follows a drag is none
  assert.deepEqual(presses, []);
  for (const away of ["onpointercancel", "onlostpointercapture"]) {
    drag(away);
    handle.onpointermove(at(80)); // nothing is held
    handle.onclick(); // of the keyboard
  }
  assert.deepEqual(presses.splice(0), [false, true]);
  handle.onpointerdown(at(0, 2));
  handle.onpointermove(at(80));
  assert.deepEqual(presses, []);
});
