// What the model says: the answer behind the text, where it is no text that it goes on with.

import { el, shorten, write } from "../../../../attention_view/lab.js";
import { isSign } from "../signs.js";
import { saidOf } from "./said.js";

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
