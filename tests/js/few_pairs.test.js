// Cheaper attention: which pairs look at each other, what that costs, and what is said of it.

import assert from "node:assert/strict";
import test from "node:test";

import { FewPairs } from "../../pages/why/components/few_pairs/few_pairs.js";
import {
  isOpen,
  nextOf,
  pairsOf,
  priceOf,
  says,
  told,
  valueOf,
  wordsAlong,
} from "../../pages/why/components/few_pairs/told.js";

const DATA = {
  words: ["⟨start⟩", "i", "but", "not", "so", "good"],
  to: 2,
  truth: "negative",
  windows: ["positive", "positive", "negative", "negative", "negative", "negative"].map((says, n) => ({
    says,
    n_right: 50 + n,
  })),
  hubs: ["negative", "positive", "negative", "positive", "positive", "positive"],
  n_right: 88,
  n_reviews: 100,
};
const at = (size, hub = null) => ({ size, hub });
const openIn = (n, where) => pairsOf(n).filter((pair) => isOpen(where, ...pair));

test("words share the line by their letters, and fill it", () => {
  const words = ["nothing", "about", "the", "room"];
  for (const whole of [120, 1200]) {
    const { edges, letters } = wordsAlong(words, whole);
    assert.deepEqual(
      edges,
      edges.toSorted((a, b) => a - b),
    );
    assert.ok(edges[0] === 0 && Math.abs(edges.at(-1) - whole) < 1e-9 && letters <= 29);
    assert.ok(edges[1] - edges[0] > edges[3] - edges[2], "longer words have more room");
  }
});

test("a window has the pairs nearer than it is wide, and a hub one with every other word, for the price of the narrowest", () => {
  assert.deepEqual(openIn(4, at(2)), [
    [0, 1],
    [1, 2],
    [2, 3],
  ]);
  assert.deepEqual(openIn(4, at(9, 2)), [
    [0, 2],
    [1, 2],
    [2, 3],
  ]);
  assert.deepEqual(
    [1, 2, 3, 12].map((size) => priceOf(12, at(size))),
    [0, 11, 21, 66],
  );
  for (const hub of [0, 5, 11]) assert.equal(priceOf(12, at(4, hub)), priceOf(12, at(2)));
});

test("what is said follows the hand, and is right where the verdict is", () => {
  const said = (...more) => told(DATA, at(...more), false);
  assert.equal(
    told(DATA, at(2), true),
    "Is this review praise? A model decides at ⟨start⟩, and “but” is out of its reach.",
  );
  assert.equal(said(2), "With 1 word to either side, “but” is still out of reach.");
  assert.equal(said(3), "With 2 words to either side, ⟨start⟩ sees “but” and gets it right, for 9 pairs.");
  assert.equal(said(4), "3 words to either side: still right, for 12 pairs instead of 9.");
  assert.equal(said(6), "Every word sees every word: right, for all 15 pairs.");
  assert.equal(said(4, 3), "A hub sees all and is seen by all. On “not” it is no help to ⟨start⟩.");
  assert.equal(said(4, 2), "A hub on “but”: 5 pairs do what a window needs 9 for.");
  assert.equal(said(4, 0), "A hub on ⟨start⟩ reads 88 of 100 reviews right. A window at this price: 51.");
  assert.deepEqual([says(DATA, at(2)), says(DATA, at(3)), says(DATA, at(3, 1))], ["positive", "negative", "positive"]);
});

test("the button widens the window until the verdict is right, moves a hub to where it is, and comes back", () => {
  let now = at(1);
  const way = [];
  for (let n = 0; n < 7; n++) {
    const [to, says] = nextOf(DATA, now);
    way.push(says);
    now = { ...now, ...to };
  }
  const hub = ["Pay less: one hub", "Move the hub", "Move it to ⟨start⟩", "Back to the window", "Pay less: one hub"];
  assert.deepEqual(way, ["Widen the window", "Widen the window", ...hub]);
  assert.deepEqual(nextOf(DATA, at(4, 4)), [{ hub: 3 }, "Move the hub"]);
});

test("a screen reader says how far a window reaches, and where a hub is", () => {
  const says = [at(1), at(2), at(3), at(4, 2)].map((one) => valueOf(DATA, one));
  assert.deepEqual(says, ["0 words to either side", "1 word to either side", "2 words to either side", "but"]);
});

test("a press on the handle moves nothing wherever it falls, and a drag is measured from there", () => {
  const edges = [0, 40, 80, 120, 160, 200, 240];
  const figure = (now) =>
    Object.assign(Object.create(FewPairs.prototype), {
      at: now,
      n: 6,
      edges,
      draw() {},
      link: { later() {} },
      placeOf: ({ x }) => x,
    });
  for (const x of [104, 114, 119, 121, 126, 138]) {
    const window = figure(at(3));
    window.grasp({ x }, true);
    window.pull({ x });
    assert.equal(window.at.size, 3, `pressed at ${x}`);
    window.pull({ x: x + 40 });
    assert.equal(window.at.size, 4, `from ${x} on`);
    window.pull({ x: x - 40 });
    assert.equal(window.at.size, 2, `back from ${x}`);
    const hub = figure(at(3, 2));
    hub.grasp({ x }, true);
    hub.pull({ x });
    assert.equal(hub.at.hub, 2);
  }
  const away = figure(at(3));
  away.grasp({ x: 138 }, true);
  away.grasp({ x: 121 }, false);
  away.pull({ x: 121 });
  assert.equal(away.at.size, 4, "elsewhere the window comes to the hand");
});

test("a hand on a word ends the window there, or moves the hub there", () => {
  const figure = Object.assign(Object.create(FewPairs.prototype), { at: at(2), n: 6, draw() {}, link: { later() {} } });
  figure.bring(4);
  assert.deepEqual([figure.at, figure.isFresh], [at(5), false]);
  figure.at = at(5, 1);
  const event = { key: "ArrowRight", preventDefault() {} };
  figure.key(event);
  assert.deepEqual(figure.at, at(5, 2), "and the window is as wide as before");
});
