// What is computed for a text of n tokens: a row per step. Without a cache a step computes the pairs of all tokens so
// far, with one the last alone: solid cells are computed once, or now, pale ones again. A pair is a key on its value.

import { paintPixels, rgb, strength } from "../../../../attention_view/lab.js";
import { surface } from "../../../../attention_view/paint.js";

export const FAR = 1000; // tokens of the longest text
const AGAIN = 0.3; // how strong it is what was computed before
const LOW = 5; // pixels of a row that is drawn by itself
const BLOCK = 15; // of lower ones that are drawn as one
const NEAR = 0.8; // of the width are for the first tokens, all of which have the same room

/** The share of the width that n tokens take: the first `near` have the same room each, the others ever less. */
export const spanOf = (n, near) =>
  n <= near ? (NEAR * n) / near : NEAR + ((1 - NEAR) * Math.log(n / near)) / Math.log(FAR / near);

/** How many tokens take this share of the width: of the first ones parts as well, which a hand pulls in. */
export function lengthAt(share, near) {
  if (share <= NEAR) return Math.max(1, (near * share) / NEAR);
  return Math.min(FAR, Math.round(near * (FAR / near) ** ((share - NEAR) / (1 - NEAR))));
}

/** Pairs computed for n tokens: [without a cache, with one]; as counted, and further on as the same goes on. Of a token
 * that is on its way its part of the pairs is, its own last. */
export function computed({ anew, kept }, n) {
  if (n > anew.length) return [(n * (n + 1)) / 2, n];
  const whole = Math.floor(n + 1e-9);
  const [all, once] = [anew, kept].map((counts) => counts.slice(0, whole).reduce((sum, count) => sum + count, 0));
  return [all + Math.floor((n - whole) * (anew[whole] ?? 0) + 1e-9), once];
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

/** Draws the stair. Small cells are drawn as one: a row of them is still as high as they are together, and what is
 * computed once is a line along their end.
 *
 * n: tokens, of the last perhaps a part;  across, high, top: of a pair, and of the first row;
 * column: the one that is held, or null */
export function drawStair(canvas, [width, height], { n, across, high, top, column }, colour, { anew, kept }, stripes) {
  const pen = surface(canvas, width, height);
  const hues = [colour("key"), colour("value")];
  const rows = Math.ceil(n);
  const many = blockOf(high, rows);
  const pair = (at, row, strong) => {
    const tall = high * Math.min(many, rows - row + 1);
    const gap = Math.min(5, tall / 8, (across * many) / 8);
    pen.globalAlpha = column === null || column === at ? strong : strong / 3;
    const [left, wide] = [at * across, Math.max(0.5, across * Math.min(many, rows - at) - gap)];
    hues.forEach((hue, side) => {
      const place = [left, top + (row - 1) * high + (side * (tall - gap)) / 2, wide, (tall - gap) / 2];
      fill(pen, place, many === 1 && stripes[at] ? stripes[at][side] : hue);
    });
  };
  Object.assign(pen, { strokeStyle: colour("ink"), lineWidth: many > 1 ? 4 : 2 });
  if (many > 1) cut(pen, top, [rows * across, top + rows * high]);
  for (let row = 1; row <= rows; row += many) {
    const [all, once] = [anew[row - 1] ?? row, kept[row - 1] ?? 1];
    const end = row - all + (row > n ? Math.floor((n % 1) * all + 1e-9) : all);
    for (let at = row - all; at < end; at += many)
      pair(at, row, many === 1 && (row > n || at >= row - once) ? 1 : AGAIN);
  }
  pen.globalAlpha = 1;
  if (column !== null && column < n)
    pen.strokeRect(column * across - 2, top + column * high - 2, across, (rows - column) * high);
}

/** What is drawn from now on ends at a line from the first step to the last. */
function cut(pen, top, [right, low]) {
  pen.beginPath();
  pen.moveTo(0, top);
  pen.lineTo(right, low);
  pen.stroke();
  pen.lineTo(0, low);
  pen.clip();
}

/** A key or a value in its place: its stripes, or one colour. */
function fill(pen, place, look) {
  pen.imageSmoothingEnabled = false;
  if (typeof look !== "string") return pen.drawImage(look, ...place);
  pen.fillStyle = look;
  pen.fillRect(...place);
}
