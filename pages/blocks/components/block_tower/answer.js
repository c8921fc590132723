// What the model says: the word after the text, and below the tower which blocks it needs for it.

import { el, shorten, write } from "../../../../attention_view/lab.js";
import { isSign } from "../signs.js";
import { saidOf } from "./said.js";

const framed = (tag, word) => el(isSign(word) ? `${tag}.sign` : tag, shorten(word));

export class Answer {
  constructor() {
    this.blank = el("span.blank"); // stands behind the text
    this.others = el("p.others");
    this.right = el("p.quiet");
  }

  /** What is said without some parts, beside what the whole model says; isOver: whether all blocks are told of. */
  show({ whole, finding }, { leaders, more }, isOver) {
    write(this.others, isOver ? finding : "\u00a0");
    write(this.right, more);
    if (!whole.length) return;
    const [[answer]] = whole;
    const now = saidOf(leaders);
    const words = now === answer ? [framed("b", answer)] : [framed("s", answer), " ", framed("b", now)];
    this.blank.replaceChildren(...words);
  }
}
