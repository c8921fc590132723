// Cheaper attention: where its words stand, and what is kept and lost.

import assert from "node:assert/strict";
import test from "node:test";

import { CheaperMaps, writeSizes } from "../../pages/why/components/cheaper_maps/cheaper_maps.js";
import { Presses } from "../../lab/kit/components/latest.js";
import { inLine } from "../../pages/why/components/cheaper_maps/line.js";
import {
  arcsOf,
  flipOf,
  groupsOf,
  inPercent,
  LOST,
  looking,
  narrowed,
  opening,
  sizeFor,
  spanOf,
  split,
  windowed,
} from "../../pages/why/components/cheaper_maps/kept.js";
import { packed } from "./payload.js";
import { worth, explained, found, nextSaid } from "../../pages/why/components/cheaper_maps/ways.js";

test("words share the line by their letters, and fill it", () => {
  const words = ["nothing", "about", "the", "room"];
  for (const whole of [120, 1200]) {
    const { edges, letters } = inLine(words, whole);
    assert.deepEqual(
      edges,
      edges.toSorted((a, b) => a - b),
    );
    assert.ok(edges[0] === 0 && Math.abs(edges.at(-1) - whole) < 1e-9 && letters <= 23);
    assert.ok(edges[1] - edges[0] > edges[3] - edges[2], "longer words have more room");
  }
});

test("the window ends with the word below its grip, no narrower than a neighbour and no wider than the text", () => {
  assert.equal(sizeFor(4, 1, 7, 13), 4);
  assert.equal(sizeFor(4, -1, 1, 13), 4);
  assert.equal(sizeFor(4, 1, 4, 13), 2);
  assert.equal(sizeFor(4, 1, 2, 13), 2, "dragged past the word");
  assert.equal(sizeFor(0, 1, 12, 13), 13);
  assert.deepEqual(spanOf(4, 4, 13), [1, 7]);
  assert.deepEqual(spanOf(0, 4, 13), [0, 3]);
  assert.deepEqual(spanOf(11, 4, 13), [8, 12]);
  for (const at of [5, 7, 12]) assert.equal(spanOf(4, sizeFor(4, 1, at, 13), 13)[1], at);
});

test("the word that is held at first is one, of which the window misses most, and that a wider one soon sees", () => {
  const tokens = ["⟨start⟩", "good", "and", ",", "bad", "day"];
  const looking = (ats) => Float32Array.from({ length: 36 }, (_, at) => Number(ats[Math.floor(at / 6)] === at % 6));
  assert.equal(opening(tokens, looking([5, 5, 5, 5, 5, 5]), 2), 2, "of good and and, the nearer to day");
  assert.equal(opening(tokens, looking([5, 5, 1, 0, 3, 5]), 2), 1, "the only word that misses any");
  assert.equal(opening(["0", "1"], new Float32Array([0, 1, 1, 0]), 1), 0, "where there are no words");
});

test("in a window what a word gives is shared among those that it sees", () => {
  const full = [0.5, 0.25, 0.25, 0.2, 0.4, 0.4, 0.8, 0.1, 0.1];
  const near = windowed(full, 3, 2);
  assert.deepEqual([...near].map(Number.isNaN), [0, 0, 1, 0, 0, 0, 1, 0, 0].map(Boolean));
  assert.ok(Math.abs(near[0] - 2 / 3) < 1e-6 && Math.abs(near[7] - 0.5) < 1e-6);
  const { kept, lost } = split(full, near, 3, 0.8);
  assert.deepEqual(kept, [0.5, 0.25, 0, 0.2, 0.4, 0.4, 0, 0.1, 0.1], "and none is lost of what it sees");
  assert.deepEqual(lost, [
    [0, 2, 0.25],
    [2, 0, 0.8],
  ]);
});

test("what words are averaged or taken in is framed, and every word is in one frame", () => {
  assert.deepEqual(groupsOf("low rank", 4, 13), [
    [0, 3],
    [4, 6],
    [7, 9],
    [10, 12],
  ]);
  assert.deepEqual(groupsOf("in blocks", 6, 13), [
    [0, 5],
    [6, 11],
    [12, 12],
  ]);
  assert.deepEqual(groupsOf("linear", 4, 13), []);
});

test("what is kept is at most what full attention has, and the rest is lost", () => {
  const full = [0.75, 0.25, 1, 0.125]; // two queries, two keys
  assert.deepEqual(split(full, [NaN, 1, 1, NaN], 2, 1.5), { kept: [0, 0.25, 1, 0], lost: [[0, 0, 0.75]] });
  assert.deepEqual(split(full, [0.25, 0.75, 1, 0.125], 2, 1.5), { kept: [0.25, 0.25, 1, 0.125], lost: [[0, 0, 0.5]] });
  assert.deepEqual(split(full, full, 2, 1.5), { kept: full, lost: [] });
});

test("what is missed of a cell lies beside what is seen of it, and on its own line where nothing is", () => {
  const parts = {
    kept: [0, 0.5, 0.02, 0.25],
    lost: [
      [0, 0, 0.75],
      [0, 1, 0.25],
    ],
  };
  assert.deepEqual(arcsOf(parts, 2, 1), [
    ["lost", 0, 0, 0.75, false],
    ["lost", 0, 1, 0.25, true],
    ["seen", 1, 1, 0.25, false],
    ["seen", 0, 1, 0.5, false],
  ]);
});

test("what is lost is named by the verb of its way", () => {
  assert.deepEqual(LOST, { misses: "missed", misplaces: "misplaced" });
});

test("a price and what it brings are one sentence, and what nobody knows before a training is no number", () => {
  const way = { of: "work", share: 0.23, loses: "misses", missed: 0.777, says: "positive", n_right: 55 };
  const said = (more) =>
    found({ ...way, ...more }, 100)
      .flat()
      .join("");
  assert.equal(
    said({ subject: "Looking 3 words to either side" }),
    "Looking 3 words to either side does 23% of the work and gets 55 of 100 reviews right.",
  );
  assert.equal(
    said({ subject: "Going piece by piece", of: "memory", n_right: 100 }),
    "Going piece by piece needs 23% of the memory and gets 100 of 100 reviews right.",
  );
  assert.equal(
    said({ subject: "Looking nearby", says: null }),
    "Looking nearby does 23% of the work and misses 78% of the attention weight.",
    "where no model reads",
  );
  assert.equal(
    said({ subject: "Sharing keys and values", of: "cache", missed: null, says: null }),
    "Sharing keys and values needs 23% of their memory. What it misses, only training can tell.",
  );
});

test("what a word loses is nothing or half in words, and else a percentage", () => {
  const told = { name: "window", loses: "misses", lost: 1, isShut: true };
  const said = (more) => looking("“view”", "“i”", { ...told, ...more });
  assert.equal(said({}), "“view” wants to look at “i”, but “i” is outside its window.");
  assert.equal(said({ name: "dilated" }), "“view” wants to look at “i”, but this way shuts it off.");
  const part = "“view” looks most at “i”; the window misses 99% of its attention weight.";
  assert.equal(said({ lost: 0.998, isShut: false }), part, "where some is left it is not all");
  const linear = "“view” looks most at “i”; this way misplaces half of its attention weight.";
  assert.equal(said({ name: "linear", loses: "misplaces", lost: 0.5, isShut: false }), linear);
  assert.equal(said({ name: null }), "“view” looks most at “i”.");
  const exact = { name: "in blocks", lost: 3e-7, isShut: false };
  assert.equal(said(exact), "“view” looks most at “i”; this way misses nothing.");
});

test("the answer flips at the width from which on it stays right, and what is right below that may be luck", () => {
  const windows = ["negative", "positive", "positive", "negative", "negative"].map((says, n) => ({
    size: n + 2,
    says,
  }));
  const flip = flipOf({ ways: [{ says: "negative" }], windows });
  assert.equal(flip, 5);
  assert.equal(flipOf({ ways: [{ says: "negative" }], windows: windows.slice(3) }), 5, "at any width");
  const said = (size, isRight, isShut) =>
    narrowed("“view”", "“i”", { size, flip, isRight, isShut, said: "It is outside." });
  assert.equal(said(4, false, true), "It is outside.");
  assert.equal(said(4, false, false), "“view” sees “i”, but the answer is still wrong.");
  assert.equal(said(5, true, false), "With 4 words to either side, “view” sees “i”, and the answer flips.");
  assert.equal(said(5, true, true), "With 4 words to either side, the answer flips.", "of a word that sees no more");
  assert.equal(said(6, true, false), "With 5 words to either side, the answer is right.");
  assert.equal(said(2, true, true), "With 1 word to either side, the answer is right again: by luck?");
  const reads = "65 of 100 other reviews read right, for 57% of the work. Guessing would get 50.";
  assert.equal(worth({ share: 0.57, n_right: 65 }, 100), reads);
});

test("the button widens the window until the review is read right, and then takes another way", () => {
  const done = [];
  const header = { ways: [{ name: "full" }, { name: "window" }], words: ["a"] };
  const does = { take: (at) => done.push(at), resize: (size) => done.push(`${size} wide`), tell() {} };
  const maps = figure({ header, chosen: 1, size: 4, flip: 5, next: 0, ...does });
  maps.onward();
  maps.size = 5;
  maps.onward();
  Object.assign(maps, { size: 4, isOpen: true });
  maps.onward();
  assert.deepEqual(done, ["5 wide", 0, 0]);
});

test("a hand that has come is shown all, once", () => {
  let shown = 0;
  const maps = figure({ isFresh: true, show: () => shown++ });
  maps.touch();
  maps.touch();
  assert.deepEqual([maps.isFresh, shown], [false, 1]);
});

test("that a model never trained with a way is said of all that is not exact", () => {
  const sentence = "Near words.";
  const untrained = "Near words. It was not trained for this. Guessing would get 50.";
  const said = (more) => explained({ sentence, of: "work", share: 0.5, says: "positive", ...more }, 100);
  assert.equal(said({}), untrained);
  for (const exact of [{ share: 1 }, { of: "memory" }, { says: null }]) assert.equal(said(exact), sentence);
});

test("the button makes full attention cheaper, walks on and starts again after the last card", () => {
  assert.deepEqual(
    [0, 1, 2, 3, -1].map((at) => nextSaid(at, 4)),
    ["Make it cheaper", "Next way", "Next way", "Start again", "Back to the window"],
  );
});

test("a share is said in whole percent, and is nothing or all only where it is so", () => {
  assert.deepEqual([0, 3e-7, 0.002, 0.7129, 0.998, 1].map(inPercent), ["0%", "0%", "1%", "71%", "99%", "100%"]);
});

/** What a figure of two words is, with what it draws left out. */
const figure = (more = {}) => {
  const ways = [{ name: "full", loses: "misses", missed: 0 }];
  const maps = Object.assign(Object.create(CheaperMaps.prototype), {
    header: { ways, words: [], others: 4, largest: 99 },
    chosen: 0,
    n: 2,
  });
  const drawn = {
    along: [0, 1],
    labels: [],
    tokens: ["0", "1"],
    frame: { place() {} },
    arcs: { replaceChildren() {} },
  };
  const parts = { maps: new Float32Array([0.75, 0.25, 0.5, 0.5]), parts: { kept: [0.75, 0.25, 0.5, 0.5], lost: [] } };
  const said = {};
  const labelled = (name) => ({
    getAttribute: () => null,
    setAttribute: (key, value) => key === "aria-label" && (said[name] = value),
  });
  const nodes = {
    plot: labelled("plot"),
    words: labelled("words"),
  };
  return Object.assign(maps, drawn, parts, nodes, { said, link: { later() {} } }, more);
};

test("a voice hears of a review only where there is one", () => {
  const maps = figure();
  maps.hold(0);
  assert.equal(maps.said.plot, "Random numbers");
  maps.header.words = ["not", "good"];
  maps.hold(1);
  assert.equal(maps.said.plot, "The review");
});

test("the first beat ends before other numbers are shown", () => {
  const seen = [];
  const header = { ways: [{ name: "full" }], windows: [{ size: 2 }], words: ["a", "b"], chosen: "full", size: 2 };
  const old = { ...header, size: 9 };
  const maps = figure({ bytes: "old", header: old, held: 0, presses: new Presses(), root: { dataset: {} } });
  Object.assign(maps, { endBeat: () => seen.push(maps.header.size), show: () => seen.push(maps.header.size) });
  maps.update(packed({ maps: { shape: [1, 2, 2], values: [1, 0, 0, 1] } }, header), {});
  assert.deepEqual(seen, [9, 2]);
});

test("a link has the size of the ways that are not chosen, where it is another", () => {
  const written = (header) => {
    const params = {};
    writeSizes((name, value, usual) => value !== null && value !== usual && (params[name] = value), header);
    return params;
  };
  assert.deepEqual(written({ chosen: "window", size: 8, others: 4 }), { why_variants_others: 4 });
  assert.deepEqual(written({ chosen: "in blocks", size: 8, others: 4 }), { why_variants_window: 8 });
  for (const chosen of ["full", "window", "in blocks"]) assert.deepEqual(written({ chosen, size: 4, others: 4 }), {});
});
