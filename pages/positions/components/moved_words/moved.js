// What the words on the rail do, in numbers: weights at a position, how much a move changes them, and how it is said.

import { brief, fixed } from "../../../../attention_view/lab.js";

export const BOUND = 1e-5; // what is smaller, in weights that add up to 1, is rounding
export const WAYS = { added: "sinusoidal", turned: "rotary", priced: "ALiBi" };
export const LANES = Object.keys(WAYS);

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

/** What each does to the words, on its tab and in a sentence, and what turns while no bar moves. */
const SAID = {
  added: ["a wave added", "the wave", "A wave is added to each word.", "All waves change"],
  turned: ["a clock turned", "the clock", "Each word has a clock.", "All clocks turn"],
  priced: ["distance priced", "the price", "Each step away costs.", "No price changes"],
};
export const nameOf = (lane) => SAID[lane][0];

/** What the push shows, in a sentence; where nothing was pushed it asks.
 *
 * start: the position of the first word;  lane: that is shown, and by how much its bars `change`;  known: by how much
 * those of each lane did that was pushed, {lane: by} */
export function finding({ start, lane, change, known }) {
  const [, , does, moves] = SAID[lane];
  if (!start) return `${does} Push the ruler: do the bars change?`;
  const notice = LANES.filter((one) => isNoticed({ by: known[one] ?? 0 })).map((one) => SAID[one][1]);
  if (LANES.every((one) => one in known) && notice.length === 1)
    return `Only ${notice[0]} notices. The others know nothing but distance.`;
  if (isNoticed(change))
    return `The bars change, by up to ${changed(Math.abs(change.by))}: this model knows where a word is.`;
  return `${moves}, no bar moves: this model knows only how far apart two words are.`;
}

/** The numbers of a code as a line from left to right: [[x, y], ...], x from 0 to 1, y from −1 to 1. */
export const waveOf = (code, largest) => code.map((x, n) => [n / (code.length - 1), x / largest]);

/** At which word a point lies, at a share of the width of n words. */
export const wordUnder = (share, n) => Math.max(0, Math.min(n - 1, Math.floor(share * n)));
