// What lies over the picture: the attention weights of a head on its patches, and the mark of one patch.

import { boxOf, brief, el } from "../../../../attention_view/lab.js";
import { lay } from "../light.js";

const FINEST = 1100; // pixels across, at most
const ROOMY = 48; // pixels of a patch in which an attention weight can stand
const FEW = 4; // patches that are looked at much get a number: more would cover the picture

export class Spotlight {
  constructor() {
    this.node = el("canvas.heat.from-top", { role: "img" });
    this.spot = el("span.spot", { "aria-hidden": "true" });
    this.others = el("div.others", { "aria-hidden": "true" });
  }

  /** Attention weights on the patches; the largest leaves its patch as bright as it is. violet: as light.js has it */
  fall(weights, largest, across, violet) {
    const size = Math.floor(FINEST / across) * across;
    Object.assign(this.node, { width: size, height: size });
    const shares = Array.from(weights, (w) => w / (largest || 1));
    lay(this.node.getContext("2d"), size, shares, across, violet);
  }

  /** Marks a patch with its attention weight, and says those of the few others that get much, too, where they have
   * room. */
  mark(patch, weights, across) {
    const at = (n) => ({
      left: `${(100 * (n % across)) / across}%`,
      top: `${(100 * Math.floor(n / across)) / across}%`,
    });
    Object.assign(this.spot.style, at(patch));
    this.spot.dataset.weight = brief(weights[patch]);
    this.spot.classList.toggle("last", Math.floor(patch / across) === across - 1);
    this.others.replaceChildren(
      ...numbered(weights, patch, boxOf(this.node).width / across).map((n) => {
        const label = el("span.other", { "data-weight": brief(weights[n]) });
        Object.assign(label.style, at(n));
        return label;
      }),
    );
  }
}

/** The other patches whose attention weight is said, where a patch is so many pixels wide: a number that is wider than
 * its patch would cover its neighbours. */
export const numbered = (weights, patch, wide) =>
  wide && wide < ROOMY ? [] : strongest(weights).filter((n) => n !== patch);

/** The patches that get at least half of the largest attention weight; none where those are many, as of a head that
 * looks nearly everywhere. */
export function strongest(weights) {
  const largest = Math.max(...weights);
  const found = [...weights.keys()].filter((n) => weights[n] >= largest / 2);
  return found.length > FEW ? [] : found;
}
