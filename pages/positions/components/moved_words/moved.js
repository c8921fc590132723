// What the words on the rail do, in numbers: weights at a position, how much a move changes them, and how it is said.

import { brief, fixed } from "../../../../attention_view/lab.js";

export const BOUND = 1e-5; // what is smaller, in weights that add up to 1, is rounding
export const USUAL = { added: "sinusoidal", turned: "rotary", priced: "ALiBi" };
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

/** "0.11 → 0.34", "0.1071 → 0.1069": a weight before and after, which do not read as the same. */
export function fromTo(before, now) {
  const ways = [brief, ...[3, 4, 5, 6].map((digits) => (weight) => fixed(weight, digits))];
  const written = ways.find((way) => way(before) !== way(now)) ?? brief;
  return `${written(before)} → ${written(now)}`;
}

/** What a way does, on its card; and how it is called where it notices. */
export const NAMES = {
  sinusoidal: ["a wave added", "the wave"],
  learned: ["a table row added", "the table row"],
  rotary: ["a clock turned", "the clock"],
  ALiBi: ["distance priced", "the price"],
  "T5 relative": ["distance priced", "the price"],
};

/** What the move shows, in a sentence; where nothing has moved it asks.
 *
 * start: the position of the first word;  step: how far the button moves it;  guess: the lane that the reader expects
 * to notice, or null;  lanes: [{name, way, change}], as changeOf() has it */
export function finding({ start, step, guess, lanes }) {
  const wayOf = (lane) => NAMES[lanes.find(({ name }) => name === lane).way][1];
  if (!start)
    return guess
      ? `You say ${wayOf(guess)}. Now slide the positions.`
      : `Push the whole text ${step} places along. Which row of bars will change? Press its name.`;
  const notice = lanes.filter(({ change }) => isNoticed(change));
  if (!notice.length) return "Nobody notices: no attention weight changes.";
  const most = Math.max(...notice.map(({ change }) => Math.abs(change.by)));
  const names = notice.map(({ way }) => NAMES[way][1]).join(" and ");
  const verdict = guess ? (notice.some(({ name }) => name === guess) ? "Right: " : "No: ") : "";
  const only = `${verdict ? "only" : "Only"} ${names} ${notice.length > 1 ? "notice" : "notices"}`;
  const others = notice.length < lanes.length ? " The others count distances." : "";
  return `${verdict}${only}, by ${changed(most)} of attention.${others}`;
}

/** The numbers of a code as a line from left to right: [[x, y], ...], x from 0 to 1, y from −1 to 1. */
export const waveOf = (code, largest) => code.map((x, n) => [n / (code.length - 1), x / largest]);

/** At which word a point lies, at a share of the width of n words. */
export const wordUnder = (share, n) => Math.max(0, Math.min(n - 1, Math.floor(share * n)));
