// Where a head looks in a picture: its attention weight on every patch, at one frame of a film, from where the answers
// are read. The picture is grey under it, so that violet is nothing but attention weight.

import { rgb } from "../../../../attention_view/lab.js";
import { surface } from "../../../../attention_view/paint.js";
import { painted } from "../../../../lab/kit/components/patches.js";

/** The weight that a head's map (T x T, the class token first) gives to each patch, in the mean over these rows. */
export function onPatches(map, rows, n) {
  const shares = new Float32Array(n);
  for (const row of rows) for (let patch = 0; patch < n; patch++) shares[patch] += map[row * (n + 1) + 1 + patch];
  return shares.map((sum) => sum / rows.length);
}

/** The edges between patches of a set and all others, as lines [x0, y0, x1, y1] in patches. */
export function edgesOf(patches, across) {
  const inside = (x, y) => x >= 0 && y >= 0 && x < across && y < across && patches.has(y * across + x);
  const lines = [];
  for (const patch of patches) {
    const [x, y] = [patch % across, Math.floor(patch / across)];
    if (!inside(x, y - 1)) lines.push([x, y, x + 1, y]);
    if (!inside(x, y + 1)) lines.push([x, y + 1, x + 1, y + 1]);
    if (!inside(x - 1, y)) lines.push([x, y, x, y + 1]);
    if (!inside(x + 1, y)) lines.push([x + 1, y, x + 1, y + 1]);
  }
  return lines;
}

/** What is drawn at one frame: pixels (side x side x 3), shares of the largest weight, and the patches to outline. */
export function paintPicture(canvas, size, { pixels, side, across }, shares, outlined, colours) {
  const context = surface(canvas, size, size);
  colours.under ??= Object.fromEntries(["panel", "ink", "weight"].map((name) => [name, rgb(colours[name])]));
  const small = document.createElement("canvas");
  small.width = small.height = side;
  const image = new ImageData(painted(pixels, side, shares, across, colours.under), side, side);
  small.getContext("2d").putImageData(image, 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, size, size);
  const unit = size / across;
  context.strokeStyle = colours.ink;
  context.globalAlpha = 0.6;
  context.lineWidth = size > 160 ? 1.5 : 1;
  context.beginPath();
  for (const [x0, y0, x1, y1] of edgesOf(outlined, across)) {
    context.moveTo(x0 * unit, y0 * unit);
    context.lineTo(x1 * unit, y1 * unit);
  }
  context.stroke();
  context.globalAlpha = 1;
}
