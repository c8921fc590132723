// Two values of the story, and what the word that asks gets of them: a hand moves the weights that mix them.

import { fixed, svg } from "../../../../attention_view/lab.js";
import { Hand, clamped } from "./hand.js";

const STRIP_OF = { left: 150, right: 690 }; // of the bars, and of what the hand moves
const LINES = [60, 150, 282]; // where they are zero: both values, and the mix
const [TALL, HAND_AT] = [40, 214];

export class Mixed extends Hand {
  constructor({ tokens, toys, values, share, written }) {
    super(336);
    Object.assign(this, { names: toys.map((at) => tokens[at]), asks: tokens.at(-1), values, share, written });
  }

  move([x]) {
    this.share = clamped((STRIP_OF.right - x) / (STRIP_OF.right - STRIP_OF.left), 0, 1);
    this.isMoved = true;
  }

  step(by) {
    this.share = clamped(this.share - 0.05 * by, 0, 1);
    this.isMoved = true;
  }

  draw() {
    const { names, asks, values, share, written, isMoved } = this;
    const shares = [share, 1 - share];
    const mix = values[0].map((_, n) => shares[0] * values[0][n] + shares[1] * values[1][n]);
    const most = Math.max(...values.flat().map(Math.abs));
    const wide = (STRIP_OF.right - STRIP_OF.left) / mix.length;
    const bars = [...values, mix].map((numbers, row) =>
      numbers.map((x, n) => {
        const height = (Math.abs(x) / most) * TALL;
        const y = x < 0 ? LINES[row] : LINES[row] - height;
        const place = { x: STRIP_OF.left + n * wide, y, width: 0.78 * wide, height };
        return svg("rect.value", { ...place, opacity: row < 2 ? 0.2 + 0.8 * shares[row] : 1 });
      }),
    );
    const side = (y, text, kind) => svg(`text.${kind}`, { x: 128, y, "text-anchor": "end", "font-size": 30 }, text);
    const x = STRIP_OF.right - share * (STRIP_OF.right - STRIP_OF.left);
    const word = written[Math.round(share * (written.length - 1))];
    const shapes = [
      bars,
      names.map((name, n) => [side(LINES[n] - 4, name, "key"), side(LINES[n] + 28, fixed(shares[n]), "weight")]),
      side(LINES[2] + 10, asks, "query"),
      svg("path.track", { d: `M${STRIP_OF.left} ${HAND_AT}H${STRIP_OF.right}` }),
      svg("circle.knob", { cx: x, cy: HAND_AT, r: 20 }),
      svg("path.ways", { d: `M${x - 4} ${HAND_AT - 6}l-6 6l6 6M${x + 4} ${HAND_AT - 6}l6 6l-6 6` }),
    ];
    const said = isMoved
      ? `What “${asks}” gets is this mix of both: the model writes “${word}”.`
      : `“${asks}” gets a mix of the values of “${names[0]}” and “${names[1]}”. Drag the weight.`;
    return { shapes, said, slider: [`Attention weight of “${names[1]}”`, fixed(1 - share), 0, 1] };
  }
}
