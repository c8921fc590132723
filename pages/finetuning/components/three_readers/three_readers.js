// A review, and what each reader makes of it: a bar from the middle, left to criticism or right to praise.
// The words of the review wear what the chosen reader makes of them. Where it is known what a review is, the visitor
// says it first, at one end of the readers' own axis: until then they are covered.

import { asShare, capital, el, mount, percent, rewrite, still } from "../../../../attention_view/lab.js";

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
  const adds = pushes[up] >= LEAST && `“${words[up]}” adds ${praised(pushes[up])}`;
  const takes =
    pushes[down] <= -LEAST &&
    `“${words[down]}” takes ${adds ? points(pushes[down]).slice(1) : praised(pushes[down])} away`;
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
const praised = (push) => {
  const n = Math.round(100 * Math.abs(push));
  return `${n} point${n === 1 ? "" : "s"} of praise`;
};

/** The pushes of a reader, 0 where they are noise; null where nobody knows them. */
export const steadyOf = ({ pushes, steady }) => pushes?.map((push, n) => (steady[n] ? push : 0)) ?? null;

const UNCOVERING = 2000; // milliseconds until all is there, the colours of the words last

const guesses = new Map(); // what the visitor called each review, "" for nothing, as long as the app is open

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
const isMany = (names) => names.length > 1 || /(counts|models)$/.test(names[0]);

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
  return `${guess ? together(guess === truth, names) : those(names)}: this review is ${truth}.`;
}

/** Who is right of the readers. */
const those = (names) =>
  names.length ? `${capital(listed(names))} ${isMany(names) ? "are" : "is"} right` : "No model is right";

/** Who is right of the visitor and the readers. */
function together(areYou, names) {
  if (areYou) return names.length ? `${listed(["You", ...names])} are right` : "You are right, and no model is";
  return names.length ? `${those(names)}, and you are not` : "Neither you nor any model is right";
}

/** The word that pushes a reader most who is wrong, the wrong way, and all readers it does that to; "" where no push of
 * theirs is more than noise. words: those of the review. */
export function misled(readers, isPraise, words) {
  if (isPraise === null) return "";
  const wrong = readers.flatMap((reader) => {
    if (judgement(reader.praise, isPraise) !== "wrong") return [];
    const pushes = (steadyOf(reader) ?? []).map((push) => (isPraise ? -push : push));
    return pushes.map((push, n) => ({ name: reader.name, word: words[n], push })).filter(({ push }) => push >= LEAST);
  });
  if (!wrong.length) return "";
  const { word } = wrong.reduce((most, one) => (one.push > most.push ? one : most));
  const names = new Set(wrong.filter((one) => one.word === word).map(({ name }) => name));
  const all = listed([...names]);
  const [, model, lack] = (names.size === 1 && all.match(/^(\S+) (without .+)$/)) || [];
  if (lack) return `${capital(lack)}, ${model} falls for “${word}”.`;
  return `${capital(all)} ${isMany([...names]) ? "fall" : "falls"} for “${word}”.`;
}

class ThreeReaders {
  constructor(root) {
    this.root = root;
    this.says = el("p.finding", { role: "status" });
    this.act = el("div");
    this.quote = el("blockquote");
    this.note = el("p.note");
    this.rows = el("div.rows");
    this.rule = el("p.rule");
    const reading = el("div.reading", this.quote, this.note);
    root.replaceChildren(el("div.headline", this.says, this.act), reading, this.rows, this.rule);
  }

  update(data, { setTriggerValue } = {}) {
    this.send = setTriggerValue ?? this.send;
    const { text, readers } = data;
    const guess = guesses.get(text);
    const signature = JSON.stringify([data, guess]);
    if (signature === this.signature) return; // bars that stand there do not grow once more
    const focused = this.root.getRootNode().activeElement;
    Object.assign(this, { data, guess, signature });
    this.tell();
    const heads = this.isAsked ? "span" : "button.name";
    this.heads = readers.map(({ name }, n) => el(heads, { onclick: () => this.choose(n) }, name));
    this.rows.replaceChildren(this.ends(), ...readers.map((reader, n) => this.row(reader, n)));
    this.choose(Math.min(this.chosen ?? readers.length - 1, readers.length - 1));
    if (focused && !focused.isConnected) this.root.querySelector(".primary").focus({ preventScroll: true });
  }

  destroy() {
    clearTimeout(this.timer);
  }

  get isAsked() {
    return this.data.is_praise !== null && this.guess === undefined;
  }

  /** What the readers make of the review, and what can be done: say first what it is, or go on to the next. */
  tell() {
    const { text, readers, known, is_praise: isPraise, leads, of, caution } = this.data;
    const { isAsked, guess } = this;
    this.root.classList.toggle("asked", isAsked);
    const words = pieces(text, known).flatMap(([piece, , isWord]) => (isWord ? [piece] : []));
    const why = isAsked ? "" : misled(readers, isPraise, words);
    const finding = isAsked ? "Is this praise or criticism?" : found(readers, isPraise, { text, known, guess });
    rewrite(this.says, finding, ...(why ? [" ", el("span.quiet", why)] : []));
    const isJudged = !isAsked && readers.some(({ praise }) => praise !== null);
    const lines = [caution, `Coloured: words that push at least ${of[0]} of ${of[1]} trainings the same way.`];
    this.rule.replaceChildren(...(isJudged ? lines : []).map((line) => el("span", line)));
    const act = isAsked
      ? el("button.skip", { onclick: () => this.say("") }, "Show the three")
      : el("button.primary", { onclick: () => this.send("next", text) }, leads);
    this.act.replaceChildren(act);
  }

  /** The visitor has said what the review is, or nothing: what was covered is uncovered, one after the other. */
  say(word) {
    guesses.set(this.data.text, word);
    this.root.classList.toggle("opens", !still());
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.root.classList.remove("opens"), UNCOVERING);
    this.update(this.data);
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
    const { text, known, readers } = this.data;
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
    this.note.replaceChildren(...(this.isAsked || !text ? [] : [el("b", `${capital(name)}, word by word: `), told]));
  }

  word(piece, push, most, isKnown) {
    const number = points(push ?? 0);
    const share = (MOST * Math.min(1, Math.abs(push ?? 0) / most)).toFixed(0);
    const style = `--side: var(--${sideOf(push ?? 0)}); --share: ${number ? share : 0}%`;
    const idle = push !== null && !number && !this.isAsked ? ".idle" : "";
    return el(`span.word${idle}${isKnown ? "" : ".unseen-word"}`, { style }, piece, el("small", number));
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
    const props = { onclick: () => this.choose(n), "aria-label": name, style: `--n: ${n}` };
    const head = el("div.who", el("h2", this.heads[n]), el("small", about));
    if (this.isAsked || praise === null) {
      const cover = this.isAsked ? { role: "img", "aria-label": "covered" } : {};
      return el("section.row", props, head, el("div.bar", cover), el("div"));
    }
    const [word, sure] = verdict(praise);
    const { is_praise: isPraise } = this.data;
    const worth = isPraise === null ? null : judgement(praise, isPraise);
    return el("section.row", props, head, bar(praise), marked(word, worth, el("span", asShare(sure))));
  }
}

/** A verdict, with what it is worth. */
function marked(word, worth, ...more) {
  const mark = worth && el("i", { role: "img", "aria-label": worth }, MARKS[worth]);
  return el("div.verdict", el("b", word, mark ? " " : "", mark ?? ""), ...more);
}

function bar(praise) {
  const share = `${(100 * Math.abs(praise - 0.5)).toFixed(1)}%`;
  const fill = el(`i.${praise < 0.5 ? "below" : "above"}`, { style: `width: ${share}` });
  return el("div.bar", { role: "img", "aria-label": `praise with ${percent(praise)}` }, fill);
}

export default mount(".three-readers", ThreeReaders);
