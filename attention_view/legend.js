// The scale below the map: how strong the colour of a number is, or how wide its ribbon.

import { css, signedColour, weightColour } from "./colours.js";
import { brief, el, EXPONENT, put, write } from "./lab.js";
import { surface } from "./paint.js";

const WIDTH = 90; // pixels

export class Legend {
  constructor(map) {
    this.map = map;
  }

  build() {
    this.bar = el("canvas", { "aria-hidden": "true" });
    this.low = el("span");
    this.high = el("span");
    return [this.low, this.bar, this.high];
  }

  paint(colours) {
    const { isRibbons, isOfWeights } = this.map;
    const kind = `${isRibbons} ${isOfWeights} ${window.devicePixelRatio}`;
    if (this.last?.kind === kind && this.last.colours === colours) return;
    this.last = { kind, colours };
    const bar = surface(this.bar, WIDTH, 10);
    for (let x = 0; x < WIDTH; x++) {
      bar.fillStyle = css(
        isOfWeights ? weightColour(x / (WIDTH - 1), 1, colours) : signedColour((2 * x) / (WIDTH - 1) - 1, 1, colours),
      );
      const height = isRibbons ? 1 + (9 * x) / (WIDTH - 1) : 10;
      bar.fillRect(x, (10 - height) / 2, 1.5, height);
    }
  }

  /** The numbers at its ends. */
  tell(largest, where = "") {
    const { isRibbons, isOfWeights } = this.map;
    write(this.low, isOfWeights ? "0" : brief(-largest));
    write(this.high, brief(largest) + where);
    const title = isRibbons
      ? "The wider and stronger the ribbon, the larger the attention weight"
      : `The stronger the colour, the larger: (value / largest) to the power ${EXPONENT}, so that small values show`;
    put(this.bar, { title });
  }
}
