// What the reader expects of softmax: a level in the column of the chosen key, whose height is the share that it will
// get. A hand moves it before softmax; then it stays as a thin line beside the truth.

import { el, put } from "../../../../attention_view/lab.js";
import { share } from "./stages.js";

const HALF = 0.5; // where the line waits for a hand

export class Guess {
  constructor(steps) {
    this.steps = steps;
    this.node = el("div.level", { "aria-hidden": "true" }, el("span"));
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

  /** The reader says how large the share of a key will be. */
  say(col, expected) {
    const { steps } = this;
    this.made = { row: steps.state.row, col, share: Math.round(100 * Math.max(0, Math.min(1, expected))) / 100 };
    steps.set({ col });
  }

  /** tall: pixels of the chart; all: of a share of 1 in it; grip: what a hand holds, on the line while it can move */
  paint(grip, tall, all) {
    const { node, said, level } = this;
    const { asks, state, data } = this.steps;
    const S = data.labels.length;
    node.hidden = !asks && (said === null || state.stage !== "weights");
    if (node.hidden) return;
    node.className = `level ${asks ? "" : "past"} ${state.col > S / 2 ? "left" : ""}`;
    node.firstChild.textContent = asks ? (said === null ? "how much?" : share(said)) : `you said ${share(said)}`;
    put(node, { style: `left: ${(100 * state.col) / S}%; height: ${level * all}px; --all: ${all}px` });
    if (!asks) return;
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
