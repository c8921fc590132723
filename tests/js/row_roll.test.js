// The roll of a table: where its rows are, how it turns, how they change places, and what is said of it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bar } from "../../pages/embeddings/components/row_roll/bars.js";
import { Pulling } from "../../pages/embeddings/components/row_roll/pulling.js";
import {
  LONGEST_SPIN,
  aboutTable,
  chasing,
  flown,
  inFlight,
  inSight,
  litUpTo,
  nextAct,
  onRoll,
  picks,
  renamed,
  rowAt,
  spinTime,
  strange,
  twinAfter,
  undone,
} from "../../pages/embeddings/components/row_roll/rolling.js";

test("rows lie one below the other, the middle one is the tallest, and the last in sight are at the ends", () => {
  for (const half of [52, 235, 500]) {
    const n = inSight(half);
    const tall = Array.from({ length: 2 * n + 1 }, (_, k) => onRoll(k - n + 0.5, half) - onRoll(k - n - 0.5, half));
    assert.ok(tall.every((height) => height >= 0));
    assert.equal(Math.max(...tall), tall[n]);
    assert.ok(tall[n] > 20 && tall[n] < 30, "large enough to be read");
    assert.equal(onRoll(0, half), 0);
    assert.equal(onRoll(n, half), half);
    assert.ok(onRoll(n - 1, half) < half, "one row fewer would not reach the end");
    assert.ok(Math.abs(onRoll(-7, half) + onRoll(7, half)) < 1e-9);
  }
});

test("the row that is pressed is the one that is drawn there", () => {
  for (const u of [-60, -12, -1, 0, 1, 2, 30]) assert.ok(rowAt(onRoll(u, 235), 235) === u);
  assert.ok(rowAt(onRoll(0.4, 235), 235) === 0);
});

test("a longer way takes longer, but never more than the longest spin", () => {
  assert.ok(spinTime(1) < spinTime(30));
  assert.equal(spinTime(-30), spinTime(30));
  assert.equal(spinTime(2000), LONGEST_SPIN);
  assert.ok(LONGEST_SPIN <= 600);
});

test("in flight each row begins and ends in its own place, and is aside only between", () => {
  assert.deepEqual(inFlight(510, 1404, 0)[0], 510);
  assert.deepEqual(inFlight(510, 1404, 1)[0], 1404);
  for (const share of [0, 1]) assert.ok(Math.abs(inFlight(510, 1404, share)[1]) < 1e-9);
  const aside = Array.from({ length: 300 }, (_, id) => inFlight(id, 2 * id, 0.5)[1]);
  assert.ok(Math.min(...aside) < -0.9 && Math.max(...aside) > 0.9, "to both sides");
});

test("the chosen row leads the way to its new place, in sight all along, and the roll is there when it is", () => {
  const half = 200;
  for (const [from, to] of [
    [510, 1404],
    [1404, 3],
  ]) {
    const at = (share) => from + (to - from) * chasing(share);
    const away = Array.from({ length: 41 }, (_, n) => flown(from, to, n / 40, at(n / 40), half));
    assert.deepEqual([away[0], Math.abs(away[40])], [0, 0]);
    assert.ok(Math.max(...away.map(Math.abs)) > half / 2, "it is seen to leave");
    for (const y of away) assert.ok(y * (to - from) >= 0 && Math.abs(y) + onRoll(0.5, half) < half);
  }
});

test("every id that was shuffled is found again", () => {
  const moved = [3, 0, 1, 2];
  const order = undone(moved);
  assert.deepEqual(order, [1, 2, 3, 0]);
  moved.forEach((to, id) => assert.equal(order[to], id));
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

test("the button leads from the word to its twin, to the shuffle, and back", () => {
  const state = { ids: [510, 388, 510], at: 0, label: "mia", isStrange: false, isShuffled: false, canShuffle: true };
  assert.deepEqual(nextAct(state), ["twin", "Press the next “mia”"]);
  assert.deepEqual(nextAct({ ...state, at: 2 }), ["shuffle", "Shuffle all ids"]);
  assert.deepEqual(nextAct({ ...state, at: 1 }), ["shuffle", "Shuffle all ids"], "a word that comes once");
  assert.deepEqual(nextAct({ ...state, isShuffled: true }), ["restore", "Put the ids back"]);
  assert.deepEqual(nextAct({ ...state, isShuffled: true, isStrange: true }), ["back", "Back to “mia”"]);
  assert.deepEqual(nextAct({ ...state, at: 2, canShuffle: false }), ["next", "Next token"]);
  assert.deepEqual(nextAct({ ...state, ids: [7], at: 0, canShuffle: false })[0], null);
});

test("what is found has the model's own ids in it", () => {
  const says = (n, asks) => picks("mia", 510, n, "2,000", "128", asks);
  assert.equal(says(1, true), "“mia” has id 510: it takes row 510 of 2,000. And the next “mia”?");
  assert.equal(says(1, false), "“mia” has id 510, so its vector is row 510 of 2,000.");
  assert.equal(says(2, false), "“mia” again, id 510 again: the same 128 numbers, whatever stands around it.");
  const said = "“mia” is 1404 now, not 510, but its row is the same: ids are only names.";
  assert.equal(renamed("mia", 1404, 510), said);
  assert.equal(strange(462, "time"), "Row 462 is that of “time”: not in this text.");
  assert.equal(strange(462), "Row 462: no token of this text takes it.");
});

test("a bar goes up from zero for a number above it, down for one below, and never beyond its room", () => {
  assert.deepEqual(bar(0.5, 1, 100, 80), { y: 60, height: 40 });
  assert.deepEqual(bar(-0.5, 1, 100, 80), { y: 100, height: 40 });
  assert.deepEqual(bar(3, 1, 100, 80), { y: 20, height: 80 });
  assert.deepEqual(bar(0, 0, 100, 80), { y: 100, height: 0 });
});

test("what is drawn of a table is said, and what is not", () => {
  const table = { about: "learned", V: 2000, d: 128, across: 128, lines: null };
  const said =
    "The learned table: 2,000 lines of 128 numbers, as colours. Drag it, press a line, or pull the framed row out.";
  assert.equal(aboutTable(table, false), said);
  const large = { ...table, V: 30522, d: 768, lines: Array.from({ length: 4096 }) };
  assert.equal(
    aboutTable(large, true),
    "The learned table: 30,522 lines of 768 numbers (128 are drawn), as colours; the 4,096 with ids nearest to those" +
      " of your text are drawn. Press a line.",
  );
});

test("a row comes out as far as a hand pulls it, its copy under the hand, and no farther than it can", () => {
  const roll = { width: 400, lifted: 0, draw() {} };
  const root = { style: { setProperty() {} } };
  const pulling = new Pulling({ roll, root, drawWires() {} });
  pulling.by(60);
  assert.ok(pulling.share > 0.2 && pulling.share < 0.3);
  assert.equal(roll.lifted, 60);
  pulling.by(-50);
  assert.deepEqual([pulling.share, roll.lifted], [0, 0]);
  pulling.by(900);
  assert.deepEqual([pulling.share, roll.lifted], [1, 0], "all of it is out, and nothing flies on");
});
