// A sentence that is changed word by word: the text that comes of it, and what is offered.

import assert from "node:assert/strict";
import { test } from "node:test";
import { wordsOfTokens } from "../../pages/overview/components/guess/guess.js";
import { endOf } from "../../pages/overview/components/guess/said.js";
import * as sentences from "../../lab/kit/components/sentence_words/sentence.js";

const { fitting, inserted, offersAt, offersFor, removed, replaced, sentenceOf, textOf, typed } = sentences;

const STORY = sentenceOf({
  words: ["Mia", "found", "a", "hat", ".", "tom", "left", "."],
  gaps: [" ", " ", " ", "", " ", " ", "", ""],
});
const text = "Mia found a hat. tom left.";

test("a sentence is its text again", () => {
  assert.equal(textOf(STORY), text);
  assert.equal(textOf([]), "");
});

test("another word stands where one stood, with what follows it", () => {
  assert.equal(textOf(replaced(STORY, 3, ["kite"])), "Mia found a kite. tom left.");
  assert.equal(textOf(replaced(STORY, 3, typed("  big  kite "))), "Mia found a big kite. tom left.");
  assert.equal(textOf(replaced(STORY, 7, ["!"])), "Mia found a hat. tom left!");
  assert.equal(textOf(replaced(STORY, 2, [])), "Mia found hat. tom left.", "nothing in its place is its end");
});

test("a word goes, and its neighbours neither stick together nor fall apart", () => {
  assert.equal(textOf(removed(STORY, 0)), "found a hat. tom left.");
  assert.equal(textOf(removed(STORY, 3)), "Mia found a. tom left.");
  assert.equal(textOf(removed(STORY, 4)), "Mia found a hat tom left.");
  assert.equal(textOf(removed(STORY, 7)), "Mia found a hat. tom left");
  assert.equal(textOf(removed(sentenceOf({ words: ["mia"], gaps: [""] }), 0)), "");
});

test("a word comes between two, at the beginning and at the end", () => {
  assert.equal(textOf(inserted(STORY, 3, ["red"])), "Mia found a red hat. tom left.");
  assert.equal(textOf(inserted(STORY, 4, ["here"])), "Mia found a hat here. tom left.");
  assert.equal(textOf(inserted(STORY, 0, ["then"])), "then Mia found a hat. tom left.");
  assert.equal(textOf(inserted(STORY, 8, ["he", "sang"])), "Mia found a hat. tom left. he sang");
  assert.equal(textOf(inserted(STORY.slice(0, 4), 4, ["."])), "Mia found a hat.");
  assert.equal(textOf(inserted([], 0, ["mia"])), "mia");
  assert.equal(inserted(STORY, 3, []), STORY);
});

test("any way there changes one text and leaves the given sentence as it is", () => {
  const before = JSON.stringify(STORY);
  for (let n = 0; n < STORY.length; n++) {
    assert.equal(textOf(removed(inserted(STORY, n, ["xyz"]), n)), text, `in and out at ${n}`);
    assert.equal(textOf(replaced(replaced(STORY, n, ["xyz"]), n, [STORY[n].word])), text);
  }
  assert.equal(JSON.stringify(STORY), before);
});

test("what is typed finds words that begin so first, then those that have it anywhere", () => {
  const words = [["hat"], ["that"], ["the"], ["Theo"]].map(([word]) => [word, null]);
  assert.deepEqual(
    fitting(words, " HAT ").map(([word]) => word),
    ["hat", "that"],
  );
  assert.deepEqual(
    fitting(words, "th").map(([word]) => word),
    ["that", "the", "Theo"],
  );
  assert.equal(fitting(words, " "), words);
  assert.deepEqual(fitting(words, "zebra"), []);
});

const DATA = {
  kinds: [
    ["things", ["hat", "ball", "kite"]],
    ["names", ["mia", "tom"]],
  ],
  kind: [1, null, 0],
  near: [[], ["tom"], []],
  same: [
    [["tom", 0.3]],
    [],
    [
      ["kite", 0.6],
      ["hat", 0.1],
    ],
  ],
  next: [[["mia", 0.4]], [["hat", 0.2]], [["ball", 0.9]], []],
};
const named = (groups) => groups.map(({ words }) => words.map(([word]) => word));

test("a known word offers its kind as likely as it is here, and then all other words, its own kind first", () => {
  const { groups, more } = offersFor(DATA, 2);
  assert.deepEqual(named(groups), [["kite", "hat"]]);
  assert.deepEqual(named(more), [["ball"], ["mia", "tom"]]);
  assert.deepEqual(named(offersFor(DATA, 0).more), [["mia"], ["hat", "ball", "kite"]]);
});

test("an unknown word offers what is spelled like it, then what is likely there", () => {
  const { groups, more } = offersFor(DATA, 1);
  assert.deepEqual(named(groups), [["tom"], ["hat"]]);
  assert.deepEqual(named(more), [["ball", "kite"], ["mia"]]);
});

test("a model that says nothing of likelihood offers the kind as it is sorted", () => {
  const silent = { ...DATA, same: [], next: [] };
  assert.deepEqual(offersFor(silent, 2).groups, [
    {
      name: "things",
      words: [
        ["hat", null],
        ["ball", null],
        ["kite", null],
      ],
    },
  ]);
  assert.deepEqual(offersAt(silent, 3), { groups: [], more: offersAt(DATA, 3).more });
});

test("every word is offered once, wherever one asks", () => {
  for (const offers of [0, 1, 2].map((n) => offersFor(DATA, n)).concat([0, 1, 2, 3].map((n) => offersAt(DATA, n)))) {
    const all = [...named(offers.groups), ...named(offers.more)].flat();
    assert.deepEqual([...all].sort(), ["ball", "hat", "kite", "mia", "tom"]);
  }
});

test("a token is a part of a word, which may have several, or none", () => {
  assert.deepEqual(wordsOfTokens([1, 3, 0, 2]), [0, 1, 1, 1, 3, 3]);
  assert.deepEqual(wordsOfTokens([]), []);
});

test("beside the question a text ends with its last sentence, or the last words of that", () => {
  const of = (text) => endOf(text.split(" "));
  assert.equal(of("tom left . mia took the red"), "… mia took the red");
  assert.equal(of("mia took the"), "mia took the");
  assert.equal(of("so , one day mia and tom went to the"), "… mia and tom went to the");
  assert.equal(of("mia left ."), "mia left .", "the full stop is the end of this one");
});
