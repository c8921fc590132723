// What the film works out of its packets, and how the chart divides its axes.
import assert from "node:assert/strict";
import { test } from "node:test";

import { unpack } from "../../attention_view/lab.js";
import {
  chartPlace,
  clearOf,
  figure,
  gridLines,
  heights,
  label,
  ticks,
} from "../../pages/live/components/training_film/chart.js";
import { sinceWhen } from "../../pages/live/components/training_film/curves.js";
import { Run } from "../../pages/live/components/training_film/run.js";
import { packed } from "./payload.js";

test("ticks are round, evenly spaced, inside the range and about as many as asked for", () => {
  assert.deepEqual(ticks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(ticks(0, 1, 4), [0, 0.5, 1]);
  assert.deepEqual(ticks(0, 0.3, 3), [0, 0.1, 0.2, 0.3]);
  for (const [low, high] of [
    [0, 3.7],
    [0.02, 1.7],
    [0, 12345],
  ]) {
    const found = ticks(low, high, 4);
    assert.ok(found.every((v) => v >= low && v <= high * (1 + 1e-9)));
    assert.ok(found.length >= 2 && found.length <= 6, `${found}`);
    const step = found[1] - found[0];
    assert.ok([1, 2, 5].includes(Math.round(step / 10 ** Math.floor(Math.log10(step * 1.0001)))));
  }
});

test("figures have three digits; what is no number is a dash", () => {
  const texts = { 12345.6: "12,346", 123.4: "123", 12.34: "12.3", 1.234: "1.23", 0.0123: "0.012", 0.00123: "0.0012" };
  for (const [value, text] of Object.entries(texts)) assert.equal(figure(Number(value)), text);
  assert.deepEqual([figure(0), figure(0.00001), figure(NaN), figure(Infinity)], ["0.00", "1 × 10⁻⁵", "–", "–"]);
  assert.deepEqual([label(0), label(0.5, true), label(0.25), label(0.0001)], ["0", "50%", "0.25", "1 × 10⁻⁴"]);
});

test("a place on the chart and a step are each other's inverse", () => {
  const place = chartPlace(400, 200, 1000);
  assert.deepEqual([place.x(0), place.x(1000)], [place.left, place.right]);
  for (const step of [0, 1, 333, 1000]) assert.ok(Math.abs(place.step(place.x(step)) - step) < 1e-9);
  assert.deepEqual([place.step(-50), place.step(9999)], [0, 1000]);
});

test("an axis goes a little beyond its largest value, and by powers of ten where it is logarithmic", () => {
  const place = { top: 8, bottom: 108 };
  const plain = heights(place, [1, 3, 50], {});
  assert.deepEqual([plain.low, plain.high, plain.y(0), plain.y(52), plain.y(26)], [0, 52, 108, 8, 58]);
  const log = heights(place, [0, 1, 100 / 1.04], { log: true });
  assert.deepEqual([log.low, log.high].map(Math.round), [1, 100]);
  assert.ok(Math.abs(log.y(10) - 58) < 1e-9, "ten is half of the way from one to a hundred");
  assert.equal(log.y(0), 108, "what is nothing stands at the bottom");
  assert.deepEqual(gridLines(0.5, 200, true, 100), [1, 10, 100]);
  assert.deepEqual(gridLines(2, 8, true, 100), [2, 8]);
});

test("the name of the best does not stand on that of the guide: it goes above it, or where no room is, below", () => {
  const guide = { left: 100, right: 200, bottom: 50 };
  const best = (bottom) => ({ left: 150, right: 240, bottom });
  assert.equal(clearOf(best(30), [guide], 0), 30);
  assert.equal(clearOf(best(52), [guide], 0), 34);
  assert.equal(clearOf(best(52), [guide], 30), 70);
  assert.equal(clearOf({ ...best(52), left: 201 }, [guide], 0), 52);
});

const PROBE = {
  cross: {
    heads: [1, 2],
    queries: ["x", "y"],
    keys: ["a", "b"],
    ghost: [
      [0, 1],
      [1, 0],
    ],
  },
};
const CURVES = ["loss", "val_loss"];

/** A packet of one side with so many frames: every map has its frame's number in all cells, plus head and key. */
function packet(first, frames, more = {}) {
  const side = { id: "r", state: "running", planned: 50, first, frames, ...more };
  if (first === 0) Object.assign(side, { parts: ["p"], guess: 1, values: {}, probes: [PROBE] });
  const numbers = Array.from({ length: frames }, (_, n) => first + n);
  const { header, arrays } = unpack(
    packed(
      {
        "0.steps": { shape: [frames], values: numbers.map((n) => 10 * n) },
        "0.curves": { shape: [frames, 2], values: numbers.flatMap((n) => [n, Math.abs(n - 2)]) },
        "0.grads": { shape: [frames, 1], values: numbers },
        "0.0.cross": {
          shape: [frames, 1, 2, 2, 2],
          values: numbers.flatMap((n) => [n, 51, 102, 0, 0, 255, 255, 0]),
          type: "u1",
        },
      },
      { sides: [side], curves: CURVES },
    ),
  );
  return { side: header.sides[0], packet: { header, arrays } };
}

test("packets join on to each other; what is known comes once, and a gap is noticed", () => {
  const a = packet(0, 2);
  const run = new Run(a.side);
  assert.equal(run.add(a.side, 0, a.packet), true);
  const b = packet(1, 3); // frame 1 again, then 2 and 3
  assert.equal(run.add(b.side, 0, b.packet), true);
  assert.deepEqual(run.steps, [0, 10, 20, 30]);
  assert.deepEqual(run.curves, { loss: [0, 1, 2, 3], val_loss: [2, 1, 0, 1] });
  assert.deepEqual(
    run.maps["0.cross"].map((map) => map[0]),
    [0, 1, 2, 3],
  );
  const c = packet(9, 1);
  assert.equal(run.add(c.side, 0, c.packet), false);
  assert.equal(run.steps.length, 4);
});

test("where knobs were turned comes with every packet", () => {
  const a = packet(0, 2);
  const run = new Run(a.side);
  run.add(a.side, 0, a.packet);
  assert.deepEqual(run.turns, []);
  const b = packet(2, 1, { turns: [[10, "learning rate 0.1"]], values: { batch: "8 examples" } });
  run.add(b.side, 0, b.packet);
  assert.deepEqual(run.turns, [[10, "learning rate 0.1"]]);
  assert.deepEqual(run.values, { batch: "8 examples" });
});

test("the head in view is the one with most weight on the true alignment", () => {
  const { side, packet: all } = packet(0, 3);
  const run = new Run(side);
  run.add(side, 0, all);
  const [first, second] = run.mass["0.cross"][0];
  assert.ok(Math.abs(first - (51 + 102) / 255 / 2) < 1e-6);
  assert.equal(second, 1);
  assert.deepEqual(run.chosen(0, "cross"), [0, 1]);
  run.head = [0, 0];
  assert.deepEqual(run.chosen(0, "cross"), [0, 0]);
});

test("the step since which a head has more than half of the true alignment is that of its last rise", () => {
  const run = new Run({ id: "r" });
  run.steps = [0, 10, 20, 30, 40];
  const heads = [
    [0.1, 0.6, 0.5, 0.7, 0.9],
    [0.6, 0.7, 0.8, 0.9, 0.4],
    [0.6, 0.7, 0.8, 0.9, 0.9],
    [NaN, NaN, NaN, NaN, NaN],
  ];
  run.mass["0.decoder"] = run.steps.map((_, n) => heads.map((values) => values[n]));
  assert.deepEqual(
    heads.map((_, h) => run.since("0.decoder", h)),
    [30, null, 0, null],
  );
  assert.equal(sinceWhen({ name: "" }, 30), "Over one half since step 30.");
  assert.equal(sinceWhen({ name: "B" }, null), "B: not over one half.");
});

test("the name of the weight on the true alignment comes with the first frames and stays", () => {
  const a = packet(0, 2, { score: "Induction score" });
  const run = new Run(a.side);
  assert.equal(run.score, "");
  run.add(a.side, 0, a.packet);
  const b = packet(2, 1);
  run.add(b.side, 0, b.packet);
  assert.equal(run.score, "Induction score");
});

test("a frame is the last one at or before its step", () => {
  const { side, packet: all } = packet(0, 4);
  const run = new Run(side);
  run.add(side, 0, all);
  assert.deepEqual(
    [-5, 0, 9, 10, 29, 30, 999].map((step) => run.frame(step)),
    [0, 0, 0, 1, 2, 3, 3],
  );
  assert.equal(run.best(), 2);
});
