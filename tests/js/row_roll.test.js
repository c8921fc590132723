// The roll of a table: where its rows are, how it turns, how they change places, and what is said of it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { alike, bar } from "../../pages/embeddings/components/row_roll/bars.js";
import { Pulling } from "../../pages/embeddings/components/row_roll/pulling.js";
import {
  LONGEST_SPIN,
  aboutTable,
  inSight,
  litUpTo,
  nextAct,
  onRoll,
  picks,
  rowAt,
  spinTime,
  strange,
  twinAfter,
} from "../../pages/embeddings/components/row_roll/rolling.js";

test("rows lie one below the other, the middle one is the tallest, and the last in sight are at the ends", () => {
  for (const half of [52, 235, 500]) {
    const n = inSight(half);
    const tall = Array.from({ length: 2 * n + 1 }, (_, k) => onRoll(k - n + 0.5, half) - onRoll(k - n - 0.5, half));
    assert.ok(tall.every((height) => height >= 0));
    assert.equal(Math.max(...tall), tall[n]);
    assert.ok(tall[n] > 30 && tall[n] < 36, "large enough to be read");
    assert.equal(onRoll(0, half), 0);
    assert.equal(onRoll(n, half), half);
    assert.ok(onRoll(n - 1, half) < half, "one row fewer would not reach the end");
    assert.ok(Math.abs(onRoll(-7, half) + onRoll(7, half)) < 1e-9);
  }
});

test("the row that is pressed is the one that is drawn there", () => {
  for (const u of [-33, -12, -1, 0, 1, 2, 30]) assert.ok(rowAt(onRoll(u, 235), 235) === u);
  assert.ok(rowAt(onRoll(0.4, 235), 235) === 0);
});

test("a longer way takes longer, but never more than the longest spin", () => {
  assert.ok(spinTime(1) < spinTime(30));
  assert.equal(spinTime(-30), spinTime(30));
  assert.equal(spinTime(2000), LONGEST_SPIN);
  assert.ok(LONGEST_SPIN <= 600);
});

test("a row lights once for each word up to the chosen one that has its id", () => {
  const ids = [510, 388, 510, 4, 510];
  assert.deepEqual(litUpTo(ids, 0), [0]);
  assert.deepEqual(litUpTo(ids, 2), [0, 2]);
  assert.deepEqual(litUpTo(ids, 4), [0, 2, 4]);
  assert.deepEqual(litUpTo(ids, 1), [1]);
  assert.equal(twinAfter(ids, 0), 2);
  assert.equal(twinAfter(ids, 4), -1);
  assert.equal(twinAfter(ids, 1), -1);
});

test("the button leads from the word to its twin, to another word, and back", () => {
  const labels = { 510: "mia", 388: "red" };
  const state = { ids: [510, 388, 510], labels, at: 0, isStrange: false, asks: true };
  assert.deepEqual(nextAct(state), [2, "Press the next “mia”"]);
  assert.deepEqual(nextAct({ ...state, at: 2, asks: false }), [1, "Now “red”"]);
  assert.deepEqual(nextAct({ ...state, at: 1, asks: false }), [2, "Now “mia”"]);
  assert.deepEqual(nextAct({ ...state, isStrange: true }), [0, "Back to “mia”"]);
  assert.deepEqual(nextAct({ ...state, ids: [510], asks: false }), [null, ""]);
});

test("what is found has the model's own ids in it, and counts what two words share", () => {
  const state = { n: 1, all: 2000, d: 128, asks: false, same: null };
  const says = (more) => picks("mia", 510, { ...state, ...more });
  assert.equal(says({ asks: true }), "“mia” has id 510: it takes row 510 of 2,000. And the next “mia”?");
  assert.equal(says({}), "“mia” has id 510, so its vector is row 510 of 2,000.");
  assert.equal(says({ n: 2 }), "“mia” again, id 510 again: the same 128 numbers, whatever stands around it.");
  assert.equal(says({ same: 0, before: "red" }), "“mia” shares none of its 128 numbers with “red”.");
  assert.equal(says({ same: 3, before: "red" }), "“mia” shares 3 of its 128 numbers with “red”.");
  assert.equal(strange(462, "time"), "Row 462 is that of “time”: not in this text.");
  assert.equal(strange(462), "Row 462: no token of this text takes it.");
  const row = Float32Array.from([0.1, -0.2, 0.3]);
  assert.equal(alike(row, row.slice()), 3);
  assert.equal(alike(row, row.with(1, 0.2)), 2);
});

test("a bar goes up from zero for a number above it, down for one below, and never beyond its room", () => {
  assert.deepEqual(bar(0.5, 1, 100, 80), { y: 60, height: 40 });
  assert.deepEqual(bar(-0.5, 1, 100, 80), { y: 100, height: 40 });
  assert.deepEqual(bar(3, 1, 100, 80), { y: 20, height: 80 });
  assert.deepEqual(bar(0, 0, 100, 80), { y: 100, height: 0 });
});

test("what is drawn of a table is said, and what is not", () => {
  const table = { about: "learned", V: 2000, d: 128, across: 128, lines: null };
  const said = "The learned table: 2,000 rows of 128 numbers. Pull the framed row out, or roll the table.";
  assert.equal(aboutTable(table, false), said);
  const large = { ...table, V: 30522, d: 768, lines: Array.from({ length: 4096 }) };
  assert.equal(
    aboutTable(large, true),
    "The learned table: 30,522 rows of 768 numbers (128 are drawn); the 4,096 with ids nearest to those" +
      " of your text are drawn. Press a row.",
  );
});

test("a row lies on its line of the table, and unfolds as far as a hand pulls it, its edge under the hand", () => {
  globalThis.DOMRect ??= class {
    constructor(left, top) {
      Object.assign(this, { left, top });
    }
  };
  const at = (left, top) => ({ getBoundingClientRect: () => ({ left, top }) });
  const root = { ...at(0, 100), style: { setProperty() {} } };
  const roll = { width: 400, notch: { left: 120, top: 200, bottom: 285 }, canvas: at(300, 100) };
  const node = { offsetLeft: 720, offsetTop: 0, offsetWidth: 560, offsetHeight: 340, style: {} };
  const pulling = new Pulling({ roll, root, bars: { node }, drawWires() {} });
  pulling.by(-50);
  assert.equal(node.style.transform, "translate(-300px, 200px) scale(0.5,0.25)", "it covers its line");
  pulling.by(60);
  assert.equal(pulling.share, 0.2);
  assert.match(node.style.transform, /^translate\(-240px, 160px\)/, "60 pixels on, as the hand");
  pulling.by(900);
  assert.deepEqual([pulling.share, node.style.transform], [1, ""], "all of it is out, and nothing flies on");
});
