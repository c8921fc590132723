// What two models are shown in training, and what is said of them.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  asText,
  found,
  inPercent,
  lastFitting,
  reason,
  shown,
  telling,
} from "../../pages/generation/components/two_writers/two_writers.js";
import { placeAt } from "../../pages/generation/components/two_writers/reel.js";

test("who has the mask sees what comes before; without it the next word and what follows are there, too", () => {
  const words = ["mia", "found", "a", "red", "ball"];
  const kinds = (seesAhead) => shown(words, 3, seesAhead).map(([kind]) => kind);
  assert.deepEqual(kinds(false), ["seen", "seen", "seen", "blocked", "blocked"]);
  assert.deepEqual(kinds(true), ["seen", "seen", "seen", "next", "seen"]);
});

test("a share is said in whole percent, and is nothing or all only where it is so", () => {
  assert.deepEqual([0, 0.001, 0.7934, 0.9985, 1].map(inPercent), ["0%", "1%", "79%", "99%", "100%"]);
});

test("what runs on ends at the last word that fits", () => {
  for (const most of [0, 1, 6, 7]) assert.equal(lastFitting(7, (n) => n <= most), most); // prettier-ignore
});

test("words are a text, whose full stops and commas follow their words", () => {
  assert.equal(asText(["a", "box", ",", "red", "too", "."]), "a box, red too.");
});

const MASKED = { in_training: 0.79, right: 0.84, copied: 1 / 6, sees_ahead: false };
const AHEAD = { in_training: 1, right: 0, copied: 1, sees_ahead: true };

test("it opens on a question, and says what came of a bet", () => {
  for (const writers of [
    [MASKED, AHEAD],
    [AHEAD, MASKED],
  ]) {
    assert.match(found(writers, null), /Bet on one\.$/);
    const both = "without the mask 100% of words are right in training, but 0% of stories make sense. With it: 84%.";
    assert.equal(found(writers, AHEAD), `You lost: ${both}`);
    assert.equal(found(writers, MASKED), `You won: ${both}`);
  }
});

test("the reason is what each says once another colour is in the next word’s place", () => {
  const says = [{ red: "yellow" }, { red: "red" }];
  assert.match(reason([MASKED, AHEAD], says, null, "blue"), /Pull “blue” to another colour\.$/);
  const copies = "Without the mask it says “red”: whatever stands there, in 100% of tries. With it, “yellow” again.";
  assert.equal(reason([MASKED, AHEAD], says, "red", "blue"), copies);
});

test("the wheel of words goes round and round, and half a turn on the next one stands there", () => {
  assert.deepEqual(
    [0, 0.4, 0.6, 2, 3, -1, -4].map((turn) => placeAt(turn, 3)),
    [0, 0, 1, 2, 0, 2, 2],
  );
});

test("beside the tale's own word none is offered that the one with the mask says by itself: both would say it", () => {
  const says = [
    { red: "yellow", yellow: "yellow", blue: "yellow" },
    { red: "red", yellow: "yellow", blue: "blue" },
  ];
  assert.deepEqual(telling([MASKED, AHEAD], says, "red"), ["red", "blue"]);
  assert.deepEqual(telling([AHEAD, MASKED], says.toReversed(), "blue"), ["red", "blue"]);
  assert.deepEqual(telling([MASKED, AHEAD], says, "yellow"), ["red", "yellow", "blue"]);
});
