// How a text is cut into tokens, merge by merge.

import { numeral } from "../../../../attention_view/lab.js";

/** The tokens after n merges: [id, whether this very merge made it, where it begins, counted before any merge]. */
export function tokensAfter({ ids, merges, joins }, n) {
  const tokens = ids.map((id) => id); // at every place the token that begins there
  const last = n ? merges[n - 1][2] : -1;
  for (const [start, middle, end, id] of joins) {
    if (id > last) break;
    tokens[start] = id;
    for (let at = middle; at < end; at++) tokens[at] = null;
  }
  return tokens.map((id, start) => [id, id === last, start]).filter(([id]) => id !== null);
}

/** Where the word at a place begins and ends, counted before any merge; without words every token is one. */
export function wordAt({ ids, words }, place) {
  const n = words.findLastIndex((start) => start <= place);
  return n < 0 ? [place, place + 1] : [words[n], words[n + 1] ?? ids.length];
}

/** The tree of the word at a place: its bytes, and a node {start, end, id, level, parts} for every merge in it. */
export function treeOf(data, place) {
  const [from, end] = wordAt(data, place);
  const nodes = data.ids
    .slice(from, end)
    .map((id, n) => ({ start: from + n, end: from + n + 1, id, level: 0, parts: null }));
  const at = new Map(nodes.map((node) => [node.start, node]));
  for (const [start, middle, stop, id] of data.joins) {
    if (start < from || start >= end) continue;
    const parts = [at.get(start), at.get(middle)];
    const node = { start, end: stop, id, level: 1 + Math.max(parts[0].level, parts[1].level), parts };
    at.set(start, node);
    nodes.push(node);
  }
  return nodes;
}

/** Where the word begins in which most merges are; the first of these. */
export function fullest({ words, joins, ids }) {
  const many = words.map((start, n) => joins.filter(([at]) => at >= start && at < (words[n + 1] ?? ids.length)).length);
  return words[many.indexOf(Math.max(...many))] ?? 0;
}

/** The first word of a text that is in pieces, but one token after a space: [its pieces, the word]; null where that is
 * not so. */
export function cutBySpace(data, tokens, labelOf) {
  const end = data.words[1] ?? 0;
  const pieces = tokens.filter(([, , start]) => start < end).map(([id]) => labelOf(id));
  const word = pieces.join("");
  const isWhole = tokens.some(([id]) => labelOf(id) === `␣${word}`);
  return pieces.length > 1 && isWhole ? [pieces, word] : null;
}

/** Why there are fewer merges than may be learned, in a sentence; [] where there are not. */
export const endSaid = ({ merges: { length }, n_merges: most }) =>
  length && length < most ? [`After merge ${length} no pair occurs twice.`] : [];

/** Which merges before the last of so many join nothing in this text, in a sentence; [] where none does. The last of
 * all counts too, where it joins nothing itself. */
export function passedSaid({ merges, joins }, at) {
  const here = new Set(joins.map(([, , , id]) => id));
  const last = at === merges.length && !here.has(merges[at - 1][2]) ? at : at - 1;
  const first = merges.findLastIndex(([, , id], n) => n < last && here.has(id)) + 2;
  if (first > last) return [];
  const n = last - first + 1;
  const these = `${n > 1 ? `${numeral(n)} merges` : "merge"}${last < at ? " before this one" : ""}`;
  return [`The ${last < at ? "" : "last "}${these} ${n > 1 ? "were" : "was"} not in your sentence.`];
}

/** How many merges come before the next one that joins anything in this text; null where none does. */
export function nextHere({ merges, joins }, at) {
  const here = new Set(joins.map(([, , , id]) => id));
  const n = merges.findIndex(([, , id], place) => place >= at && here.has(id));
  return n < 0 ? null : n;
}

/** Where the next pair to become one token stands in this text after `at` merges: the place of each left token. */
export function nextPlaces(data, at, tokens) {
  const [left, right] = data.merges[nextHere(data, at) ?? at];
  return placesOf(data, tokens, left, right);
}

/** Where two tokens stand side by side in one word: the place of each left one. */
export function placesOf(data, tokens, left, right) {
  const isSeam = (n) => tokens[n + 1] && !data.words.includes(tokens[n + 1][2]);
  return tokens.flatMap(([id], n) => (id === left && isSeam(n) && tokens[n + 1][0] === right ? [n] : []));
}

/** What a pair comes to that is pressed after `at` merges: how often it stands side by side, how often the commonest
 * does, and after how many merges it is one token; null where another one is commoner. Of equally common pairs, which
 * are merged one after the other, each may be pressed. */
export function weigh(data, at, left, right) {
  const { merges, counts } = data;
  const n = nextHere(data, at) ?? at;
  const most = merges[n][3];
  let count = 0;
  for (const changed of counts.slice(0, n + 1))
    count = changed.find(([l, r]) => l === left && r === right)?.[2] ?? count;
  const own = merges.findIndex(([l, r], place) => place >= n && l === left && r === right);
  const to = count < most ? null : 1 + (merges[own]?.[3] === most ? own : n);
  return { count, most, to };
}

export const NARROW = 620; // pixels; below them sentence, buttons and track stand above one another

/** Pixels that tiles have in a window, so that all of them are on the first screen. */
export const roomFor = (width, tall) => tall - (width <= NARROW ? 450 : 240);

/** How wide a tile may be where words of so many tiles, which do not break, shall fill a box; 30 at least. The style
 * sheet has the same measures: 4 between tiles, a half of one between words, and lines of 1.6. */
export function tileFor(lengths, width, room) {
  let size = 111;
  for (let lines = Infinity; size > 30 && 1.6 * size * lines > room;) {
    size -= 1;
    let at = Infinity;
    lines = 0;
    for (const many of lengths) {
      const wide = many * (size + 4);
      if (at + wide > width) [at, lines] = [0, lines + 1];
      at += wide + size / 2;
    }
  }
  return size;
}
