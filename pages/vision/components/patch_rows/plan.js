// Where everything stands on the way from a picture to a vector: in pixels, for a width and a height.

import { smoothly } from "../../../../attention_view/controls.js";

const NARROW = 700;
const SEAM = 0.1; // between two patches of the picture, in sides of a patch
const ROW = 44; // pixels of a patch in the row, at most
const HALF_ROW = 18; // patches in a line of a phone

/** {height, picture, close, blocks, vector, answers, row} for n patches; a box has x, y and its side, or its
 * width and height.
 *
 * close   the patch in question, magnified; blocks: its red, green and blue numbers
 * vector  what they become; answers: what stands there once the picture is another
 * row     all patches in a line, on a phone in several */
export const planOf = (width, tall, n) => (width < NARROW ? narrow(width, n) : wide(width, tall, n));

function wide(width, height, n) {
  const top = 28; // for what the numbers are called
  const line = lineOf(width, n, n);
  const s = Math.min(0.42 * width, height - top - line.side - 46);
  const [close, block] = [0.4 * s, (s - 24) / 3];
  const free = width - s - close - block;
  const at = [s + 0.12 * free, s + close + 0.26 * free, s + close + block + 0.46 * free];
  return {
    height: top + s + 46 + line.side,
    isNarrow: false,
    picture: { x: 0, y: top, side: s },
    close: { x: at[0], y: top + (s - close) / 2, side: close },
    blocks: [0, 1, 2].map((c) => ({ x: at[1], y: top + c * (block + 12), side: block })),
    vector: { x: at[2], y: top, width: width - at[2], height: s },
    answers: { x: s + 56, y: top, width: width - s - 56, height: s },
    row: { ...line, y: top + s + 44 },
  };
}

function narrow(width, n) {
  const top = 6;
  const s = Math.min(0.78 * width, 320);
  const block = 0.3 * width;
  const close = 0.18 * width;
  const second = top + s + 62;
  const line = lineOf(width, n, Math.min(n, HALF_ROW));
  const deep = 3 * block + 16;
  return {
    height: second + deep + 36 + line.lines * (line.side + line.gap),
    isNarrow: true,
    picture: { x: 0, y: top, side: s },
    close: { x: 0, y: second + (deep - close) / 2, side: close },
    // left of them stand the names of colours
    blocks: [0, 1, 2].map((c) => ({ x: close + 0.16 * width, y: second + c * (block + 8), side: block })),
    vector: { x: 0.74 * width, y: second, width: 0.26 * width, height: deep },
    answers: { x: 0, y: top + s + 20, width, height: second + deep - top - s - 20 },
    row: { ...line, y: second + deep + 34 },
  };
}

function lineOf(width, n, across) {
  const gap = Math.min(3, width / across / 8);
  return { gap, across, side: Math.min(ROW, width / across - gap), lines: Math.ceil(n / across) };
}

/** Where the nth patch stands in the row: {x, y, side}. */
export function inRowOf({ row }, n) {
  const step = row.side + row.gap;
  return { x: (n % row.across) * step, y: row.y + Math.floor(n / row.across) * step, side: row.side };
}

/** Where the nth patch stands in the picture, with its seams: {x, y, side}. */
export function inPictureOf({ picture }, n, across, seam = SEAM) {
  const side = picture.side / (across + seam * (across - 1));
  const step = side * (1 + seam);
  return { x: picture.x + (n % across) * step, y: picture.y + Math.floor(n / across) * step, side };
}

/** Where the nth patch is on its way from the picture into the row, of so many, when a share of the time is over: first
 * seams open, then one patch after the other goes. */
export function onTheWay(plan, n, count, across, share) {
  const from = inPictureOf(plan, n, across, SEAM * Math.min(1, share / 0.2));
  const gone = Math.min(1, Math.max(0, (share - 0.2 - (0.5 * n) / count) / 0.3));
  const by = smoothly(gone);
  const to = inRowOf(plan, n);
  const between = (name) => from[name] + by * (to[name] - from[name]);
  return { x: between("x"), y: between("y"), side: between("side") };
}
