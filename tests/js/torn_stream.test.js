// A part that is torn out: its edges, and the lines of the stream that end there.
import assert from "node:assert/strict";
import { test } from "node:test";

import { isSign, lanes, remains, tear } from "../../pages/blocks/components/torn_stream/torn_stream.js";

test("a torn edge runs from top to bottom and swings to both sides of its line", () => {
  const edge = tear(50, 90);
  assert.deepEqual([edge[0][1], edge.at(-1)[1]], [0, 90]);
  assert.ok(edge.some(([x]) => x < 50) && edge.some(([x]) => x > 50));
  assert.ok(tear(50, 1).length >= 2, "even where there is hardly any height");
});

test("of a torn block two strips remain, and nothing of its middle", () => {
  const strips = remains(100, 40, 90);
  assert.equal(strips.length, 2);
  const across = strips.map((d) => [...d.matchAll(/(\d+\.\d) \d/g)].map(([, x]) => Number(x)));
  assert.ok(Math.max(...across[0]) < 120 && Math.min(...across[0]) === 100);
  assert.ok(Math.min(...across[1]) > 120 && Math.max(...across[1]) === 140);
});

test("the stream passes a sublayer, and ends at it once its bypass is torn", () => {
  const blocks = [
    [10, 20],
    [30, 40],
  ];
  assert.equal(lanes(50, 7, blocks, false), "M0 7 H50");
  assert.equal(lanes(50, 7, blocks, true), "M0 7 H10 M20 7 H30 M40 7 H50");
});

test("a sign is what has neither letters nor digits", () => {
  assert.deepEqual([".", "?!", "hat", "it's", "é", "7"].map(isSign), [true, true, false, false, false, false]);
});
