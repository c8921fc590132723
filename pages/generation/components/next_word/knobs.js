// The settings of the draw as sliders, and which of the random numbers comes next.

import { el } from "../../../../attention_view/lab.js";
import { slider } from "../../../../attention_view/controls.js";

const TITLES = {
  temperature: "Logits are divided by it. Below 1 the likely gets likelier; 0 takes the likeliest.",
  top_k: "Only so many of the likeliest stay.",
  top_p: "Only the likeliest that together reach this share stay: the nucleus.",
  penalty: "Tokens already in the text get a lower logit.",
  seed: "The random numbers are the same for everyone. This says which of them comes next.",
};
const RANGES = {
  temperature: ["Temperature", { min: 0, max: 2, step: 0.05 }],
  top_k: ["Top-k", { min: 1, max: 1 }],
  top_p: ["Top-p", { min: 0.05, max: 1, step: 0.05 }],
  penalty: ["Repetition penalty", { min: 1, max: 2, step: 0.05 }],
};

export class Knobs {
  /** turn(name, value) hears of every setting that is changed */
  constructor(turn) {
    this.parts = {};
    const knobs = Object.entries(RANGES).map(([name, [label, range]]) => {
      const input = slider(label, range, (value) => turn(name, value));
      const output = el("output");
      this.parts[name] = { input, output };
      return el("label", { title: TITLES[name] }, el("span", label, output), input);
    });
    const oninput = () => {
      const value = Number(seed.value);
      if (seed.value !== "" && Number.isInteger(value) && value >= 1 && value <= seed.max) turn("seed", value - 1);
    };
    const seed = el("input", { type: "number", min: 1, step: 1, "aria-label": "Number of the next draw", oninput });
    this.seed = seed;
    const numbered = el("label", { title: TITLES.seed }, el("span", "Number of the next draw"), seed);
    this.node = el("div.knobs", ...knobs, numbered);
  }

  /** most: the end of the knob for top-k, which stands for all; draws: how many random numbers there are */
  reach(most, draws) {
    this.parts.top_k.input.max = most;
    this.seed.max = draws;
  }

  show({ seed, ...settings }, most) {
    const written = (name, value) => (name === "top_k" ? value || "all" : value.toFixed(2));
    for (const [name, { input, output }] of Object.entries(this.parts)) {
      set(input, name === "top_k" ? settings.top_k || most : settings[name]);
      output.textContent = written(name, settings[name]);
      input.setAttribute("aria-valuetext", output.textContent);
    }
    set(this.seed, seed + 1);
  }
}

/** Sets a number, unless it stands there: who types one is not disturbed. */
function set(input, value) {
  if (input.value === "" || Number(input.value) !== value) input.value = value;
}
