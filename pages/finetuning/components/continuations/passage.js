// What a model makes of a text, in one line each: how it goes on with a dialogue, and what it says in an old story.

import { el, rewrite } from "../../../../attention_view/lab.js";

const TAGS = new Map([
  [true, "b"],
  [false, "s"],
  [null, "span"],
]);
const MOST = 14; // words of what is written
const ENDS = new Set([".", "?", "!"]);

/** What is written, word by word: what was told in ink, what is wrong struck. */
export const written = (text) => text.flatMap(([gap, word, keeps]) => [gap, el(TAGS.get(keeps), word)]);

/** The first sentence of what is written, or so many of its words. */
export function firstOf(text) {
  const end = text.findIndex(([, word]) => ENDS.has(word));
  if (end >= 0 && end < MOST) return text.slice(0, end + 1);
  return text.length > MOST ? [...text.slice(0, MOST), [" ", "…", null]] : text;
}

/** Of the facts of a story the one that most ways say at first and replace by a whole word in the end: its number. */
export function lostFact(ways) {
  const says = Object.values(ways);
  const lost = (end) => end !== null && !end.endsWith("…");
  const count = (n) => says.filter((steps) => steps[0][n] === null && lost(steps.at(-1)[n])).length;
  const facts = [...(says[0]?.[0] ?? []).keys()];
  return facts.reduce((best, n) => (count(n) > count(best) ? n : best), 0);
}

/** The sentence of a story in which a fact stands, with the question that it answers: [pieces, of which it is this]. */
export function around(text, fact) {
  const at = [...text.keys()].filter((n) => text[n][2])[fact];
  const isEnd = (n) => n < 0 || ENDS.has(text[n][1]);
  const startOf = (n) => (isEnd(n - 1) ? n : startOf(n - 1));
  const endOf = (n) => (n === text.length - 1 || isEnd(n) ? n : endOf(n + 1));
  let start = startOf(at);
  if (start && text[start - 1][1] === "?") start = startOf(start - 1);
  return [text.slice(start, endOf(at) + 1), at - start];
}

/** A sentence of a story, word by word: its fact is bold where that is right, and else what is said in its place struck
 * before it. said: null where it is right. */
export function judged([pieces, at], said) {
  return pieces.flatMap(([gap, word], n) => {
    if (n !== at) return [gap, word];
    return said === null ? [gap, el("b", word)] : [gap, el("s", said), " ", el("i", word)];
  });
}

/** The end of a text, from a whole word on: what comes after it has to have room. */
export function endOf(text, most = 34) {
  if (text.length <= most) return text;
  const end = text.slice(-most);
  return `… ${end.slice(end.indexOf(" ") + 1)}`;
}

/** A line under its title. */
export class Passage {
  constructor(title) {
    this.line = el("span");
    this.node = el("p.passage", el("small", title), this.line);
  }

  show(...parts) {
    rewrite(this.line, ...parts);
  }
}
