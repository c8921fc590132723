// What is computed for a text of n tokens: without a cache a row per step, all of whose pairs are computed, one pile;
// with one a single row. A pair is a key above its value.

import { paintPixels, rgb, strength } from "../../../../attention_view/lab.js";
import { surface } from "../../../../attention_view/paint.js";

export const FAR = 1000; // tokens of the longest text
const [OLD, KEPT] = [0.5, 0.72]; // how strong it is what was computed for an earlier token, and what is kept of it
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

/** The key and the value of each token as a row of stripes, one per number: the larger it is, the stronger. */
export function striped({ keys, values }, colour) {
  const wide = keys.shape[1];
  const panel = rgb(colour("panel"));
  const paintSide = (side, name) => {
    const hue = rgb(colour(name));
    return Array.from({ length: side.length / wide }, (_, at) => {
      const numbers = side.subarray(at * wide, (at + 1) * wide);
      const largest = Math.max(1e-9, ...numbers.map(Math.abs));
      const canvas = document.createElement("canvas");
      paintPixels(canvas, numbers, wide, [hue, panel, hue], (x) => strength(Math.abs(x) / largest));
      return canvas;
    });
  };
  const below = paintSide(values, "value");
  return paintSide(keys, "key").map((key, at) => [key, below[at]]);
}

/** Draws the pile, and below it the row that is kept. Small cells are drawn as one: a row of them is still as high as
 * they are together. Without stripes a pair is even.
 *
 * n: tokens;  come: pairs that have come in the pile;  across, high: of one pair;  tops: of pile and row;
 * column: the one that is held, or null */
export function drawLanes(canvas, [width, height], { n, come, across, high, tops, column }, colour, stripes) {
  const pen = surface(canvas, width, height);
  const hues = [colour("key"), colour("value")];
  const many = blockOf(high, n);
  const pair = (at, top, tall, strong) => {
    const gap = Math.min(4, tall / 8, (across * many) / 8);
    pen.globalAlpha = column === at ? 1 : column === null ? strong : strong / 3;
    const [left, wide] = [at * across, Math.max(0.5, across * Math.min(many, n - at) - gap)];
    hues.forEach((hue, side) => {
      const place = [left, top + (side * (tall - gap)) / 2, wide, (tall - gap) / 2];
      fill(pen, place, many === 1 && stripes[at] ? stripes[at][side] : hue);
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
  for (let at = 0; at < last; at += many) pair(at, tops[1], low, many > 1 || at === last - 1 ? 1 : KEPT);
  pen.globalAlpha = 1;
  if (column !== null) {
    Object.assign(pen, { strokeStyle: colour("ink"), lineWidth: 2 });
    pen.strokeRect(column * across - 2, tops[0] + column * high - 2, across, (n - column) * high);
    pen.strokeRect(column * across - 2, tops[1] - 2, across, high);
  }
}

/** A key or a value in its place: its stripes, or one colour. */
function fill(pen, place, look) {
  pen.imageSmoothingEnabled = false;
  if (typeof look !== "string") return pen.drawImage(look, ...place);
  pen.fillStyle = look;
  pen.fillRect(...place);
}

/** Draws one large pair per token, as high as there is room. */
export function drawPairs(canvas, [width, height], { n, across, column }, stripes) {
  const pen = surface(canvas, width, height);
  for (let at = 0; at < n; at++)
    stripes[at].forEach((look, below) => {
      pen.globalAlpha = column === null || column === at ? 1 : 0.3;
      fill(pen, [at * across, (below * height) / 2 + 3 * below, across - 10, height / 2 - 3], look);
    });
}
