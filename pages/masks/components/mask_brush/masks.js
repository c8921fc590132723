// A mask as a short string, softmax under a mask, and how numbers of a panel are written.

import { brief, minus, strength } from "../../../../attention_view/lab.js";

/** "0.65", "0", "−2.31" */
export const label = (value) => minus(Number.isInteger(value) ? String(value) : brief(value));

export const inPercent = (share) => Math.round(100 * strength(share));

/** The short string of a mask; code.py has its format. */
export function pack(mask, T) {
  let raw = "";
  for (let at = 0; at < mask.length; at += 8) {
    let byte = 0;
    for (let bit = 0; bit < 8; bit++) byte = 2 * byte + (mask[at + bit] ? 1 : 0);
    raw += String.fromCharCode(byte);
  }
  return `${T}.${btoa(raw).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** Softmax of each row of scores (T x S) over its open cells; a row without one is 0. */
export function softmax(scores, open, S) {
  const out = scores.map(() => 0);
  for (let from = 0; from < scores.length; from += S) {
    let top = -Infinity,
      sum = 0;
    for (let n = from; n < from + S; n++) if (open[n]) top = Math.max(top, scores[n]);
    for (let n = from; n < from + S; n++) if (open[n]) sum += out[n] = Math.exp(scores[n] - top);
    if (sum) for (let n = from; n < from + S; n++) out[n] /= sum;
  }
  return out;
}

/** The largest number by size. */
export const reach = (numbers) => numbers.reduce((most, x) => Math.max(most, Math.abs(x ?? 0)), 0);

/** All cells on the way from one to another, both of them included. */
export function between([i, j], [toRow, toColumn]) {
  const n = Math.max(Math.abs(toRow - i), Math.abs(toColumn - j), 1);
  const on = (from, to, step) => Math.round(from + ((to - from) * step) / n);
  return Array.from({ length: n + 1 }, (_, step) => [on(i, toRow, step), on(j, toColumn, step)]);
}
