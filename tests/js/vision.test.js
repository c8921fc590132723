// Pictures in patches: where keys lead, what is painted, and drawings as codes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { painted, placeOf, stepped } from "../../lab/kit/components/patches.js";
import { decode, encode, line } from "../../lab/kit/components/strokes.js";
import { Latest } from "../../lab/kit/components/latest.js";
import { Brush, offered } from "../../pages/vision/components/patch_view/brush.js";
import { changeOf, isNew } from "../../pages/vision/components/verdicts.js";
import { numbered, strongest } from "../../pages/vision/components/patch_view/spotlight.js";
import { lay, shadeOf } from "../../pages/vision/components/light.js";
import { exchange, inPixels, rowOf, tinted, travelled } from "../../pages/vision/components/patch_rows/numbers.js";
import { inPictureOf, inRowOf, onTheWay, planOf } from "../../pages/vision/components/patch_rows/plan.js";

test("arrows go from patch to patch, and up from the first row to the class token", () => {
  const go = (at, key) => stepped(at, key, 1, 3); // 1 class token, 3 x 3 patches
  assert.equal(go(0, "ArrowDown"), 1);
  assert.equal(go(0, "ArrowUp"), 0);
  assert.equal(go(1, "ArrowRight"), 2);
  assert.equal(go(2, "ArrowDown"), 5);
  assert.equal(go(2, "ArrowUp"), 0);
  assert.equal(go(9, "ArrowDown"), 9);
  assert.equal(go(5, "Home"), 0);
  assert.equal(go(5, "End"), 9);
  assert.equal(go(5, "x"), 5);
  assert.equal(stepped(0, "ArrowUp", 0, 3), 0); // no token before the patches
  assert.equal(placeOf(5, 3), "row 2, column 3");
});

test("a patch without attention weight is the panel with a ghost of the picture, one with all of it is violet", () => {
  const colours = { panel: [255, 255, 255], ink: [0, 0, 0], weight: [100, 50, 200] };
  const pixels = new Uint8Array(3 * 16).fill(255); // white, 4 x 4
  const out = painted(pixels, 4, [0, 1, 0, 0], 2, colours);
  assert.deepEqual(Array.from(out.slice(0, 4)), [255, 255, 255, 255]);
  const violet = Array.from(out.slice(8, 11)); // column 3 of the first row: patch 1
  violet.forEach((x, c) => assert.ok(Math.abs(x - (255 + 0.94 * (colours.weight[c] - 255))) <= 1));
  const black = painted(new Uint8Array(3 * 16), 4, [0, 0, 0, 0], 2, colours);
  assert.ok(black[0] > 150 && black[0] < 220);
});

test("what is looked at most is as bright as it is and has the widest frame; on the rest lies a shade", () => {
  const [fills, frames] = [[], []];
  const pen = {
    fillRect: (x, y) => fills.push([x, y, Number(pen.fillStyle.split("/ ")[1].replace(")", ""))]),
    strokeRect: (x, y) =>
      frames.push([...[x, y].map((at) => Math.round(at - pen.lineWidth / 2)), pen.lineWidth, pen.strokeStyle]),
  };
  lay(pen, 40, [0, 1, 0.2, 0], 2, [107, 63, 160]);
  assert.deepEqual(
    fills.map(([x, y]) => [x, y]),
    [
      [0, 0],
      [20, 0],
      [0, 20],
      [20, 20],
    ],
  );
  const [none, most, some, last] = fills.map((fill) => fill[2]);
  assert.equal(most, 0);
  assert.ok(none === last && none < 0.4 && some > 0 && some < none);
  assert.deepEqual(
    frames.filter((_, n) => n % 2 === 0).map(([x, y]) => [x, y]),
    [
      [20, 0],
      [0, 20],
    ],
    "a frame where a head looks",
  );
  const [light, violet, , less] = frames;
  assert.match(light[3], /^rgb\(255 255 255 /);
  assert.match(violet[3], /^rgb\(107 63 160 /);
  assert.equal(light[2] - violet[2], 2, "a light line on both of its sides, on any paint");
  assert.ok(violet[2] > less[2]);
  assert.equal(shadeOf(1), 0);
});

test("a patch as a row holds one colour after the other", () => {
  const pixels = Uint8Array.from({ length: 48 }, (_, n) => n); // 4 x 4 pixels of three
  assert.deepEqual(rowOf(pixels, 4, 2, 3), [30, 33, 42, 45, 31, 34, 43, 46, 32, 35, 44, 47]);
});

test("a number is as strong in its colour as it is large", () => {
  const panel = [255, 255, 255];
  assert.deepEqual(tinted(0, [214, 40, 40], panel), panel);
  assert.deepEqual(tinted(255, [214, 40, 40], panel), [214, 40, 40]);
});

test("picture, patch, numbers and vector stand beside each other, and a phone has room for them, too", () => {
  const boxes = ({ picture, close, blocks, vector }) => [picture, close, ...blocks, vector];
  for (const [width, tall] of [
    [1214, 550],
    [1850, 900],
    [350, 700],
  ]) {
    for (const n of [9, 36, 196]) {
      const plan = planOf(width, tall, n);
      for (const { x, y, side, width: wide = side, height = side } of boxes(plan))
        assert.ok(x >= 0 && y > 0 && x + wide <= width + 1 && y + height <= plan.height, `${width} ${n}`);
      const last = inRowOf(plan, n - 1);
      assert.ok(last.x + last.side <= width && last.y + last.side <= plan.height + 1);
      assert.ok(plan.isNarrow || (plan.height <= tall && plan.picture.side > 0.3 * width));
      for (const c of [1, 2]) assert.ok(plan.blocks[c].y >= plan.blocks[c - 1].y + plan.blocks[c].side);
    }
  }
});

test("patches leave the picture one after the other and end in the row", () => {
  const plan = planOf(1214, 550, 36);
  const same = (a, b) => ["x", "y", "side"].forEach((name) => assert.ok(Math.abs(a[name] - b[name]) < 1e-6));
  same(onTheWay(plan, 7, 36, 6, 0), inPictureOf(plan, 7, 6, 0));
  for (const n of [0, 7, 35]) same(onTheWay(plan, n, 36, 6, 1), inRowOf(plan, n));
  const half = (n) => onTheWay(plan, n, 36, 6, 0.5).y;
  assert.equal(half(0), plan.row.y);
  assert.ok(half(35) < plan.row.y);
});

test("a drawing and its code, and strokes without gaps", () => {
  const letters = "abcdefghijklmnopqrstuvwxy";
  const cells = [0, 1, 4, 4, 2, 0];
  assert.equal(encode(cells, letters, 5), "byk");
  assert.deepEqual(decode("byk", letters, 5), cells);
  assert.deepEqual(line([0, 0], [3, 1]), [
    [0, 0],
    [1, 0],
    [2, 1],
    [3, 1],
  ]);
  assert.deepEqual(line([2, 2], [2, 2]).at(-1), [2, 2]);
});

test("of what a hand asks for while an answer is under way, only the latest goes out", () => {
  const sent = [];
  const asks = new Latest((value) => sent.push(value));
  for (const value of ["a", "b", "c"]) asks.want(value);
  assert.deepEqual(sent, ["a"]);
  asks.heard("x"); // an answer to something else
  assert.deepEqual(sent, ["a"]);
  asks.heard("a");
  assert.deepEqual(sent, ["a", "c"]);
  assert.ok(asks.waits);
  asks.heard("c");
  assert.ok(!asks.waits);
  asks.want("c"); // again, after something else was shown
  assert.deepEqual(sent, ["a", "c", "c"]);
  asks.end();
});

test("an answer that never comes is not waited for", async () => {
  const sent = [];
  const asks = new Latest((value) => sent.push(value), 1);
  asks.want("a");
  asks.want("b");
  await new Promise((done) => {
    const look = () => (sent.length > 1 && !asks.waits ? done() : setTimeout(look, 1));
    look();
  });
  assert.deepEqual(sent, ["a", "b"]);
});

test("as many answers are marked as changed as the sentence counts; one that is only less sure is not among them", () => {
  const group = (answers, shares, was) => ({ answers, shares, was });
  const groups = [
    group(["circle", "triangle"], [0.9, 0.1], ["triangle", 1]),
    group(["red", "blue"], [0.9, 0.1], ["red", 0.9999]),
    group(["one", "two"], [0.9, 0.1], ["two", 1]),
  ];
  assert.deepEqual(groups.map(isNew), [true, false, true]);
  const said = "2 of 36 patches painted, and it says circle and one: 2 of 3 answers changed.";
  assert.equal(changeOf(groups, "2 of 36 patches"), said);
  const stays = [group(["a", "b"], [0.97, 0.03], ["a", 0.98]), group(["up", "down"], [0.98, 0.02], ["up", 0.99])];
  assert.equal(changeOf(stays, "1 of 4 patches"), "1 of 4 patches painted: all 2 answers stay.");
  assert.ok(!isNew(group(["red"], [1], null)));
});

test("the button says in English what it does", () => {
  assert.deepEqual(["blue", "paper"].map(offered), ["Paint it blue", "Erase it"]);
});

test("a press does what the button says, however quickly it follows the one before", () => {
  const colours = ["red", "blue", "green"].map((name, n) => ({ name, number: n + 1 }));
  const act = { setAttribute: (name, value) => (act[name] = value) };
  const brush = Object.assign(Object.create(Brush.prototype), {
    act,
    chosen: 1,
    past: [],
    paint: { side: 4, colours, letters: "abcdefghijklmnop" },
    cells: Array(16).fill(0),
    framed: () => [0, 0, 2],
    picked: () => brush.offer(), // as the picture does, which is drawn anew
    changed() {},
    show() {},
  });
  brush.offer();
  assert.equal(act["aria-label"], "Paint it blue: the framed patch");
  for (let press = 0; press < 3; press++) {
    const said = act.textContent;
    brush.cover();
    const [number] = new Set(brush.inFrame.map((n) => brush.cells[n]));
    assert.equal(said, offered(colours[number - 1].name));
  }
  assert.equal(brush.past.length, 1, "what is so already is painted once");
  brush.offer(); // the answer has come, and the frame is where it was
  assert.equal(act.textContent, "Paint it green");
});

test("the few patches that get much are said, and none of a head that looks everywhere", () => {
  assert.deepEqual(strongest(Float32Array.from([0.5, 0.1, 0.26, 0.14])), [0, 2]);
  assert.deepEqual(strongest(new Float32Array(36).fill(1 / 36)), []);
});

test("attention weights stand on patches that have room for them, and nowhere on many small ones", () => {
  const weights = [0.5, 0.1, 0.3, 0.1];
  assert.deepEqual(numbered(weights, 0, 80), [2]);
  assert.deepEqual(numbered(weights, 0, 34), []);
});

test("the frame travels with its patch when patches change places, and stays for another picture", () => {
  const before = Uint8Array.from([9, 9, 9, 1, 1, 1, 5, 5, 5, 1, 1, 1]); // 2 x 2 pixels, each a patch
  const after = Uint8Array.from([1, 1, 1, 5, 5, 5, 1, 1, 1, 9, 9, 9]);
  assert.deepEqual(
    [0, 1, 2, 3].map((n) => travelled(before, after, 2, 2, n)),
    [3, 0, 1, 0],
  );
  assert.equal(travelled(after, before, 2, 2, 3), 0, "and back");
  assert.equal(travelled(before, before, 2, 2, 3), 3, "of two alike the one that was framed");
  assert.equal(travelled(before, Uint8Array.from([1, 1, 1, 9, 9, 9, 9, 9, 9, 9, 9, 9]), 2, 2, 0), 0);
});

test("two patches exchange their pixels, and twice is not at all", () => {
  const [side, across] = [4, 2];
  const pixels = Uint8Array.from({ length: 3 * side * side }, (_, n) => n);
  const rows = [0, 1, 2, 3].map((n) => rowOf(pixels, side, across, n));
  const now = pixels.slice();
  exchange(now, 0, 3, inPixels(side, across));
  assert.deepEqual(
    [3, 1, 2, 0].map((n) => rowOf(now, side, across, n)),
    rows,
  );
  exchange(now, 3, 0, inPixels(side, across));
  assert.deepEqual(now, pixels);
});
