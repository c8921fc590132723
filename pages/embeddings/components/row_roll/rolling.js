// Where the rows of a roll are, what happens to them as it turns, and what is said of it. Pure.

import { smoothly } from "../../../../attention_view/controls.js";
import { shorten } from "../../../../attention_view/lab.js";

const LENS = 26; // pixels of the row in the middle
const LINE = 3.2; // and of one far from it
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

/** A movement that begins quickly and ends slowly; one that does both slowly. */
export const slowing = (share) => 1 - (1 - share) ** 3;

/** Where a row is on its way from one place to another, in rows, and how far aside, from −1 to 1. */
export function inFlight(from, to, share) {
  const aside = ((from * 7919) % 1000) / 500 - 1;
  return [from + (to - from) * smoothly(share), Math.sin(Math.PI * share) * aside];
}

/** How far the roll has turned after the chosen row, which leads the way, at a share of the flight. */
export const chasing = (share) => smoothly(Math.max(0, (share - 0.3) / 0.7));

/** How far from the middle of a roll the chosen row is drawn, in pixels: it stays in sight, wherever it flies. */
export function flown(from, to, share, at, half) {
  const most = half - onRoll(0.5, half) - 3;
  return Math.max(-most, Math.min(most, onRoll(inFlight(from, to, share)[0] - at, half)));
}

/** Which id stood in each place before: order[new[id]] is id. */
export function undone(moved) {
  const order = Array.from({ length: moved.length });
  moved.forEach((to, id) => (order[to] = id));
  return order;
}

/** The tokens up to this one that have its id: the same row lights once for each. */
export const litUpTo = (ids, at) => ids.flatMap((id, n) => (n <= at && id === ids[at] ? [n] : []));

/** The next token with the same id, or −1. */
export const twinAfter = (ids, at) => ids.indexOf(ids[at], at + 1);

const quoted = (label) => `“${shorten(label, 14)}”`;

/** What a token's id picks, in a sentence: the nth time that the text has it; all: rows, d: numbers of each; asks:
 * whether the text has it once more, which nobody has looked up yet. */
export function picks(label, id, n, all, d, asks) {
  const word = quoted(label);
  if (n > 1) return `${word} again, id ${id} again: the same ${d} numbers, whatever stands around it.`;
  if (asks) return `${word} has id ${id}: it takes row ${id} of ${all}. And the next ${word}?`;
  return `${word} has id ${id}, so its vector is row ${id} of ${all}.`;
}

/** The same where all ids were shuffled. */
export const renamed = (label, id, was) =>
  `${quoted(label)} is ${id} now, not ${was}, but its row is the same: ids are only names.`;

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
  const table = `The ${about} table: ${many(V)} lines of ${many(d)} numbers${drawn}, as colours`;
  return `${table}${some}. ${isTouched ? "Press a line" : "Drag it, press a line, or pull the framed row out"}.`;
}

/** What the dark button does next: [its name, what it says]. */
export function nextAct({ ids, at, label, isStrange, isShuffled, canShuffle }) {
  if (isStrange) return ["back", `Back to ${quoted(label)}`];
  if (isShuffled) return ["restore", "Put the ids back"];
  if (twinAfter(ids, at) >= 0) return ["twin", `Press the next ${quoted(label)}`];
  if (canShuffle) return ["shuffle", "Shuffle all ids"];
  return ids.length > 1 ? ["next", "Next token"] : [null, ""];
}
