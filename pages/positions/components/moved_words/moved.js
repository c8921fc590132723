// What the words on the rail do, in numbers: weights at a position, how much a move changes them, and how it is said.

import { brief, fixed, trimmed } from "../../../../attention_view/lab.js";

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

const WITH = {
  sinusoidal: "waves added",
  learned: "rows of a table added",
  rotary: "queries and keys turned",
  ALiBi: "a price per step",
  "T5 relative": "a number per distance",
};
const STAYS = {
  rotary: ({ turn }) => `all hands turned, and neighbours are still ${Math.abs(degreesApart(turn, 1))}° apart`,
  ALiBi: ({ price }) => `each step away still costs ${trimmed(-price, 3)}`,
  "T5 relative": ({ price }) => `the next word still gets ${trimmed(price, 3)} on its score`,
};

/** The finding in a sentence; where nothing has moved it asks.
 *
 * change: as changeOf() has it;  turn: by which a step turns the hands;  price: what the score of the next word gets */
export function finding({ way, change, start, step, turn, price }) {
  if (!start) return `Move all words on by ${step} places: does the ringed word look elsewhere?`;
  if (isNoticed(change))
    return `It looks elsewhere: with ${WITH[way]}, an attention weight changes by ${changed(Math.abs(change.by))}.`;
  return `It looks exactly where it did: ${STAYS[way]?.({ turn, price }) ?? "no attention weight changes"}.`;
}

/** What a way does, in a sentence; price: what it adds to the score of the next word. */
export function whatDoes(way, price) {
  if (way === "ALiBi") return `Each step away costs ${trimmed(-price, 3)} of the score.`;
  if (way === "T5 relative") return "Each distance adds a number of its own to the score.";
  return `Each word wears a ${way === "learned" ? "row of a table" : "wave"} for its position.`;
}

const TRY = { added: "Try it with a wave", turned: "Try it with clocks", priced: "Try it with a price" };

/** What the dark button does next: {says, lane, start}. It moves one way after the other, and leads back. */
export function nextOf(lane, begins, step) {
  if (!begins[lane]) return { says: `Move everything ${step} words on`, lane, start: step };
  const next = LANES.find((name) => !begins[name]);
  if (next) return { says: TRY[next], lane: next, start: step };
  return { says: "Back to the start", lane: LANES[0], start: 0 };
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
