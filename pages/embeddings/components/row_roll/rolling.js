// Where the rows of a roll are, what happens to them as it turns, and what is said of it. Pure.

import { shorten } from "../../../../attention_view/lab.js";

const LENS = 34; // pixels of the row in the middle
const LINE = 9; // and of one far from it
const REACH = 1.8; // rows within which a line grows to that
const GROWN = (LENS - LINE) * REACH;

/** How far a row, `u` rows from the middle, would be from it on a flat sheet. */
const flat = (u) => LINE * u + GROWN * Math.tanh(u / REACH);

/** The same on a roll that is seen from the front, from −half to half: a quarter of a turn away nothing is left. */
export const onRoll = (u, half) =>
  half * Math.sin(Math.max(-1, Math.min(1, flat(u) / half / (Math.PI / 2))) * (Math.PI / 2));

/** How many rows are in sight on either side of the middle. */
export const inSight = (half) => Math.max(1, Math.ceil(((Math.PI / 2) * half - GROWN) / LINE));

/** Which row is drawn at a height, counted from the middle. */
export function rowAt(y, half) {
  const n = inSight(half);
  let [low, high] = [-n - 0.5, n + 0.5];
  for (let k = 0; k < 24; k++) {
    const middle = (low + high) / 2;
    if (onRoll(middle, half) < y) low = middle;
    else high = middle;
  }
  return Math.round((low + high) / 2);
}

export const LONGEST_SPIN = 600; // milliseconds
/** How long the roll turns: longer for a longer way. */
export const spinTime = (rows) => Math.min(LONGEST_SPIN, 180 + 6 * Math.abs(rows));

/** A movement that begins quickly and ends slowly. */
export const slowing = (share) => 1 - (1 - share) ** 3;

/** The tokens up to this one that have its id: the same row lights once for each. */
export const litUpTo = (ids, at) => ids.flatMap((id, n) => (n <= at && id === ids[at] ? [n] : []));

/** The next token with the same id, or −1. */
export const twinAfter = (ids, at) => ids.indexOf(ids[at], at + 1);

const quoted = (label) => `“${shorten(label, 14)}”`;

/** What a token's id picks, in a sentence: the nth time that the text has it; all: rows, d: numbers of each; asks:
 * whether the text has it once more, which nobody has looked up yet; same: how many numbers it shares with the row of
 * another word that came out `before`, null where none did. */
export function picks(label, id, { n, all, d, asks, same, before }) {
  const word = quoted(label);
  if (n > 1 && same === null)
    return `${word} again, id ${id} again: the same ${many(d)} numbers, whatever stands around it.`;
  if (same !== null)
    return `${word} shares ${same ? many(same) : "none"} of its ${many(d)} numbers with ${quoted(before)}.`;
  if (asks) return `${word} has id ${id}: it takes row ${id} of ${many(all)}. And the next ${word}?`;
  return `${word} has id ${id}, so its vector is row ${id} of ${many(all)}.`;
}

/** A row that somebody has rolled to, which no token of the text takes; its label is not known in a large table. */
export const strange = (id, label) =>
  label === undefined
    ? `Row ${id}: no token of this text takes it.`
    : `Row ${id} is that of ${quoted(label)}: not in this text.`;

export const many = (n) => n.toLocaleString("en");

/** What is drawn in the middle, in a line; isTouched: by fingers, which drag the page. */
export function aboutTable({ about, V, d, across, lines }, isTouched) {
  const drawn = across < d ? ` (${across} are drawn)` : "";
  const some = lines ? `; the ${many(lines.length)} with ids nearest to those of your text are drawn` : "";
  const table = `The ${about} table: ${many(V)} rows of ${many(d)} numbers${drawn}`;
  return `${table}${some}. ${isTouched ? "Press a row" : "Pull the framed row out, or roll the table"}.`;
}

/** What the dark button takes next, the same word once more or another one: [its number, what it says]. */
export function nextAct({ ids, labels, at, isStrange, asks }) {
  const name = (n) => quoted(labels[ids[n]]);
  if (isStrange) return [at, `Back to ${name(at)}`];
  if (asks) return [twinAfter(ids, at), `Press the next ${name(at)}`];
  const others = [...ids.keys()].map((n) => (at + 1 + n) % ids.length);
  const other = others.find((n) => ids[n] !== ids[at]);
  return other === undefined ? [null, ""] : [other, `Now ${name(other)}`];
}
