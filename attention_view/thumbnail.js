// One head as a small map, and what it is called for who cannot see it.

import { image, shrunk, surface } from "./paint.js";

/** Paints a head, [layer, head], so many pixels wide and high; masks keeps those that are as small. */
export function paintThumbnail(canvas, view, [layer, head], [across, size], masks) {
  const { picture: p, whole, colours } = view;
  const context = surface(canvas, across, size);
  const sent = p.sent(layer, head);
  const side = Math.round(size * Math.min(window.devicePixelRatio || 1, 3));
  const { data, rows, cols, allowed } = shrunk(sent, smallMask(p, whole, sent, layer, masks), side);
  context.imageSmoothingEnabled = false;
  const largest = (sent.largest ?? p.largest(layer, head)) / sent.unit;
  context.drawImage(image(data, rows, cols, largest, colours, allowed), 0, 0, across, size);
}

/** The mask at the size of a thumbnail: a pooled cell is open if any cell in it is. */
function smallMask(picture, whole, { rows, cols }, layer, masks) {
  const own = picture.maskOf(layer);
  if (!own || (rows === picture.T && cols === picture.S)) return own;
  const mask = whole.maskOf(layer);
  if (masks.has(mask)) return masks.get(mask);
  const side = Math.ceil(whole.T / rows);
  const out = new Uint8Array(rows * cols);
  for (let i = 0; i < whole.T; i++)
    for (let j = 0; j < whole.S; j++)
      if (mask[i * whole.S + j]) out[Math.floor(i / side) * cols + Math.floor(j / side)] = 1;
  masks.set(mask, out);
  return out;
}

/** "Layer 0, head 1, previous word: entropy 1.20 bits, mean distance 1.1 tokens", as far as these are known. */
export function described(picture, layer, head) {
  const tag = picture.tag(layer, head);
  const value = (name) => (picture.scoreNames.includes(name) ? picture.score(name, layer, head) : null);
  const [entropy, distance] = [value("entropy"), value("distance")];
  const measured =
    entropy !== null && distance !== null
      ? `: entropy ${entropy.toFixed(2)} bits, mean distance ${distance.toFixed(1)} tokens`
      : "";
  return picture.name(layer, head) + (tag ? `, ${tag.name}` : "") + measured;
}
