// What is looked at: a word or another one in its place, its three strips, what they are compared with, and the number
// in hand. It knows no page.

import { fromBase64 } from "../../../../attention_view/lab.js";
import { Latest } from "../../../../lab/kit/components/latest.js";
import { MADE } from "./places.js";
import { again, asked, atRest, compared, isOtherState, judged, OCCASIONS, sentence } from "./said.js";
import { outOf, ranked, similarity, span, summed } from "./sums.js";

const floats = (text) => new Float32Array(fromBase64(text).buffer);
const byMade = (of) => Object.fromEntries(MADE.map((made) => [made, of(made)]));

const keyOf = (data) => data && JSON.stringify([data.words, data.x, data.mills]);
const turned = (at, held) => JSON.stringify([at, held]); // a word, and what strip is in hand, null for none

export class Turn {
  was = null; // {strips, name, occasion, by}, what is compared with

  /** send([word, strip in hand]) lets the server hear of a turn. */
  constructor(send) {
    this.latest = new Latest((turn) => send(JSON.parse(turn)));
  }

  /** Takes new numbers; returns whether they are others than before. What was turned to meanwhile holds until the
   * server has heard of it. isLed: by a lesson, which has not told of scores */
  follow(data, isLed) {
    const last = this.data;
    const isSame = keyOf(last) === keyOf(data);
    if (!isSame) this.isSwapped = false;
    const other = isOtherState(last, data) ? { ...this.shown, occasion: data.trained ? "after" : "before" } : null;
    const isHead = last?.of === data.of && String(last.words) === String(data.words);
    this.take(data, isLed, isSame);
    if (!isSame) Object.assign(this, { was: other, scales: this.scalesOf() });
    if (!isHead) Object.assign(this, { at: undefined, held: null });
    const turn = turned(data.at, data.held);
    if (!isHead) this.latest.end();
    if (!isHead || (!this.latest.waits && turn !== turned(last.at, last.held))) this.adopt(data.at, data.held);
    this.latest.heard(turn);
    return !isSame;
  }

  /** The server hears of another word, or of another strip in hand. */
  tell() {
    const { at, held, data, latest } = this;
    const now = turned(at, held?.made ?? null);
    if (latest.waits || now !== turned(data.at, data.held)) latest.want(now);
  }

  take(data, isLed, isSame) {
    const { finds } = data;
    this.data = data;
    this.finds = finds && !isLed ? { ...finds, earned: floats(finds.earned), met: floats(finds.met) } : null;
    if (isSame) return;
    this.vectors = floats(data.x);
    this.mills = byMade((made) => ({ w: floats(data.mills[made].w), b: floats(data.mills[made].b) }));
  }

  adopt(at, held) {
    if (at !== this.at) Object.assign(this, { at, isSwapped: false, held: null, was: null });
    if (held !== (this.held?.made ?? null)) this.held = held && { made: held, n: this.order(held)[0] };
  }

  /** What no number of this head goes beyond, or few: all words are drawn to one scale. */
  scalesOf() {
    const out = (made) => this.data.words.flatMap((_, n) => outOf({ x: this.vectorOf(n), ...this.mills[made] }));
    return {
      vector: span(this.vectors),
      strips: byMade((made) => span(out(made))),
      matrices: byMade((made) => span(this.mills[made].w)),
    };
  }

  vectorOf(n) {
    const D = this.vectors.length / this.data.words.length;
    return this.vectors.subarray(n * D, (n + 1) * D);
  }

  /** The word that can stand in the place of this one: {word, x}; null where there is none, or none is known yet. */
  get swap() {
    const { at, swap } = this.data;
    return at === this.at && swap ? { word: swap.word, x: floats(swap.x) } : null;
  }

  get vector() {
    return this.isSwapped ? this.swap.x : this.vectorOf(this.at);
  }

  get name() {
    return this.isSwapped ? this.swap.word : this.data.words[this.at];
  }

  get shown() {
    const x = this.vector;
    return { strips: byMade((made) => outOf({ x, ...this.mills[made] })), name: this.name };
  }

  /** How the number in hand is made. */
  get one() {
    return summed({ x: this.vector, ...this.mills[this.held.made] }, this.held.n);
  }

  /** What each number of this query adds to the score of the word that it finds; null where it finds none. */
  get earned() {
    const { finds, at } = this;
    const d = this.mills.query.b.length;
    return finds && !this.isSwapped && finds.keys[at] !== null ? finds.earned.subarray(at * d, (at + 1) * d) : null;
  }

  /** The share of that score that the number in hand earns; null where it is none, or more than all. */
  get share() {
    const { held, earned, finds, at } = this;
    const share = held?.made === "query" && earned ? earned[held.n] / finds.scores[at] : Infinity;
    return Math.abs(share) <= 1 ? share : null;
  }

  /** The numbers of a strip, those that are worth most first: of a query by what it earns, or else by size. */
  order(made) {
    const earned = made === "query" && this.earned;
    return ranked(earned || outOf({ x: this.vector, ...this.mills[made] }).map(Math.abs));
  }

  /** The other place of this word, the nearest; undefined where it stands once. */
  get twin() {
    const { words } = this.data;
    const others = words.map((_, n) => n).filter((n) => n !== this.at && words[n] === words[this.at]);
    return others.sort((a, b) => Math.abs(a - this.at) - Math.abs(b - this.at))[0];
  }

  // ---- what hands do -----------------------------------------------------------------------------------------------

  /** To another word, which is compared with the one before; the same word elsewhere is not one in its place. The word
   * itself lets go of what is in hand. */
  say(n) {
    if (n === this.at) return Object.assign(this, { isSwapped: false, held: null, was: null });
    const isTwin = n !== this.at && this.data.words[n] === this.data.words[this.at];
    if (isTwin) this.isSwapped = false;
    const occasion = isTwin ? "twin" : this.data.words[n] === this.name ? "stands" : "word";
    this.was = { ...this.shown, occasion, by: n - this.at };
    return Object.assign(this, { at: n, isSwapped: false, held: null });
  }

  /** Another word into the place of this one, or this one back. guess: the strip that will change least, if any */
  exchange(guess = null) {
    this.was = { ...this.shown, occasion: "swap", guess };
    Object.assign(this, { isSwapped: !this.isSwapped, held: null });
  }

  hold(made, n) {
    this.held = { made, n };
  }

  /** What comes next: another word in its place, the same word elsewhere, then one number after the other. */
  get coming() {
    const { held, was, twin } = this;
    if (held) return this.share === null ? "number" : "part";
    if (!was && this.swap) return "swap";
    return was?.occasion === "swap" && twin !== undefined ? "twin" : "open";
  }

  next() {
    const { coming, held } = this;
    if (coming === "swap") return this.exchange();
    if (coming === "twin") return this.say(this.twin);
    if (coming === "open") return this.hold("query", this.order("query")[0]);
    const order = this.order(held.made);
    return this.hold(held.made, order[(order.indexOf(held.n) + 1) % order.length]);
  }

  // ---- what is said of it ------------------------------------------------------------------------------------------

  /** How similar each strip is to that before; null where nothing is compared. */
  get similar() {
    if (this.held || !this.was) return null;
    const { strips } = this.shown;
    return byMade((made) => similarity(strips[made], this.was.strips[made]));
  }

  /** The finding, as texts and [role, text]. */
  said() {
    const { held, was, mills, data, name } = this;
    const same = !held && was?.occasion === "twin" ? again(was.by, this.similar) : null;
    if (same) return same;
    const { similar } = this;
    if (similar) {
      const by = was.guess ? judged(was.guess, similar) : null;
      return compared(by ?? OCCASIONS[was.occasion]({ word: name, from: was.name, by: was.by }), similar);
    }
    if (this.coming === "swap") return asked(name, this.swap.word);
    if (!held) return atRest(name, this.vector.length, mills.query.b.length);
    const { made, n } = held;
    const { share } = this;
    const found = share === null ? null : { word: data.words[this.finds.keys[this.at]], share };
    const when = { before: "after", after: "before" }[was?.occasion];
    const what = `Number ${n + 1} of the ${made} of “${name}”`;
    return sentence(this.one, { what, made, found, was: when ? { total: was.strips[made][n], when } : null });
  }
}
