// Vectors as arrows: a hand turns and stretches one, and what they come to together follows.

import { fixed, svg } from "../../../../attention_view/lab.js";
import { Hand, WIDE } from "./hand.js";

const [X, Y, UNIT] = [230, 186, 54]; // where they begin, and pixels of 1
const [FAR, SHORT] = [3, 0.1]; // how far an axis reaches, and how short the keys make an arrow
const FIXED = [2, 1]; // the other vector

/** The dot product. */
export const product = ([a, b], [c, d]) => a * c + b * d;

/** The cosine of the angle between them. */
export const cosine = (a, b) => product(a, b) / (Math.hypot(...a) * Math.hypot(...b) || 1);

const angleOf = ([a, b]) => Math.atan2(b, a);

/** The arrow, as long as the grid lets it be in its direction. */
const asFarAsGrid = (ends) => ends.map((end) => end / Math.max(1, ...ends.map((end) => Math.abs(end) / FAR)));

const SAID_OF_ARROWS = {
  vector: { big: (a) => `(${a.map((x) => fixed(x, 1)).join(", ")})`, isAlone: true },
  "dot product": { big: (a) => fixed(product(a, FIXED), 1) },
  "cosine similarity": { big: (a) => fixed(cosine(a, FIXED)) },
  score: { big: (a) => fixed(product(a, FIXED) / Math.SQRT2), hues: ["query", "key"] },
};
export const ARROWS = Object.keys(SAID_OF_ARROWS);

export class Arrows extends Hand {
  constructor(name) {
    super(372, false);
    Object.assign(this, { name, kind: SAID_OF_ARROWS[name], ends: [-1, 2] });
  }

  move([x, y]) {
    this.ends = asFarAsGrid([(x - X) / UNIT, (Y - y) / UNIT]).map((end) => Math.round(10 * end) / 10);
  }

  /** To the side the arrow turns; up it grows. */
  step(by, isUpright) {
    const angle = angleOf(this.ends) - (isUpright ? 0 : 0.1 * by);
    const length = Math.max(SHORT, Math.hypot(...this.ends) + (isUpright ? 0.1 * by : 0));
    this.ends = asFarAsGrid([length * Math.cos(angle), length * Math.sin(angle)]);
  }

  draw() {
    const { big, isAlone, hues = ["ink", "ink"] } = this.kind;
    const arrow = ([a, b], hue, isHeld) => {
      const [x, y] = [X + UNIT * a, Y - UNIT * b];
      return [
        svg(`path.arrow.${hue}`, { d: `M${X} ${Y}L${x} ${y}` }),
        svg(`circle.${isHeld ? "knob" : "tip"}.${hue}`, { cx: x, cy: y, r: isHeld ? 20 : 9 }),
      ];
    };
    const said = big(this.ends);
    const grid = [-3, -2, -1, 0, 1, 2, 3].map((n) =>
      svg(n ? "path.grid" : "path.axis", {
        d: `M${X + UNIT * n} ${Y - 3 * UNIT}v${6 * UNIT}M${X - 3 * UNIT} ${Y - UNIT * n}h${6 * UNIT}`,
      }),
    );
    const size = isAlone ? 58 : 72;
    const beside = { x: (X + FAR * UNIT + WIDE) / 2, y: Y + size / 3, "text-anchor": "middle", "font-size": size };
    const shapes = [
      grid,
      isAlone ? null : arrow(FIXED, hues[1]),
      arrow(this.ends, hues[0], true),
      svg("text.big", beside, said),
    ];
    const spoken = isAlone ? said : `${SAID_OF_ARROWS.vector.big(this.ends)}: ${this.name} ${said}`;
    const degrees = Math.round((180 * angleOf(this.ends)) / Math.PI);
    const slider = ["Direction in degrees; the keys up and down change the length", degrees, -180, 180];
    return { shapes, slider, spoken, said: isAlone ? "Drag the arrow." : "Drag the arrow around the other one." };
  }
}
