// What lies over the picture: the attention weights of a head on its patches, and the mark of one patch.

import { brief, el } from "../../../../attention_view/lab.js";
import { lay } from "../light.js";

const FINEST = 1100; // pixels across, at most

export class Spotlight {
  constructor() {
    this.node = el("canvas.heat.from-top", { role: "img" });
    this.spot = el("span.spot", { "aria-hidden": "true" });
  }

  /** Attention weights on the patches; the largest leaves its patch as bright as it is. violet: as light.js has it */
  fall(weights, largest, across, violet) {
    const size = Math.floor(FINEST / across) * across;
    Object.assign(this.node, { width: size, height: size });
    const shares = Array.from(weights, (w) => w / (largest || 1));
    lay(this.node.getContext("2d"), size, shares, across, violet);
  }

  /** Marks a patch with its attention weight. */
  mark(patch, weight, across) {
    const [column, row] = [patch % across, Math.floor(patch / across)];
    Object.assign(this.spot.style, { left: `${(100 * column) / across}%`, top: `${(100 * row) / across}%` });
    this.spot.dataset.weight = brief(weight);
    this.spot.classList.toggle("last", row === across - 1);
  }
}
