// What lies over the picture: the night, out of which a head's attention weights lift patches; the mark of one patch.

import { brief, el } from "../../../../attention_view/lab.js";
import { darkness } from "../light.js";

export class Spotlight {
  constructor() {
    this.night = el("canvas.heat.from-top", { role: "img" });
    this.spot = el("span.spot", { "aria-hidden": "true" });
  }

  /** Attention weights on the patches; the largest leaves its patch as it is. colour: of the night, [r, g, b] */
  fall(weights, largest, across, colour) {
    this.night.width = this.night.height = across;
    const image = new ImageData(across, across);
    weights.forEach((w, n) => {
      image.data.set(colour, 4 * n);
      image.data[4 * n + 3] = 255 * darkness(w / (largest || 1));
    });
    this.night.getContext("2d").putImageData(image, 0, 0);
  }

  /** Marks a patch with its attention weight. */
  mark(patch, weight, across) {
    const [column, row] = [patch % across, Math.floor(patch / across)];
    Object.assign(this.spot.style, { left: `${(100 * column) / across}%`, top: `${(100 * row) / across}%` });
    this.spot.dataset.weight = brief(weight);
    this.spot.classList.toggle("last", row === across - 1);
  }
}
