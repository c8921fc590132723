// What components that show a picture in patches share: where a patch is, where an arrow key leads, and how a picture
// is drawn, as it is or under attention weight.

import { strength } from "../../../attention_view/lab.js";

/** Row and column of a patch, counted from 1. */
export const placeOf = (patch, across) => `row ${Math.floor(patch / across) + 1}, column ${(patch % across) + 1}`;

/** The token that a key leads to, from token `at`; `first` tokens stand before the patches. */
export function stepped(at, key, first, across) {
  const last = first + across * across - 1;
  if (key === "Home") return 0;
  if (key === "End") return last;
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across }[key];
  if (!by) return at;
  if (at < first) return by > 0 ? Math.min(first, at + 1) : Math.max(0, at - 1);
  if (at + by < first) return Math.max(0, first - 1); // up from the first row
  return Math.min(last, at + by);
}

/** The picture in grey with so much violet on each patch: side x side pixels of [r, g, b, a]. */
export function painted(pixels, side, shares, across, colours) {
  const out = new Uint8ClampedArray(4 * side * side);
  const patch = side / across;
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const at = y * side + x;
      const light = (0.3 * pixels[3 * at] + 0.59 * pixels[3 * at + 1] + 0.11 * pixels[3 * at + 2]) / 255;
      const ghost = 0.3 * (1 - light); // of ink: what is dark in the picture
      const violet = 0.94 * strength(shares[Math.floor(y / patch) * across + Math.floor(x / patch)]);
      for (let c = 0; c < 3; c++) {
        const ground = colours.panel[c] + ghost * (colours.ink[c] - colours.panel[c]);
        out[4 * at + c] = ground + violet * (colours.weight[c] - ground);
      }
      out[4 * at + 3] = 255;
    }
  return out;
}

/** Draws pixels (side, side, 3) on a canvas, as they are. */
export function show(canvas, pixels) {
  const side = pixels.shape[0];
  canvas.width = canvas.height = side;
  const image = new ImageData(side, side);
  for (let n = 0; n < side * side; n++) {
    for (let c = 0; c < 3; c++) image.data[4 * n + c] = pixels[3 * n + c];
    image.data[4 * n + 3] = 255;
  }
  canvas.getContext("2d").putImageData(image, 0, 0);
}
