// What a model would say at every height: when a word is settled, what is found in the whole table, how it is said.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  beside,
  earliest,
  isPiece,
  LensColumns,
  nextChange,
  settledFrom,
  storyOf,
  toldAt,
  toldOfAll,
} from "../../pages/pretrained/components/lens_columns/lens_columns.js";

// Three tokens at three heights: one knows early, two late, of which one repeats what was just read until then.
const DATA = {
  tokens: ["a", "red", "hat"],
  heights: ["embedding", "layer 0", "layer 1"],
  said: [
    ["a", "red", "red"],
    ["red", "red", "hat"],
    ["hat", "cap", "."],
  ],
  ranks: [
    [9, 1, 1],
    [1838, 300, 1],
    [7, 2, 1],
  ],
  echoes: [
    [true, false, false],
    [true, true, false],
    [true, false, false],
  ],
  odds: [
    [0, 0.6, 0.9],
    [0, 0.01, 0.5],
    [0, 0.1, 1],
  ],
};

test("a word is settled from where it stands first without a break", () => {
  assert.equal(settledFrom([9, 4, 1, 1]), 2);
  assert.equal(settledFrom([1, 1, 7, 1]), 3, "a word that it had and lost again");
  assert.equal(settledFrom([1, 1, 1]), 0);
});

test("of all tokens it is said how many need the top, and which few do not", () => {
  const said = (data) => toldOfAll(data).flat().join("");
  assert.equal(said(DATA), "2 of 3 tokens must climb to the top. Only a knows earlier.");
  const [rest, early] = [DATA.ranks.slice(1), [9, 1, 1]];
  const four = { ...DATA, tokens: [..."abcd"], ranks: [early, early, ...rest] };
  assert.match(said(four), /Only a and b know earlier\.$/);
  assert.match(said({ ...DATA, ranks: [early, early, rest[1]] }), /^1 of 3 .*; 2 have their word earlier\.$/);
  assert.equal(said({ ...DATA, ranks: [early, early, early] }), "None of the 3 tokens must climb to the top.");
  const five = { ...DATA, tokens: [..."abcdef"], ranks: [...Array(5).fill(early), rest[0]] };
  assert.equal(said(five), "1 of 6 tokens must climb to the top; 5 have their word earlier.");
  assert.equal(said({ ...DATA, tokens: ["red", "hat"], ranks: rest }), "All 2 tokens must climb to the top.");
});

test("a piece of a word is told from a word", () => {
  assert.deepEqual(["…est", "…été", "est", "…", "….", "…,", '…"', "⟨start⟩"].map(isPiece), [
    true,
    true,
    ...Array(6).fill(false),
  ]);
});

test("beside every guess that is the token just read it says so, and a piece of a word is called one", () => {
  assert.equal(beside("to", true), "still repeats “to”");
  assert.equal(beside("…est", false), "a piece of a word");
  assert.equal(beside("hat", false), null);
});

test("the dark button goes on to the next token that has its answer at another height, and round again", () => {
  const ranks = [[1, 1, 1], [9, 1, 1], [7, 1, 1], [9, 9, 1]]; // prettier-ignore
  assert.deepEqual(
    ranks.map((_, t) => nextChange(ranks, t)),
    [1, 3, 3, 0],
  );
  assert.equal(nextChange([[9, 1], [4, 1]], 0), null); // prettier-ignore
});

test("held against the last is a word that has its answer earliest and was only repeated before, and of several on the surest", () => {
  assert.equal(earliest(DATA), 0);
  const ranks = [...Array(4).fill([9, 1, 1]), [9, 9, 1]];
  const odds = [0.4, 0.6, 0.9, 0.95, 0].map((chance) => [0, chance, 1]);
  const echoes = [true, true, true, false, true].map((echo) => [echo, false, false]);
  const data = { tokens: ["is", "was", "?", "a", "red"], ranks, odds, echoes };
  assert.equal(earliest(data), 1, "no mark, and none that says something else before");
  const marks = { ...data, tokens: [".", ",", "?", "!", "red"] };
  assert.equal(earliest(marks), 3, "where there is no such word, the surest");
  assert.equal(earliest({ ...DATA, ranks: DATA.ranks.toReversed() }), 2, "the last one, where none is earlier");
});

const plain = (parts) => parts.map((part) => (typeof part === "string" ? part : `“${part[0]}”`)).join("");

test("on its way up it says what each height would say, and what has become of it from the top on", () => {
  const data = { ...DATA, chances: [[1, 1, 1], [1, 1, 1], [0.5, 0.25, 1]] }; // prettier-ignore
  assert.equal(plain(toldAt(data, 2, 0, 0)), "How high must “hat” climb to know what comes next?");
  assert.equal(plain(toldAt(data, 2, 1, 1)), "Stopped after layer 0, it would say “cap”, 25% sure. Higher!");
  assert.equal(plain(toldAt(data, 2, 0, 1)), "Before any layer, it only repeats “hat”. Higher!");
  for (const height of [0, 1, 2]) assert.deepEqual(toldAt(data, 2, height, 2), storyOf(data, 2));
});

test("a token is told by what it would say just below its answer, and by that", () => {
  const told = (data, t) => plain(storyOf(data, t));
  const end = "The last layer says";
  assert.equal(told(DATA, 1), `Up to layer 0 it repeats “red”. ${end} “hat”.`);
  assert.equal(told(DATA, 2), "Only the last layer says “.”: one layer below, it would have said “cap”.");
  const lost = { ...DATA, ranks: DATA.ranks.with(2, [1, 2, 1]) };
  assert.equal(told(lost, 2), `At layer 0 it says “cap”. ${end} “.”.`);
  assert.equal(told(DATA, 0), "The embedding only repeats “a”. From layer 0 on it says “red”.");
  const other = { ...DATA, echoes: DATA.echoes.map((row) => row.map(() => false)) };
  assert.match(told(other, 1), /^Only the last layer says “hat”: one layer below, it would have said “red”\.$/);
  const always = { ...DATA, ranks: [[1, 1, 1]], said: [["a", "a", "a"]] };
  assert.equal(told(always, 0), "It would say “a” at every height; at the top it is 90% sure.");
});

const lens = (more) => Object.assign(Object.create(LensColumns.prototype), { show() {}, ...more });

test("the dark button goes one layer up from where the handle is, wherever it was before", () => {
  const at = lens({ height: 0, reached: 2, top: 3, last: 1, link: { later() {} } });
  at.press();
  assert.deepEqual([at.height, at.reached], [1, 2]);
  for (let n = 0; n < 2; n++) at.press();
  assert.deepEqual([at.height, at.reached], [3, 3]);
});

test("the link forgets what was followed in another text, and keeps what it brings", (t) => {
  globalThis.document = { createElement: () => ({ setAttribute() {}, append() {} }) };
  globalThis.location = { search: "?pretrained_lens_token=0&pretrained_lens_height=1" };
  t.after(() => (delete globalThis.document, delete globalThis.location));
  const written = [];
  const root = { style: { setProperty() {} }, classList: { toggle() {} } };
  const at = lens({
    root,
    text: { replaceChildren() {} },
    link: { later: () => written.push([at.chosen - at.usual, at.height]) },
    follow(chosen, height = 0) {
      Object.assign(this, { chosen, height });
    },
  });
  at.update({ ...DATA, first: 0 });
  assert.deepEqual([at.chosen, at.height, written], [0, 1, []]);
  at.update({ ...DATA, first: 0 });
  assert.deepEqual(written, [], "it is the same");
  at.update({ ...DATA, first: 1 });
  assert.deepEqual(written, [[0, 0]], "as usual: nothing of it stands in the address");
});
