// Cheaper attention: where its words stand, and what is kept and lost.

import assert from "node:assert/strict";
import test from "node:test";

import { audience, lookingAt, loss, LOST } from "../../pages/why/components/cheaper_maps/audience.js";
import { arcsOf, favourite, inLine, Presses, split } from "../../pages/why/components/cheaper_maps/cheaper_maps.js";
import { found, groupsOf, inPercent, nextSaid } from "../../pages/why/components/cheaper_maps/ways.js";

test("words share the line by their letters, and fill it", () => {
  const words = ["nothing", "about", "the", "room"];
  for (const whole of [120, 1200]) {
    const { middles, letters } = inLine(words, whole);
    assert.deepEqual(
      middles,
      middles.toSorted((a, b) => a - b),
    );
    assert.ok(middles[0] > 0 && middles.at(-1) < whole && letters <= 20);
    assert.ok(middles[1] - middles[0] > middles[2] - middles[1], "longer words have more room");
  }
});

test("what is kept is at most what full attention has, and the rest is lost", () => {
  const full = [0.75, 0.25, 1, 0.125]; // two queries, two keys
  assert.deepEqual(split(full, [NaN, 1, 1, NaN], 2, 1.5), { kept: [0, 0.25, 1, 0], lost: [[0, 0, 0.75]] });
  assert.deepEqual(split(full, [0.25, 0.75, 1, 0.125], 2, 1.5), { kept: [0.25, 0.25, 1, 0.125], lost: [[0, 0, 0.5]] });
  assert.deepEqual(split(full, full, 2, 1.5), { kept: full, lost: [] });
  assert.equal(favourite(full, 2), 0);
  assert.equal(favourite([0.4, 0.6, 0.1, 0.9], 2), 1);
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

test("who misses a word has a dashed arc to it, and who misses a part of it a solid one as well", () => {
  // Three words, all of which look at word 0: one as before, one only in part, one no more.
  const full = [1, 0, 0, 0.5, 0.5, 0, 0.15, 0, 0.85];
  const kept = [1, 0, 0, 0.3, 0.5, 0, 0.04, 0, 0.85];
  assert.deepEqual(lookingAt(0, full, kept, 3, 1), { look: 3, miss: 1, part: 1 });
  assert.deepEqual(lookingAt(0, full, full, 3, 1), { look: 3, miss: 0, part: 0 });
  assert.deepEqual(lookingAt(1, full, kept, 3, 1), { look: 1, miss: 0, part: 0 });
  const arcs = arcsOf(split(full, kept, 3, 1), 3, 1).filter(([, , key]) => key === 0);
  assert.deepEqual(
    arcs.map(([kind, query, , , isBeside]) => [kind, query, isBeside]),
    [
      ["lost", 1, true],
      ["lost", 2, false],
      ["seen", 1, false],
      ["seen", 0, false],
    ],
  );
});

test("one word and all words are spoken of as such", () => {
  const says = (look, miss, name = "window", part = 0, loses = "misses") =>
    audience({ look, miss, part }, 24, "tom", name, loses);
  assert.equal(says(17, 12), "17 of 24 words look at “tom”. With “window”, 12 of them miss it.");
  assert.equal(says(17, 1), "17 of 24 words look at “tom”. With “window”, 1 of them misses it.");
  assert.equal(says(17, 17), "17 of 24 words look at “tom”. With “window”, all of them miss it.");
  assert.equal(says(24, 3), "Every word looks at “tom”. With “window”, 3 of them miss it.");
  assert.equal(says(1, 1), "1 of 24 words looks at “tom”. With “window”, that word misses it.");
  assert.equal(says(24, 0, "window", 24), "Every word looks at “tom”. With “window”, all of them miss part of it.");
  const blurred = (look, miss, part) => says(look, miss, "linear", part, "misplaces");
  assert.equal(blurred(24, 0, 24), "Every word looks at “tom”. With “linear”, all of them look less.");
  assert.equal(
    blurred(17, 1, 5),
    "17 of 24 words look at “tom”. With “linear”, 1 of them no longer does, 5 look less.",
  );
  assert.equal(blurred(17, 2, 1), "17 of 24 words look at “tom”. With “linear”, 2 of them no longer do, 1 looks less."); // prettier-ignore
  assert.equal(blurred(5, 5, 0), "5 of 24 words look at “tom”. With “linear”, none of them does any more.");
  assert.equal(blurred(1, 1, 0), "1 of 24 words looks at “tom”. With “linear”, that word no longer does.");
  assert.equal(says(2, 0), "2 of 24 words look at “tom”.");
  assert.equal(says(17, 0, null), "17 of 24 words look at “tom”.");
  assert.equal(says(0, 0), "“tom” gets the most attention, a little from many words.");
});

test("what is lost has one name for each way: in the sentence, in the legend and of a single word", () => {
  assert.equal(loss("low rank", "misplaces", 0.634), "With “low rank” it misplaces 63%.");
  assert.equal(loss("window", "misses", 0.634), "With “window” it misses 63%.");
  assert.deepEqual(LOST, { misses: "missed", misplaces: "misplaced" });
});

test("neighbours below one heading are a group, in the order of the story", () => {
  const ways = ["all", "fewer", "fewer", "less", "fewer"].map((group) => ({ group }));
  assert.deepEqual(groupsOf(ways), [
    ["all", [0]],
    ["fewer", [1, 2]],
    ["less", [3]],
    ["fewer", [4]],
  ]);
});

test("a price and a loss are one sentence, and what nobody knows before a training is no number", () => {
  const said = (way) =>
    found({ share: 0.23, missed: 0.777, ...way })
      .flat()
      .join("");
  assert.equal(
    said({ subject: "Looking only nearby", of: "work", loses: "misses" }),
    "Looking only nearby does 23% of the work and misses 78% of the attention weight.",
  );
  assert.equal(
    said({ subject: "Going piece by piece", of: "memory", loses: "misses", missed: 1e-7 }),
    "Going piece by piece needs 23% of the memory and misses 0% of the attention weight.",
  );
  assert.equal(
    said({ subject: "Sharing keys and values", of: "cache", loses: "misses", missed: null }),
    "Sharing keys and values needs 23% of their memory. What it misses, only training can tell.",
  );
});

test("the button makes full attention cheaper, walks on, and starts again after the last way", () => {
  assert.deepEqual(
    [0, 1, 7, 8].map((at) => nextSaid(at, 9)),
    ["Make it cheaper", "Next way", "Next way", "Start again"],
  );
});

test("a share is said in whole percent, and is nothing or all only where it is so", () => {
  assert.deepEqual([0, 3e-7, 0.002, 0.7129, 0.998, 1].map(inPercent), ["0%", "0%", "1%", "71%", "99%", "100%"]);
});

test("only an answer that has heard of the last press is taken, and none is waited for that is skipped", () => {
  const presses = new Presses();
  assert.ok(presses.isAnswered(4), "where the page opens");
  assert.equal(presses.next(), 5);
  assert.ok(!presses.isAnswered(4));
  assert.equal(presses.next(), 6);
  assert.ok(!presses.isAnswered(5));
  assert.equal(presses.next(), 7);
  assert.ok(presses.isAnswered(7), "the answer to 6 was skipped");
  assert.ok(presses.isAnswered(7), "a setting is changed elsewhere");
  assert.ok(presses.isAnswered(0), "a server that was started anew");
  assert.equal(presses.next(), 1);
  assert.ok(!presses.isAnswered(0));
  assert.ok(presses.isAnswered(1));
});
