// Models as outlines in one scale; the picture of a file in the room that there is.
import assert from "node:assert/strict";
import { test } from "node:test";

import { headsOf, outline, spoken } from "../../pages/pretrained/components/model_skyline/plan.js";
import { firstOf, headsIn, holdsOf, refusalOf, sizeOf } from "../../pages/pretrained/components/from_file/holds.js";
import { archOf, cableOf, mostOf, threadOf, threadsOf } from "../../pages/pretrained/components/from_file/threads.js";
import { rowsOf, sizes, votesOf, Wall } from "../../pages/pretrained/components/from_file/wall.js";

const SMALL = { title: "small", stacks: [[2, 3, false]] };
const BOTH = {
  title: "both",
  stacks: [
    [4, 2, false],
    [4, 2, true],
  ],
};

test("outlines are in one scale, and stand beside one another", () => {
  assert.deepEqual(outline(SMALL, 3, 2), [{ x: 0, width: 9, height: 4 }]);
  assert.deepEqual(
    outline(BOTH, 3, 2).map(({ x }) => x),
    [0, 8],
  );
  assert.equal(headsOf(BOTH), 16);
  assert.equal(spoken(SMALL), "6 heads: 3 in each of 2 layers");
});

test("the heads of a file are as large as the room lets them be, and never gone", () => {
  for (const [layers, heads] of [
    [6, 12],
    [2, 4],
    [1, 1],
    [40, 32],
  ]) {
    const { wide, tall, width, height } = sizes({ layers, heads }, 700, 320);
    assert.ok(width <= 700.01 && height <= 320.01);
    assert.deepEqual([width, height], [wide * heads, tall * layers]);
    assert.ok(wide <= 2.4 * tall + 0.01 && tall <= 2.4 * wide + 0.01, "neither flat nor thin");
  }
  assert.equal(sizes({ layers: 2, heads: 1000 }, 700, 320).wide, 2);
  assert.equal(sizes({ layers: 6, heads: 12 }, 1110, 350).width, 1110, "72 heads have all of the width");
});

test("every head votes for what it looks at most, and the votes of a word are a cable of as many threads", () => {
  const rows = [[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.4, 0.5, 0.1], [0, 0, 0]]; // prettier-ignore
  const votes = (...heads) => votesOf(heads, (head) => mostOf(rows[head])).map(([key, from]) => [key, from]);
  assert.deepEqual(votes(0, 1, 2, 3), [[1, [1, 2]], [0, [0]]]); // prettier-ignore
  assert.deepEqual(votes(0), [[0, [0]]], "of heads that are still in the file nothing is told");
  assert.deepEqual(votes(3), [], "nor of one that looks at nothing");
  const [from, to] = [[300, 20, 0, 0, 40], [100, 20, 0, 0, 80]]; // prettier-ignore
  const cable = cableOf(from, to, 0, 53);
  assert.equal(new Set(cable).size, 53);
  const ends = (d) => [d.match(/^M([\d.]+)/)[1], d.match(/([\d.]+) \S+$/)[1]].map(Number);
  for (const [start, end] of cable.map(ends)) assert.ok(start > 280 && start < 320 && end > 60 && end < 140);
  const [[inner, left], [outer, leftmost]] = [cable[0], cable.at(-1)].map(ends);
  assert.ok(outer > inner && leftmost < left, "threads lie side by side and none crosses another");
});

test("heads come out of a file column by column", () => {
  const wall = Object.assign(Object.create(Wall.prototype), { one: { layers: 2, heads: 3 }, filled: 3 });
  const isIn = [0, 1, 2, 3, 4, 5].map((n) => wall.isIn(n));
  assert.deepEqual(isIn, [true, true, false, true, false, false], "from the lowest layer up");
  assert.equal(wall.isIn(-1), false);
});

test("the size of a file, and what it holds", () => {
  assert.deepEqual([300, 171520, 12400000].map(sizeOf), ["1 kB", "172 kB", "12.4 MB"]);
  const encoder = { tokens: 10, layers: 2, heads: 4, also: [] };
  assert.equal(holdsOf(encoder), "8 heads, 10 tokens");
  const file = { tokens: 11, layers: 4, heads: 2, also: [encoder, { ...encoder, tokens: 11 }] };
  assert.equal(holdsOf(file), "3 kinds of attention, 24 heads, 11 and 10 tokens");
  assert.equal(headsIn(file), 24);
  assert.equal(holdsOf({ tokens: 1, layers: 1, heads: 1, also: [] }), "1 head, 1 token");
});

test("a file that cannot be taken is refused by its name, and why", () => {
  const takes = { types: ["npz", "npy", "safetensors"], most: 2 ** 26 };
  const refusal = (...files) =>
    refusalOf(
      files.map(([name, size]) => ({ name, size })),
      takes,
    );
  assert.equal(refusal(["mine.npz", 300]), "");
  assert.equal(refusal(["MINE.NPY", 2 ** 26]), "");
  assert.equal(refusal(["model.pt", 300]), "“model.pt” cannot be shown: it is no .npz, .npy or .safetensors file.");
  assert.equal(refusal(["npz", 300]), "“npz” cannot be shown: it is no .npz, .npy or .safetensors file.");
  assert.equal(refusal(["big.npz", 1e8]), "“big.npz” has 100.0 MB. A file can have up to 64 MB.");
  assert.equal(refusal(["a.npz", 1], ["b.npz", 1]), "These are 2 files. Please bring one at a time.");
  assert.match(refusal([`${"long".repeat(30)}.pt`, 1]), /^“.{24}….{11}\.pt” /);
});

test("the token that is named has its thread, wherever it stands and however little it is", () => {
  const keys = (row, own) => threadsOf(row, own).map(([j]) => j);
  assert.deepEqual(keys([0.88, 0.02, 0.06, 0.04], 2), [3, 0], "the first token too");
  assert.deepEqual(keys([0.88, 0.02, 0.06, 0.04], null), [3, 2, 0], "of another text all may be looked at");
  assert.deepEqual(keys([...Array(50).fill(0.0199), 0.021], 0), [50]);
  assert.deepEqual(keys([0.99, 0.01], 0), [], "nothing leads to itself");
});

test("a thread leads across two lines, and across more only where it counts", () => {
  const word = (line) => [100 * line, 50 * line + 20, 50 * line, line];
  assert.match(threadOf(word(1), word(0), 2, false), /^M0 20C.* 100 50$/);
  assert.equal(threadOf(word(2), word(0), 2, false), null);
  assert.match(threadOf(word(2), word(0), 2, true), /^M0 20C.* 200 100$/);
  const deep = (d) => Number(d.split(" ")[2]);
  const beside = [300, 20, 0, 0];
  assert.ok(
    deep(threadOf(word(0), beside, 1, true)) < deep(threadOf(word(0), beside, 0, true)),
    "another line is below",
  );
  const more = (last) => deep(threadOf(word(0), beside, last, true, 80));
  assert.ok(more(2) < more(1) && more(1) < more(0), "of two lines there is more between");
});

test("the token that is looked at most is named, with its weight; an arc hangs below the line", () => {
  assert.deepEqual(mostOf([0.1, 0.65, 0.25]), [1, 0.65]);
  const [from, y, , deep] = archOf(10, 250, 30)
    .match(/\d+(\.\d+)?/g)
    .map(Number);
  assert.deepEqual([from, y], [10, 30]);
  assert.ok(deep > 30 && deep <= 98);
});

test("every word of a file has its own row, head by head", () => {
  const weights = Uint16Array.of(0, 65535, 13107, 52428, 65535, 0, 32768, 32767);
  const maps = btoa(String.fromCharCode(...new Uint8Array(weights.buffer)));
  const { at } = rowsOf({ maps, queries: ["so", "be"], keys: ["so", "be"] });
  assert.deepEqual(at(0, 1), [0.2, 0.8]);
  assert.deepEqual(at(1, 0), [1, 0]);
  assert.deepEqual(mostOf(at(0, 0)), [1, 1]);
});

const node = () => ({ setAttribute() {}, append(text) { this.textContent = text; } }); // prettier-ignore

/** What is said of the first word of a file with three, of a head or of all that are in. */
function saidOf({ beyond = [], named = 0, marks = [], lit = null, filled = Infinity, rows }) {
  const flat = Uint16Array.from(rows.flat(2), (weight) => Math.round(65535 * weight));
  const words = ["so", "be", "it"];
  const [all, is_one_text] = [rows.length, true];
  const one = { queries: words, keys: words, layers: 1, heads: all, is_one_text, beyond, named, marks };
  const maps = btoa(String.fromCharCode(...new Uint8Array(flat.buffer)));
  const wall = Object.assign(Object.create(Wall.prototype), { one: { ...one, maps }, lit, asks: 0, over: null, all });
  Object.assign(wall, { rows: rowsOf(wall.one), opens: 3, filled: Math.min(filled, all) });
  const said = wall.told("").map((part) => part.textContent ?? part);
  return { wall, said: said.join("") };
}

const REST = Array.from({ length: 2 }, () => [0.5, 0.5, 0]);
const at = (...row) => [row, ...REST]; // a head in which the first word looks so

test("what is looked at most is told of all keys, drawn or not; a row of zeros looks at nothing", (t) => {
  globalThis.document = { createElement: node };
  t.after(() => delete globalThis.document);
  const rows = [at(0.02, 0.05, 0.03), at(0.2, 0.7, 0.1)];
  const beyond = [[0, 60, 0.9, "end"]];
  const cut = saidOf({ beyond, lit: 0, rows });
  assert.equal(cut.said, "Layer 0, head 0: “so” looks most at “end” (not drawn), 0.90.");
  const [far, seen] = [cut.wall.rows.most(0, 0), cut.wall.rows.most(1, 0)];
  assert.deepEqual(far, [60, 0.9, "end"]);
  assert.deepEqual([seen[0], seen.length], [1, 2]);
  const keys = threadsOf(cut.wall.rows.at(0, 0), 0, far).map(([j]) => j);
  assert.deepEqual(keys, [1], "no thread of what is least, in place of the one that is not drawn");
  assert.equal(saidOf({ beyond, rows }).said, "1 of 2 heads looks from “so” at “end” (not drawn); 1 at “be”.");
  const none = [at(0, 0, 0)];
  assert.equal(saidOf({ lit: 0, rows: none }).said, "Layer 0, head 0: “so” looks at nothing.");
  assert.equal(saidOf({ rows: none }).said, "1 head looks from “so” at nothing.");
  assert.deepEqual(threadsOf([0, 0, 0], 1), []);
});

test("where the largest weights of a row are equal the head has no vote: it chooses no word", (t) => {
  globalThis.document = { createElement: node };
  t.after(() => delete globalThis.document);
  const [even, be] = [at(0.4, 0.4, 0.2), at(0.2, 0.7, 0.1)];
  assert.equal(saidOf({ rows: [even, even] }).said, "2 heads look from “so” at no word more than at all others.");
  assert.equal(
    saidOf({ rows: [at(0, 0, 0), even] }).said,
    "2 heads look from “so” at no word more than at all others.",
  );
  const five = saidOf({ rows: [even, even, even, even, be], filled: 4 }).said;
  assert.equal(five, "4 heads look from “so” at no word more than at all others.", "the last is still in the file");
  assert.equal(saidOf({ rows: [even, be, even] }).said, "1 of 3 heads looks from “so” at “be”.");
  const lit = saidOf({ lit: 0, rows: [even, be] });
  assert.equal(lit.said, "Layer 0, head 0: “so” looks equally at several words, 0.40 each.");
  const keys = threadsOf(lit.wall.rows.at(0, 0), 0, lit.wall.rows.most(0, 0)).map(([j]) => j);
  assert.deepEqual(keys, [2, 1], "its threads are drawn all the same");
});

test("a head that is pressed or pointed at while the file pours keeps what was done", () => {
  const wall = Object.assign(Object.create(Wall.prototype), { all: 6, filled: 2, lit: null, over: null, mark() {} });
  let isOver = false;
  Object.assign(wall, { changed() {}, endPour: () => (isOver = true) });
  wall.point(1);
  wall.fill(3);
  assert.deepEqual([wall.pointed, wall.filled, isOver], [1, 3, false]);
  wall.light(5);
  assert.deepEqual([wall.lit, wall.filled, isOver], [5, 6, true], "nothing pours on over it");
});

test("of all heads it is said where most look, and how many at the word that stands out: the numbers decide", (t) => {
  globalThis.document = { createElement: node };
  t.after(() => delete globalThis.document);
  const [be, it, so] = [at(0.2, 0.7, 0.1), at(0.2, 0.1, 0.7), at(0.7, 0.2, 0.1)];
  const seven = [be, be, it, be, be, be, be];
  assert.equal(saidOf({ rows: seven, filled: 3 }).said, "Where do 7 heads look from “so”?");
  assert.equal(saidOf({ rows: seven, filled: 4 }).said, "3 of 4 heads look from “so” at “be”; 1 at “it”.");
  assert.equal(saidOf({ rows: seven }).said, "6 of 7 heads look from “so” at “be”; only 1 at “it”.");
  assert.match(saidOf({ rows: seven, marks: [1] }).said, /^6 of 7 heads look from “so” at “be”, which is no word; /);
  assert.match(saidOf({ rows: [it, it, it, be] }).said, /^3 of 4 heads look from “so” at “it”; 1 at “be”\.$/);
  const named = 5; // the last of them, which the file names
  assert.match(saidOf({ rows: [be, be, be, so, so, it], named }).said, /at “be”; 1 at “it”\.$/, "not the next");
  assert.match(saidOf({ rows: [be, be, be, so, it, be], named }).said, /at “be”; 1 at itself\.$/, "it is of most");
  assert.match(saidOf({ rows: [be, be, be, so, so, it] }).said, /at “be”; 2 at itself\.$/);
  assert.equal(saidOf({ rows: [be] }).said, "1 of 1 head looks from “so” at “be”.");
});

test("how much of a file is drawn is said of the words that look, or else of those that are looked at", () => {
  const first = (drawn, tokens, n_keys) =>
    firstOf({ queries: Array(Math.min(drawn, tokens)), keys: Array(Math.min(drawn, n_keys)), tokens, n_keys });
  assert.deepEqual([first(48, 10, 48), first(48, 64, 64)], ["", ", drawn for the first 48"]);
  assert.equal(first(48, 10, 100), ", drawn for the first 48 of 100 keys");
});
