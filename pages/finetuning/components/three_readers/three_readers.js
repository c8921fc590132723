// A review, and what each reader makes of it: a bar from the middle to blame at the left, or to praise at the right.

import { el, mount, percent } from "../../../../attention_view/lab.js";

/** What a probability of praise says: [verdict, how sure]. */
export const verdict = (praise) => {
  if (Math.abs(praise - 0.5) < 0.005) return ["undecided", 0.5];
  return praise > 0.5 ? ["praise", praise] : ["blame", 1 - praise];
};

/** A text cut into words and what stands between them: [piece, whether it is one of the known words]. */
export const pieces = (text, known) => {
  const met = new Set(known);
  return (text.match(/\p{L}+(?:['’]\p{L}+)*|\P{L}+/gu) ?? []).map((piece) => [piece, met.has(piece.toLowerCase())]);
};

class ThreeReaders {
  constructor(root) {
    this.root = root;
  }

  update({ text, known, readers }) {
    const words = pieces(text, known).map(([piece, isKnown]) => (isKnown ? el("u", piece) : piece));
    const quote = el("blockquote", ...words);
    const note = known.length
      ? "underlined: words that the counts were taken from"
      : "the counts hold none of its words";
    this.root.dataset.verdicts = readers.map(({ praise }) => (praise === null ? "" : verdict(praise)[0])).join(" ");
    this.root.replaceChildren(
      quote,
      el("p.note", text ? note : "Type a review, and the readers say what they make of it."),
      el("div.axis", { "aria-hidden": "true" }, el("span", "← blame"), el("span", "50%"), el("span", "praise →")),
      ...readers.map((reader) => this.row(reader)),
    );
  }

  row({ name, about, praise, plain, negated }) {
    const head = el("div.who", el("h2", name), el("small", about));
    const tests = el("div.tests", el("small", "tests right"), line("plain", plain), line("negated", negated));
    if (praise === null) return el("section.row", head, el("div.bar"), el("div.verdict"), tests);
    const [word, sure] = verdict(praise);
    const left = Math.min(praise, 0.5),
      width = Math.abs(praise - 0.5);
    const fill = el("i", { style: `left:${100 * left}%;width:${100 * width}%` });
    const bar = el("div.bar", { role: "img", "aria-label": `praise with ${percent(praise)}` }, fill);
    return el("section.row", head, bar, el("div.verdict", el("b", word), el("span", percent(sure, 0))), tests);
  }
}

const line = (name, share) => el("div", `${name} `, el("b", `${Math.round(100 * share)}%`));

export default mount(".three-readers", ThreeReaders);
