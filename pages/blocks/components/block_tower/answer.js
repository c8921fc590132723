// What the model says: in the row of a block without it, or as the answer behind a text that it does not go on with.

import { el, shorten, wholePercent, write } from "../../../../attention_view/lab.js";
import { isSign } from "../signs.js";
import { barOf, rightIn, saidOf } from "./said.js";

export const LETTERS = 8; // in a column of words

const framed = (tag, word) => el(isSign(word) ? `${tag}.sign` : tag, shorten(word));

export class Answer {
  constructor() {
    this.blank = el("span.blank"); // stands behind the text
    this.right = el("p.quiet");
  }

  /** What is said without some parts, beside what the whole model says. */
  show({ whole }, { leaders, more }) {
    write(this.right, more);
    if (!whole.length) return;
    const [[answer]] = whole;
    const now = saidOf(leaders);
    const words = now === answer ? [framed("b", answer)] : [framed("s", answer), " ", framed("b", now)];
    this.blank.replaceChildren(...words);
  }
}

/** Puts into a row what is said after each token, the right words in ink, those lost that the whole model has right in
 * grey, and how many are right, above a bar of that; returns that. */
export function recite(row, words, whole) {
  const [n, right] = [words.length, rightIn(words)];
  const cells = words.map(([word, isRight], at) =>
    el(isRight ? "i.right" : whole[at][1] ? "i.lost" : "i", shorten(word, LETTERS)),
  );
  row.querySelector(".cells").replaceChildren(...cells);
  const moves = row.querySelector(".moves");
  write(moves, n ? String(right) : "");
  moves.style.setProperty("--share", barOf(words, whole));
  return n ? `(${right} of ${n} right)` : "";
}

/** Puts into a row how much of the probability moves and what is answered then, if that is told; returns that. */
export function weigh(row, cost, whole) {
  const [, , gauge, moves, says] = row.children;
  gauge.style.setProperty("--share", `${100 * (cost?.moved ?? 0)}%`);
  gauge.hidden = !cost;
  write(moves, cost ? wholePercent(cost.moved) : "");
  const word = cost?.leaders.length ? saidOf(cost.leaders) : "";
  write(says, shorten(word, 10));
  says.classList.toggle("other", Boolean(word) && word !== whole[0][0]);
  return `${moves.textContent} ${word}`;
}
