// A review, and what each reader makes of it: a bar from the middle, left to criticism or right to praise.
// The words of the review wear what the chosen reader makes of them. Of one review the visitor says first what it is:
// until then nothing is told of it.

import { asShare, capital, el, mount, percent, rewrite } from "../../../../attention_view/lab.js";
import { drawnIn } from "../../../../attention_view/controls.js";

const MOST = 46; // percent of the colour of its side that the strongest word wears: it stays readable
const LEAST = 0.005; // of a push that is written as a number

/** What a probability of praise says: [verdict, how sure]. */
export const verdict = (praise) => {
  if (Math.abs(praise - 0.5) < 0.005) return ["undecided", 0.5];
  return praise > 0.5 ? ["praise", praise] : ["criticism", 1 - praise];
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

/** The word that adds most praise and the one that takes most away, in words; "" where none does. */
export function weighing(words, pushes) {
  const order = [...words.keys()].sort((a, b) => pushes[b] - pushes[a]);
  const [up, down] = [order[0], order.at(-1)];
  const adds = pushes[up] >= LEAST && `“${words[up]}” adds ${counted(pushes[up])}`;
  const takes =
    pushes[down] <= -LEAST &&
    `“${words[down]}” takes ${adds ? points(pushes[down]).slice(1) : counted(pushes[down])} away`;
  return [adds, takes].filter(Boolean).join(", and ");
}

/** What a reader makes of the words of a review, in a sentence without its end. steady: its pushes, 0 where they are
 * noise. Where they all lead away from its verdict, no single word decides: what words do together is not in them. */
export function weighed(words, steady, praise) {
  const strongest = weighing(words, steady);
  if (!strongest)
    return steady.some(Boolean) ? "no word moves the verdict by as much as a point" : "no word is more than noise";
  const [side] = verdict(praise);
  const isAgainst = (push) => push > 0 === (side === "criticism");
  const against = side !== "undecided" && steady.filter((push) => points(push)).every(isAgainst);
  return against ? `no single word decides; ${strongest}` : strongest;
}

/** Points in words. */
const counted = (push) => {
  const n = Math.round(100 * Math.abs(push));
  return `${n} point${n === 1 ? "" : "s"} of praise`;
};

/** The pushes of a reader, 0 where they are noise; null where nobody knows them. */
export const steadyOf = ({ pushes, steady }) => pushes?.map((push, n) => (steady[n] ? push : 0)) ?? null;

const guesses = new Map(); // what the visitor called each review, as long as the app is open

const sideOf = (push) => (push < 0 ? "negative" : "positive");

const MARKS = { right: "✓", wrong: "✗", undecided: "–" };

/** What a probability of praise is worth for a review that is praise, or is criticism: one of the MARKS. */
export const judgement = (praise, isPraise) => {
  const [word] = verdict(praise);
  if (word === "undecided") return word;
  return (word === "praise") === isPraise ? "right" : "wrong";
};

/** Names as they are listed: "a", "a and b", "a, b and c". */
const listed = (names) => [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" and ");

/** "word counts are", "MiniLM with all 6 layers is" */
const isMany = (names) => names.length > 1 || names[0].endsWith("counts");

/** Whether the visitor is right; isPraise: null where nobody has said what the review is. */
export function judged(guess, isPraise) {
  if (isPraise === null) return `You said ${guess}.`;
  const truth = isPraise ? "praise" : "criticism";
  return guess === truth ? `You said ${guess}, and you are right.` : `You said ${guess}, but it is ${truth}.`;
}

/** Who agrees with the visitor, in words. */
export function agreed(guess, readers) {
  const same = readers.filter(({ praise }) => verdict(praise)[0] === guess).map(({ name }) => name);
  const other = readers.map(({ name }) => name).filter((name) => !same.includes(name));
  if (!other.length) return "All three models agree with you.";
  if (!same.length) return "No model agrees with you.";
  const [yes, no] = [isMany(same) ? "agree" : "agrees", isMany(other) ? "do" : "does"];
  return `${capital(listed(same))} ${yes} with you; ${listed(other)} ${no} not.`;
}

/** Why nobody knows what each word of a review does: it has more words than are left out one by one, or else the model
 * is not on this server. */
export const untold = (n, most) =>
  n > most ? `measured only in reviews of at most ${most} words.` : "not measured here: this server has no MiniLM.";

const COUNTS = ["None", "One", "Two", "All three"];

const UNMET = " Word counts know none of its words.";

/** How many of all readers call a review praise, or criticism. */
function counts(votes) {
  const side = ["praise", "criticism"].find((word) => votes.includes(word));
  if (!side) return "All three models are undecided.";
  const n = votes.filter((word) => word === side).length;
  if (n === votes.length) return `All three models call this review ${side}.`;
  return `${COUNTS[n]} of the three models ${n === 1 ? "calls" : "call"} this review ${side}.`;
}

/** What all readers call a review, and whether they are right; isPraise: null where nobody has said what it is.
 * known: the words of the text that word counts have met, null where nobody asks. */
export function found(readers, isPraise, text = "", known = null) {
  const voters = readers.filter(({ praise }) => praise !== null);
  const votes = voters.map(({ praise }) => verdict(praise)[0]);
  if (!votes.length && text.trim()) return "There is no word in this. The models judge reviews in English words.";
  if (!votes.length) return "Type a review, and the models say what they make of it.";
  if (isPraise === null) return `${counts(votes)}${known?.length === 0 ? UNMET : ""}`;
  const [truth, other] = isPraise ? ["praise", "criticism"] : ["criticism", "praise"];
  const right = voters.filter((_, n) => votes[n] === truth).map(({ name }) => name);
  if (votes.every((word) => word === other)) return `All three models call this review ${other}. All three are wrong.`;
  if (right.length === votes.length) return `All three models call this review ${truth}. All three are right.`;
  if (right.length === 1) return `Only ${right[0]} ${isMany(right) ? "are" : "is"} right: this review is ${truth}.`;
  return `${COUNTS[right.length]} of the three models ${right.length ? "are" : "is"} right: this review is ${truth}.`;
}

class ThreeReaders {
  constructor(root) {
    this.root = root;
    this.says = el("p.finding", { role: "status" });
    this.acts = el("div.acts");
    this.quote = el("blockquote");
    this.note = el("p.note");
    this.rows = el("div.rows");
    this.reading = el("div.reading", this.quote, this.note);
    root.replaceChildren(el("div.headline", this.says, this.acts), this.reading, this.rows);
  }

  update(data, { setTriggerValue } = {}) {
    const isFirst = !this.data;
    this.send = setTriggerValue ?? this.send;
    const { text, readers } = data;
    const guess = guesses.get(text);
    const signature = JSON.stringify([data, guess]);
    if (signature === this.signature) return; // bars that stand there do not grow once more
    Object.assign(this, { data, guess, signature });
    this.tell();
    const verdicts = readers.map(({ praise }) => (praise === null ? "" : verdict(praise)[0])).join(" ");
    this.root.dataset.verdicts = this.isAsked ? "" : verdicts;
    this.chosen = Math.min(this.chosen ?? readers.length - 1, readers.length - 1);
    const head = ({ name }, n) =>
      this.isAsked ? el("span", name) : el("button.name", { onclick: () => this.choose(n) }, name);
    this.heads = readers.map(head);
    this.rows.replaceChildren(header(), ...readers.map((reader, n) => this.row(reader, n)));
    this.choose(this.chosen);
    if (isFirst) this.endBeat = drawnIn(this.root, "readers");
  }

  destroy() {
    this.endBeat?.();
  }

  get isAsked() {
    return Boolean(this.data.asks && !this.guess);
  }

  /** What the readers make of the review, and what can be done: say first what it is, or go on to that. */
  tell() {
    const { text, readers, is_praise: isPraise, leads } = this.data;
    const { isAsked } = this;
    this.root.classList.toggle("asked", isAsked);
    const guessed = this.guess
      ? `${judged(this.guess, isPraise)} ${agreed(this.guess, readers)}`
      : found(readers, isPraise, text, this.data.known);
    const caution = !isAsked && !this.guess && readers.some(({ praise }) => praise !== null) ? this.data.caution : "";
    rewrite(
      this.says,
      isAsked ? "Is this review praise or criticism? You first." : guessed,
      ...(caution ? [" ", el("span.quiet", caution)] : []),
    );
    const kind = isAsked ? "asks" : leads;
    if (kind === this.acts.dataset.kind) return; // the focus stays there
    const hadFocus = this.acts.contains(this.root.getRootNode().activeElement);
    this.acts.dataset.kind = kind;
    const say = (word) => {
      guesses.set(text, word);
      this.update(this.data);
      this.heads[this.chosen].focus({ preventScroll: true });
    };
    const button = (label, onclick) => el("button.primary", { onclick }, label);
    const acts = {
      asks: () => ["praise", "criticism"].map((word) => button(word, () => say(word))),
      "": () => [],
    };
    const lead = () => [button(leads, () => this.send("next", this.data.text))];
    this.acts.replaceChildren(...(acts[kind] ?? lead)());
    if (hadFocus) this.acts.querySelector("button")?.focus({ preventScroll: true });
  }

  choose(n) {
    this.chosen = n;
    for (const [k, head] of this.isAsked ? [] : this.heads.entries()) {
      head.setAttribute("aria-pressed", k === n);
      head.closest(".row").classList.toggle("chosen", k === n);
    }
    this.write(this.data.readers[n]);
  }

  /** The review as this reader reads it. */
  write(reader) {
    const { name, knows_all: knowsAll } = reader;
    const { text, known, readers, of } = this.data;
    const most = Math.max(...readers.flatMap((one) => (steadyOf(one) ?? []).map(Math.abs)), LEAST);
    const pushes = steadyOf(reader);
    let n = 0;
    const cut = pieces(text, known);
    const words = cut.map(([piece, isKnown, isWord]) => {
      if (!isWord) return piece;
      if (this.isAsked) return this.word(piece, 0, most, true);
      return this.word(piece, pushes?.[n++] ?? null, most, knowsAll || isKnown);
    });
    this.quote.replaceChildren(...words);
    const unseen = knowsAll ? "" : " Dotted: words it has never seen.";
    const spoken = cut.filter(([, , isWord]) => isWord).map(([piece]) => piece);
    const told = pushes ? `${weighed(spoken, pushes, reader.praise)}.${unseen}` : untold(spoken.length, this.data.most);
    this.root.style.setProperty("--letters", Math.max(1, text.length));
    const others = `${of[0]} of ${of[1]} readers, each trained on other reviews`;
    const rule = `Coloured words push at least ${others}, the same way.`;
    const more = pushes?.length ? [el("small", rule)] : [];
    this.note.replaceChildren(
      ...(this.isAsked || !text ? [] : [el("b", `${capital(name)}, word by word: `), told, ...more]),
    );
  }

  word(piece, push, most, isKnown) {
    const number = points(push ?? 0);
    const share = (MOST * Math.min(1, Math.abs(push ?? 0) / most)).toFixed(0);
    const style = `--side: var(--${sideOf(push ?? 0)}); --share: ${number ? share : 0}%`;
    const idle = push !== null && !number && !this.isAsked ? ".idle" : "";
    return el(`span.word${idle}${isKnown ? "" : ".unseen-word"}`, { style }, piece, el("small", number));
  }

  row({ name, about, praise }, n) {
    const head = el("div.who", el("h2", this.heads[n]), el("small", about));
    if (this.isAsked) {
      return el("section.row", { "aria-label": name }, head, el("div.bar", el("b", "?")), el("div.verdict"));
    }
    const props = { onclick: () => this.choose(n), "aria-label": name };
    if (praise === null) return el("section.row", props, head, el("div.bar"), el("div.verdict"));
    const [word, sure] = verdict(praise);
    const { is_praise: isPraise } = this.data;
    const worth = isPraise === null ? null : judgement(praise, isPraise);
    const mark = worth && el("i", { role: "img", "aria-label": worth }, MARKS[worth]);
    const said = el("div.verdict", el("b", word, mark ? " " : "", mark ?? ""), el("span", asShare(sure)));
    return el("section.row", props, head, bar(praise), said);
  }
}

/** Above the bars, their two ends. */
function header() {
  const ends = ["← criticism", "50%", "praise →"].map((end) => el("span", end));
  return el("div.row.header", { "aria-hidden": "true" }, el("div"), el("div.axis", ...ends), el("div"));
}

function bar(praise) {
  const share = `${(100 * Math.abs(praise - 0.5)).toFixed(1)}%`;
  const fill = el(`i.${praise < 0.5 ? "below" : "above"}`, { style: `width: ${share}` });
  return el("div.bar", { role: "img", "aria-label": `praise with ${percent(praise)}` }, fill);
}

export default mount(".three-readers", ThreeReaders);
