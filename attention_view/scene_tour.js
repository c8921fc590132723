// A tour of a scene: ten stops, each a place with one sentence and one thing to do. Buttons, arrow keys and taps on the
// figure lead from stop to stop.

import { el, fixed, write } from "./lab.js";
import { inward, isSame } from "./scene_places.js";

/** The stops in these numbers: {place, stage, text}; the way in is that of the keys, past the row that is covered. */
export function stopsOf(numbers, opens, covered = null) {
  const { H, d, L } = numbers;
  const way = [[]];
  for (let n = 0; n < 6; n++) way.push(inward(way.at(-1), numbers, opens, covered));
  const [model, layer, attention, head, row, cell, product] = way;
  const { tokens, decisive, isCausal } = numbers.part(opens[0]);
  const piece = numbers.patches ? "patch of the picture" : "word";
  const masked = isCausal
    ? "What comes later is masked: no word may look ahead. Find the row that has one cell only."
    : "Nothing is masked here: every query may look at every key. Find a key to the right of its query.";
  const reach = isCausal ? "back over the text" : "at the keys";
  const followed =
    covered === null ? "Follow one column up." : `Follow the thick one, of “${tokens[covered]}”, up to the next word.`;
  const looker = row[3] ?? decisive;
  const last = looker === tokens.length - 1 ? "the last word" : `“${tokens[looker]}”`;
  return [
    [model, `Each ${piece} has a column, which rises through ${L} layers of attention. ${followed}`],
    [layer, "A layer adds to the stream of each column. Compare the bands below with those above."],
    [attention, `The ${H} heads of this layer look ${reach}, each in its own way. Find two that differ most.`],
    [
      head,
      `In head ${head[2]}, every query (a row) meets every key (a column). Each cell is their score. ` +
        "Find the strongest of one row.",
      "scores",
    ],
    [row, scaledTold(numbers, row), "scaled"],
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
      "One product of two numbers. All the way down, every number is the model’s own. " +
        "Press the figure to leave, change a word, and come back.",
    ],
  ].map(([place, text, stage = "weights"]) => ({ place, text, stage }));
}

/** What scaling does to the score of one cell of a row, which has its number on screen. */
function scaledTold(numbers, [l, , h, i]) {
  if (!numbers.q) return "Each score is divided by the square root of the length of a key.";
  const { d, scale } = numbers;
  const { tokens, keys, S } = numbers.part(l);
  const j = numbers.topKey(l, h, i);
  const score = numbers.matrix(l, h, "scores")[i * S + j];
  const becomes = `that of “${tokens[i]}” and “${keys[j]}”, ${fixed(score)}, becomes ${fixed(score / scale)}`;
  return `Each score is divided by ${fixed(scale)}, the square root of ${d}: ${becomes}. Find that cell.`;
}

export class Tour {
  constructor(scene) {
    this.scene = scene;
    this.at = null; // the number of the stop, from 0; null where nobody is on tour
    const onkeydown = (event) => {
      if (/^(Arrow|Escape)/.test(event.key)) scene.hands.press(event);
    };
    this.back = el("button.tour", { onkeydown, onclick: () => this.turn(-1) }, "Back");
    this.next = el("button.primary", { onkeydown, onclick: () => this.turn(1) }, "Next");
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
    return `${this.at + 1} of ${stops.length}. ${stops[this.at].text}`;
  }

  toggle() {
    if (this.isOn) this.end();
    else this.go(0);
    this.scene.canvas.focus({ preventScroll: true }); // whose arrow keys lead on
  }

  /** So many stops on, as far as there is one. */
  turn(by) {
    if (this.stops[this.at + by]) this.go(this.at + by);
  }

  /** A press on the figure: to the next stop, and from the last one to the whole model, where the tour ends. */
  press() {
    if (this.at < this.stops.length - 1) this.turn(1);
    else this.scene.go([]);
  }

  /** To the nth stop. */
  go(n) {
    const stop = this.stops[n];
    this.at = n;
    this.show();
    this.scene.setStage(stop.stage);
    this.scene.go(stop.place);
    this.scene.told();
  }

  end() {
    this.at = null;
    this.show();
    this.scene.setStage("weights");
    this.scene.told();
    this.scene.go(this.scene.place); // where others may be seen beside it
  }

  /** Whoever goes somewhere else has left the tour. */
  arrived(place) {
    if (!this.isOn || isSame(place, this.stops[this.at].place)) return;
    this.at = null;
    this.show();
  }

  show() {
    const { scene, back, next, isOn } = this;
    const focused = this.node.getRootNode().activeElement;
    scene.bar.toggleAttribute("data-tour", isOn);
    for (const button of [back, next]) button.hidden = !isOn;
    back.disabled = this.at === 0;
    next.disabled = isOn && this.at === this.stops.length - 1;
    if (!isOn && [back, next].includes(focused)) scene.canvas.focus({ preventScroll: true });
    else if (back.disabled && focused === back) next.focus();
    else if (next.disabled && focused === next) back.focus();
    this.node.setAttribute("aria-pressed", String(isOn));
    write(this.node, isOn ? "End the tour" : "Tour ▸");
    scene.film.show();
  }
}
