// What a mask does to a row, in a sentence.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Answer, answerSaid } from "../../pages/masks/components/mask_brush/answer.js";
import { actSaid, cellsOf, Lines, openSaid, turnOf } from "../../pages/masks/components/mask_brush/lines.js";
import { Brush, isOtherHead } from "../../pages/masks/components/mask_brush/mask_brush.js";
import { between } from "../../pages/masks/components/mask_brush/masks.js";
import { Panel } from "../../pages/masks/components/mask_brush/panel.js";
import { findingOf } from "../../pages/masks/components/mask_brush/row_said.js";
import { keysToTurn, Turner } from "../../pages/masks/components/mask_brush/turner.js";

const KEYS = ["mia", "took", "the", "red"];
const said = (open, weights = [0.1, 0.6, 0.2, 0.1]) =>
  findingOf("took", KEYS, open, weights)
    .map(([text]) => text)
    .join("");

test("few blocked words are named, many are counted, and a row may be closed or open", () => {
  const looks = "took gives 0.60 of its attention to “took”.";
  assert.equal(said([true, true, false, false]), `${looks} It may not see “the” and “red”.`);
  assert.equal(said([true, true, true, false]), `${looks} It may not see “red”.`);
  assert.match(said([true, false, false, false], [1, 0, 0, 0]), /^took gives 1.00 .* “mia”. It may not see 3 tokens.$/);
  assert.equal(said([false, false, false, false]), "took may see nothing: its row adds up to 0.");
  assert.equal(said([true, true, true, true]), looks);
});

test("of the answer it says whether it is another, and which cell did it", () => {
  const answer = (now, turning = [[3, 1]]) => ({ now, was: "hat", turning });
  const says = (one, hidden, found = 0, opened = 0) =>
    answerSaid(one, hidden, opened, found, 10, KEYS)
      .map(([text]) => text)
      .join("");
  assert.equal(says(answer("hat"), []), "It says “hat”. Press a cell to block it, and make it say something else.");
  assert.equal(says(answer("hat"), [[3, 0]]), "Still “hat”, though red may not see “mia”.");
  assert.equal(says(answer("hat"), [[3, 0], [3, 2]]), "Still “hat”, with 2 cells blocked."); // prettier-ignore
  assert.equal(
    says(answer("ball"), [[3, 1]], 1),
    "It says “ball” now: red may not see “took”. Found 1 of 1 such cells among 10.",
  );
  assert.equal(says(answer("hat", []), []), "It says “hat”. Can you make it say something else?");
  assert.equal(says(answer("ball"), [], 0, 6), "It says “ball” now, with 6 cells opened.");
  assert.equal(says(answer("ball"), [[3, 1]], 0, 1), "It says “ball” now, with 1 cell blocked and 1 cell opened.");
  assert.equal(says(answer("hat"), [], 0, 6), "Still “hat”, with 6 cells opened.");
  assert.equal(says(answer("ball", []), [[3, 1]]), "It says “ball” now: red may not see “took”.");
  assert.equal(says(answer("ball"), [[3, 1], [3, 2]]), "It says “ball” now, with 2 cells blocked. One cell can do it."); // prettier-ignore
});

test("other scores are of another head only where the mask is the same: in a layer above, a mask changes them", () => {
  const data = (code, values) => ({ live: { scores: 0 }, panels: [{ values }], code });
  assert.equal(isOtherHead(data("a", [1, 2]), data("a", [1, 3])), true);
  assert.equal(isOtherHead(data("b", [1, 2]), data("a", [1, 3])), false);
  assert.equal(isOtherHead(data("a", [1, 2]), data("a", [1, 2])), false);
  assert.equal(isOtherHead(data("a", [1, 2]), undefined), false, "the first head");
});

test("Find another goes straight to the next cell, and what is found begins anew once none is left", () => {
  const [T, S] = [3, 3];
  const turning = [[2, 0], [2, 1]]; // prettier-ignore
  const brush = { data: { answer: { turning }, live: {} }, panels: [{ T, S }], mask: Array(9).fill(true) };
  Object.defineProperty(brush, "open", { get: () => brush.mask });
  Object.assign(brush, { begin: () => [], commit: () => {} });
  const answer = Object.assign(Object.create(Answer.prototype), { brush, found: new Set(), isOver: false });
  const press = () => {
    answer.act();
    const cells = answer.hidden.map(String);
    for (const cell of cells) answer.found.add(cell);
    answer.isOver = cells.length > 0 && !answer.unfound.length;
    return cells;
  };
  assert.deepEqual([press(), press(), press(), press()], [["2,1"], ["2,0"], [], ["2,1"]]);
  assert.deepEqual(answer.opened, [], "what was open of the future is closed, or no cell would count as found");
});

test("words and numbers are written into the large map alone, not into the small one below it", () => {
  const written = [];
  const brush = { data: { live: {} } };
  const of = (name) => {
    const parts = { isEditable: true, cells: [], data: { kind: "scores" }, legend: { replaceChildren: () => {} } };
    const hears = { brush, scale: () => [], spell: () => written.push(name) };
    return Object.assign(Object.create(Panel.prototype), parts, hears);
  };
  const panels = [of("large"), of("below")];
  brush.lower = panels.slice(1);
  for (const panel of panels) panel.fill([], null, 1);
  assert.deepEqual(written, ["large"]);
});

test("of what has just been blocked it says where the weight has gone", () => {
  const went = (open, weights, before) =>
    findingOf("took", KEYS, open, weights, before)
      .map(([text]) => text)
      .join("");
  assert.equal(
    went([true, false, true, true], [0.25, 0, 0.5, 0.25], [0.1, 0.6, 0.2, 0.1]),
    "“took” is blocked: exactly 0. Its 0.60 goes to the rest: “the” rises from 0.20 to 0.50.",
  );
  assert.equal(
    went([false, false, true, true], [0, 0, 0.67, 0.33], [0.1, 0.6, 0.2, 0.1]),
    "“mia” and “took” are blocked: exactly 0. Their 0.70 goes to the rest: “the” rises from 0.20 to 0.67.",
  );
  const given = went([true, true, true, true], [0.1, 0.6, 0.2, 0.1], [0.25, 0, 0.5, 0.25]);
  assert.equal(given, "took gives 0.60 of its attention to “took”.");
});

test("one number of blocked words, however little each had had, in the sentence and on the button", () => {
  const keys = [..."abcdefgh"];
  const before = [0.001, 0.001, 0.5, 0.003, 0.445, 0.05, 0, 0]; // the last two may not be seen as it is
  const open = [false, false, false, false, true, true, false, false];
  const now = [0, 0, 0, 0, 0.9, 0.1, 0, 0];
  const told = findingOf("q", keys, open, now, before)
    .map(([text]) => text)
    .join("");
  assert.equal(told, "4 tokens are blocked: exactly 0. Their 0.51 goes to the rest: “e” rises from 0.45 to 0.90.");
  assert.deepEqual(keysToTurn(1, open, now, null, before), [0, 1, 2, 3]);
});

test("the button turns all that is blocked, then the same again; of an open row the one that gets most", () => {
  const weights = [0.1, 0.7, 0.2];
  assert.deepEqual(keysToTurn(1, [true, false, false], weights, null), [1, 2]);
  assert.deepEqual(keysToTurn(1, [true, true, false], weights, [1, [1]]), [1]);
  assert.deepEqual(keysToTurn(2, [true, true, false], weights, [1, [1]]), [2], "of another row");
  assert.deepEqual(keysToTurn(0, [true, true, true], weights, null), [1]);
});

test("the button blocks the one that gets most, then what gets most of the rest, and then gives both back", () => {
  const S = 3;
  const brush = { held: 1, mask: Array(S * S).fill(true), panels: [{ S }], before: null, commit: () => {} };
  const scores = [0, 0, 0, 0.2, 0.5, 0.3, 0, 0, 0];
  const turner = Object.assign(Object.create(Turner.prototype), { brush, turned: null, node: {} });
  brush.begin = () => (turner.turned = null);
  Object.defineProperty(brush, "open", { get: () => brush.mask });
  Object.defineProperty(brush, "weights", { get: () => scores.map((score, at) => (brush.mask[at] ? score : 0)) });
  const said = () => {
    turner.show(["ball", "hat", "dog"]);
    return turner.node.textContent;
  };
  const texts = Array.from({ length: 4 }, () => {
    const text = said();
    turner.turn();
    return text;
  });
  assert.deepEqual(texts, ["Block “hat”", "Block “dog” too", "Unblock both", "Block “hat”"]);
  brush.mask[3] = false;
  assert.equal(said(), "Unblock “hat”", "one must be left that is open");
});

test("what was turned by the button is forgotten with its mask", () => {
  const brush = Object.assign(Object.create(Brush.prototype), {
    past: ["before"],
    before: [1],
    turner: { turned: [1, [0, 2]] },
    data: { paint: true, panels: [{ mask: [true, false] }] },
  });
  brush.take("window");
  assert.deepEqual([brush.turner.turned, brush.past, brush.before], [null, [], null]);
  assert.deepEqual(keysToTurn(1, [false, true, false], [0, 1, 0], brush.turner.turned), [0, 2]);
});

test("a quick hand paints every cell on its way", () => {
  assert.deepEqual(between([2, 1], [2, 1]), [
    [2, 1],
    [2, 1],
  ]);
  const way = between([4, 0], [1, 6]);
  assert.deepEqual([way[0], way.at(-1), way.length], [[4, 0], [1, 6], 7]);
  for (const [n, [i, j]] of way.slice(1).entries())
    assert.ok(Math.abs(i - way[n][0]) <= 1 && Math.abs(j - way[n][1]) <= 1, "cells touch");
});

test("a row or column is blocked as a whole, and what was open comes back", () => {
  const open = [true, false, false, true, true, false];
  const row = cellsOf("query", 1, [2, 3]);
  assert.deepEqual(row, [3, 4, 5]);
  assert.deepEqual(cellsOf("key", 1, [2, 3]), [1, 4]);
  assert.deepEqual(turnOf(row, open, null), { isOpening: false, cells: [3, 4] }, "its last cell is blocked already");
  const none = [true, false, false, false, false, false];
  assert.deepEqual(turnOf(row, none, [3, 4]), { isOpening: true, cells: [3, 4] });
  assert.deepEqual(turnOf(row, none, undefined), { isOpening: true, cells: row });
  assert.equal(actSaid("query", "took", false), "Block row “took”");
  assert.equal(actSaid("key", "hat", true), "Unblock column “hat”");
  const told = (side, cells) =>
    openSaid(side, "took", cells, open)
      .map(([text]) => text)
      .join("");
  assert.equal(told("query", row), "took may look at 2 of 3 tokens.");
  assert.equal(told("key", [1, 4]), "took may be seen by 1 of 2 tokens.");
});

/** The buttons of a mask of six words, whose rows see as far as themselves, without a screen. */
function buttons() {
  const mask = Array.from({ length: 36 }, (_, at) => at % 6 <= Math.floor(at / 6));
  const nothing = () => {};
  const brush = Object.assign(Object.create(Brush.prototype), {
    mask,
    past: [],
    data: { panels: [{}] },
    panels: [{ T: 6, S: 6 }],
    turner: {},
    hand: nothing,
    named: "query",
  });
  const lines = Object.assign(Object.create(Lines.prototype), { brush, closed: {} });
  brush.lines = lines;
  const turn = (side, n) => {
    brush[side === "query" ? "chosen" : "column"] = n;
    lines.turn(side);
  };
  return { brush, turn, seen: (side, n) => cellsOf(side, n, [6, 6]).filter((at) => brush.mask[at]).length };
}

test("a column whose crossing a row's button gave back meanwhile is given back whole by its own", () => {
  const { turn, seen } = buttons();
  turn("query", 4);
  turn("key", 1);
  turn("query", 4); // opens the crossing
  assert.equal(seen("key", 1), 1);
  turn("key", 1);
  assert.equal(seen("key", 1), 0);
  turn("key", 1);
  assert.equal(seen("key", 1), 5, "and not the first row's, which never saw it");
});

test("a button gives back nothing that another has blocked since", () => {
  const { turn, seen } = buttons();
  turn("key", 1);
  turn("key", 1);
  turn("query", 4);
  turn("key", 1);
  turn("key", 1);
  assert.equal(seen("key", 1), 4, "the row's button still blocks the crossing");
  turn("query", 4);
  assert.equal(seen("key", 1), 5);
});

test("Undo gives a button back what it had blocked", () => {
  const { brush, turn, seen } = buttons();
  turn("key", 1);
  turn("key", 1);
  brush.back();
  assert.equal(seen("key", 1), 0);
  turn("key", 1);
  assert.equal(seen("key", 1), 5, "and not what the mask had blocked before");
});

test("a stroke down a column goes on telling of the row that was told of, once it has met it", () => {
  const nothing = () => {};
  const brush = Object.assign(Object.create(Brush.prototype), {
    mask: Array(16).fill(true),
    panels: [{ T: 4, S: 4 }],
    data: {},
    subject: 2,
    struck: new Set(),
    cursor: [0, 1],
    dragging: true,
    held: null,
    work: nothing,
    fill: nothing,
    frame: nothing,
    say: nothing,
    group: () => [],
    lines: { show: nothing },
  });
  brush.panels[0].grid = { setAttribute: nothing };
  const told = [0, 1, 3].map((i) => {
    brush.stroke([0, i, 1], false);
    return brush.chosen;
  });
  assert.deepEqual(told, [0, 1, 2], "a quick hand has passed it");
  assert.deepEqual(brush.mask.filter((open) => !open).length, 4);
});
