// What a model would say at every height: when a word is settled, what is found in the whole table, how it is said.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  finding,
  pathOf,
  placed,
  settledFrom,
  toldOf,
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
};

test("a word is settled from where it stands first without a break", () => {
  assert.equal(settledFrom([9, 4, 1, 1]), 2);
  assert.equal(settledFrom([1, 1, 7, 1]), 3, "a word that it had and lost again");
  assert.equal(settledFrom([1, 1, 1]), 0);
});

test("what is found: who waits for the last layer, and who of them only repeats below it", () => {
  assert.deepEqual(finding(DATA), { late: 2, half: 2, repeats: 1 });
  const below = "one layer below, 1 of them only repeats the token just read";
  assert.equal(toldOf(DATA), `At 2 of 3 tokens, the final word appears only in the last layer; ${below}.`);
});

test("where most tokens know early, it says by which height half of them do", () => {
  const early = { ...DATA, ranks: [DATA.ranks[0], DATA.ranks[0], DATA.ranks[1]] };
  assert.equal(
    toldOf(early),
    "By layer 0, half of the tokens have their final word; at 1, only the last layer decides.",
  );
});

test("who had the final word and lost it again is not late: it did not appear in the last layer only", () => {
  const lost = { ...DATA, ranks: [[1, 2, 1], [1, 9, 1], DATA.ranks[2]] };
  assert.equal(finding(lost).late, 1);
  assert.match(toldOf(lost), /^By layer 1, half .+; at 1, only the last layer decides\.$/);
});

test("the lowest height has its article, and of one token no count is told", () => {
  const known = { ...DATA, ranks: [[1, 1, 1], [1, 1, 1], DATA.ranks[2]] };
  assert.match(toldOf(known), /^By the embedding, half of the tokens /);
  assert.equal(toldOf({ ...DATA, tokens: ["a"], ranks: [[9, 1, 1]] }), "");
});

test("of a longer text it says of which tokens it speaks", () => {
  assert.match(toldOf({ ...DATA, first: 4 }), /^At 2 of the last 3 tokens, /);
  const early = { ...DATA, first: 4, ranks: [DATA.ranks[0], DATA.ranks[0], DATA.ranks[1]] };
  assert.match(toldOf(early), /^By layer 0, half of the last 3 tokens have /);
});

test("a column is told by its first word and its last", () => {
  assert.deepEqual(pathOf(DATA, 1), { first: "red", upTo: 1, answer: "hat", since: 2 });
  assert.deepEqual(pathOf(DATA, 2), { first: "hat", upTo: 0, answer: ".", since: 2 });
});

test("ranks are written as one says them", () => {
  const said = [2, 3, 11, 12, 13, 21, 22, 103, 111, 1838].map(placed);
  assert.deepEqual(said, ["2nd", "3rd", "11th", "12th", "13th", "21st", "22nd", "103rd", "111th", "1,838th"]);
});
