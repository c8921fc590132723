// What the model says: in the row of a block without it, or as the answer behind a text that it does not go on with.

import { el, rewrite, shorten, wholePercent, write } from "../../../../attention_view/lab.js";
import { isSign } from "../signs.js";
import { barOf, rightIn, saidOf } from "./said.js";

const LETTERS = 9; // in a column of words

const framed = (tag, word) => el(isSign(word) ? `${tag}.sign` : tag, shorten(word));

export class Answer {
  constructor() {
    this.blank = el("span.blank"); // stands behind the text
    this.right = el("p.quiet");
  }

  /** The text that is read, or the few tokens of it that are nearest to the answer. */
  write(node, { tokens, follows }, most) {
    const gap = tokens.some((token) => token.startsWith("·")) ? "\u200b" : " "; // where tokens bring their spaces
    const kept = follows ? tokens.slice(-most) : tokens.slice(0, most);
    const [before, after] = kept.length < tokens.length ? (follows ? ["… ", ""] : ["", " …"]) : ["", ""];
    const isMark = (token) => /^[⟨[].+[⟩\]]$/.test(token); // no word: ⟨start⟩, [CLS]
    const text = kept.flatMap((token) => [isMark(token) ? el("span.mark", token) : token, gap]);
    node.replaceChildren(before, ...text, after, ...(follows ? [] : [" → ", this.blank]));
  }

  /** What is said without some parts, beside what the whole model says. */
  show({ whole }, { leaders, more }) {
    write(this.right, more);
    if (!whole.length || !leaders) return;
    const [[answer]] = whole;
    const now = saidOf(leaders);
    const words = now === answer ? [framed("b", answer)] : [framed("s", answer), " ", framed("b", now)];
    this.blank.replaceChildren(...words);
  }
}

/** Puts into a row what is said after each token, below what the text says there: the right words in ink, those lost
 * that the whole model has right in grey. */
export function recite(row, words, { tokens, words: whole }) {
  const cells = words.map(([word, isRight], at) => {
    const kind = isRight ? "i.right" : whole[at][1] ? "i.lost" : "i";
    return el("span.cell", el("small", shorten(tokens[at + 1], LETTERS)), el(kind, shorten(word, LETTERS)));
  });
  rewrite(row, ...cells);
}

/** Puts into a block what it costs, if that is told: how many words are right without it, or how much of the
 * probability moves and what is answered then. Returns that. */
export function weigh(row, cost, { whole, words }) {
  const [, gauge, moves, says] = row.children;
  gauge.hidden = !cost;
  const reads = words.length > 0;
  gauge.style.setProperty("--share", reads ? barOf(cost?.words ?? [], words) : `${100 * (cost?.moved ?? 0)}%`);
  write(moves, !cost ? "" : reads ? String(rightIn(cost.words)) : wholePercent(cost.moved));
  const word = !reads && cost?.leaders.length ? saidOf(cost.leaders) : "";
  write(says, shorten(word, 10));
  says.classList.toggle("other", Boolean(word) && word !== whole[0][0]);
  return reads && cost ? `(${rightIn(cost.words)} of ${words.length} right)` : `${moves.textContent} ${word}`;
}
