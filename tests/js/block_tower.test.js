// The blocks of a model: what is out after a press, where blocks stand, where arrow keys lead, and what is said.
import assert from "node:assert/strict";
import { test } from "node:test";

import { isOut, pressed } from "../../pages/blocks/components/block_tower/cuts.js";
import { beside, layoutOf, rowsOf } from "../../pages/blocks/components/block_tower/rows.js";
import { addsOf, Pull } from "../../pages/blocks/components/block_tower/pull.js";
import {
  barOf,
  findingOf,
  longestOf,
  missedMost,
  readOf,
  repeatsIn,
  rightIn,
  saidOf,
  togetherOf,
  withShare,
} from "../../pages/blocks/components/block_tower/said.js";
import { BlockTower } from "../../pages/blocks/components/block_tower/block_tower.js";
import { shareInProse } from "../../attention_view/lab.js";
import { isSign } from "../../pages/blocks/components/signs.js";

test("a part that is pressed goes out and comes back", () => {
  const one = pressed("attention.1", "nothing", 3);
  assert.equal(one, "attention.1");
  assert.equal(pressed("norm2.0", one, 3), "attention.1,norm2.0");
  assert.equal(pressed("attention.1", one, 3), "nothing");
  assert.ok(isOut("attention.1", one) && !isOut("attention.0", one));
});

test("a kind that a link takes out is out in all layers, and one of it alone can be put back", () => {
  const all = "Norm,attention.1";
  assert.ok(["norm1.0", "norm2.1"].every((part) => isOut(part, all)) && !isOut("residual1.0", all));
  assert.equal(pressed("norm1.1", all, 2), "attention.1,norm1.0,norm2.0,norm2.1");
});

test("blocks stand one upon the other as they follow one another, and side by side where layers are many", () => {
  assert.deepEqual(rowsOf(2), [["feed-forward.1"], ["attention.1"], ["feed-forward.0"], ["attention.0"]]);
  const many = rowsOf(12);
  assert.equal(many.length, 12);
  assert.deepEqual(
    [many[0], many[11]],
    [
      ["attention.11", "feed-forward.11"],
      ["attention.0", "feed-forward.0"],
    ],
  );
});

test("names are short where a pair has too little room", () => {
  const classes = (...given) =>
    Object.entries(layoutOf(...given))
      .filter(([, isOn]) => isOn)
      .map(([name]) => name)
      .join(" ");
  assert.equal(classes(6, 356), "narrow");
  assert.equal(classes(6, 1210), "");
  assert.equal(classes(7, 356), "pairs narrow brief");
  assert.equal(classes(12, 1210), "pairs");
  assert.equal(classes(12, 900), "pairs brief");
});

test("arrow keys go along the rows and not beyond", () => {
  const rows = rowsOf(3);
  assert.equal(beside("ArrowUp", "attention.1", rows), "feed-forward.1");
  assert.equal(beside("ArrowDown", "feed-forward.1", rows), "attention.1");
  assert.equal(beside("ArrowRight", "attention.11", rowsOf(12)), "feed-forward.11");
  for (const [key, part] of [
    ["ArrowUp", "feed-forward.2"],
    ["ArrowLeft", "attention.0"],
    ["x", "attention.0"],
  ])
    assert.equal(beside(key, part, rows), null);
});

test("a sign is what has neither letters nor digits", () => {
  assert.deepEqual([".", "?!", "hat", "…l", "it's", "é", "7"].map(isSign), [
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});

test("the finding says what became of the answer", () => {
  const whole = [
    ["hat", 0.91],
    ["ball", 0.02],
  ];
  const lost = [
    ["hat", 0.001],
    ["rocket", 0.07],
  ];
  assert.equal(saidOf(lost), "rocket");
  const out = { name: "attention in layer 2", moved: 0.9, leaders: lost };
  assert.equal(
    findingOf(out, whole, false),
    "Without attention in layer 2, “hat” is gone: from 91% to 0.1%. It now says “rocket”.",
  );
  assert.equal(
    findingOf({ ...out, leaders: [["hat", 0.8]] }, whole, false),
    "Without attention in layer 2, the model still says “hat”, 80% sure.",
  );
  assert.match(
    findingOf(out, [["hat", 0.9998]], false),
    /“hat” is gone: from over 99\.9% to 0\.1%\./,
    "it was not all",
  );
  assert.equal(findingOf(out, whole, true), "With all of its blocks, the model says “hat”, 91% sure.");
  assert.match(findingOf(out, whole, true, true), /91% sure\. Which one would it miss\?$/);
  assert.match(findingOf({ ...out, leaders: [["…o", 0.8]] }, whole, false), /\. It now says “…o”\.$/);
  assert.equal(
    findingOf({ ...out, leaders: [] }, [], false),
    "Without attention in layer 2, 90% of the probability moves to other words.",
  );
});

const row = (right, n = 4) => Array.from({ length: n }, (_, at) => ["a", at < right]);

test("what is right without a block is a bar to the scale of what the whole model has right", () => {
  assert.deepEqual([0, 1, 3, 4].map((right) => barOf(row(right), row(3))), ["0%", "33%", "100%", "100%"]); // prettier-ignore
  assert.equal(barOf(row(0), row(0)), "0%");
});

test("of a text it is said how many next words are right, and which block costs most of them", () => {
  const [whole, told] = [row(3), [["attention.1", row(2)]]];
  assert.equal(rightIn(whole), 3);
  const asks = "The whole model gets 3 of 4 next words right. Which block does it need most?";
  assert.equal(readOf(whole, null, [], [], false), asks);
  assert.equal(readOf(whole, null, [], told, false), asks, "one of them says nothing of the others");
  const without = (right) => readOf(whole, { name: "a", words: row(right) }, [], told, false);
  assert.equal(without(1), "Without a, it gets 1 of 4 next words right instead of 3.");
  assert.equal(without(3), "Without a, it still gets 3 of 4 next words right.");
  const part = readOf(whole, { name: "a", words: row(2), share: 0.4 }, [], told, false);
  assert.equal(part, "With 40% of a, 2 of 4 next words are right.");
  const all = [...told, ["feed-forward.0", row(1)]];
  assert.deepEqual(missedMost(all), ["feed-forward.0"]);
  assert.equal(
    readOf(whole, null, [], all, true),
    "It needs feed-forward in layer 0 most: 1 of 4 right without, 3 with.",
  );
  const guess = (block) => readOf(whole, null, [], all, true, block);
  assert.equal(guess("feed-forward.0"), "You guessed it: without feed-forward in layer 0, 1 of 4 next words is right.");
  assert.match(guess("attention.1"), /^Your guess leaves 2\. Without feed-forward in layer 0, 1 of 4 /);
  const two = [...all, ["attention.0", row(1)]];
  assert.match(readOf(whole, null, [], two, true), /^It needs feed-forward in layer 0 or attention in layer 0 most: /);
  assert.equal(readOf(whole, null, [], [], true), "The whole model gets 3 of 4 next words right.", "none is weighed");
  assert.match(readOf(row(1), null, [], all, true), /It needs no single block for that\.$/);
});

test("a block that is pulled part of its way adds a share, by tenths where these are known", () => {
  const whole = { words: row(4) };
  const ways = Array.from({ length: 9 }, (_, n) => [["a", n > 2]]);
  const told = (share, cost = { words: row(0), ways }) => withShare(cost, "attention.1", share, whole);
  assert.equal(told(1), whole);
  assert.deepEqual([told(0.3).words, told(0.4).words, told(0).words], [ways[2], ways[3], row(0)]);
  assert.deepEqual([told(0.3).share, told(0.3).name, told(0).share], [0.3, "attention in layer 1", undefined]);
  assert.equal(told(0.6, { words: row(1), ways: [] }), whole);
  assert.deepEqual(told(0.5, { words: row(1), ways: [] }).words, row(1));
  assert.equal(told(0.2, null), null, "the server has not said so yet");
  const shares = [1, 0.6, 0.5, 0];
  assert.deepEqual(shares.map((share) => addsOf(share, true)), ["adds 100%", "adds 60%", "adds 50%", "out"]); // prettier-ignore
  assert.deepEqual(shares.map((share) => addsOf(share, false)), ["", "", "out", "out"]); // prettier-ignore
});

test("a block that is let go is out where it was told of as out", () => {
  const told = [];
  const node = { classList: { add() {}, remove() {} }, style: { setProperty() {}, removeProperty() {} } };
  const tower = { rows: { addEventListener() {} }, off: 33, out: "nothing", named: new Map([["attention.0", node]]) };
  Object.assign(tower, { show: () => tower.held && told.push(addsOf(tower.held.share, false) === "out") });
  for (const pixels of [0, 14, 15.5, 16.4, 16.6, 33]) {
    let isOut = false;
    tower.toggle = () => (isOut = true);
    const pull = new Pull(tower);
    pull.hold("attention.0", pixels);
    pull.letGo();
    assert.equal(isOut, told.at(-1), `${pixels} pixels`);
  }
  assert.deepEqual(new Set(told), new Set([true, false]));
});

test("a share of a block is known where it was computed and no other part is out", () => {
  const tower = Object.create(BlockTower.prototype);
  const knows = (out, ways) => {
    Object.assign(tower, { out, data: { costs: ways && [[{ ways }, { ways: [] }]] } });
    return tower.knowsShares("attention.0");
  };
  const words = [[["a", true]]];
  assert.ok(knows("nothing", words) && knows("attention.0", words));
  assert.ok(![["feed-forward.0", words], ["nothing", []], ["nothing", null]].some((given) => knows(...given))); // prettier-ignore
});

test("of a model that repeats what it has read it is said how often, where that costs it words", () => {
  const words = ["the", "cat", "sat", "on"].map((word) => [word, false]);
  const said = (tokens) => readOf(row(3), { name: "a", words }, tokens, [], false);
  assert.equal(repeatsIn(words, ["the", "cat", "sat", "x"]), 3);
  assert.equal(said(["the", "cat", "sat", "x"]), "Without a, 0 of 4 are right: 3 times it repeats the last word.");
  assert.match(said(["the", "cat", "x", "x"]), /^Without a, it gets 0 of 4/, "no more than half");
  assert.match(readOf(row(0), { name: "a", words }, ["the", "cat", "sat"], [], false), /still gets 0 of 4/);
});

test("a word that is less likely is not gone yet", () => {
  const told = (is) =>
    findingOf(
      {
        name: "a",
        moved: 1,
        leaders: [
          ["hat", is],
          ["ball", 0.5],
        ],
      },
      [["hat", 0.9]],
      false,
    );
  assert.equal(told(0.4), "Without a, “hat” falls from 90% to 40%. It now says “ball”.");
  assert.match(told(0.0004), /“hat” is gone: from 90% to under 0\.1%\./);
});

test("two blocks that are out are called both, and a kind by its name", () => {
  const names = (out) => togetherOf({ name: "its name" }, out).name;
  assert.equal(names("attention.0,feed-forward.0"), "both blocks");
  assert.equal(names("attention.0,norm1.0"), "both parts");
  for (const out of ["attention.0", "Attention,norm1.0", "attention.0,attention.1,attention.2"])
    assert.equal(names(out), "its name");
});

test("room is kept for a sentence on two blocks", () => {
  const whole = [["hat", 0.9994]];
  const leaders = [
    ["hat", 0.0001],
    ["…o", 0.9],
  ];
  const two = togetherOf({ name: "two", moved: 0.99, leaders }, "attention.1,feed-forward.2");
  const said = findingOf(two, whole, false);
  assert.ok(longestOf({ whole, n_layers: 3 }).length >= said.length);
  assert.ok(longestOf({ whole: [], n_layers: 3 }).length > 50);
});

test("an answer falls, rises or stays as its printed shares do, and is gone only where it was something", () => {
  const shares = [0, 0.0004, 0.004, 0.0104, 0.012, 0.04, 0.06, 0.1895, 0.194, 0.234, 0.4, 0.9, 0.9996];
  for (const was of shares)
    for (const is of shares) {
      const leaders = [
        ["hat", is],
        ["ball", 1],
      ];
      const told = findingOf({ name: "a", moved: 1, leaders }, [["hat", was]], false);
      const [before, after] = [was, is].map(shareInProse);
      const [, verb, from, to] = /“hat” (is gone|falls|rises|stays)(?:.* from (.+))? (?:to|at) (.+)\. /.exec(
        told.replace("gone:", "gone"),
      );
      assert.deepEqual([from ?? before, to], [before, after], told);
      const change = before === after ? "stays" : is > was ? "rises" : was < 0.05 || is >= 0.01 ? "falls" : "is gone";
      assert.equal(verb, change, told);
    }
  const rest = findingOf(
    {
      name: "a",
      moved: 1,
      leaders: [
        ["c", 0.232],
        ["d", 0.3],
      ],
    },
    [["c", 0.191]],
    false,
  );
  assert.equal(rest, "Without a, “c” rises from 19% to 23%. Yet it now says “d”.");
});
