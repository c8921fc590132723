// A review, and what each reader makes of it: a bar from the middle, left to criticism or right to praise.
// Where it is known what a review is, the visitor says it first, at one end of the readers' own axis: until then they
// are covered. Then words are struck out by a press on them, and the bars say who listened to them.

import { asShare, capital, el, mount, percent, rewrite, still, write } from "../../../../attention_view/lab.js";

const LEAST = 0.005; // of a move that is one

/** What a probability of praise says: [verdict, how sure]. */
export const verdict = (praise) => {
  if (Math.abs(praise - 0.5) < 0.005) return ["undecided", 0.5];
  return praise > 0.5 ? ["praise", praise] : ["criticism", 1 - praise];
};

/** A text cut into words and what stands between them: [piece, whether it is a word]. */
export const pieces = (text) =>
  (text.match(/\p{L}+(?:['’]\p{L}+)*|\P{L}+/gu) ?? []).map((piece) => [piece, /^\p{L}/u.test(piece)]);

const CUE = "Strike out a word: who listens?";
const UNCOVERING = 2000; // milliseconds until all is there, the colours of the words last

const guesses = new Map(); // what the visitor called each review, "" for nothing, as long as the app is open

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
const isMany = (names) => names.length > 1 || /(counts|models)$/.test(names[0]);

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
 * known: the words of the text that word counts have met, null where nobody asks; guess: what the visitor called it. */
export function found(readers, isPraise, { text = "", known = null, guess = "" } = {}) {
  const voters = readers.filter(({ praise }) => praise !== null);
  const votes = voters.map(({ praise }) => verdict(praise)[0]);
  if (!votes.length && text.trim()) return "There is no word in this. The models judge reviews in English words.";
  if (!votes.length) return "Type a review, and the models say what they make of it.";
  if (isPraise === null) return `${counts(votes)}${known?.length === 0 ? UNMET : ""}`;
  const truth = isPraise ? "praise" : "criticism";
  const right = voters.filter((_, n) => votes[n] === truth).map(({ name }) => name);
  const names = right.length === votes.length ? ["all three models"] : right;
  return `${guess ? together(guess === truth, names) : those(names)}: it is ${truth}.`;
}

/** Who is right of the readers. */
const those = (names) =>
  names.length ? `${capital(listed(names))} ${isMany(names) ? "are" : "is"} right this time` : "No model is right";

/** Who is right of the visitor and the readers. */
function together(areYou, names) {
  if (areYou)
    return names.length ? `${listed(["You", ...names])} are right this time` : "You are right, and no model is";
  return names.length ? `${those(names)}, and you are not` : "Neither you nor any model is right";
}

/** What is struck out of a review, as one says it: "“not”", "one “not”", "either “not”", "“not” and “good”". */
export function struckOut(places, review) {
  const words = review.map((word) => word.toLowerCase());
  const names = [...new Set(places.map((n) => words[n]))];
  if (names.length > 3) return `${places.length} words`;
  const all = words.filter((word) => word === names[0]).length;
  const some = places.length < all ? ["one ", "two ", "some "][Math.min(places.length, 3) - 1] : "";
  const many = ["", "either ", "any "][Math.min(all, 3) - 1];
  return `${names.length > 1 ? "" : some || many}${listed(names.map((name) => `“${name}”`))}`;
}

/** What happened to readers, by name, without some words: who turned, or moved most, and who did not move, and which of
 * them is told of first. */
export function afterwards(names, before, after, words) {
  const moves = after.map((praise, n) => praise - before[n]);
  const all = [...names.keys()];
  const those = (some) => listed(some.map((n) => names[n]));
  const many = (some) => isMany(some.map((n) => names[n]));
  const lost = all.filter((n) => Math.abs(moves[n]) < LEAST);
  const sides = after.map((praise) => verdict(praise)[0]);
  const turned = all.filter((n) => sides[n] !== verdict(before[n])[0]);
  const same = turned.filter((n) => sides[n] === sides[turned[0]]);
  const most = all.reduce((best, n) => (Math.abs(moves[n]) > Math.abs(moves[best]) ? n : best));
  const begins = `Without ${words}, `;
  if (lost.length === all.length) return { says: `${begins}no model moves.`, by: null };
  const points = Math.round(100 * Math.abs(moves[most]));
  const towards = moves[most] > 0 ? "praise" : "criticism";
  const happened = same.length
    ? `${those(same)} ${many(same) ? "turn" : "turns"} ${sides[same[0]] === "undecided" ? "" : "to "}${sides[same[0]]}`
    : `${names[most]} ${many([most]) ? "move" : "moves"} ${points} point${points === 1 ? "" : "s"} towards ${towards}`;
  const rest = lost.length ? `; ${those(lost)} ${many(lost) ? "do" : "does"} not move` : "";
  return { says: `${begins}${happened}${rest}.`, by: same[0] ?? most };
}

/** The words that push a reader most, the strongest first: those that do so in almost all trainings, or else the one
 * that does it here. */
export function telling({ pushes, steady }) {
  const order = [...(pushes ?? []).keys()].sort((a, b) => Math.abs(pushes[b]) - Math.abs(pushes[a]));
  const held = order.filter((n) => steady[n]);
  return held.length ? held : order.slice(0, 1);
}

class ThreeReaders {
  constructor(root) {
    this.root = root;
    this.says = el("p.finding", { role: "status" });
    this.act = el("div");
    this.quote = el("blockquote");
    this.rows = el("div.rows");
    this.rule = el("p.rule");
    this.struck = [];
    root.replaceChildren(el("div.headline", this.says, this.act), this.quote, this.rows, this.rule);
  }

  update(data, { setTriggerValue } = {}) {
    this.send = setTriggerValue ?? this.send;
    const { text, readers } = data;
    const guess = guesses.get(text);
    const asked = JSON.stringify([text, readers, guess]);
    const signature = JSON.stringify([data, guess]);
    if (signature === this.signature) return; // bars that stand there do not grow once more
    const focused = this.root.getRootNode().activeElement;
    const isNew = asked !== this.asked;
    if (isNew) this.answers = new Map();
    if (text !== this.data?.text) this.struck = [];
    Object.assign(this, { data, guess, signature, asked });
    if (data.struck) this.answers.set(JSON.stringify(data.struck.words), data.struck.praise);
    this.ask(this.struck);
    if (!isNew) return this.draw();
    this.cut = pieces(text);
    this.words = this.cut.flatMap(([piece, isWord]) => (isWord ? [piece] : []));
    this.root.style.setProperty("--letters", Math.max(1, text.length));
    this.root.classList.toggle("asked", this.isAsked);
    this.quote.replaceChildren(...this.written());
    this.rows.replaceChildren(this.ends(), ...readers.map((reader, n) => this.row(reader, n)));
    this.draw();
    if (focused && !focused.isConnected) this.root.querySelector(".primary").focus({ preventScroll: true });
  }

  destroy() {
    clearTimeout(this.timer);
  }

  get isAsked() {
    return this.data.is_praise !== null && this.guess === undefined;
  }

  /** What the readers make of what is left without these words; null while nobody knows. */
  praiseWithout(struck) {
    const { readers } = this.data;
    const [first, ...more] = struck;
    if (first === undefined) return readers.map(({ praise }) => praise);
    if (!more.length && readers.every(({ pushes }) => pushes))
      return readers.map(({ praise, pushes }) => praise - pushes[first]);
    return this.answers.get(JSON.stringify(struck)) ?? null;
  }

  /** A word is struck out, or put back. */
  strike(n) {
    const rest = this.struck.filter((one) => one !== n);
    if (rest.length < this.struck.length) this.struck = rest;
    else this.struck = this.data.reads_all ? this.with(n) : [n];
    this.ask(this.struck);
    const { next } = this;
    if (next !== undefined && this.praiseWithout(this.struck)) this.ask(this.with(next)); // there once it is pressed
    this.draw();
  }

  /** What is struck out, and this word. */
  with(n) {
    return [...this.struck, n].sort((a, b) => a - b);
  }

  /** The next word that tells, while words can be struck out. */
  get next() {
    const { readers, reads_all: readsAll } = this.data;
    if (!this.canStrike || (this.struck.length && !readsAll)) return undefined;
    return telling(readers.at(-1)).find((n) => !this.struck.includes(n));
  }

  /** Asks the server what the readers make of what is left, unless that is known. An answer is kept by its words, so an
   * older one changes nothing that was pressed since. */
  ask(struck) {
    if (this.praiseWithout(struck)) return;
    this.send("struck", [this.data.text, ...struck]);
  }

  /** What is struck out, where the bars are now, and what happened. */
  draw() {
    for (const [n, word] of this.quote.querySelectorAll("button").entries())
      word.setAttribute("aria-pressed", this.struck.includes(n));
    const praise = this.praiseWithout(this.struck);
    this.root.classList.toggle("waits", !praise);
    this.root.classList.toggle("struck", this.struck.length > 0);
    if (praise) this.tell(praise);
    this.offer();
  }

  /** What the readers make of the review, in words and as bars. */
  tell(praise) {
    const { text, readers, known, is_praise: isPraise, caution } = this.data;
    const { isAsked, guess, struck } = this;
    const before = readers.map((reader) => reader.praise);
    const isJudged = !isAsked && before.every((one) => one !== null);
    write(this.rule, isJudged ? caution : "");
    if (isJudged) for (const [n, row] of this.readings.entries()) row.show(praise[n], struck.length ? before[n] : null);
    const [says, more] = isAsked
      ? ["Is this praise or criticism?"]
      : isJudged && struck.length
        ? this.happened(before, praise)
        : [found(readers, isPraise, { text, known, guess }), isJudged && this.canStrike && CUE];
    rewrite(this.says, says, ...(more ? [" ", el("span.quiet", more)] : []));
  }

  /** What striking words out did, and of a single one whether it does so in other trainings. */
  happened(before, praise) {
    const { readers, of } = this.data;
    const names = readers.map(({ name }) => name);
    const { says, by } = afterwards(names, before, praise, struckOut(this.struck, this.words));
    const steady = this.struck.length === 1 && by !== null ? readers[by].steady : null;
    if (!steady) return [says];
    const held = `At least ${of[0]} of ${of[1]} trainings move it the same way.`;
    return [says, steady[this.struck[0]] ? held : "Another training may move it the other way."];
  }

  /** Whether words can be struck out: what is left is known, or can be read. */
  get canStrike() {
    return this.data.reads_all || this.data.readers.every(({ pushes }) => pushes);
  }

  /** What the button does next: a word that tells is struck out, and after the last of them another review comes. */
  offer() {
    const { text, leads } = this.data;
    const { next, words } = this;
    const other = this.struck.some((n) => words[n] === words[next]) ? "the other " : "";
    const [label, act] =
      next === undefined
        ? [leads, () => this.send("next", text)]
        : [`Strike ${other}“${words[next]}”`, () => this.strike(next)];
    const skip = () => el("button.skip", { onclick: () => this.say("") }, "Show the three");
    if (!this.isAsked && this.button?.isConnected) {
      this.button.textContent = label;
      this.button.onclick = act;
      return;
    }
    this.button = this.isAsked ? skip() : el("button.primary", { onclick: act }, label);
    this.act.replaceChildren(this.button);
  }

  /** The visitor has said what the review is, or nothing: what was covered is uncovered, one after the other. */
  say(word) {
    guesses.set(this.data.text, word);
    this.root.classList.toggle("opens", !still());
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.root.classList.remove("opens"), UNCOVERING);
    this.button = null;
    this.update(this.data);
  }

  /** The review, its words to be struck out once it is judged. */
  written() {
    let n = 0;
    return this.cut.map(([piece, isWord]) => {
      if (!isWord) return piece;
      if (this.isAsked || !this.canStrike) return el("span.word", piece);
      const nth = n++;
      return el("button.word", { "aria-pressed": false, onclick: () => this.strike(nth) }, piece);
    });
  }

  /** Both ends of the axis: two buttons until the visitor has chosen, then where he stands. */
  ends() {
    const { isAsked, guess } = this;
    const { is_praise: isPraise } = this.data;
    const end = (word, label) =>
      isAsked
        ? el("button.primary", { onclick: () => this.say(word) }, label)
        : el(word === guess ? "b.primary" : "span", label);
    const axis = el("div.ends", end("criticism", "← criticism"), end("praise", "praise →"));
    if (!isAsked && !guess) return el("div.row.you", { "aria-hidden": "true" }, el("div"), axis, el("div"));
    const mark = guess && marked(guess, judgement(guess === "praise" ? 1 : 0, isPraise));
    return el("section.row.you", { "aria-label": "You" }, el("div.who", el("h2", "You")), axis, mark || el("div"));
  }

  row({ name, about, praise }, n) {
    if (!n) this.readings = [];
    const head = el("div.who", el("h2", name), el("small", about));
    const cover = this.isAsked ? { role: "img", "aria-label": "covered" } : {};
    const reading = this.isAsked || praise === null ? null : new Reading(praise, this.data.is_praise);
    if (reading) this.readings.push(reading);
    const [bar, words] = reading ? [reading.bar, reading.words] : [el("div.bar", cover), el("div")];
    return el("section.row", { "aria-label": name, style: `--n: ${n}` }, head, bar, words);
  }
}

/** A verdict, with what it is worth. */
function marked(word, worth, ...more) {
  const mark = worth && el("i", { role: "img", "aria-label": worth }, MARKS[worth]);
  return el("div.verdict", el("b", word, mark ? " " : "", mark ?? ""), ...more);
}

/** What a reader makes of a review: its bar and its verdict. */
class Reading {
  constructor(praise, isPraise) {
    this.worth = isPraise === null ? null : judgement(praise, isPraise);
    this.fill = el("i");
    this.was = el("i.was");
    this.bar = el("div.bar", { role: "img" }, this.fill, this.was);
    this.words = el("div");
  }

  /** before: what it made of the whole review, null where nothing is struck out. */
  show(praise, before) {
    const at = (one) => `${(100 * one).toFixed(1)}%`;
    this.fill.className = praise < 0.5 ? "below" : "above";
    Object.assign(this.fill.style, { left: at(Math.min(0.5, praise)), width: at(Math.abs(praise - 0.5)) });
    this.was.style.left = at(before ?? praise);
    this.bar.setAttribute("aria-label", `praise with ${percent(praise)}`);
    const isStill = before === null || Math.abs(praise - before) < LEAST;
    const [word, sure] = verdict(isStill ? (before ?? praise) : praise);
    const [once, surely] = verdict(before ?? praise);
    const was = isStill ? "" : `, was ${once === word ? asShare(surely) : once}`;
    const words = marked(word, before === null ? this.worth : null, el("span", `${asShare(sure)}${was}`));
    rewrite(this.words, words);
  }
}

export default mount(".three-readers", ThreeReaders);
