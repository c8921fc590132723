// A vector of the model as bars, of which a hand cuts off the end: what the rest of its numbers still tell.

import { counted, fixed, numeral, svg } from "../../../../attention_view/lab.js";
import { Hand, WIDE, clamped } from "./hand.js";

const BARS = { left: 30, right: 690, zero: 140, half: 78 }; // where they are, and the longest
const TOLD_AT = [276, 322]; // base lines of what they tell

// What they tell, in two rows; how it is said, and what they are drawn as.
const SAID_OF_WIDTHS = {
  d_model: {
    kind: "bar.best",
    rows: (near) =>
      [near.slice(0, 3), near.slice(3)].map((row) => row.map(([word, is]) => [word, is ? "best" : "quiet"])),
    said(near, n, all) {
      const colours = near.filter(([, is]) => is).length;
      const [many, are] = colours > 1 ? [numeral(colours), "are colours"] : [colours ? "one" : "none", "is a colour"];
      if (n < all) return `By ${counted(n, "number")}, ${many} of the six words nearest to “red” ${are}.`;
      return "The six words nearest to “red” are colours. Drag the edge.";
    },
  },
  d_k: {
    kind: "query",
    rows: ([hat, ball]) => [
      [
        ["“red” gives", "quiet"],
        ["hat", "key"],
        [fixed(hat), "weight"],
        ["ball", "key"],
        [fixed(ball), "weight"],
      ],
      [
        ["all others", "quiet"],
        [fixed(Math.max(0, 1 - hat - ball)), "weight"],
      ],
    ],
    said([hat, ball], n, all) {
      const found = hat + ball < 0.5 ? "finds neither toy" : `looks most at “${hat < ball ? "ball" : "hat"}”`;
      return n < all ? `By the first ${n} of ${all} numbers, “red” ${found}.` : `“red” ${found}. Drag the edge.`;
    },
  },
};
export const WIDTHS = Object.keys(SAID_OF_WIDTHS);

export class Widths extends Hand {
  constructor({ widths }, name) {
    super(336);
    const { row: numbers, ...outcomes } = widths[name];
    Object.assign(this, { name, numbers, outcomes: Object.values(outcomes)[0], n: numbers.length });
  }

  move([x]) {
    const { length } = this.numbers;
    this.n = clamped(Math.round((length * (x - BARS.left)) / (BARS.right - BARS.left)), 1, length);
  }

  step(by) {
    this.n = clamped(this.n + by, 1, this.numbers.length);
  }

  draw() {
    const { name, numbers, n, outcomes } = this;
    const { kind, rows, said } = SAID_OF_WIDTHS[name];
    const [wide, most] = [(BARS.right - BARS.left) / numbers.length, Math.max(...numbers.map(Math.abs))];
    const bars = numbers.map((x, at) => {
      const height = (Math.abs(x) / most) * BARS.half;
      const place = { x: BARS.left + at * wide, y: x < 0 ? BARS.zero : BARS.zero - height, width: 0.8 * wide, height };
      return svg(at < n ? `rect.${kind}` : "rect.off", place);
    });
    const edge = BARS.left + n * wide;
    const told = rows(outcomes[n - 1]).flatMap((texts, at) => this.row(texts, TOLD_AT[at], 32, 0.6).shapes);
    const shapes = [
      svg("text.big", { x: WIDE / 2, y: 40, "text-anchor": "middle", "font-size": 38 }, `${name} = ${n}`),
      bars,
      svg("path.edge", { d: `M${edge} ${BARS.zero - BARS.half - 10}v${2 * BARS.half + 20}` }),
      told,
    ];
    return { shapes, said: said(outcomes[n - 1], n, numbers.length), slider: [name, n, 1, numbers.length] };
  }
}
