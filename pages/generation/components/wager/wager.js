// What comes next? Bars share 100 percent: one that is pulled up takes from all others, and below each word hangs the
// surprise if it came. Then the word is shown, and the model's bars rise beside the reader's.

import {
  boxOf,
  capital,
  el,
  fixed,
  mount,
  pointIn,
  put,
  sumOf,
  wholePercent,
  write,
} from "../../../../attention_view/lab.js";
import { drag } from "../../../../attention_view/controls.js";

export const WHOLE = 100;
const ASKED = "Which word comes next? Pull it up.";
const BELOW = 34; // pixels for the number under a bar that hangs
const DEEP = 7; // bits that have room below a word: a share of 1% has fewer
const [SMALL, TALL] = [0.1, 0.8]; // shares: the number of one that is tall stands in its bar

/** How surprising it is that something came which had this share: in bits, which are coin tosses. */
export const bits = (share) => Math.abs(Math.log2(share));

/** The shares, in percent, once that of part i is pulled to n: the others keep their proportions, and 1 at least. */
export function pulled(shares, i, n) {
  const others = shares.length - 1;
  const held = Math.max(1, Math.min(WHOLE - others, Math.round(n)));
  const [free, spare] = [WHOLE - held - others, WHOLE - shares[i] - others];
  const exact = shares.map((share) => 1 + free * (spare ? (share - 1) / spare : 1 / others));
  const next = exact.map((x, j) => (j === i ? held : Math.floor(x)));
  const order = [...next.keys()].filter((j) => j !== i).sort((a, b) => (exact[b] % 1) - (exact[a] % 1));
  for (const j of order.slice(0, WHOLE - sumOf(next))) next[j] += 1;
  return next;
}

/** The same, once the surprise that hangs below it is pulled to so many bits. */
export const hung = (shares, i, cost) => pulled(shares, i, WHOLE * 2 ** -cost);

/** As even as it can be: where nothing is known yet. */
export const even = (n) => Array.from({ length: n }, (_, i) => Math.floor((WHOLE + n - 1 - i) / n));

const largest = (shares) => shares.indexOf(Math.max(...shares));
const called = (names, i) => (i === names.length - 1 ? names[i] : `“${names[i]}”`);
const inBits = (share) => fixed(bits(share), 1);

/** What the bars say as they are pulled: of the word with most, and of the one with least. */
export function wouldBe(shares, names) {
  const [most, least] = [largest(shares), shares.indexOf(Math.min(...shares))];
  const bitsOf = (i) => inBits(shares[i] / WHOLE);
  if (bitsOf(most) === bitsOf(least)) return `Whatever comes: ${bitsOf(most)} bits of surprise.`;
  const heads = Math.round(bits(shares[least] / WHOLE));
  const other = `${capital(called(names, least))} would be ${bitsOf(least)}`;
  const said = `If ${called(names, most)} comes: ${bitsOf(most)} bits of surprise.`;
  return `${said} ${other}, like ${heads} heads in a row.`;
}

/** What came, and who was less surprised, by more than `close`; of what the model was sure, where that was wrong. */
export function verdict({ truth, outcome, names, percent, model, close, sure }) {
  const first = largest(model);
  const wrong = first !== outcome && model[first] > sure ? `the model was sure of ${called(names, first)}` : "";
  if (!percent) return `It was “${truth}”.${wrong && ` ${capital(wrong)}.`}`;
  const more = bits(percent[outcome] / WHOLE) - bits(model[outcome]);
  const who = Math.abs(more) < close ? "You did as well" : more < 0 ? "You did better" : "The model did better";
  return `It was “${truth}”. ${who}${wrong && more < 0 ? `: ${wrong}` : ""}.`;
}

/** What all words that the reader bet on came to; "" for one, whose surprise hangs below it. */
export const soFar = ({ so_far: [n, you, model] }) =>
  n > 1 ? `So far: you ${fixed(you, 1)} bits, the model ${fixed(model, 1)}` : "";

/** A story cut into words and what stands between them, and which words can be bet on. */
export const told = (story, names) =>
  (story.match(/\p{L}+|\P{L}+/gu) ?? []).map((piece) => ({ piece, isNamed: names.slice(0, -1).includes(piece) }));

const bar = (who) => el(`span.bar.${who}`, el("b"));

export class Wager {
  constructor(root) {
    this.root = root;
    this.says = el("p.finding", { role: "status" });
    this.score = el("p.score");
    this.main = el("button.primary", { onclick: () => this.act() });
    this.story = el("p.story");
    this.board = el("div.board", { role: "group" });
    root.replaceChildren(el("div.game", el("div.headline", this.says, this.score, this.main), this.story, this.board));
  }

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    Object.assign(this, { signature, data, isOpen: data.outcome === null, hasBet: false });
    this.percent = data.percent ?? even(data.names.length);
    this.build();
    this.refresh();
  }

  /** Bits that have room below a word: more where the model was more surprised. */
  get deep() {
    const { outcome, model } = this.data;
    return this.isOpen ? DEEP : Math.max(DEEP, bits(model[outcome]));
  }

  /** How far down the longer of the two bars of the word that came hangs, as a share of its room. */
  get foot() {
    const { outcome, model, percent } = this.data;
    if (this.isOpen) return 0;
    const costs = [model[outcome], ...(percent ? [percent[outcome] / WHOLE] : [])].map(bits);
    return Math.min(1, Math.max(...costs) / this.deep).toFixed(4);
  }

  act() {
    const { round } = this.data;
    if (this.isOpen && !this.hasBet) return;
    if (this.isOpen) this.send("bet", { round, percent: this.percent });
    else this.send("next", round);
  }

  build() {
    const { story, names, truth, percent, outcome } = this.data;
    const words = told(story, names).map(({ piece, isNamed }) => el(isNamed && !this.isOpen ? "u" : "span", piece));
    this.story.classList.toggle("long", story.length > 150);
    this.story.replaceChildren(...words, " ", el(this.isOpen ? "b.blank" : "b.blank.known", this.isOpen ? "?" : truth));
    this.root.classList.toggle("open", this.isOpen);
    this.columns = names.map((name, i) => this.column(name, i));
    put(this.board, { "aria-label": `How likely is each of ${names.length} words?` });
    const label = (about, text) => el("p", { class: about }, text);
    const labels = el(
      "div.labels",
      label("up", "How likely?"),
      label("down", `Surprise${this.isOpen ? " if it comes" : ""}, in bits`),
    );
    this.board.replaceChildren(labels, ...this.columns);
    this.board.style.setProperty("--deep", this.deep);
    this.board.style.setProperty("--foot", this.foot);
    this.board.classList.toggle("alone", !this.isOpen && !percent);
    this.columns[outcome]?.classList.add("came");
  }

  /** A word, how likely it is held to be, and how surprising it would be. */
  column(name, i) {
    const who = this.isOpen ? ["you"] : this.data.percent ? ["you", "model"] : ["model"];
    const slides = {
      role: "slider",
      tabIndex: 0,
      "aria-label": name,
      "aria-orientation": "vertical",
      "aria-valuemin": 1,
      "aria-valuemax": WHOLE - this.data.names.length + 1,
      onpointerdown: (event) => this.pull(event, i),
      onkeydown: (event) => {
        const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
        const to = { Home: 1, End: WHOLE }[event.key] ?? this.percent[i] + by;
        if (Number.isNaN(to) || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        this.set(pulled(this.percent, i, to));
      },
    };
    const parts = [el("span.up", ...who.map(bar)), el("b.word", name), el("span.down", ...who.map(bar))];
    return el("div.column", this.isOpen ? slides : {}, ...parts);
  }

  /** The bar follows the hand, to where it presses at once: the one above the word, or the one that hangs below it. */
  pull(event, i) {
    if (event.button) return;
    const [before, column] = [this.percent, this.columns[i]];
    const hangs = event.clientY > column.querySelector(".word").getBoundingClientRect().bottom;
    const part = column.querySelector(hangs ? ".down" : ".up");
    const move = (to) => {
      const [[, y], { height }] = [pointIn(to, part), boxOf(part)];
      if (hangs) this.set(hung(before, i, (this.deep * y) / (height - BELOW)));
      else this.set(pulled(before, i, (WHOLE * (height - y)) / height));
    };
    move(event);
    this.endDrag = drag(move, () => {});
  }

  set(percent) {
    this.percent = percent;
    this.hasBet = true;
    this.refresh();
  }

  refresh() {
    const { data, isOpen, hasBet, percent } = this;
    this.root.dataset.percent = JSON.stringify(percent);
    write(this.main, !isOpen ? data.next : hasBet ? "Show the word" : "Pull a bar first");
    this.main.setAttribute("aria-disabled", isOpen && !hasBet); // it keeps the focus, which a disabled one would lose
    write(this.says, !isOpen ? verdict(data) : hasBet ? wouldBe(percent, data.names) : ASKED);
    write(this.score, soFar(data));
    this.columns.forEach((column, i) => {
      const yours = percent[i] / WHOLE;
      for (const [who, share] of [["you", yours], ...(isOpen ? [] : [["model", data.model[i]]])])
        for (const node of column.querySelectorAll(`.${who}`)) {
          const hangs = node.parentNode.matches(".down");
          const long = hangs ? Math.min(bits(share) / this.deep, 1) : share;
          node.style.setProperty("--long", Math.max(0.001, long).toFixed(4));
          node.classList.toggle("small", share < SMALL);
          node.classList.toggle("tall", !hangs && share > TALL);
          write(node.firstChild, hangs ? inBits(share) : wholePercent(share));
        }
      if (!isOpen) return;
      column.setAttribute("aria-valuenow", percent[i]);
      column.setAttribute("aria-valuetext", `${percent[i]}%, ${inBits(yours)} bits of surprise if it comes`);
    });
  }
}

export default mount(".wager", Wager);
