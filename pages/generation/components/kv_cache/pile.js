// What is computed for a text of n tokens: without a cache a row per step, all of whose pairs are computed, one pile;
// with one a single row. A pair is a key above its value.

import { surface } from "../../../../attention_view/paint.js";

export const FAR = 1000; // tokens of the longest text
const OLD = 0.36; // how strong it is what was computed for an earlier token
const LOW = 5; // pixels of a row that is drawn by itself
const BLOCK = 15; // of lower ones that are drawn as one
const NEAR = 0.86; // of the width are for the first tokens, all of which have room for a name

/** The share of the width that n tokens take: the first `near` have the same room each, the others ever less. */
export const spanOf = (n, near) =>
  n <= near ? (NEAR * n) / near : NEAR + ((1 - NEAR) * Math.log(n / near)) / Math.log(FAR / near);

/** How many tokens take this share of the width. */
export function lengthAt(share, near) {
  if (share <= NEAR) return Math.max(1, Math.round((near * share) / NEAR));
  return Math.min(FAR, Math.round(near * (FAR / near) ** ((share - NEAR) / (1 - NEAR))));
}

/** Pairs computed for n tokens: [without a cache, with one]; as counted, and further on as the same goes on. */
export function computed({ anew, kept }, n) {
  if (n > anew.length) return [(n * (n + 1)) / 2, n];
  return [anew, kept].map((counts) => counts.slice(0, n).reduce((sum, count) => sum + count, 0));
}

/** The row in which this many pairs of the pile end, and how many of them lie in it: [row, cells], from row 1. */
export function lastRow(pairs) {
  const row = Math.ceil((Math.sqrt(8 * pairs + 1) - 1) / 2);
  return [row, pairs - (row * (row - 1)) / 2];
}

/** How many rows of this height are drawn as one, of n. */
export const blockOf = (high, n) => (high < LOW ? Math.min(n, Math.ceil(BLOCK / high)) : 1);

/** Draws the pile, and below it the row that is kept. Small cells are drawn as one: a row of them is still as high as
 * they are together.
 *
 * n: tokens;  come: pairs that have come in the pile;  across, high: of one pair;  tops: of pile and row;
 * column: the one that is held, or null */
export function drawLanes(canvas, [width, height], { n, come, across, high, tops, column }, colour) {
  const pen = surface(canvas, width, height);
  const hues = [colour("key"), colour("value")];
  const many = blockOf(high, n);
  const pair = (at, top, tall, strong) => {
    const gap = Math.min(4, tall / 8, (across * many) / 8);
    pen.globalAlpha = column === at ? 1 : column === null ? strong : strong / 3;
    const [left, wide] = [at * across, across * Math.min(many, n - at) - gap];
    hues.forEach((hue, side) => {
      pen.fillStyle = hue;
      pen.beginPath();
      const round = Math.min(6, gap * 2);
      const corners = side ? [0, 0, round, round] : [round, round, 0, 0];
      pen.roundRect(left, top + (side * (tall - gap)) / 2, Math.max(wide, 0.5), (tall - gap) / 2, corners);
      pen.fill();
    });
  };
  const [last, cells] = lastRow(come);
  for (let row = 1; row <= last; row += many) {
    const isLast = row + many > last;
    const wide = isLast ? (many > 1 ? last : cells) : row;
    for (let at = 0; at < wide; at += many)
      pair(at, tops[0] + (row - 1) * high, high * Math.min(many, n - row + 1), isLast ? 1 : OLD);
  }
  const low = Math.max(high, 3);
  for (let at = 0; at < last; at += many) pair(at, tops[1], low, many > 1 || at === last - 1 ? 1 : 0.55);
  pen.globalAlpha = 1;
  if (column !== null) {
    Object.assign(pen, { strokeStyle: colour("ink"), lineWidth: 2 });
    pen.strokeRect(column * across - 2, tops[0] + column * high - 2, across, (n - column) * high);
    pen.strokeRect(column * across - 2, tops[1] - 2, across, high);
  }
}

/** Draws one large pair per token, as high as there is room. */
export function drawPairs(canvas, [width, height], { n, across, column }, colour) {
  const pen = surface(canvas, width, height);
  for (let at = 0; at < n; at++)
    ["key", "value"].forEach((side, below) => {
      pen.fillStyle = colour(side);
      pen.globalAlpha = column === null || column === at ? 1 : 0.3;
      pen.beginPath();
      const corners = below ? [0, 0, 10, 10] : [10, 10, 0, 0];
      pen.roundRect(at * across, (below * height) / 2 + 1.5 * below, across - 10, height / 2 - 1.5, corners);
      pen.fill();
    });
}
