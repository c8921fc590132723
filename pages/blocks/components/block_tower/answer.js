// What the model says: the word after the text, and a bar for each word that comes near to being said.

import { el, percent, shorten, write } from "../../../../attention_view/lab.js";
import { isSign, saidOf } from "./said.js";

const framed = (tag, word) => el(isSign(word) ? `${tag}.sign` : tag, shorten(word));

export class Answer {
  constructor() {
    this.blank = el("span.blank"); // stands behind the text
    this.bars = el("ol.bars");
    this.others = el("p.others");
    this.right = el("p.quiet");
    this.node = el("div.answer", this.bars, this.others, this.right);
  }

  /** What is said without some parts, beside what the whole model says. */
  show({ whole, finding }, { leaders, more }, isTurning) {
    this.bars.hidden = !whole.length;
    write(this.others, isTurning ? "" : finding);
    write(this.right, more);
    if (!whole.length) return;
    const [[answer, before]] = whole;
    const now = saidOf(leaders);
    const words = now === answer ? [framed("b", answer)] : [framed("s", answer), " ", framed("b", now)];
    this.blank.replaceChildren(...words);
    this.draw(leaders, before);
  }

  /** The bars stay the same elements, so that they are seen to fall. */
  draw(leaders, before) {
    const { bars } = this;
    while (bars.children.length > leaders.length) bars.lastChild.remove();
    while (bars.children.length < leaders.length)
      bars.append(el("li", el("span.label"), el("span.bar", el("i.was"), el("i.is")), el("span.share")));
    for (const [n, [word, p]] of leaders.entries()) {
      const [label, bar, share] = bars.children[n].children;
      write(label, shorten(word, 12));
      write(share, p > 0 && p < 0.005 ? "<1%" : percent(p, 0));
      bar.style.setProperty("--is", `${100 * p}%`);
      bar.style.setProperty("--was", n ? "0%" : `${100 * before}%`);
      bars.children[n].classList.toggle("right", !n);
    }
  }
}
