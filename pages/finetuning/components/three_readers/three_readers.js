// A review, and what each reader makes of it: a bar from the middle to blame at the left, or to praise at the right.
// The words of the review wear what the chosen reader makes of them. Of the review that the page opens with, the
// visitor says first what it is: until then nothing is told.

import { el, mount, percent } from "../../../../attention_view/lab.js";

const MOST = 46; // percent of the colour of its side that the strongest word wears: it stays readable
const LEAST = 0.005; // of a push that is written as a number

/** What a probability of praise says: [verdict, how sure]. */
export const verdict = (praise) => {
  if (Math.abs(praise - 0.5) < 0.005) return ["undecided", 0.5];
  return praise > 0.5 ? ["praise", praise] : ["blame", 1 - praise];
};

/** A text cut into words and what stands between them: [piece, whether it is one of the known words, whether it is a
 * word]. */
export const pieces = (text, known) => {
  const met = new Set(known);
  return (text.match(/\p{L}+(?:['’]\p{L}+)*|\P{L}+/gu) ?? []).map((piece) => [
    piece,
    met.has(piece.toLowerCase()),
    /^\p{L}/u.test(piece),
  ]);
};

/** A push in points of probability: "+5", "−12", "" for next to nothing. */
export const points = (push) => {
  if (Math.abs(push) < LEAST) return "";
  return `${push > 0 ? "+" : "−"}${Math.round(100 * Math.abs(push))}`;
};

const guesses = new Map(); // what the visitor called each review, as long as the app is open

const sideOf = (push) => (push < 0 ? "negative" : "positive");

class ThreeReaders {
  constructor(root) {
    this.root = root;
    this.quote = el("blockquote");
    this.mine = el("div.mine", { role: "group", "aria-label": "What you call it" });
    this.note = el("p.note");
    this.rows = el("div");
    root.replaceChildren(
      el("div.top", this.quote, this.mine),
      this.note,
      el("div.axis", { "aria-hidden": "true" }, el("span", "← blame"), el("span", "50%"), el("span", "praise →")),
      this.rows,
    );
  }

  update({ text, known, readers, asks }) {
    Object.assign(this, { text, known, readers, asks, guess: guesses.get(text) });
    this.ask();
    this.root.dataset.verdicts = this.isAsked
      ? ""
      : readers.map(({ praise }) => (praise === null ? "" : verdict(praise)[0])).join(" ");
    this.chosen = Math.min(this.chosen ?? readers.length - 1, readers.length - 1);
    this.heads = readers.map(({ name }, n) => el("button.name", { onclick: () => this.choose(n) }, name));
    this.rows.replaceChildren(...readers.map((reader, n) => this.row(reader, n)));
    this.choose(this.chosen);
  }

  get isAsked() {
    return Boolean(this.asks && !this.guess);
  }

  /** What the visitor calls it, where that is asked. */
  ask() {
    const { isAsked } = this;
    if (isAsked && this.mine.querySelector("button")) return; // the focus stays there
    this.root.classList.toggle("asked", isAsked);
    const say = (word) => {
      guesses.set(this.text, word);
      this.update(this);
      this.heads[this.chosen].focus({ preventScroll: true });
    };
    const buttons = ["praise", "blame"].map((word) => el("button.primary", { onclick: () => say(word) }, word));
    const told = this.guess ? [el("span", "You: "), el("b", this.guess)] : [];
    this.mine.replaceChildren(...(isAsked ? [el("span", "You first:"), ...buttons] : told));
  }

  choose(n) {
    this.chosen = n;
    this.heads.forEach((head, k) => {
      head.setAttribute("aria-pressed", k === n);
      head.closest(".row").classList.toggle("chosen", k === n);
    });
    this.write(this.readers[n]);
  }

  /** The review as this reader reads it. */
  write({ name, pushes, knows_all: knowsAll }) {
    const most = Math.max(...this.readers.flatMap((reader) => (reader.pushes ?? []).map(Math.abs)), LEAST);
    let n = 0;
    const words = pieces(this.text, this.known).map(([piece, isKnown, isWord]) => {
      if (!isWord) return piece;
      if (this.isAsked) return this.word(piece, 0, most, true);
      return this.word(piece, pushes?.[n++] ?? 0, most, knowsAll || isKnown);
    });
    this.quote.replaceChildren(...words);
    const unseen = knowsAll ? "" : " Grey: words that it has never seen.";
    const unknown = `${name}: what each word adds is not measured here.`;
    const said = `${name}: by how many points the probability of praise is lower without the word.${unseen}`;
    this.note.textContent = this.isAsked
      ? "Is it praise, or blame? Three readers answer after you."
      : !this.text
        ? "Type a review, and the readers say what they make of it."
        : pushes
          ? said
          : unknown;
  }

  word(piece, push, most, isKnown) {
    const number = points(push);
    const share = (MOST * Math.min(1, Math.abs(push) / most)).toFixed(0);
    const style = `--side: var(--${sideOf(push)}); --share: ${number ? share : 0}%`;
    return el(`span.word${isKnown ? "" : ".unseen-word"}`, { style }, piece, el("small", number));
  }

  row({ name, about, praise }, n) {
    const head = el("div.who", el("h2", this.heads[n]), el("small", about));
    const onclick = () => this.choose(n);
    if (this.isAsked)
      return el("section.row", { "aria-label": name }, head, el("div.bar"), el("div.verdict", el("b", "?")));
    if (praise === null) return el("section.row", { onclick, "aria-label": name }, head, el("div.bar"), el("div"));
    const [word, sure] = verdict(praise);
    const left = Math.min(praise, 0.5),
      width = Math.abs(praise - 0.5);
    const fill = el("i", {
      style: `left:${100 * left}%;width:${100 * width}%;background:var(--${sideOf(praise - 0.5)})`,
    });
    const bar = el("div.bar", { role: "img", "aria-label": `praise with ${percent(praise)}` }, fill);
    const said = el("div.verdict", el("b", word), el("span", percent(sure, 0)));
    return el("section.row", { onclick, "aria-label": name }, head, bar, said);
  }
}

export default mount(".three-readers", ThreeReaders);
