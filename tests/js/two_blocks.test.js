// A tower of layers: what is said of it, and what drawings compute.

import assert from "node:assert/strict";
import test from "node:test";

import {
  fails,
  failed,
  harpedOn,
  isLuck,
  nearest,
  said,
  summary,
} from "../../pages/blocks/components/two_blocks/said.js";
import { layerNorm, rate, rmsNorm } from "../../pages/blocks/components/two_blocks/drawings.js";

const run = (...right) => ({ right, written: "she was very glad" });
const BABBLE = { right: [0.1, 0.2, 0.7], written: "the she the the. the the" };
const stop = (name, ...heights) => ({ name, term: name, heights });
const OLD = stop("", run(0.6), run(0.66, 0.7, 0.74), BABBLE);
const data = (...changes) => ({ stops: [OLD, ...changes], usual: 2 });

test("a run has failed that gets less than half of what two layers of 2017 do, and a tower of which most have", () => {
  assert.equal(failed(BABBLE, data()), 2);
  assert.ok(fails(BABBLE, data()));
  assert.ok(!fails(run(0.1, 0.36, 0.36), data()));
});

test("a word is harped on that makes up half of the text", () => {
  assert.deepEqual(harpedOn(BABBLE.written), ["the", 5]);
  assert.equal(harpedOn("she was very glad. she told him"), null);
  assert.equal(harpedOn(""), null);
});

test("it is luck where the means lie no further apart than runs stray", () => {
  assert.ok(isLuck(run(0.6, 0.8), run(0.65, 0.66)));
  assert.ok(!isLuck(run(0.6, 0.62), run(0.7, 0.71)));
});

test("of a tower it is said what it gets right, what it writes where it fails, and what a change does there", () => {
  const of = (change, tall, hasMoved = true) => said(data(change), change ?? OLD, tall, hasMoved);
  assert.equal(said(data(), OLD, 2, false), "Two layers of 2017 write this. What do three of them write?");
  assert.equal(said(data(), OLD, 1, true), "One layer of 2017: 60 of 100 next words right.");
  assert.equal(said(data(), OLD, 3, true), "Three layers of 2017 now write “the” 5 times. Which change saves them?");
  const saving = stop("pre-norm", null, run(0.69, 0.7, 0.74), run(0.68));
  assert.equal(of(saving, 3), "Pre-norm: saved! 68 of 100 words right, not 33.");
  assert.equal(of(saving, 2), "Pre-norm: 71 of 100 words right, without it 70. That is luck.");
  assert.match(of(saving, 1), /^This combination was not trained/);
  assert.match(of(stop("rotary", null, run(0.8)), 2), /: 80 of 100 words right, without it 70\.$/);
  assert.equal(
    of(stop("SwiGLU", null, null, run(0.2)), 3),
    "SwiGLU: no help. Three layers still get only 20 of 100 words right.",
  );
  assert.match(of(stop("no norm", null, null, run()), 3), /diverged/);
});

test("a tower is as tall as one that was trained", () => {
  const heights = [null, run(1), null, run(1)];
  assert.deepEqual(
    [1, 2, 3, 4, 8].map((tall) => nearest(heights, tall)),
    [2, 2, 4, 4, 4],
  );
  assert.equal(nearest([null, null], 2), 2);
});

test("in the end it is said which changes save the tallest tower", () => {
  const [one, other] = [stop("pre-norm", null, null, run(0.7)), stop("SwiGLU", null, null, run(0.2))];
  const all = stop("all", null, null, run(0.7));
  assert.equal(summary(data(one, other, all)), "One of two changes saves three layers: pre-norm.");
  assert.equal(
    summary(data(one, other, stop("rotary", null, null, run(0.7)), all)),
    "Two of three changes save three layers: pre-norm and rotary.",
  );
});

// ---- the drawings ---------------------------------------------------------------------------------------------------

test("a pair of numbers turns by the paper's rate", () => {
  assert.equal(rate(0, 48), 1);
  assert.ok(Math.abs(rate(24, 48) - 1 / 10_000) < 1e-12);
});

test("the norms are drawn by their formulas", () => {
  const close = (a, b) => a.forEach((x, n) => assert.ok(Math.abs(x - b[n]) < 1e-12));
  close(layerNorm([1, 3]), [-1, 1]);
  close(layerNorm([11, 13]), [-1, 1]); // the mean does not matter
  close(rmsNorm([3, 3]), [1, 1]); // here it does
  close(rmsNorm([30, -30]), [1, -1]);
});
