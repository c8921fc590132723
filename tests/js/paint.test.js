// The pure part of the drawing: which colour, which rows, which places.
import assert from "node:assert/strict";
import { test } from "node:test";

import { css, mixed, pixel, pixelsOf, shades, signedColour, tone, weightColour } from "../../attention_view/colours.js";
import { productsLayout, ribbonLayout, ribbonRows } from "../../attention_view/one_query.js";
import { shrunk } from "../../attention_view/paint.js";

const COLOURS = {
  weightSteps: Array.from({ length: 256 }, (_, n) => [n, 0, 0]),
  positiveSteps: Array.from({ length: 256 }, (_, n) => [0, 0, n]),
  negativeSteps: Array.from({ length: 256 }, (_, n) => [0, n, 0]),
};

test("a tone grows from 0 to 255 and never falls", () => {
  const tones = Array.from({ length: 1001 }, (_, n) => tone(n / 1000));
  assert.deepEqual([tones[0], tones.at(-1), tone(-1), tone(2)], [0, 255, 0, 255]);
  assert.ok(tones.every((t, n) => !n || t >= tones[n - 1]));
  assert.equal(tone(1 / 32), 32); // 32^0.6 is 8, and 255 / 8 is 31.9
});

test("scores diverge around zero, and nothing is drawn where there is nothing", () => {
  assert.deepEqual(signedColour(2, 2, COLOURS), [0, 0, 255], "slate above zero");
  assert.deepEqual(signedColour(-2, 2, COLOURS), [0, 255, 0], "amber below");
  assert.deepEqual(weightColour(2, 2, COLOURS), [255, 0, 0], "violet is for attention weights");
  for (const colour of [signedColour, weightColour])
    for (const largest of [2, 0]) assert.deepEqual(colour(0, largest, COLOURS), [0, 0, 0]);
  assert.equal(css([1, 2, 3]), "rgb(1,2,3)");
  assert.deepEqual([...new Uint8Array(Uint32Array.of(pixel([1, 2, 3])).buffer)], [1, 2, 3, 255]);
});

test("a short text is listed whole; of a long one the neighbours, and the keys with the largest weights", () => {
  assert.deepEqual(ribbonRows({ T: 2, S: 3 }, [], 0), { queries: [0, 1], keys: [0, 1, 2] });
  const S = 40;
  const weights = new Float32Array(S * S);
  for (const key of [3, 17, 39]) weights[20 * S + key] = 0.3;
  const { queries, keys } = ribbonRows({ T: S, S }, weights, 20, 6);
  assert.deepEqual(queries, [17, 18, 19, 20, 21, 22]);
  assert.deepEqual(keys, [0, 1, 2, 3, 17, 39], "of equal weights the first");
  assert.deepEqual(ribbonRows({ T: S, S }, weights, 0, 6).queries, [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(ribbonRows({ T: S, S }, weights, 39, 6).queries, [34, 35, 36, 37, 38, 39]);
});

test("places leave room for names on both sides", () => {
  const place = ribbonLayout({}, { queries: [0, 1], keys: [0, 1, 2] }, 400);
  assert.deepEqual(place, { width: 400, step: 18, height: 62, left: 112, right: 264 });
  assert.deepEqual(productsLayout(10, 134), { left: 34, step: 10 });
});

test("a smaller image keeps the strongest of the cells that share a pixel, and is open where any of them is", () => {
  const data = Float32Array.from({ length: 36 }, (_, n) => (n === 22 ? 0.9 : 0.1));
  const allowed = Uint8Array.from({ length: 36 }, (_, n) => (n === 35 ? 1 : 0));
  const small = shrunk({ data, rows: 6, cols: 6 }, allowed, 4);
  assert.deepEqual([small.rows, small.cols], [4, 4]);
  const strong = [...small.data].flatMap((value, n) => (value > 0.5 ? [n] : []));
  assert.deepEqual(strong, [Math.floor((3 * 4) / 6) * 4 + Math.floor((4 * 4) / 6)]);
  assert.deepEqual(
    [...small.allowed].reduce((a, b) => a + b),
    1,
  );
  assert.equal(small.allowed[15], 1);
  assert.equal(shrunk({ data, rows: 6, cols: 6 }, null, 6).data, data, "what fits is left as it is");
});

test("the colours of several heads are eight, all different, and the first is that of attention weights", () => {
  const violet = [107, 63, 160];
  const colours = shades(violet, [29, 27, 34], [255, 255, 255]);
  assert.deepEqual(colours[0], violet);
  assert.equal(new Set(colours.map(String)).size, 8);
  for (const [r, g, b] of colours) assert.ok(g < r && g < b, `${r},${g},${b} is not near violet`);
  const apart = (one, other) => Math.hypot(...one.map((v, c) => v - other[c]));
  const distances = colours.flatMap((one, n) => colours.slice(n + 1).map((other) => apart(one, other)));
  assert.ok(Math.min(...distances) > 20, `two are only ${Math.min(...distances)} apart`);
});

test("cells as pixels have the colours of the scale, and move from one stage to the next in a straight line", () => {
  const byPixel = (steps) => Uint32Array.from(steps, pixel);
  const colours = {
    weightPixels: byPixel(COLOURS.weightSteps),
    positivePixels: byPixel(COLOURS.positiveSteps),
    negativePixels: byPixel(COLOURS.negativeSteps),
    blocked: pixel([9, 9, 9]),
  };
  const values = [0, 0.5, 2, 3];
  const weights = pixelsOf(values, 4, 2, colours);
  for (const [n, value] of values.entries()) {
    const [red] = weightColour(value, 2, COLOURS);
    assert.ok(Math.abs(weights[4 * n] - red) <= 1, `${value}`);
  }
  const scores = pixelsOf([-2, 0, 2, 1], 4, 2, colours, [1, 1, 1, 0], true);
  const told = Array.from(scores);
  assert.deepEqual(told.slice(0, 12), [0, 255, 0, 255, 0, 0, 0, 255, 0, 0, 255, 255]);
  assert.deepEqual(told.slice(12), [9, 9, 9, 255]);
  assert.deepEqual([...pixelsOf([1], 1, 0, colours)], [0, 0, 0, 255], "nothing is drawn where there is nothing");
  assert.deepEqual([...mixed(weights, scores, 0)], [...weights]);
  assert.deepEqual([...mixed(weights, scores, 1)], [...scores]);
  assert.equal(mixed(weights, scores, 0.5)[8], 128, "half way from 255 to 0");
});
