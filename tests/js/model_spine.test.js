// The model on its stream: what is out after a press, where its parts stand, and where arrow keys lead.
import assert from "node:assert/strict";
import { test } from "node:test";

import { isOut, pressed } from "../../pages/blocks/components/model_spine/cuts.js";
import { beside, isSign } from "../../pages/blocks/components/model_spine/model_spine.js";
import { marksOf, placesOf } from "../../pages/blocks/components/model_spine/places.js";

test("a part that is pressed goes out and comes back", () => {
  const one = pressed("attention.1", "nothing", 3);
  assert.equal(one, "attention.1");
  assert.equal(pressed("norm2.0", one, 3), "attention.1,norm2.0");
  assert.equal(pressed("attention.1", one, 3), "nothing");
  assert.ok(isOut("attention.1", one) && !isOut("attention.0", one));
});

test("a kind takes all of its kind out, and one of them alone can be put back", () => {
  const all = pressed("Norm", "attention.1,norm1.0", 2);
  assert.equal(all, "Norm,attention.1");
  assert.ok(["norm1.0", "norm2.1"].every((part) => isOut(part, all)) && !isOut("residual1.0", all));
  assert.equal(pressed("norm1.1", all, 2), "attention.1,norm1.0,norm2.0,norm2.1");
  assert.equal(pressed("Norm", all, 2), "attention.1");
});

test("layers stand one above the other, attention left of the stream and feed-forward right of it", () => {
  for (const [width, n_layers] of [
    [880, 3],
    [880, 12],
    [350, 6],
  ]) {
    const places = placesOf(width, 480, n_layers, width < 700);
    const [left, right] = places.side;
    assert.ok(left.x - places.pull >= 0 && left.x + left.wide < places.cx && right.x > places.cx);
    assert.ok(Math.abs(right.x + right.wide + places.pull - width) < 1e-9, "what is out stays in the picture");
    for (let layer = 1; layer < n_layers; layer++)
      assert.equal(places.top(layer - 1) - places.top(layer), places.row, "the first layer is the lowest");
    assert.ok(places.top(0) + places.row < places.height);
  }
});

test("each copy leaves the stream below where its push comes back, and attention before feed-forward", () => {
  const places = placesOf(880, 480, 3, false);
  for (const isParallel of [false, true]) {
    const [attention, feedForward] = [0, 1].map((n) => marksOf(places, 1, n, { isPre: true, isParallel }));
    for (const { leaves, comes } of [attention, feedForward]) assert.ok(comes < leaves);
    assert.ok(feedForward.comes < attention.comes);
    assert.equal(feedForward.leaves < attention.comes, !isParallel, "side by side both read the same stream");
    assert.ok(feedForward.residual.from <= attention.residual.to, "no residual connection lies on another");
  }
  const after = marksOf(places, 1, 0, { isPre: false, isParallel: false });
  assert.ok(after.norm.x === places.cx && after.norm.y < after.comes, "or the norm stands on the stream");
});

test("arrow keys go across the stream and up it, and not beyond", () => {
  assert.equal(beside("ArrowRight", "attention.1", 3), "norm1.1");
  assert.equal(beside("ArrowLeft", "feed-forward.1", 3), "norm2.1");
  assert.equal(beside("ArrowUp", "attention.1", 3), "attention.2");
  assert.deepEqual(
    [beside("ArrowUp", "attention.2", 3), beside("ArrowLeft", "attention.0", 3), beside("x", "attention.0", 3)],
    [null, null, null],
  );
});

test("a sign is what has neither letters nor digits", () => {
  assert.deepEqual([".", "?!", "hat", "it's", "é", "7"].map(isSign), [true, true, false, false, false, false]);
});
