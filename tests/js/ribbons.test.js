// Which ribbons are drawn, and where their tokens stand.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ribbonsLayout, ribbonsOf, ribbonsSpot } from "../../attention_view/ribbons.js";

const TWO = { T: 2, S: 3 };
const HEADS = [{ weights: [0.5, 0.5, 0, 0.2, 0.1, 0.7] }, { weights: [0, 0, 1, 0.3, 0.3, 0.4] }];
const listed = (...given) => {
  const { heads, queries, keys, weights } = ribbonsOf(TWO, ...given);
  return weights.map((weight, n) => [weight, heads[n], queries[n], keys[n]]);
};

test("all weights from the threshold on, the weakest first, and none of zero", () => {
  assert.deepEqual(listed(HEADS.slice(0, 1), 0.2), [
    [0.2, 0, 1, 0],
    [0.5, 0, 0, 0],
    [0.5, 0, 0, 1],
    [0.7, 0, 1, 2],
  ]);
  assert.equal(listed(HEADS, 0).length, 9);
});

test("of one token alone: where it looks, or who looks at it", () => {
  assert.deepEqual(listed(HEADS, 0.35, { side: "query", n: 1 }), [
    [0.4, 1, 1, 2],
    [0.7, 0, 1, 2],
  ]);
  assert.deepEqual(listed(HEADS, 0, { side: "key", n: 0 }), [
    [0.2, 0, 1, 0],
    [0.3, 1, 1, 0],
    [0.5, 0, 0, 0],
  ]);
});

test("of too many the strongest are drawn, and all are counted", () => {
  const S = 60;
  const weights = Float32Array.from({ length: S * S }, (_, n) => ((n * 7919) % 3571) / 3571);
  const { weights: drawn, total } = ribbonsOf({ T: S, S }, [{ weights }], 0.1, null, 100);
  const above = [...weights].filter((w) => w >= 0.1).sort((a, b) => a - b);
  assert.equal(total, above.length);
  assert.deepEqual(drawn, above.slice(-100));
  const equal = ribbonsOf({ T: S, S }, [{ weights: new Float32Array(S * S).fill(1 / S) }], 0, null, 100);
  assert.deepEqual([equal.weights.length, equal.total], [100, S * S]);
});

test("a place on the canvas is a token of the side that is near, and none beyond its end", () => {
  const layout = ribbonsLayout(TWO, 400, 500);
  assert.equal(layout.labels, true);
  const spot = (x, n) => ribbonsSpot(TWO, layout, x, layout.y(n));
  assert.deepEqual(spot(20, 1), { side: "query", n: 1 });
  assert.deepEqual(spot(380, 2), { side: "key", n: 2 });
  assert.deepEqual([spot(20, 2), spot(200, 0), spot(20, -1)], [null, null, null]);
});

test("a long text fits the height, without room for every name", () => {
  const layout = ribbonsLayout({ T: 256, S: 256 }, 400, 500);
  assert.ok(layout.height <= 500 && !layout.labels);
  assert.ok(layout.y(255) < 500);
});
