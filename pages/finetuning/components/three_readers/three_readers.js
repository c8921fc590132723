// A review, and what each reader makes of it: a bar from the middle to blame at the left, or to praise at the right.
// Beside it, what the same readers made of a few other reviews, and whether they were right. The words of the review
// wear what the chosen reader makes of them. Of the review that the page opens with, the visitor says first what it is:
// until then nothing is told of it.

import { el, mount, percent } from "../../../../attention_view/lab.js";
import { drawnIn } from "../../../../attention_view/controls.js";

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

const MARKS = { right: "✓", wrong: "✗", undecided: "–" };

/** What a probability of praise is worth for a review that is praise, or is blame: one of the MARKS. */
export const judgement = (praise, isPraise) => {
  const [word] = verdict(praise);
  if (word === "undecided") return word;
  return (word === "praise") === isPraise ? "right" : "wrong";
};

/** Names as they are listed: "a", "a and b", "a, b and c". */
const listed = (names) => [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" and ");

/** Who agrees with the visitor, in words. */
export function agreed(guess, readers) {
  const same = readers.filter(({ praise }) => verdict(praise)[0] === guess).map(({ name }) => name);
  const other = readers.map(({ name }) => name).filter((name) => !same.includes(name));
  if (!other.length) return "All three readers agree with you.";
  if (!same.length) return "No reader agrees with you.";
  const verb = (names, one, many) => (names.length > 1 || names[0].endsWith("counts") ? many : one);
  const inWords = (name) => name.replace(/, (.+) only$/, " with only its $1").replace(", ", " with ");
  const who = (names) => listed(names.map(inWords));
  const [first, ...rest] = who(same);
  const [yes, no] = [verb(same, "agrees", "agree"), verb(other, "does", "do")];
  return `${first.toUpperCase()}${rest.join("")} ${yes} with you; ${who(other)} ${no} not.`;
}

/** Which of the reviews that were judged no reader has right, in words. */
export function fooled(record) {
  const isWrong = ({ is_praise: isGood, praise }) => praise.every((one) => judgement(one, isGood) === "wrong");
  const missed = record.find(isWrong);
  if (!missed) return "What three readers said of other reviews, and whether they were right.";
  return `All three took “${missed.text}” for ${missed.is_praise ? "blame" : "praise"}.`;
}

class ThreeReaders {
  constructor(root) {
    this.root = root;
    this.quote = el("blockquote");
    this.mine = el("div.mine", { role: "group", "aria-label": "What you call it" });
    this.note = el("p.note");
    this.rows = el("div.rows");
    root.replaceChildren(el("div.top", this.quote, this.mine), this.rows, this.note);
  }

  update({ text, known, readers, asks, record }) {
    const isFirst = !this.readers;
    Object.assign(this, { text, known, readers, asks, record, guess: guesses.get(text) });
    this.ask();
    this.root.dataset.verdicts = this.isAsked
      ? ""
      : readers.map(({ praise }) => (praise === null ? "" : verdict(praise)[0])).join(" ");
    this.root.style.setProperty("--others", record.length);
    this.chosen = Math.min(this.chosen ?? readers.length - 1, readers.length - 1);
    const head = ({ name }, n) =>
      this.isAsked ? el("span", name) : el("button.name", { onclick: () => this.choose(n) }, name);
    this.heads = readers.map(head);
    this.rows.replaceChildren(this.header(), ...readers.map((reader, n) => this.row(reader, n)));
    this.choose(this.chosen);
    if (isFirst) this.endBeat = drawnIn(this.root, "readers");
  }

  destroy() {
    this.endBeat?.();
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
    const told = this.guess
      ? [el("span", "You said ", el("b", this.guess), `. ${agreed(this.guess, this.readers)}`)]
      : [];
    this.mine.replaceChildren(...(isAsked ? [el("span", "Is it praise, or blame?"), ...buttons] : told));
  }

  choose(n) {
    this.chosen = n;
    for (const [k, head] of this.isAsked ? [] : this.heads.entries()) {
      head.setAttribute("aria-pressed", k === n);
      head.closest(".row").classList.toggle("chosen", k === n);
    }
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
      ? `${fooled(this.record)} Judge this one, and they say what they make of it.`
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

  /** The reviews that were judged, each with what it is, and above the last column its two ends. */
  header() {
    const others = this.record.map(({ text, is_praise: isGood }) =>
      el("div.other", el("span", `“${text}”`), el("b", isGood ? "is praise" : "is blame")),
    );
    const ends = ["← blame", "50%", "praise →"].map((end) => el("span", end));
    const axis = el("div.axis", { "aria-hidden": "true" }, el("b", "this one"), ...ends);
    return el("div.row.header", el("div"), ...others, axis, el("div"));
  }

  row({ name, about, praise }, n) {
    const head = el("div.who", el("h2", this.heads[n]), el("small", about));
    const others = this.record.map((one) => this.judged(one, n));
    if (this.isAsked) {
      const nothing = el("div.bar.now", el("b", "?"));
      return el("section.row", { "aria-label": name }, head, ...others, nothing, el("div.verdict"));
    }
    const props = { onclick: () => this.choose(n), "aria-label": name };
    if (praise === null) return el("section.row", props, head, ...others, el("div.bar.now"), el("div.verdict"));
    const [word, sure] = verdict(praise);
    const said = el("div.verdict", el("b", word), el("span", percent(sure, 0)));
    return el("section.row", props, head, ...others, this.bar(praise, "now"), said);
  }

  bar(praise, kind) {
    const share = `${(100 * Math.abs(praise - 0.5)).toFixed(1)}%`;
    const fill = el(`i.${praise < 0.5 ? "below" : "above"}`, { style: `width: ${share}` });
    return el(`div.bar.${kind}`, { role: "img", "aria-label": `praise with ${percent(praise)}` }, fill);
  }

  /** What a reader said of another review. */
  judged({ is_praise: isGood, praise }, n) {
    const [word, sure] = verdict(praise[n]);
    const worth = judgement(praise[n], isGood);
    const mark = el("b", { role: "img", "aria-label": worth }, MARKS[worth]);
    const said = el("p", mark, ` ${word} ${percent(sure, 0)}`);
    return el(`div.other.${worth}`, this.bar(praise[n], "from-left"), said);
  }
}

export default mount(".three-readers", ThreeReaders);
