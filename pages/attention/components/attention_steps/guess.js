// What the reader expects of softmax: how full a glass beside the scores is, which holds all of the attention. A hand
// fills it before softmax; then a thin line in the column of the key stays beside the truth.

import { el, put } from "../../../../attention_view/lab.js";
import { share } from "./stages.js";

const HALF = 0.5; // where the line waits for a hand
const ABOVE = 64; // pixels that the name of a full glass takes beside it, and a number on the line

export class Guess {
  constructor(steps) {
    this.steps = steps;
    this.line = el("div.level", { "aria-hidden": "true" }, el("span"));
    this.asked = el("span");
    this.water = el("i", this.asked);
    this.glass = el("div.glass", { "aria-hidden": "true" }, this.water);
    this.clear();
  }

  clear() {
    this.made = null; // {row, col, share}
  }

  /** What was said of the share of the chosen key; null where nothing was. */
  get said() {
    const { row, col } = this.steps.state;
    return this.made?.row === row && this.made.col === col ? this.made.share : null;
  }

  get level() {
    return this.said ?? HALF;
  }

  /** The reader says how large the share of the chosen key will be. */
  say(expected) {
    const { row, col } = this.steps.state;
    this.made = { row, col, share: Math.round(100 * Math.max(0, Math.min(1, expected))) / 100 };
    this.steps.set({});
  }

  /** tall: pixels of the chart; all: of a share of 1 in it; grip: what a hand holds, on the line while it can move */
  paint(grip, tall, all) {
    const { line, glass, said, level } = this;
    const { asks, state, data } = this.steps;
    const S = data.labels.length;
    glass.hidden = !asks;
    line.hidden = asks || said === null || state.stage !== "weights";
    if (!line.hidden) {
      put(line, { style: `left: ${(100 * state.col) / S}%; height: ${level * all}px` });
      line.classList.toggle("left", state.col > S / 2);
      line.firstChild.textContent = `you said ${share(said)}`;
    }
    if (!asks) return;
    glass.style.height = `${all}px`;
    glass.classList.toggle("full", (1 - level) * all < ABOVE);
    this.water.style.height = `${100 * level}%`;
    this.asked.textContent = said === null ? "how much?" : share(said);
    grip.style.top = `${tall - level * all}px`;
    put(grip, {
      "aria-label": `Your guess: the attention weight of ${data.labels[state.col]}`,
      "aria-valuemin": "0",
      "aria-valuemax": "1",
      "aria-valuenow": share(level),
      "aria-valuetext": said === null ? "not guessed yet" : `${share(level)} of the attention`,
    });
  }
}
