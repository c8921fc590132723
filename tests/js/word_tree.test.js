// The tree of a word: which word a place is in, and what its merges join.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  cutBySpace,
  fullest,
  nextHere,
  nextPlaces,
  passedSaid,
  roomFor,
  tileFor,
  tokensAfter,
  treeOf,
  weigh,
  wordAt,
} from "../../pages/embeddings/components/token_machine/cutting.js";
import { TokenMachine } from "../../pages/embeddings/components/token_machine/token_machine.js";
import { listed } from "../../pages/embeddings/components/token_machine/plain.js";

// "ab abc": ab is 10, ␣ab is 11, ␣abc is 12
const data = {
  ids: [1, 2, 0, 1, 2, 3],
  words: [0, 2],
  joins: [
    [0, 1, 2, 10],
    [3, 4, 5, 10],
    [2, 3, 5, 11],
    [2, 5, 6, 12],
  ],
};

test("a place is in the last word that begins before it; without words every token is one", () => {
  assert.deepEqual(wordAt(data, 1), [0, 2]);
  assert.deepEqual(wordAt(data, 2), [2, 6]);
  assert.deepEqual(wordAt(data, 5), [2, 6]);
  assert.deepEqual(wordAt({ ...data, words: [] }, 3), [3, 4]);
});

test("a tree has the bytes of its word, and a node over every two that a merge joins", () => {
  const tree = treeOf(data, 4);
  assert.deepEqual(
    tree.map(({ start, end, id, level }) => [start, end, id, level]),
    [
      [2, 3, 0, 0],
      [3, 4, 1, 0],
      [4, 5, 2, 0],
      [5, 6, 3, 0],
      [3, 5, 10, 1],
      [2, 5, 11, 2],
      [2, 6, 12, 3],
    ],
  );
  assert.deepEqual(
    tree.at(-1).parts.map(({ id }) => id),
    [11, 3],
  );
  assert.equal(treeOf(data, 0).length, 3);
});

test("the word that is shown at first is the one with most merges", () => {
  assert.equal(fullest(data), 2);
  assert.equal(fullest({ ...data, joins: [] }), 0);
  assert.equal(fullest({ ids: [1], words: [], joins: [] }), 0);
});

test("a word may be in pieces at the start and one token after a space, and is named only then", () => {
  const labels = { 0: "␣", 1: "a", 2: "b", 3: "c", 10: "ab", 11: "␣ab", 12: "␣abc" };
  const of = (ids, joins, n) => {
    const text = {
      ids,
      joins,
      words: [0, 2],
      merges: [
        [1, 2, 10],
        [0, 10, 11],
      ].slice(0, n),
    };
    return cutBySpace(text, tokensAfter(text, n), (id) => labels[id]);
  };
  const second = [2, 3, 5, 11];
  assert.deepEqual(of([1, 2, 0, 1, 2], [[3, 4, 5, 10], second], 2), [["a", "b"], "ab"]);
  assert.equal(of([1, 2, 0, 1, 2], [[0, 1, 2, 10], [3, 4, 5, 10], second], 2), null, "one token at the start, too");
  assert.equal(of([1, 2, 0, 1, 2], [[3, 4, 5, 10]], 1), null, "in pieces after the space, too");
  assert.equal(
    cutBySpace({ words: [] }, [[1, false, 0]], (id) => labels[id]),
    null,
  );
});

test("of a long table it is said how many rows it has, and which of them are here", () => {
  assert.equal(listed([0, 1, 2], 3), "The table has 3 rows. Shaded: those of your text.");
  assert.equal(listed([0, 1, 2], 1004), "The table has 1,004 rows; the first 3 are here. Shaded: those of your text.");
  assert.equal(
    listed([0, 1, 2, 700], 1004),
    "The table has 1,004 rows; the first 3 and those of your text are here. Shaded: those of your text.",
  );
});

test("a pair that is pressed is weighed against the commonest, before the next merge that this text has", () => {
  const learned = {
    ...data,
    merges: [
      [7, 8, 9, 6],
      [1, 2, 10, 5],
      [0, 10, 11, 4],
      [11, 3, 12, 4],
    ],
    counts: [
      [
        [1, 2, 5],
        [2, 3, 5],
        [2, 0, 1],
      ],
      [],
      [
        [0, 10, 4],
        [10, 3, 4],
      ],
      [],
    ],
  };
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((at) => nextHere(learned, at)),
    [1, 1, 2, 3, null],
  );
  assert.deepEqual(weigh(learned, 0, 2, 0), { count: 1, most: 5, to: null });
  assert.deepEqual(weigh(learned, 0, 1, 2), { count: 5, most: 5, to: 2 }, "merge 1 joins nothing in this text");
  assert.deepEqual(weigh(learned, 0, 2, 3), { count: 5, most: 5, to: 2 }, "as common, but never merged itself");
  assert.deepEqual(weigh(learned, 0, 3, 0), { count: 0, most: 5, to: null });
  assert.equal(weigh(learned, 2, 11, 3).to, null, "two that stand nowhere yet");
});

test("tiles are as large as all words fit a box, and no smaller than a finger can tell apart", () => {
  assert.equal(tileFor([1], 1000, 500), 110);
  const size = tileFor([3, 6, 2, 4], 700, 300);
  assert.ok(size < 110);
  assert.ok(1.6 * size * 2 <= 300, "two lines");
  assert.equal(tileFor(Array(400).fill(5), 700, 300), 30);
});

test("after a wrong seam the commonest pair is shown wherever it stands in the text, but not over the end of a word", () => {
  const data = { ids: [1, 2, 1, 2, 1, 2], words: [0, 5], merges: [[9, 9, 10], [1, 2, 11], [8, 8, 12]], joins: [[0, 1, 2, 11]] }; // prettier-ignore
  const tokens = data.ids.map((id, start) => [id, false, start]);
  assert.deepEqual(nextPlaces(data, 0, tokens), [0, 2], "of the next merge that changes this text");
  assert.deepEqual(nextPlaces({ ...data, joins: [] }, 0, tokens), [], "it stands nowhere here");
});

test("merges that are passed over are said, the last of all too", () => {
  const merges = [[1, 2, 10], [3, 4, 11], [5, 6, 12], [7, 8, 13]]; // prettier-ignore
  const said = (ids, at) => passedSaid({ merges, joins: ids.map((id) => [0, 1, 2, id]) }, at);
  assert.deepEqual(said([10, 13], 4), ["The two merges before this one were not in your sentence."]);
  assert.deepEqual(said([10, 12], 3), ["The merge before this one was not in your sentence."]);
  assert.deepEqual(said([10], 4), ["The last three merges were not in your sentence."]);
  assert.deepEqual(said([10, 11, 12], 4), ["The last merge was not in your sentence."]);
  assert.deepEqual(said([10, 11, 12, 13], 4), []);
});

test("on a phone a sentence of a dozen words is on the first screen", () => {
  const words = [3, 6, 2, 4, 4, 1, 4, 6, 2, 5, 5, 1, 4, 5, 4, 4]; // bytes
  const tile = tileFor(words, 354, roomFor(360, 844));
  let [lines, at] = [0, Infinity];
  for (const many of words) {
    const wide = many * (tile + 4);
    if (at + wide > 354) [lines, at] = [lines + 1, 0];
    at += wide + tile / 2;
  }
  assert.ok(tile >= 30 && 1.6 * tile * lines <= 844 - 450);
});

test("tiles fit the room that there is once it is another", () => {
  const documentElement = { style: { getPropertyValue: () => "" } };
  Object.assign(globalThis, { innerHeight: 700, document: { documentElement } });
  const tiles = [];
  const root = { clientWidth: 0, style: { setProperty: (_, value) => tiles.push(value) } };
  const chips = {};
  const [data, tree] = [{ words: [0, 5], ids: Array(12).fill(0), merges: [[0, 1, 2]] }, { draw() {} }];
  const machine = Object.assign(Object.create(TokenMachine.prototype), { root, nodes: { chips }, data, tree });
  const at = (width) => {
    chips.clientWidth = root.clientWidth = width;
    machine.resized();
    return parseFloat(tiles.at(-1));
  };
  assert.ok(at(1200) > at(360));
  machine.data.merges = [];
  machine.resized();
  assert.equal(tiles.length, 2, "without merges there are none");
});

/** A machine with the pair 1 + 2 twice in its text, and what it lights up, in still or moving times. */
function glowing(isStill) {
  const lit = [];
  Object.assign(globalThis, { matchMedia: () => ({ matches: isStill }) });
  const chips = [1, 2, 5, 1, 2].map((_, n) => ({ firstChild: { animate: () => lit.push(n) } }));
  const data = { ids: [1, 2, 5, 1, 2], words: [0] };
  const tokens = data.ids.map((id, start) => [id, false, start]);
  return [Object.assign(Object.create(TokenMachine.prototype), { data, tokens, chips }), lit];
}

test("the pair that wins glows wherever it stands before it closes, and closes at once where nothing moves", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let closed = 0;
  const glow = (machine) => machine.glow(1, 2, () => ((machine.close = null), closed++));
  const [moving, lit] = glowing(false);
  glow(moving);
  assert.deepEqual([lit, closed], [[0, 1, 3, 4], 0]);
  t.mock.timers.tick(500);
  assert.equal(closed, 1);
  glow(moving);
  moving.close(); // the next press waits for nothing
  t.mock.timers.tick(500);
  assert.equal(closed, 2);
  glow(moving);
  moving.close = null; // the track leads elsewhere
  t.mock.timers.tick(500);
  assert.equal(closed, 2);
  const [quiet, unlit] = glowing(true);
  glow(quiet);
  assert.deepEqual([unlit, closed], [[], 3]);
});
