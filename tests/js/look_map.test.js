// The map that comes of a wiring: where its cells and words stand, and what is said of a cell.
import assert from "node:assert/strict";
import { test } from "node:test";

import { hatched, laid, sentence, spare } from "../../pages/masks/components/wiring_plugs/look_map.js";
import { broken, plan } from "../../pages/masks/components/wiring_plugs/wiring_plugs.js";

const ROOM = { x: 100, y: 0, w: 500, h: 480 };
const words = (n, letters = 3) => Array.from({ length: n }, () => "x".repeat(letters));

test("cells and the words around them stay in the room, for few and for many words", () => {
  for (const [rows, columns, values] of [
    [7, 5, 5],
    [5, 5, 7],
    [24, 24, 24],
    [1, 1, 24],
  ]) {
    const map = laid({ rows: words(rows), columns: words(columns), values: words(values, 8) }, ROOM);
    assert.ok(map.x >= ROOM.x && map.x + map.across * values <= ROOM.x + ROOM.w + 1e-9);
    assert.ok(map.y >= ROOM.y + 20 && map.y + map.h <= ROOM.y + ROOM.h - 20);
    assert.ok(map.across > 8 && map.down > 8);
  }
});

test("names are slanted only where they are too long to lie", () => {
  assert.equal(laid({ rows: words(5), columns: words(5), values: words(5) }, ROOM).isSlanted, false);
  assert.equal(laid({ rows: words(5), columns: words(9, 11), values: words(9) }, ROOM).isSlanted, true);
});

test("strokes across a blocked cell stay within it", () => {
  const numbers = [...hatched(10, 20, 30, 12).matchAll(/([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [+x, +y]);
  assert.ok(numbers.length > 6);
  for (const [x, y] of numbers) assert.ok(x >= 10 && x <= 40 && y >= 20 && y <= 32);
});

test("values without a key of their own stand below columns of strokes", () => {
  const room = { x: 10, y: 20, across: 30, h: 60 };
  const of = (columns, values) => spare({ columns: words(columns), values: words(values) }, room, 2);
  assert.equal(of(5, 5) + of(7, 5), "");
  const xs = [...of(5, 7).matchAll(/([\d.]+) [\d.]+/g)].map(([, x]) => +x);
  assert.ok(Math.min(...xs) >= 10 + 5 * 30 && Math.max(...xs) <= 10 + 7 * 30 && xs.some((x) => x > 10 + 6 * 30));
});

test("a cell says who looks at whom, and a blocked one that it may not", () => {
  const map = {
    rows: ["a", "b"],
    columns: ["c", "d"],
    weights: [
      [1, null],
      [0.25, 0.75],
    ],
  };
  assert.match(sentence(map, 1, 1), /“b” looks at “d” .* 0\.75/);
  assert.match(sentence(map, 0, 1), /“a” may not look at “d”/);
});

test("words are broken into lines of so many letters", () => {
  assert.deepEqual(broken(["mia", "found", "a", "red", "hat"], 11), ["mia found a", "red hat"]);
  assert.deepEqual(broken([], 11), []);
});

test("no word of either stream, and none of what is written, is left out: where there are many, all is taller", () => {
  const told = (n) => ({ encoder: words(n, 12), decoder: words(n, 12) });
  const parts = (n) => [
    ["big", words(n, 12).join(" "), "one stream"],
    ["other", words(n, 12).join(" "), "the other"],
  ];
  for (const [width, height] of [
    [356, 600],
    [300, 600],
    [1230, 486],
    [720, 300],
  ]) {
    const [few, many] = [5, 24].map((n) => plan(width, height, told(n), parts(n)));
    for (const [n, p] of [
      [5, few],
      [24, many],
    ]) {
      assert.equal(p.told.decoder.join(" ").split(" ").length, n);
      const { x, y, h } = p.at.decoder;
      assert.ok(34 + p.line * p.told.decoder.length <= h - 8, "the words end within their box");
      assert.ok(x === p.at.encoder.x ? y >= p.at.encoder.y + p.at.encoder.h : y === p.at.encoder.y);
      assert.ok(p.home.y + p.home.lines.at(-1).y <= p.H, "what is written ends within the picture");
    }
    assert.ok(many.H >= few.H);
  }
  const port = plan(356, 600, told(24), parts(1)).port(0)[1];
  assert.ok(
    port > plan(356, 600, told(5), parts(1)).port(0)[1],
    "on a phone what is below the boxes goes down with them",
  );
});
