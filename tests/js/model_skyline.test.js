// Models as outlines in one scale; the picture of a file in the room that there is.
import assert from "node:assert/strict";
import { test } from "node:test";

import { headsOf, outline, spoken } from "../../pages/pretrained/components/model_skyline/plan.js";
import { firstOf, headsIn, holdsOf, refusalOf, sizeOf } from "../../pages/pretrained/components/from_file/holds.js";
import {
  archOf,
  hintOf,
  huntedOf,
  mostOf,
  rowsOf,
  sizes,
  threadOf,
  threadsOf,
  Wall,
} from "../../pages/pretrained/components/from_file/wall.js";

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

test("a hunt is for the heads that look most at one word, the strongest first, or that look furthest", () => {
  const rows = [[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.4, 0.5, 0.1], [0.1, 0.2, 0.7]]; // prettier-ignore
  const at = (head) => mostOf(rows[head]);
  assert.deepEqual(huntedOf(at, 4, 2, 1), [1, 2]);
  assert.deepEqual(huntedOf(at, 4, 2, 0), [0]);
  assert.deepEqual(huntedOf(at, 4, 2, -1), [0], "two words back, where the others look one back or at itself");
  assert.deepEqual(
    huntedOf(() => [0, 0.5], 4, 1, -1),
    [],
    "where all are alike there is nothing to find",
  );
});

test("a hint leads to a layer in which as few heads as can be are sought, and there to the strongest", () => {
  assert.equal(hintOf([4, 1, 5, 6], 3), 1);
  assert.equal(hintOf([5, 2, 7], 3), 5, "one in each layer");
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

/** A file of two heads with three words, and what is said of the first word in one of them. */
function saidOf({ beyond = [], wants = [-1, -1, -1], lit, rows, layers = 1 }) {
  const flat = Uint16Array.from(rows.flat(2), (weight) => Math.round(65535 * weight));
  const words = ["so", "be", "it"];
  const one = {
    queries: words,
    keys: words,
    layers,
    heads: rows.length / layers,
    is_one_text: true,
    kind: "encoder",
    beyond,
  };
  const maps = btoa(String.fromCharCode(...new Uint8Array(flat.buffer)));
  const wall = Object.assign(Object.create(Wall.prototype), { one: { ...one, maps, wants }, lit, asks: 0 });
  Object.assign(wall, { rows: rowsOf(wall.one), heads: { children: rows } });
  wall.hunt();
  const said = wall.told("Which", false).map((part) => part.textContent ?? part);
  return { wall, said: said.join("") };
}

test("what is looked at most is sought among all keys, drawn or not; a row of zeros looks at nothing", (t) => {
  globalThis.document = { createElement: node };
  t.after(() => delete globalThis.document);
  const rest = Array.from({ length: 2 }, () => [0.5, 0.5, 0]);
  const rows = [[[0.02, 0.05, 0.03], ...rest], [[0.2, 0.7, 0.1], ...rest]]; // prettier-ignore
  const beyond = [[0, 60, 0.9, "end"]];
  const cut = saidOf({ beyond, lit: 0, rows });
  assert.equal(
    cut.said,
    "Found! In layer 0, head 0, “so” looks most at “end”, which is not drawn: 0.90.",
    "no word is further",
  );
  const [far, seen] = [cut.wall.rows.most(0, 0), cut.wall.rows.most(1, 0)];
  assert.deepEqual(far, [60, 0.9, "end"]);
  assert.deepEqual([seen[0], seen.length], [1, 2]);
  const keys = threadsOf(cut.wall.rows.at(0, 0), 0, far).map(([j]) => j);
  assert.deepEqual(keys, [1], "no thread of what is least, in place of the one that is not drawn");
  assert.deepEqual(saidOf({ beyond, wants: [1, -1, -1], lit: 1, rows }).wall.hunted, [1], "head 0 looks elsewhere");
  const none = saidOf({ lit: 0, rows: [[[0, 0, 0], ...rest], rows[1]] });
  assert.equal(none.said, "Not here: in layer 0, head 0, “so” looks at nothing.");
  assert.deepEqual(threadsOf([0, 0, 0], 1), []);
});

test("of one head and of one more it is said that they are one", (t) => {
  globalThis.document = { createElement: node };
  t.after(() => delete globalThis.document);
  const row = [[0.2, 0.7, 0.1], [0.5, 0.5, 0], [0.5, 0.5, 0]]; // prettier-ignore
  const other = [[0.7, 0.2, 0.1], ...row.slice(1)];
  const wants = [1, -1, -1];
  const said = (lit, ...rows) => saidOf({ rows, wants, lit }).said;
  assert.equal(said(null, row), "Press the only head: where does “so” look?");
  assert.equal(said(null, row, row), "Press any of 2 heads: where does “so” look?");
  assert.match(said(0, row, other), /0\.70\.$/);
  assert.match(said(0, row, row, other), / 1 more head in this layer looks there, too \(framed\)\.$/);
  assert.match(said(0, row, row, row, other), / 2 more heads in this layer look there, too \(framed\)\.$/);
  const tall = (layers, ...all) => saidOf({ rows: all, wants, lit: 0, layers }).said;
  assert.match(tall(4, row, row, row, other), / 2 heads in other layers look there, too \(framed\)\.$/);
  assert.match(tall(2, row, other, row, row), / 2 heads in layer 1 look there, too \(framed\)\.$/);
  assert.match(tall(2, row, row, row, other), / 2 more heads in this layer and others look there, too \(framed\)\.$/);
  const far = saidOf({ rows: [row, row, other], lit: 0, layers: 3 });
  assert.match(far.said, / 1 head in layer 1 looks as far, too \(framed\)\.$/, "who looks furthest is sought");
});

test("how much of a file is drawn is said of the words that look, or else of those that are looked at", () => {
  const first = (drawn, tokens, n_keys) =>
    firstOf({ queries: Array(Math.min(drawn, tokens)), keys: Array(Math.min(drawn, n_keys)), tokens, n_keys });
  assert.deepEqual([first(48, 10, 48), first(48, 64, 64)], ["", ", drawn for the first 48"]);
  assert.equal(first(48, 10, 100), ", drawn for the first 48 of 100 keys");
});
