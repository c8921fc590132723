// A token's way up: where ranks stand, one smooth line through them, and what becomes of the token.

import assert from "node:assert/strict";
import test from "node:test";

import {
  across,
  asked,
  breakAt,
  changed,
  finding,
  lineThrough,
  nextOf,
  since,
  told,
} from "../../pages/blocks/components/stream_way/way.js";

test("the first ranks have columns, the others share what is behind them by their logarithm", () => {
  assert.equal(across(1, 6, 2000), 0);
  assert.equal(across(2, 6, 2000), across(3, 6, 2000) / 2);
  assert.equal(across(2000, 6, 2000), 1);
  const far = [12, 24, 48].map((rank) => across(rank, 6, 2000));
  assert.ok(Math.abs(far[2] - far[1] - (far[1] - far[0])) < 1e-12);
  assert.ok(across(6, 6, 2000) < across(7, 6, 2000));
  assert.equal(across(7, 6, 7), 1);
  assert.ok(across(6, 6, 2000) < breakAt(6) && breakAt(6) < across(7, 6, 2000), "the rule stands between them");
});

test("the line is upright in each of its points", () => {
  const line = lineThrough([
    [10, 40],
    [30, 20],
    [0, 0],
  ]);
  assert.equal(line, "M10 40C10 30 30 30 30 20C30 10 0 10 0 0");
});

test("the answer leads from the height after which no other word does", () => {
  assert.equal(since([1938, 574, 1, 1]), 2);
  assert.equal(since([3, 1, 2, 1]), 3);
  assert.equal(since([1, 1, 1]), 0, "it leads all along");
});

test("after the first step the button leads to where another word leads, and else one height up", () => {
  const words = ["red", "red", "red", "red", "hat", "hat", "blue"].map((word) => [word, "x"]);
  assert.deepEqual(
    words.map((_, at) => nextOf(words, at)),
    [1, 4, 3, 4, 5, 6, 0],
  );
  assert.equal(nextOf([["a"], ["a"], ["a"], ["a"]], 1), 2, "it never changes");
  assert.equal(nextOf([["a"], ["a"]], 1), 0);
});

test("the finding names the part at which the answer comes first, and what was said below", () => {
  const heights = ["embedding", "attention 0", "feed-forward 0", "attention 1"];
  const said = (leaders, ranks) => finding({ heights, words: leaders.map((word) => [word, "x"]), ranks });
  assert.equal(
    said(["red", "red", "hat", "hat"], [9, 5, 1, 1]),
    "Up to attention in layer 0, the model would say “red”. Then feed-forward lifts “hat” from 5th place to first.",
  );
  assert.equal(
    said(["red", "blue", "red", "hat"], [9, 5, 2, 1]),
    "Just before layer 1, the model would say “red”. Then attention lifts “hat” from 2nd place to first.",
  );
  assert.equal(
    said(["hat", "red", "red", "hat"], [1, 3, 2, 1]),
    "Just before layer 1, the model would say “red”. Then attention lifts “hat” from 2nd place to first.",
    "it was found before, and lost again",
  );
  assert.equal(
    said(["red", "red", "red", "hat"], [9, 5, 2, 1]),
    "Until layer 1, the model would say “red”. Then attention lifts “hat” from 2nd place to first.",
  );
  assert.equal(
    said(["red", "blue", "hat", "hat"], [9, 5, 1, 1]),
    "After attention in layer 0, the model would say “blue”. Then feed-forward lifts “hat” from 5th place to first.",
  );
  assert.equal(said(["hat", "hat", "hat", "hat"], [1, 1, 1, 1]), "“hat” comes first from the embedding to the top.");
});

test("each part is told by what it has changed for the word that comes first in the end", () => {
  const data = {
    heights: ["embedding", "attention 0", "feed-forward 0", "attention 1", "feed-forward 1", "attention 2"],
    words: [["red"], ["red"], ["blue"], ["blue"], ["hat"], ["hat"]],
    ranks: [1938, 574, 600, 600, 1, 1],
    answer_odds: [0, 0, 0, 0, 0.96, 0.9997],
  };
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((p) => changed(data, p)),
    [
      "Attention 0 lifts “hat” from 1,938th to 574th place; “red” still leads.",
      "Feed-forward 0 drops “hat” from 574th to 600th place; “blue” takes the lead.",
      "Attention 1 leaves “hat” in 600th place; “blue” still leads.",
      "Feed-forward 1 lifts “hat” from 600th place to first, past “blue”.",
      "Attention 2 keeps “hat” in first place: from 96% to >99.9%.",
    ],
  );
  const lost = { ...data, ranks: [1, 3], words: [["hat"], ["red"], ["hat"]], answer_odds: [0.5, 0.1] };
  assert.equal(changed(lost, 1), "Attention 0 drops “hat” from first to 3rd place; “red” takes the lead.");
});

test("at the embedding the sentence asks, and gives away no height; at the top it tells what was found", () => {
  const data = {
    heights: ["embedding", "attention 0", "feed-forward 0"],
    words: [["red"], ["red"], ["hat"]],
    ranks: [1938, 574, 1],
    answer_odds: [0, 0, 1],
    tokens: ["⟨start⟩", "the", "red"],
    followed: 2,
    follows: true,
  };
  const question = "After “the red”, the model’s first thought is “red”. Where will “hat” come first?";
  assert.equal(told(data, 0), question);
  assert.equal(told(data, 1), changed(data, 1));
  assert.equal(told(data, 2), finding(data));
  assert.match(asked({ ...data, followed: 1 }), /^After “the”, /, "a mark is no word");
  assert.match(asked({ ...data, follows: false }), /^At “red”, /);
  assert.match(asked({ ...data, ranks: [1, 1, 1], words: [["hat"]] }), /“hat”\. Will that hold to the top\?$/);
});
