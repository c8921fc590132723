// A tour of a scene: ten stops, each a place with one sentence and one thing to do; arrow keys lead from stop to stop.

import { el, write } from "./lab.js";
import { inward, isSame } from "./scene_places.js";

/** The stops in these numbers: {place, stage, text}; the way in is that of the keys, past the row that is covered. */
export function stopsOf(numbers, opens, covered = null) {
  const { H, d, L } = numbers;
  const way = [[]];
  for (let n = 0; n < 6; n++) way.push(inward(way.at(-1), numbers, opens, covered));
  const [model, layer, attention, head, row, cell, product] = way;
  const { tokens, decisive, isCausal } = numbers.part(opens[0]);
  const reads = numbers.patches ? "this picture. Each patch" : "this sentence. Each word";
  const masked = isCausal
    ? "What comes later is masked: no word may look ahead. Find the row that has one cell only."
    : "Nothing is masked here: every query may look at every key. Find a key to the right of its query.";
  const reach = isCausal ? "back over the text" : "at the keys";
  const looker = row[3] ?? decisive;
  const last = looker === tokens.length - 1 ? "the last word" : `“${tokens[looker]}”`;
  return [
    [model, `A model reads ${reads} is a column, and ${L} layers of attention stand there. Follow one column up.`],
    [layer, "A layer adds to the stream of each column. Compare the bands below with those above."],
    [attention, `Its ${H} heads look ${reach}, each in its own way. Find two that differ most.`],
    [head, "In this head every query meets every key: the scores. Find the strongest of one row.", "scores"],
    [
      head,
      `Scores are divided by the root of ${d}. Look at the colours: only the size of the numbers changes.`,
      "scaled",
    ],
    [head, masked, "masked"],
    [
      head,
      "Softmax makes each row shares of 1: the attention weights. Find the row that spreads them most.",
      "weights",
    ],
    [row, `This is where ${last} looks. Add up its two largest weights: how much is left for the others?`],
    [cell, `This weight comes from ${d} products, added, scaled and compared with the row. Find the largest.`],
    [
      product,
      "One product: all the way down, these are the model's own numbers. Press Escape, change a word, come again.",
    ],
  ].map(([place, text, stage = "weights"]) => ({ place, text, stage }));
}

export class Tour {
  constructor(scene) {
    this.scene = scene;
    this.at = null; // the number of the stop, from 0; null where nobody is on tour
    this.node = el("button.tour", { "aria-pressed": "false", onclick: () => this.toggle() }, "Tour ▸");
  }

  get isOn() {
    return this.at !== null;
  }

  get stops() {
    return stopsOf(this.scene.numbers, this.scene.opens, this.scene.covered);
  }

  /** What is said at the stop one is at, or null. */
  get text() {
    if (!this.isOn) return null;
    const { stops } = this;
    return `${this.at + 1} of ${stops.length}. ${stops[this.at].text} (← →)`;
  }

  toggle() {
    if (this.isOn) this.end();
    else this.go(0);
    this.scene.canvas.focus({ preventScroll: true }); // whose arrow keys lead on
  }

  /** To the nth stop; beyond the last one the tour is over. */
  go(n) {
    const stop = this.stops[n];
    this.at = stop ? n : null;
    this.show();
    if (!stop) {
      this.end();
      return;
    }
    this.scene.setStage(stop.stage);
    this.scene.go(stop.place);
    this.scene.told();
  }

  end() {
    this.at = null;
    this.show();
    this.scene.setStage("weights");
    this.scene.told();
  }

  /** Whoever goes somewhere else has left the tour. */
  arrived(place) {
    if (!this.isOn || isSame(place, this.stops[this.at].place)) return;
    this.at = null;
    this.show();
  }

  show() {
    this.node.setAttribute("aria-pressed", String(this.isOn));
    write(this.node, this.isOn ? "End the tour" : "Tour ▸");
    this.scene.film?.show();
  }
}
