// The stages in the order in which they are computed, each a door: the part of the formula, and below it the matrix
// that it makes. What has been computed is in its colours, what is shown now is lit, what is still to come is pale.
// Below them the formula as papers write it, which is read from the inside out.

import { el } from "../../../../attention_view/lab.js";
import { inRow } from "../../../../attention_view/controls.js";
import { Doors } from "./doors.js";
import { bold } from "./reasons.js";
import { HUES, TITLES } from "./stages.js";

/** How a voice reads each part. */
const SPOKEN = {
  scores: "Q times K transposed",
  scaled: "divided by the root of d k",
  biased: "plus a bias for the distance",
  masked: "with a mask",
  weights: "softmax of each row",
  output: "times V",
};

const root = () => ["√", el("span.root", "d", el("sub", "k"))];

export class Formula {
  /** steps: has the order of the stages, set() and peek() */
  constructor(steps) {
    this.steps = steps;
    this.parts = {};
    this.doors = new Doors();
    this.node = el("div.formula", {
      role: "radiogroup",
      "data-figure": "",
      "aria-label": "The formula: each part is a stage of the computation",
      onkeydown: (event) => this.key(event),
    });
    const signs = {
      scores: () => [bold("query", "Q"), " ", bold("key", "K"), el("sup", "T")],
      scaled: () => ["÷ ", ...root()],
      biased: () => ["+ bias"],
      masked: () => ["mask"],
      weights: () => ["softmax"],
      output: () => ["× ", bold("value", "V")],
    };
    const arrow = () => el("span.then", { "aria-hidden": "true" }, "→");
    const doors = steps.order.map((stage) => this.part(stage, ...signs[stage]()));
    this.node.append(...doors.flatMap((door, n) => (n ? [arrow(), door] : [door])));
    this.whole = el("p.paper", { role: "math" }, ...this.written());
  }

  /** The formula on one line, with what each stage adds to it. */
  written() {
    const has = (stage) => this.steps.order.includes(stage);
    const piece = (stage, ...inside) => el("span", { "data-of": stage }, ...inside);
    return [
      piece("weights", "softmax("),
      piece("scores", bold("query", "Q"), " ", bold("key", "K"), el("sup", "T")),
      piece("scaled", " / ", ...root()),
      has("biased") ? piece("biased", " + bias") : "",
      has("masked") ? piece("masked", ", mask") : "",
      piece("weights", ")"),
      piece("output", " ", bold("value", "V")),
    ];
  }

  /** A part follows the mouse that moves on it, not one below which it comes to lie; a finger only taps. */
  part(stage, ...inside) {
    const { steps } = this;
    const isMouse = (event) => event.pointerType === "mouse";
    return (this.parts[stage] = el(
      `button.term.${HUES[stage]}`,
      {
        role: "radio",
        title: TITLES[stage],
        "aria-label": `${stage}: ${SPOKEN[stage]}`,
        onclick: () => steps.set({ stage }),
        onpointermove: (event) => isMouse(event) && steps.root.dataset.peek !== stage && steps.peek({ stage }),
        onpointerleave: (event) => isMouse(event) && steps.refresh(),
      },
      el("span.sign", ...inside),
      this.doors.door(stage),
      el("small", stage),
    ));
  }

  /** Arrow keys walk in the order of the computation. */
  key(event) {
    const { path, state } = this.steps;
    const to = inRow(event, path.indexOf(state.stage), path.length);
    if (to === null) return;
    this.steps.set({ stage: path[to] });
    this.parts[path[to]].focus({ preventScroll: true });
  }

  /** Lights what is shown; a chosen matrix is none of the parts. */
  show(stage, term) {
    const { order, path } = this.steps;
    const now = order.indexOf(stage);
    for (const [name, node] of Object.entries(this.parts)) {
      node.setAttribute("aria-checked", String(name === term));
      node.tabIndex = name === stage ? 0 : -1;
      node.hidden = !path.includes(name);
      node.classList.toggle("ahead", order.indexOf(name) > now);
    }
    for (const piece of this.whole.children) {
      piece.classList.toggle("on", piece.dataset.of === stage);
      piece.classList.toggle("ahead", order.indexOf(piece.dataset.of) > now);
    }
  }
}
