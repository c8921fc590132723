// Attention weight as light on a picture: what is looked at keeps its own colours, what is not lies in the dark.

import { rgb, strength, theme } from "../../../attention_view/lab.js";

const DARK = 0.72; // of the colours of a patch that nobody looks at: what is painted there can still be seen

/** How much of the night lies on a patch with so much of the largest attention weight. */
export const darkness = (share) => DARK * (1 - strength(share));

/** The darker of the house's two ends, [r, g, b]: ink on a light page, the ground of a dark one. */
export function nightOf(root) {
  const colour = theme(root);
  const sum = ([r, g, b]) => r + g + b;
  return ["ink", "ground"].map((name) => rgb(colour(name))).reduce((a, b) => (sum(b) < sum(a) ? b : a));
}

/** The picture under so much light on each patch: side x side pixels of [r, g, b, a]. */
export function lit(pixels, side, shares, across, night) {
  const out = new Uint8ClampedArray(4 * side * side);
  const patch = side / across;
  for (let n = 0; n < side * side; n++) {
    const [x, y] = [n % side, Math.floor(n / side)];
    const dark = darkness(shares[Math.floor(y / patch) * across + Math.floor(x / patch)]);
    for (let c = 0; c < 3; c++) out[4 * n + c] = pixels[3 * n + c] + dark * (night[c] - pixels[3 * n + c]);
    out[4 * n + 3] = 255;
  }
  return out;
}
