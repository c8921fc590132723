// The formula, which is the line of stages as well: each of its parts has the matrix that it makes below it, as a small
// door to it. What has been computed is in its colours, what is shown now is lit, and what is still to come is pale.

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
    const masked = steps.order.includes("masked") ? [el("span.plus", ","), this.part("masked", "mask")] : [];
    const biased = steps.order.includes("biased") ? [el("span.plus", "+"), this.part("biased", "bias")] : [];
    const scores = this.part("scores", bold("query", "Q"), " ", bold("key", "K"), el("sup", "T"));
    const scaled = this.part("scaled", "√", el("span.root", "d", el("sub", "k")));
    this.node.append(
      this.part("weights", "softmax"),
      el("span.paren", "("),
      scores,
      el("span.over", "/"),
      scaled,
      ...biased,
      ...masked,
      el("span.paren", ")"),
      this.part("output", bold("value", "V")),
    );
  }

  /** A part follows the mouse; a finger only taps. */
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
        onpointerenter: (event) => isMouse(event) && steps.peek({ stage }),
        onpointerleave: (event) => isMouse(event) && steps.refresh(),
      },
      el("span.sign", ...inside),
      this.doors.door(stage),
      el("small", { "data-n": steps.order.indexOf(stage) + 1 }, stage),
    ));
  }

  /** Arrow keys walk in the order of the computation, which is from the inside out. */
  key(event) {
    const { order, state } = this.steps;
    const to = inRow(event, order.indexOf(state.stage), order.length);
    if (to === null) return;
    this.steps.set({ stage: order[to] });
    this.parts[order[to]].focus({ preventScroll: true });
  }

  /** Lights what is shown; a chosen matrix is none of the parts. */
  show(stage, term) {
    const { order } = this.steps;
    const now = order.indexOf(stage);
    for (const [name, node] of Object.entries(this.parts)) {
      node.setAttribute("aria-checked", String(name === term));
      node.tabIndex = name === stage ? 0 : -1;
      node.classList.toggle("ahead", order.indexOf(name) > now);
    }
  }
}
