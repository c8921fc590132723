// Where a head finds what it is asked for.
import assert from "node:assert/strict";
import { test } from "node:test";

import { hits, threadsOf } from "../../pages/pretrained/components/head_finds/finds.js";
import { signed, TELLING } from "../../pages/pretrained/components/head_finds/telling.js";

test("weights are threads as wide as they are, and what is slight is none", () => {
  const threads = threadsOf([0.5, 0.01, 0.25], 3, [[2, [0]]], false);
  assert.deepEqual(
    threads.map(({ query, key, share, isRight }) => [query, key, share, isRight]),
    [
      [2, 0, 0.5, true],
      [2, 2, 0.25, false],
    ],
  );
});

test("what is added is drawn beside the largest, and keeps its sign", () => {
  const threads = threadsOf([-4, 2, 0.1], 3, [[2, []]], true);
  assert.deepEqual(
    threads.map(({ key, value, share }) => [key, value, share]),
    [
      [0, -4, 1],
      [1, 2, 0.5],
    ],
  );
});

test("a hit is the largest of its own row, however small", () => {
  const asked = [
    [1, [0]],
    [2, [0, 1]],
    [2, [2]],
  ];
  const found = Float32Array.from([0.25, 0.75, 0, 0.25, 0.5, 0.25, 0.01, 0.02, 0.04]);
  assert.equal(hits(found, 3, asked), 2, "the first looks more at itself");
  assert.equal(hits(found, 3, []), 0);
});

test("what a head adds is told beside what all others add, networks apart", () => {
  const { finding, label, others } = TELLING.adds;
  const to = "the lead of “hat” over “ball”";
  assert.equal(finding([2, 0], 2.816, { to }), `Head 0 of layer 2 adds +2.82 to ${to}.`);
  assert.equal(finding([2, 2], -0.966, { to }), `Head 2 of layer 2 takes 0.97 from ${to}.`);
  const values = Float32Array.from([0.5, 2, -1]);
  const told = others({ values, own: 1, networks: Float32Array.from([4, -1.5]) });
  assert.equal(told, "The other 2 heads together take 0.50 from it; the feed-forward layers add +2.50.");
  const more = others({ values, own: 2, networks: Float32Array.from([-1]) });
  assert.equal(more, "The other 2 heads together add +2.50; the feed-forward layers take 1.00 from it.");
  assert.equal(label("−0.97", -0.966), "takes 0.97");
});

test("what rounds to 0.00 has no sign: it is next to nothing", () => {
  const { finding, label, others } = TELLING.adds;
  for (const slight of [0.004, 0, -0.004]) {
    const told = finding([0, 1], slight, { to: "the score of “hat”" });
    assert.equal(told, "Head 1 of layer 0 adds next to nothing to the score of “hat”.");
    assert.equal(label(signed(slight), slight), "adds next to nothing");
    assert.equal(signed(slight), "0.00");
    const rest = others({ values: Float32Array.from([2, slight]), own: 0, networks: [] });
    assert.equal(rest, "The other head adds next to nothing.");
  }
  assert.deepEqual([0.006, -0.006].map(signed), ["+0.01", "−0.01"]);
});

test("the heads that look at what came next are counted, and the others have their most", () => {
  const { bars, finding, others } = TELLING.repeats;
  const facts = { chance: 0.08, clear: 0.4 };
  const values = Float32Array.from([0.07, 0.09, 0.96, 0.98]);
  assert.equal(
    finding([1, 1], values[3]),
    "Head 1 of layer 1 puts 98% of its attention on what came next the first time.",
  );
  assert.equal(
    others({ values, H: 2, facts }),
    "2 of the 4 heads put more than 40% there, all in layer 1; each of the others at most 9%.",
  );
  const spread = Float32Array.from([0.07, 0.9, 0.96, 0.98]);
  assert.match(
    others({ values: spread, H: 2, facts }),
    /^3 of the 4 heads put more than 40% there; each of the others/,
  );
  assert.equal(others({ values: values.subarray(0, 2), H: 2, facts }), "None of the 2 heads puts more than 40% there.");
  const shown = bars({ value: values[3], values, own: 3, facts });
  assert.deepEqual(
    shown.map(([name, share]) => [name, Math.round(100 * share)]),
    [
      ["this head", 98],
      ["best other head", 96],
      ["spread evenly", 8],
    ],
  );
});

test("how often a head finds a word is told beside the best of the others and a fixed distance", () => {
  const { act, finding, others, where } = TELLING.agrees;
  const facts = { does: "looks from an article to its noun", n: 86, baseline: 0.57, next: "adjective → its noun" };
  const values = Float32Array.from([0.25, 0.5, 0.99, 0]);
  assert.equal(
    finding([1, 0], values[2], facts),
    "Head 0 of layer 1 looks from an article to its noun in 99% of 86 cases.",
  );
  assert.equal(others({ values, own: 2, H: 2, facts }), "Each of the other heads does so in at most 50%.");
  assert.equal(others({ values, own: 0, H: 2, facts }), "Head 0 of layer 1 does it best, in 99%.");
  const weak = Float32Array.from([0.25, 0.5]);
  const told = (own, baseline) => others({ values: weak, own, H: 2, facts: { ...facts, baseline } });
  assert.equal(
    told(1, 0.57),
    "Each of the other heads does so in at most 25%; a fixed distance does better than any head.",
  );
  const same = Float32Array.from([0.25, 0.6]); // no float of four bytes is 0.6
  assert.equal(
    others({ values: same, own: 1, H: 2, facts: { ...facts, baseline: 0.6 } }),
    "Each of the other heads does so in at most 25%; a fixed distance does so as often as head 1 of layer 0.",
  );
  assert.equal(told(1, 0.45), "Each of the other heads does so in at most 25%.");
  const tied = Float32Array.from([0.5, 0.5]);
  assert.equal(
    others({ values: tied, own: 1, H: 2, facts: { ...facts, baseline: 0.4 } }),
    "Each of the other heads does so in at most 50%.",
  );
  assert.equal(act({ isLast: false, facts }), "Next: adjective → its noun");
  assert.equal(act({ isLast: true, facts: { next: "" } }), "Back to the best head");
  assert.equal(where({ n: 0, all: 0 }), "There is no such pair in this sentence.");
});
