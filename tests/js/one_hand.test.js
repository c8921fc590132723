// One clock of the position codes: the names on its rim, and the position that its hand is turned to.
import assert from "node:assert/strict";
import { test } from "node:test";

import { onward, turning } from "../../pages/positions/components/position_code/marks.js";
import {
  alikes,
  angleAt,
  apartOn,
  inOrder,
  likeness,
  planHands,
  planOne,
  positionAt,
  rim,
  told,
} from "../../pages/positions/components/position_code/one_hand.js";
import { PositionCode } from "../../pages/positions/components/position_code/position_code.js";
import { usualPair } from "../../pages/positions/components/position_code/reading.js";
import { packed } from "./payload.js";

test("the rim names the positions of the turn that the hand is in", () => {
  const names = (turn, a, length = 64) => rim(turn, a, length).map(([p]) => p);
  assert.deepEqual(names(8, 3), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(names(8, 9), [8, 9, 10, 11, 12, 13, 14, 15]);
  assert.deepEqual(names(8, 9, 12), [8, 9, 10, 11]);
  assert.ok(names(2000, 5).length < 30, "names that would lie on each other are left out");
});

test("a hand that is turned on counts on, past a turn as well", () => {
  const turn = 19.9;
  let a = 0;
  for (let p = 1; p < 64; p++) {
    a = positionAt((2 * Math.PI * p) / turn, turn, a, 64);
    assert.equal(a, p);
  }
  assert.equal(positionAt(-0.4, turn, 0, 64), 0, "there is nothing before the first");
  assert.equal(angleAt({ x: 10, y: 10 }, [20, 10]), Math.PI / 2);
});

/** The table of hands that take so many positions per turn. */
const tableOf = (turns, length = 64) => {
  const angle = (p, n) => (2 * Math.PI * p) / turns[n];
  const row = (p) => turns.flatMap((_, n) => [Math.sin(angle(p, n)), Math.cos(angle(p, n))]);
  return { turns, length, row, isWhole: () => true };
};
const TABLE = tableOf([6.283, 19.87, 62.83, 198.7, 628.3]);
const ORDER = [1, 2, 3, 4, 0];

test("what hands show alike is nearer to a position than its neighbour, and each slower hand leaves fewer of it", () => {
  assert.deepEqual(alikes(TABLE, [1], 2), [22, 42, 62], "one for each turn, the nearest first");
  assert.deepEqual(alikes(TABLE, [1, 2], 2), [62]);
  assert.deepEqual(alikes(TABLE, [1, 2, 3], 2), []);
  assert.deepEqual(alikes(TABLE, [4], 2), [], "a slow hand does not come round");
  assert.ok(Math.abs(apartOn(TABLE, 1, 2, 22) - (20 / 19.87 - 1) * 2 * Math.PI) < 1e-9, "the shorter way round");
});

test("a hand that is added lowers whom it tells apart, and nobody rises", () => {
  const [one, two, three] = [1, 2, 3].map((n) => likeness(TABLE, ORDER.slice(0, n), 2));
  for (const all of [one, two, three]) assert.equal(all[2], 1, "a position looks like itself");
  assert.ok(one[22] > 0.9 && two[22] < 0.5, "22 sinks");
  assert.ok(two[62] > 0.9 && three[62] < 0.5, "62 sinks with the third");
  assert.ok(one.every((x, p) => two[p] <= x && three[p] <= two[p]));
});

test("hands are added from the one that is read first to the slowest, and faster ones last", () => {
  assert.deepEqual(inOrder([0, 4, 8, 12], 4), [4, 8, 12, 0]);
  assert.deepEqual(inOrder([0, 4, 8, 12], 8), [8, 12, 4, 0]);
  assert.deepEqual(inOrder([0], 0), [0]);
});

test("it is asked first, and told once the hand is there", () => {
  const says = (n, a) => told(TABLE, ORDER.slice(0, n), a, 2).filter(Boolean).join(" ");
  assert.equal(says(1, 2), "Which other position shows the same time as 2? Drag the hand round.");
  assert.equal(says(1, 9), "Which other position shows the same time as 2? Position 9 does not.");
  assert.equal(says(1, 22), "Position 22 shows almost the same time as 2. One turn takes 19.9 positions.");
  assert.equal(says(2, 22), "Two hands: 22 and 42 no longer look like 2. 62 still does. Turn a hand to 62.");
  assert.equal(says(3, 22), "Three hands: the positions most like 2 are now its own neighbours, 1 and 3.");
  const three = likeness(TABLE, ORDER.slice(0, 3), 2);
  assert.ok(
    three.every((x, p) => p === 2 || x <= three[1] + 1e-9),
    "as the strip has it",
  );
  assert.equal(says(5, 62), "Five hands: no time comes twice in 628 positions.");
  assert.equal(
    told(tableOf([19.87, 19.87]), [0, 1], 2, 2)[0],
    "Two hands: 22, 42 and 62 still look like 2.",
    "nothing was said that they still do",
  );
  assert.match(told(tableOf([19.87, 19.87], 30), [0, 1], 2, 2)[0], /: 22 still looks like 2\.$/);
  assert.equal(told(tableOf([62.8], 8), [0], 2, 2)[0], "One hand: no time comes twice in 62.8 positions.");
});

test("the pair that is read first turns most nearly once in 20 positions", () => {
  assert.equal(usualPair([6.3, 19.9, 62.8]), 1);
  assert.equal(usualPair([6.3]), 0);
});

test("everything stands within the room that there is", () => {
  for (const width of [340, 760, 1208]) {
    const { clock, wave, height } = planOne(width, 420);
    assert.ok(clock.x - clock.r > 20 && wave.x + wave.w <= width && wave.y + wave.h < height);
    for (const n of [2, 3, 8]) {
      const { places, wave: low, height: tall } = planHands(width, 420, n);
      assert.ok(low.x >= 0 && low.x + low.w <= width && low.y + low.h + 20 < tall);
      assert.equal(places.length, n);
      for (const { x, y, r } of places) assert.ok(r > 30 && x + r < width && y + r <= low.y && x >= r && y >= r);
    }
  }
});

test("of a table that is made anew no wave is drawn further than the hand has been in it", (t) => {
  globalThis.location = { search: "", pathname: "/" };
  t.after(() => delete globalThis.location);
  const codes = (length) =>
    packed({ table: { shape: [length + 4, 4], values: Array(4 * (length + 4)).fill(0) } }, header(length));
  const header = (length) => ({ d: 4, length, most: 4, at: 2, turns: [20, 60] });
  const quiet = { paint() {}, arrange() {} };
  const sliders = Object.fromEntries(["a", "k", "pair"].map((name) => [name, { input: {}, output: {} }]));
  const view = Object.assign(Object.create(PositionCode.prototype), quiet, { sliders, n: 1, beat: 0 });
  const hidden = {
    markings: () => [],
    say() {},
    link: { later() {} },
    next: () => [""],
    on: {},
    root: { dataset: {} },
  };
  const node = { setAttribute() {}, getAttribute() {}, append() {}, replaceChildren() {}, subarray() {} };
  globalThis.document = { createElement: () => node };
  t.after(() => delete globalThis.document);
  Object.assign(view, hidden, { marks: node, turn: node, drawing: node });
  view.update(codes(64));
  view.set({ a: 63 });
  view.set({ a: 3 });
  assert.equal(view.reach, 63, "it has been there");
  view.update(codes(8));
  view.draw();
  assert.deepEqual([view.a, view.reach], [3, 3]);
});

test("a step of one is one position, none turns no hand, and no angle that is there is written as none", (t) => {
  globalThis.document = { createElement: () => ({ setAttribute() {}, append: (text) => said.push(text) }) };
  t.after(() => delete globalThis.document);
  const said = [];
  assert.match(onward(1), /^1 position on, each hand turns /);
  assert.match(onward(3), /^3 positions on, /);
  assert.equal(onward(0), "Without a step, no hand turns.");
  const numbers = Float32Array.of(0, 1, 0, 1, 0, 1);
  const table = (turn) => ({
    turns: [turn],
    isWhole: () => true,
    row: (p) => numbers.subarray(2 * p, 2 * p + 2),
  });
  for (const [k, turn] of [[1, 2e6], [1, 1e5], [0, 2e6]]) turning(table(turn), { a: 0, k, pair: 0 }); // prettier-ignore
  const angles = said.filter((text) => /turns pair/.test(text)).map((text) => text.match(/by (.*),/)[1]);
  assert.deepEqual(angles, ["less than 0.001°", "0.004°", "0°"]);
});

test("what a step does is shown as a matrix times two numbers, and it is these", (t) => {
  const said = [];
  globalThis.document = { createElement: () => ({ setAttribute() {}, append: (text) => said.push(text) }) };
  t.after(() => delete globalThis.document);
  const table = tableOf([19.87, 62.83]);
  const numbers = { ...table, row: (p) => Float64Array.from(table.row(p)) };
  for (const [a, k] of [[7, 5], [60, 32], [0, 3]]) turning(numbers, { a, k, pair: 0 }); // prettier-ignore
  const all = said.filter((text) => /^−?\d\.\d\d$/.test(text)).map((text) => Number(text.replace("−", "-")));
  assert.equal(all.length, 24);
  for (let n = 0; n < 24; n += 8) {
    const [p, q, r, s, x, y, ...moved] = all.slice(n, n + 8);
    for (const [found, shown] of [
      [p * x + q * y, moved[0]],
      [r * x + s * y, moved[1]],
    ])
      // prettier-ignore
      assert.ok(Math.abs(found - shown) < 0.02);
  }
});

/** Elements of which only the properties count. */
const node = () => ({ style: {}, dataset: {}, setAttribute() {}, append() {}, replaceChildren() {} });

test("the right button turns no hand and chooses nothing, and a finger that scrolls the map chooses nothing", (t) => {
  const globals = { location: { search: "", pathname: "/" }, document: { createElement: node, createElementNS: node } };
  Object.assign(globalThis, globals);
  t.after(() => Object.keys(globals).forEach((name) => delete globalThis[name]));
  const view = new PositionCode(node());
  const done = [];
  Object.assign(view, {
    grab: () => done.push("grabbed"),
    set: (seen) => done.push(seen.a),
    under: () => ({ a: 7 }),
  });
  Object.assign(view.drawing, { getBoundingClientRect: () => ({ left: 0, top: 0 }), clientLeft: 0, clientTop: 0 });
  const press = (button, pointerType) => {
    const event = { button, pointerType, clientX: 0, clientY: 0 };
    view.drawing.onpointerdown(event);
    const held = done.splice(0);
    view.drawing.onclick(event);
    return [held, done.splice(0)];
  };
  view.beat = 0; // hands
  assert.deepEqual([press(0, "mouse"), press(0, "touch")], Array(2).fill([["grabbed"], []]));
  assert.deepEqual(press(2, "mouse")[0], []);
  view.beat = 2; // the map
  assert.deepEqual(press(0, "touch"), [[], [7]]);
  assert.deepEqual(press(0, "mouse")[0], [7]);
  assert.deepEqual(press(2, "mouse")[0], []);
});
