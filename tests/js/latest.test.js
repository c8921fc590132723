// A press against older answers of the server: alone, and in each figure that holds one.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Presses } from "../../lab/kit/components/latest.js";
import { BlockTower } from "../../pages/blocks/components/block_tower/block_tower.js";
import { River } from "../../pages/blocks/components/layer_river/layer_river.js";
import { Brush } from "../../pages/masks/components/mask_brush/mask_brush.js";
import { pack } from "../../pages/masks/components/mask_brush/masks.js";
import { HeadFinds } from "../../pages/pretrained/components/head_finds/head_finds.js";
import { HeadHunt } from "../../pages/pretrained/components/head_hunt/head_hunt.js";
import { HeadStage } from "../../pages/pretrained/components/head_stage/head_stage.js";
import { TakenApart } from "../../pages/translation/components/taken_apart/taken_apart.js";
import { Area } from "../../pages/why/components/area/area.js";
import { packed } from "./payload.js";

const BUSY = 12_000;

// ---- presses -------------------------------------------------------------------------------------------------------

function pressed(t, ...values) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const presses = new Presses(() => presses.n++);
  presses.n = 0;
  assert.ok(presses.isNews("start"));
  for (const value of values) presses.add(value);
  return presses;
}

const newsOf = (presses, ...answers) => answers.filter((answer) => presses.isNews(answer));

test("no answer to a press is news, in whatever order the same was pressed", (t) => {
  const presses = pressed(t, "A", "B", "A");
  assert.deepEqual(newsOf(presses, "start", "A", "A", "B", "A", "A"), []);
  assert.deepEqual(newsOf(presses, "B"), ["B"], "all are answered: this is of another hand");
  t.mock.timers.tick(BUSY);
  assert.equal(presses.n, 0);
});

test("answers may be left out", (t) => {
  assert.deepEqual(newsOf(pressed(t, "A", "B", "C"), "C", "B"), ["B"]);
  t.mock.timers.reset();
  const presses = pressed(t, "A", "B", "A");
  assert.deepEqual(newsOf(presses, "A"), [], "that to the last press, the only one that came");
  t.mock.timers.tick(BUSY);
  assert.equal(presses.n, 0, "nothing was lost");
});

test("what is changed elsewhere is news, while a press waits and after that", (t) => {
  const presses = pressed(t, "A");
  assert.deepEqual(newsOf(presses, "X", "X", "A"), ["X", "A"]);
  presses.add("B");
  presses.forget(); // another text
  assert.deepEqual(newsOf(presses, "A"), ["A"]);
  t.mock.timers.tick(BUSY);
  assert.equal(presses.n, 0);
});

test("twelve seconds after the last press without an answer, what was said last holds; a late answer is news", (t) => {
  const presses = pressed(t, "A");
  t.mock.timers.tick(BUSY - 1);
  presses.add("B");
  t.mock.timers.tick(BUSY - 1);
  assert.equal(presses.n, 0);
  t.mock.timers.tick(1);
  assert.equal(presses.n, 1);
  assert.deepEqual(newsOf(presses, "start", "B"), ["B"]);
  presses.add("B");
  t.mock.timers.tick(BUSY);
  assert.equal(presses.n, 1, "the server said so already: no answer need come");
});

// ---- the figures that hold one -------------------------------------------------------------------------------------

/** Whatever one asks of it, it is. */
const anything = new Proxy(function () {}, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => "" : anything),
  set: () => true,
  apply: () => anything,
  has: () => true,
});
const tokens = ["a", "b"];
const numbers = (...shape) => ({ shape, values: Array(shape.reduce((a, b) => a * b)).fill(1) });
/** What the browser is sent of two layers of two heads. */
const bytesOf = (header) => {
  const [three, two] = [numbers(2, 2, 2), numbers(2, 2)];
  const said = { before: numbers(2), heads: three, layers: two, moved: two, looks: three };
  return packed({ ...said, values: two }, { tokens, labels: tokens, at: 1, shape: [2, 2, 2], ...header });
};
const heads = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
];
const steps = ["in", "norm1", "attention", "add1"].map((step) => ({ step }));

// Of each figure: what the server says of four values, how one of them is pressed, and which of them it shows.
const FIGURES = {
  BlockTower: {
    View: BlockTower,
    values: ["nothing", "attention.1,attention.0", "attention.1", "attention.0"],
    told: (out) => ({ out: out.split(",").toReversed().join(","), n_layers: 2, whole: [] }), // in whatever order
    press: (view, out) => view.press(out),
    shown: ({ out }) => String(out.split(",").toSorted().toReversed()),
  },
  River: {
    View: River,
    values: ["", "norm1", "attention", "add1"],
    told: (chosen) => ({ chosen, stations: steps, words: tokens }),
    press: (view, step) => view.choose(step),
    shown: ({ step }) => step,
  },
  Brush: {
    View: Brush,
    values: [0, 1, 2, 3].map((closed) => [0, 1, 2, 3].map((n) => n !== closed)),
    told: (mask) => ({ paint: true, code: pack(mask, 2), panels: [{ mask }] }),
    press(view, mask) {
      view.mask = mask;
      view.hand();
    },
    shown: ({ mask }) => mask,
  },
  HeadHunt: {
    View: HeadHunt,
    values: [[], [1], [0, 2], [3]],
    told: (out) => bytesOf({ out }),
    press: (view, out) => (Object.assign(view, { out }), view.tell()),
    shown: ({ out }) => out,
  },
  HeadStage: {
    View: HeadStage,
    values: heads,
    told: (carried) => bytesOf({ carried }),
    press: (view, head) => view.carry(head),
    shown: ({ chosen }) => chosen,
  },
  HeadFinds: {
    View: HeadFinds,
    values: heads,
    told: (chosen) => bytesOf({ chosen, kind: "adds", facts: {} }),
    press: (view, head) => view.touch(...head),
    shown: ({ chosen }) => chosen,
  },
  TakenApart: {
    View: TakenApart,
    values: ["nothing", "positions", "memory", "cross-attention"],
    told: (out) => ({ out, head: null }),
    press: (view, out) => view.press(out),
    shown: ({ out }) => out,
  },
  Area: {
    View: Area,
    values: [20, 500, 5000, 100_000],
    told: (n) => ({ n, d: 512, texts: [] }),
    press: (view, n) => view.send(n),
    shown: ({ n }) => n,
  },
};
const DRAWS = ["build", "draw", "show", "paint", "work", "fill", "say", "layout", "mark", "play", "weights"];

/** A figure that draws nothing. */
function opened(t, { View, told, values }) {
  for (const name of ["document", "location", "history", "window", "matchMedia", "getComputedStyle"]) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value: anything, configurable: true });
    t.after(() => (before ? Object.defineProperty(globalThis, name, before) : delete globalThis[name]));
  }
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const view = new View(anything);
  for (const name of DRAWS) if (view[name]) view[name] = () => anything;
  const link = { now() {}, later() {} };
  Object.assign(view, { link, panels: [{ T: 2 }], kept: true });
  const answer = (value) => view.update(told(value), { setTriggerValue() {}, setStateValue() {} });
  answer(values[0]);
  view.endBeat?.();
  return { view, answer };
}

for (const [name, figure] of Object.entries(FIGURES))
  test(`${name}: no older answer undoes a press, and what is changed elsewhere is taken over`, (t) => {
    const { view, answer } = opened(t, figure);
    const [start, A, B, X] = figure.values;
    const shows = (value, why) => assert.deepEqual(figure.shown(view), value, why);
    shows(start);
    for (const value of [A, B, A]) figure.press(view, value);
    for (const value of [start, A, B, A]) {
      answer(value);
      shows(A, `the server says ${value}`);
    }
    answer(X);
    shows(X, "a control of the page");
    figure.press(view, B);
    t.mock.timers.tick(BUSY);
    shows(X, "no answer came");
    answer(B);
    shows(B, "it came after all");
  });

test("of another text no press is held, and a head that was put back stays there while its answer comes", (t) => {
  const { view, answer } = opened(t, FIGURES.HeadStage);
  view.carry([1, 0]);
  view.touch(1, 0); // which the page is not told of
  answer([1, 0]);
  assert.equal(view.chosen, null);
  view.carry([1, 0]);
  view.touch(1, 0);
  t.mock.timers.tick(BUSY);
  assert.equal(view.chosen, null, "the page is not asked for what it has said");
  view.carry([0, 1]);
  view.update(bytesOf({ carried: [1, 1], tokens: ["c", "d"] }), {});
  assert.deepEqual(view.chosen, [1, 1]);
});
