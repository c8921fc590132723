// What the words on the rail do, in numbers: weights at a position, how much a move changes them, and how it is said.

import { brief, capital, fixed, trimmed } from "../../../../attention_view/lab.js";

export const BOUND = 1e-5; // what is smaller, in weights that add up to 1, is rounding
export const USUAL = { added: "sinusoidal", turned: "rotary", priced: "ALiBi" };
export const OTHERS = { added: "learned", turned: "rotary", priced: "T5 relative" };
export const LANES = Object.keys(USUAL);

/** So many numbers of a table, from `row` on; between two rows, as far from the one to the other. */
export function rowOf(table, across, row) {
  const low = Math.floor(row),
    share = row - low;
  const at = (n) => table.slice(n * across, (n + 1) * across);
  if (!share) return Array.from(at(low));
  const next = at(low + 1);
  return Array.from(at(low), (x, n) => x + share * (next[n] - x));
}

/** The weights of one looking word among n, which begin at a position; `table` is (starts, n, n). */
export const weightsAt = (table, n, start, looking) => rowOf(table, n * n, start).slice(looking * n, (looking + 1) * n);

/** Where two rows of weights differ most, and by how much: {by, at}. */
export function changeOf(before, now) {
  const by = now.map((weight, n) => weight - before[n]);
  const at = by.reduce((most, x, n) => (Math.abs(x) > Math.abs(by[most]) ? n : most), 0);
  return { by: by[at], at };
}

export const isNoticed = ({ by }) => Math.abs(by) >= BOUND;

/** "0.06", "−0.004", "0.00002": a change with as many digits as it takes to tell it from none. */
function changed(by) {
  const size = Math.abs(by);
  return size >= 0.01 || !size ? brief(by) : fixed(by, Math.max(3, Math.ceil(-Math.log10(size))));
}

/** "+0.06", "−0.02": the same with its sign. */
export const signed = (by) => (by > 0 ? `+${changed(by)}` : changed(by));

const quoted = (lanes) => lanes.map((lane) => `“${lane}”`).join(" and ");
const first = (lanes) => quoted([capital(lanes[0]), ...lanes.slice(1)]); // in a sentence

/** The finding in a sentence; changes: of each lane, as changeOf() has them. Where nothing has moved it asks. */
export function finding(changes, start) {
  if (!start) return "Move all the words on: which of the three notices?";
  const noticed = LANES.filter((lane) => isNoticed(changes[lane]));
  if (!noticed.length) return "None of the three notices: all attention weights are as before.";
  const most = Math.max(...noticed.map((lane) => Math.abs(changes[lane].by)));
  const rest = LANES.filter((lane) => !noticed.includes(lane));
  const by = `an attention weight changes by ${changed(most)}.`;
  if (!rest.length) return `All three notice: ${by}`;
  const [notice, see] = [noticed.length > 1 ? "notice" : "notices", rest.length > 1 ? "see" : "sees"];
  return `Only ${quoted(noticed)} ${notice}: ${by} ${first(rest)} ${see} the same distances as before.`;
}

/** What a way does, in a sentence; price: what it adds to the score of the next word. */
export function whatDoes(way, price) {
  if (way === "ALiBi") return `Each step away costs ${trimmed(-price, 3)} of the score.`;
  if (way === "T5 relative") return "Each distance adds a number of its own to the score.";
  return `Each word wears a ${way === "learned" ? "row of a table" : "wave"} for its position.`;
}

/** What the dark button does next: {says, ways, start}. It leads through all ways, and back. */
export function nextOf(ways, start, step) {
  if (!start) return { says: `Move everything ${step} words on`, ways, start: step };
  const isUsual = LANES.every((lane) => ways[lane] === USUAL[lane]);
  if (isUsual) return { says: "The same with learned and T5", ways: OTHERS, start };
  return { says: "Back to the start", ways: USUAL, start: 0 };
}

/** The angle between the hands of two words so far apart, in whole degrees from −180 to 180. */
export function degreesApart(turn, distance) {
  const degrees = (turn * distance * 180) / Math.PI;
  return Math.round(degrees - 360 * Math.round(degrees / 360)) || 0;
}

/** The numbers of a code as a line from left to right: [[x, y], ...], x from 0 to 1, y from −1 to 1. */
export const waveOf = (code, largest) => code.map((x, n) => [n / (code.length - 1), x / largest]);

/** At which word a point lies, at a share of the width of n words. */
export const wordUnder = (share, n) => Math.max(0, Math.min(n - 1, Math.floor(share * n)));
