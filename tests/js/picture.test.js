// What picture.js works out from q and k, on one head of two tokens that fits on a sheet of paper.
import assert from "node:assert/strict";
import { test } from "node:test";

import { from } from "./scripts.js";

const { Picture } = await from("picture.js", "Picture");

const ARRAYS = {
  weights: { shape: [1, 1, 2, 2], values: [1, 0, 0.25, 0.75] },
  q: { shape: [1, 1, 2, 2], values: [1, 0, Math.log(3), 5] },
  k: { shape: [1, 1, 2, 2], values: [2, 0, 4, 0] },
  mask: { shape: [2, 2], values: [1, 0, 1, 1], type: "u1" },
};

/** Bytes as payload.py writes them: length of the header, header, body. */
function packed(arrays, header) {
  const parts = {};
  const body = [];
  let at = 0;
  for (const [name, { shape, values, type = "f4" }] of Object.entries(arrays)) {
    const bytes = new Uint8Array((type === "f4" ? new Float32Array(values) : new Uint8Array(values)).buffer);
    parts[name] = { at, shape, type };
    body.push(bytes);
    at += bytes.length;
  }
  const text = new TextEncoder().encode(JSON.stringify({ ...header, arrays: parts }));
  const all = new Uint8Array(4 + text.length + at);
  new DataView(all.buffer).setUint32(0, text.length, true);
  all.set(text, 4);
  body.reduce((place, bytes) => (all.set(bytes, place), place + bytes.length), 4 + text.length);
  return all;
}

const picture = new Picture(
  packed(ARRAYS, { layers: 1, heads: 1, queries: ["a", "b"], keys: ["a", "b"], scale: 2, tier: "exact" }),
);

test("a payload is read wherever its numbers begin", () => {
  assert.deepEqual([picture.L, picture.H, picture.T, picture.S], [1, 1, 2, 2]);
  assert.deepEqual([...picture.matrix("weights", 0, 0)], [1, 0, 0.25, 0.75]);
  for (const more of ["", "x", "xx", "xxx", "xxxx"]) {
    const again = new Picture(packed(ARRAYS, { ...picture.header, more }));
    assert.deepEqual([...again.arrays.k], [2, 0, 4, 0]);
  }
});

test("scores are q·k, and are divided by the scale", () => {
  const ln3 = Math.fround(Math.log(3));
  assert.deepEqual([...picture.matrix("scores", 0, 0)], [2, 4, 2 * ln3, 4 * ln3]);
  assert.deepEqual([...picture.matrix("scaled", 0, 0)], [1, 2, ln3, 2 * ln3]);
});

test("a weight is explained: e to the ln 3 and the 2 ln 3 are 3 and 9, so a quarter and three", () => {
  const { products, dot, scaled, allowed, weight } = picture.explain(0, 0, 1, 1);
  assert.deepEqual(products, [4 * Math.fround(Math.log(3)), 0]);
  assert.ok(Math.abs(dot - 4 * Math.log(3)) < 1e-6);
  assert.ok(Math.abs(scaled - 2 * Math.log(3)) < 1e-6);
  assert.equal(allowed, true);
  assert.ok(Math.abs(weight - 0.75) < 1e-7);
});

test("a blocked key weighs nothing, and the only one left all", () => {
  assert.equal(picture.explain(0, 0, 0, 1).weight, 0);
  assert.equal(picture.explain(0, 0, 0, 0).weight, 1);
  assert.deepEqual([picture.choices(0), picture.choices(1)], [1, 2]);
});
