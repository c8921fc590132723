// Five words that may come next: their logits as bars, their shares as one bar that is always as long as 1. A hand
// moves one of them, all of them, or where the longer bar is cut.

import { fixed, svg, sumOf } from "../../../../attention_view/lab.js";
import { Hand, WIDE, clamped } from "./hand.js";

const [FLOOR, LOGIT, HIGH] = [212, 9.5, 15.5]; // of the bars: where they stand, pixels of a logit, and the largest
const [LEFT, RIGHT, STRIP] = [30, 690, 266]; // of the bar of shares
const [BAR, COOL, HOT] = [(RIGHT - LEFT) / 5, 0.8, 8]; // and the temperatures

/** Scores as shares that add up to 1: their softmax. */
export function sharesOf(scores) {
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const sum = sumOf(powers);
  return powers.map((power) => power / sum);
}

/** Shares in hundredths as they are written: largest remainders go up, so that what is written adds up to 1 as well. */
export function writtenOf(shares) {
  const rests = shares.map((share) => (100 * share) % 1);
  const up = [...shares.keys()].sort((a, b) => rests[b] - rests[a]).slice(0, Math.round(sumOf(rests)));
  return shares.map((share, n) => ((Math.floor(100 * share) + up.includes(n)) / 100).toFixed(2));
}

/** How evenly shares are spread, in nats. */
export const entropyOf = (shares) => -sumOf(shares.map((share) => (share ? share * Math.log(share) : 0)));

/** How many of the shares, which fall, it takes to reach p. */
export function reaching(shares, p) {
  let sum = 0;
  const n = shares.findIndex((share) => (sum += share) >= p - 1e-9);
  return n < 0 ? shares.length : n + 1;
}

// What the hand moves, what it comes to, large, and what the hand can do.
const SAID_OF_CANDIDATES = {
  softmax: { big: ({ shares }) => `${writtenOf(shares).join(" + ")} = 1` },
  logit: { big: ({ written }) => written },
  "greedy decoding": { big: ({ written }) => written },
  entropy: { big: ({ shares }) => `entropy ${entropyOf(shares).toFixed(2)} nats` },
  perplexity: { big: ({ shares }) => `as unsure as ${Math.exp(entropyOf(shares)).toFixed(1)} equal words` },
  temperature: { hand: "heat", tip: "Drag the bars.", big: ({ heat }) => `temperature ${heat.toFixed(2)}` },
  sampling: {
    hand: "needle",
    tip: "Drag the random number.",
    big: ({ at, written }) => `${at.toFixed(2)} → ${written}`,
  },
  "top-k": { hand: "first", tip: "Drag the edge.", big: ({ kept }) => `k = ${kept}` },
  "top-p": {
    hand: "needle",
    tip: "Drag the edge.",
    big: ({ at, kept }) => `p = ${at.toFixed(2)}: ${kept} ${kept === 1 ? "word" : "words"}`,
  },
};
export const CANDIDATES = Object.keys(SAID_OF_CANDIDATES);

export class Candidates extends Hand {
  constructor({ text, choices, logits }, name) {
    const { hand = "bar", tip = "Drag a bar." } = SAID_OF_CANDIDATES[name];
    super(330, hand === "needle" || hand === "first");
    Object.assign(this, { name, text, words: choices, start: logits, scores: logits, tip, does: hand });
    Object.assign(this, { held: 0, heat: 1, at: name === "top-p" ? 0.9 : 0.5, k: 2 });
  }

  get isHeld() {
    return this.does === "bar" || this.does === "heat";
  }

  hold([x]) {
    this.held = clamped(Math.floor((x - LEFT) / BAR), 0, this.words.length - 1);
  }

  move([x, y]) {
    if (this.does === "bar") this.set((FLOOR - y) / LOGIT);
    if (this.does === "heat") this.warm(this.start[this.held] / Math.max(1, (FLOOR - y) / LOGIT));
    if (this.does === "needle") this.at = clamped((x - LEFT) / (RIGHT - LEFT), 0, 1);
    if (this.does === "first") this.k = clamped(Math.round((x - LEFT) / BAR), 1, this.words.length);
  }

  /** To the side the next bar is held; up it grows. */
  step(by, isUpright) {
    if (this.does === "bar" && !isUpright) this.held = clamped(this.held + by, 0, this.words.length - 1);
    if (this.does === "bar" && isUpright) this.set(this.scores[this.held] + 0.5 * by);
    if (this.does === "heat") this.warm(this.heat + 0.1 * by);
    if (this.does === "needle") this.at = clamped(this.at + 0.05 * by, 0, 1);
    if (this.does === "first") this.k = clamped(this.k + by, 1, this.words.length);
  }

  set(score) {
    this.scores = this.scores.with(this.held, clamped(score, 0, HIGH));
  }

  warm(heat) {
    this.heat = clamped(heat, COOL, HOT);
    this.scores = this.start.map((score) => score / this.heat);
  }

  draw() {
    const { words, scores, name, at, held } = this;
    const shares = sharesOf(scores);
    const ends = shares.map((_, n) => sumOf(shares.slice(0, n + 1)));
    const kept = name === "top-p" ? reaching(shares, at) : name === "top-k" ? this.k : words.length;
    const drawn = Math.max(
      0,
      ends.findIndex((end) => end >= at),
    );
    const best = name === "sampling" ? drawn : scores.indexOf(Math.max(...scores));
    const all = { shares, words, at, kept, heat: this.heat, written: `${this.text} ${words[best]}` };
    const place = (share) => LEFT + share * (RIGHT - LEFT);
    const kind = (n) => (n >= kept ? ".out" : n === best ? ".best" : "");
    const bars = words.map((word, n) => {
      const [x, high] = [LEFT + BAR * n + 14, LOGIT * scores[n]];
      const half = this.does === "bar" && n === held ? 34 : 18; // of the handle
      const middle = { x: x + (BAR - 28) / 2, "text-anchor": "middle" };
      return [
        svg(`rect.bar${kind(n)}`, { x, y: FLOOR - high, width: BAR - 28, height: high, rx: 4 }),
        svg("text.quiet", { ...middle, y: FLOOR - high - 10, "font-size": 26 }, fixed(scores[n], 1)),
        svg(`text${kind(n)}`, { ...middle, y: FLOOR + 34, "font-size": 30 }, word),
        this.isHeld && svg("path.edge", { d: `M${middle.x - half} ${FLOOR - high}h${2 * half}` }),
      ];
    });
    const written = writtenOf(shares);
    const parts = shares.map((share, n) => {
      const [x, end] = [place(ends[n] - share), place(ends[n])];
      const has = end - x;
      return [
        svg(`rect.part${kind(n)}`, { x: x + 1, y: STRIP, width: Math.max(0, has - 2), height: 52, rx: 3 }),
        has > 54 &&
          svg(
            `text.inside${kind(n)}`,
            { x: x + has / 2, y: STRIP + 36, "font-size": 26, "text-anchor": "middle" },
            written[n],
          ),
      ];
    });
    const edge = this.does === "first" ? LEFT + BAR * this.k : place(at);
    const hand =
      this.does === "first"
        ? svg("path.edge", { d: `M${edge} 60V${FLOOR}` })
        : this.does === "needle" && svg("path.edge", { d: `M${edge} ${STRIP - 12}V${STRIP + 64}` });
    const big = SAID_OF_CANDIDATES[name].big(all);
    const shapes = [
      svg("text.big", { x: WIDE / 2, y: 38, "text-anchor": "middle", "font-size": name === "softmax" ? 30 : 38 }, big),
      bars,
      parts,
      hand,
    ];
    const said = `${this.tip} Only these five words may follow “${this.text}” here.`;
    const slider = {
      bar: ["Logit of a word; the keys left and right choose it", scores[held], 0, HIGH],
      heat: ["Temperature", this.heat, COOL, HOT],
      needle: [name === "top-p" ? "p" : "Random number", at, 0, 1],
      first: ["k", this.k, 1, words.length],
    }[this.does];
    const spoken = this.does === "bar" ? `“${words[held]}” ${fixed(scores[held], 1)}: ${big}` : big;
    return { shapes, said, slider, spoken };
  }
}
