// A tower of layers: what is said of it, and what drawings compute.

import assert from "node:assert/strict";
import test from "node:test";

import {
  fails,
  failed,
  harpedOn,
  heard,
  isLuck,
  nearest,
  said,
  stepped,
  summary,
} from "../../pages/blocks/components/two_blocks/said.js";
import { TwoBlocks } from "../../pages/blocks/components/two_blocks/two_blocks.js";
import { rate, rmsNorm } from "../../pages/blocks/components/two_blocks/drawings.js";

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
  assert.ok(!isLuck(run(0.7), run(0.6, 0.8)), "one run does not tell");
});

test("of a tower it is said what it gets right, what it writes where it fails, and what a change does there", () => {
  const of = (change, tall, hasMoved = true) => said(data(change), change ?? OLD, tall, hasMoved);
  assert.equal(said(data(), OLD, 2, false), "Two layers of 2017 write this. What do three of them write?");
  assert.equal(said(data(), OLD, 1, true), "One layer of 2017: 60 of 100 next words right.");
  assert.equal(said(data(), OLD, 3, true), "Three layers of 2017 now write “the” 5 times. Which change saves them?");
  const saving = stop("pre-norm", null, run(0.69, 0.7, 0.74), run(0.68));
  assert.equal(of(saving, 3), "Pre-norm: saved! 68 of 100 words right, not 33.");
  assert.equal(of(saving, 2), "Pre-norm: 71 of 100 words right, without it 70. That may be luck.");
  assert.match(of(saving, 1), /^This combination was not trained/);
  assert.match(of(stop("rotary", null, run(0.8)), 2), /: 80 of 100 words right, without it 70\. One run each\.$/);
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

test("keys go from one height that was trained to the next", () => {
  const heights = [null, run(1), null, run(1), null, null];
  const from = (by) => [1, 2, 3, 4, 6].map((tall) => stepped(heights, tall, by));
  assert.deepEqual(from(1), [2, 4, 4, 4, 6]);
  assert.deepEqual(from(-1), [1, 2, 2, 2, 4]);
});

test("of the chart it is heard how many runs there were, and of how many layers", () => {
  assert.equal(heard(run(0.68), 1), "Next words right of 100, 1 layer, 1 run: 68");
  assert.equal(heard(run(0.68, 0.7), 4), "Next words right of 100, 4 layers, 2 runs: 68, 70");
  assert.equal(heard(null, 3), "Next words right of 100, 3 layers, 0 runs: none");
});

/** A tower on no page: what its hands do. */
function tower(t, stops, part, tall) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const stand = { location: { search: "" }, matchMedia: () => ({ matches: false }) };
  for (const [name, value] of Object.entries(stand)) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { configurable: true, value });
    t.after(() => (before ? Object.defineProperty(globalThis, name, before) : delete globalThis[name]));
  }
  const view = Object.create(TwoBlocks.prototype);
  const nothing = () => {};
  Object.assign(view, { root: { dataset: {} }, reached: new Map(), link: { later: nothing }, part, tall });
  Object.assign(view, { data: { stops, own: part, usual: 2 }, size: nothing, show: nothing });
  view.become(part, tall);
  view.press = (key) => view.climb({ key, preventDefault: nothing });
  return view;
}
const FOUR = stop("", run(0.6), run(0.7), run(0.5), run(0.1));
const EVEN = stop("place", null, run(0.7), null, run(0.7));
const LOW = stop("feed_forward", null, run(0.7), null, null);

test("with a change in it the tower goes down by a key as it went up", (t) => {
  const view = tower(t, [FOUR, EVEN], "place", 2);
  const heights = ["End", "ArrowDown", "ArrowDown", "ArrowUp", "Home"].map((key) => (view.press(key), view.tall));
  assert.deepEqual(heights, [4, 2, 2, 4, 2]);
});

test("the button pulls a tower up as far as it was trained, and no other", (t) => {
  const low = tower(t, [FOUR, EVEN, LOW], "feed_forward", 2);
  assert.equal(low.offer, "Try the next change");
  low.goOn();
  assert.deepEqual([low.part, low.tall], ["place", 4]);
  low.become("", 2);
  assert.equal(low.offer, "Pull it up to four");
  low.goOn();
  low.become(LOW.name, 2); // another change, while it climbs
  let n = 0;
  low.rise = () => n++ < 9 && TwoBlocks.prototype.rise.call(low);
  t.mock.timers.tick(10_000);
  assert.deepEqual([low.tall, n], [2, 1]);
});

test("of a page that goes nothing climbs on", (t) => {
  const view = tower(t, [FOUR, EVEN], "", 1);
  view.goOn();
  view.destroy();
  t.mock.timers.tick(10_000);
  assert.equal(view.tall, 2);
});

test("no change is dealt before the tower was pulled up, then one, and all once one was tried", (t) => {
  const view = tower(t, [FOUR, EVEN, LOW], "", 2);
  const names = () => view.dealt.map(({ name }) => name);
  assert.deepEqual(names(), []);
  view.press("End");
  assert.deepEqual(names(), ["place"]);
  view.turn("place");
  view.turn("");
  assert.deepEqual(names(), ["place", "feed_forward"]);
  view.reached.clear();
  view.data.own = "feed_forward";
  assert.equal(names().length, 2, "who has built a block sees all");
});

test("a change that is built in another way stands as tall as that one was trained", (t) => {
  const view = tower(t, [FOUR, { ...LOW, heights: EVEN.heights }], "feed_forward", 4);
  view.update({ ...view.data, stops: [FOUR, LOW] });
  assert.equal(view.tall, 2);
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

test("RMSNorm is drawn by its formula", () => {
  const close = (a, b) => a.forEach((x, n) => assert.ok(Math.abs(x - b[n]) < 1e-12));
  close(rmsNorm([3, 3]), [1, 1]);
  close(rmsNorm([30, -30]), [1, -1]);
});
