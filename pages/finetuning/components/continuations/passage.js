// What a model writes or reads, word by word: a fact that it has right is bold, what it says in place of one is struck.

import { el, rewrite, write } from "../../../../attention_view/lab.js";

const TAGS = new Map([
  [true, "b"],
  [false, "s"],
  [null, "span"],
]);

/** What is written, word by word: what was told in ink, what is wrong struck. */
export const written = (text) => text.flatMap(([gap, word, keeps]) => [gap, el(TAGS.get(keeps), word)]);

/** A held-out text, word by word: a fact that is right in bold, what is said in place of one struck before it. */
export function judged(text, says) {
  let n = 0;
  return text.flatMap(([gap, word, isFact]) => {
    const said = isFact ? says[n++] : null;
    if (!isFact) return [gap, word];
    return said === null ? [gap, el("b", word)] : [gap, el("s", said), " ", el("i", word)];
  });
}

/** The end of a text, from a whole word on: what comes after it has to have room. */
export function endOf(text, most = 110) {
  if (text.length <= most) return text;
  const end = text.slice(-most);
  return `… ${end.slice(end.indexOf(" ") + 1)}`;
}

/** A text under its title: its beginning in quiet letters, what was read or written, and how much of that is right. */
export class Passage {
  constructor(title) {
    this.begins = el("span.begins");
    this.text = el("span.text");
    this.tally = el("b.tally");
    this.node = el("div.passage", el("h3", title, " ", this.tally), el("p.letters", this.begins, this.text));
  }

  /** right, facts: lists of what is right and of all that can be. */
  show(begins, whole, parts, [right, facts]) {
    write(this.tally, facts.length ? `${right.length} of ${facts.length} right` : "");
    rewrite(this.begins, begins);
    this.begins.title = whole;
    this.text.replaceChildren(...parts);
  }
}
