// The loss, as a curve over the chance that the right word had: a hand leads the point along it.

import { fixed, svg } from "../../../../attention_view/lab.js";
import { Hand, clamped } from "./hand.js";

const PLANE = { left: 84, right: 690, top: 22, floor: 262 };
const [MOST_LOSS, LEAST_CHANCE] = [5, 0.007]; // the largest loss, and the chance that comes to it
const across = (chance) => PLANE.left + chance * (PLANE.right - PLANE.left);
const up = (loss) => PLANE.floor - (loss / MOST_LOSS) * (PLANE.floor - PLANE.top);

/** −log p. */
export const lossOf = (chance) => Math.abs(Math.log(chance)); // no −0

export class Loss extends Hand {
  constructor({ text, choices: [word], chance }) {
    super(330);
    Object.assign(this, { text, word, chance, own: chance });
  }

  move([x]) {
    this.chance = clamped((x - PLANE.left) / (PLANE.right - PLANE.left), LEAST_CHANCE, 1);
  }

  step(by) {
    this.chance = clamped(this.chance + 0.02 * by, LEAST_CHANCE, 1);
  }

  get told() {
    const { text, word, chance, own } = this;
    if (chance === own) return `“${text} ${word}” is right, and the model gave it ${fixed(own)}. Drag the point.`;
    if (chance < 0.1) return "It hardly expected that word: that costs most, and training changes most.";
    return chance > 0.9
      ? "Sure, and right: nearly nothing is left to learn."
      : "Half as likely costs 0.69 more, anywhere.";
  }

  draw() {
    const { chance, own } = this;
    const loss = lossOf(chance);
    const [x, y] = [across(chance), up(loss)];
    const chances = Array.from({ length: 200 }, (_, n) => LEAST_CHANCE + ((1 - LEAST_CHANCE) * n ** 2) / 199 ** 2);
    const curve = chances.map((p) => `${across(p).toFixed(1)} ${up(lossOf(p)).toFixed(1)}`).join("L");
    const label = (x, y, text, anchor) => svg("text.quiet", { x, y, "text-anchor": anchor, "font-size": 27 }, text);
    const shapes = [
      svg("path.axis", { d: `M${PLANE.left} ${PLANE.top}V${PLANE.floor}H${PLANE.right}` }),
      [0, 0.5, 1].map((p) => label(across(p), PLANE.floor + 28, String(p), "middle")),
      [1, 2, 3, 4, 5].map((n) => label(PLANE.left - 12, up(n) + 8, String(n), "end")),
      label(across(0.5), PLANE.floor + 62, `chance of the right word, “${this.word}”`, "middle"),
      svg("path.drop", { d: `M${PLANE.left} ${y}H${x}V${PLANE.floor}` }),
      svg("path.curve", { d: `M${curve}` }),
      chance !== own && [
        svg("circle.mark", { cx: across(own), cy: up(lossOf(own)), r: 8 }),
        label(across(own), up(lossOf(own)) - 18, "the model", "start"),
      ],
      svg("circle.knob.ink", { cx: x, cy: y, r: 20 }),
      svg("text.big", { x: PLANE.right, y: 70, "text-anchor": "end", "font-size": 60 }, `loss ${fixed(loss)}`),
      svg("text.quiet", { x: PLANE.right, y: 112, "text-anchor": "end", "font-size": 30 }, `−log ${fixed(chance)}`),
    ];
    const said = this.told;
    return {
      shapes,
      said,
      spoken: `${fixed(chance)}: loss ${fixed(loss)}`,
      slider: ["Chance of the right word", chance, 0, 1],
    };
  }
}
