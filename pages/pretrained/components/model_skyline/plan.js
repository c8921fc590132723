// The outlines of models in one scale: a box per stack, as wide as it has heads and as high as it has layers.

import { sumOf } from "../../../../attention_view/lab.js";

export const headsOf = ({ stacks }) => sumOf(stacks.map(([layers, heads]) => layers * heads));

/** The boxes around the stacks of a model, so many pixels to a head and to a layer: [{x, width, height}]. */
export function outline({ stacks }, wide, tall) {
  let x = 0;
  return stacks.map(([layers, heads]) => {
    const box = { x, width: wide * heads, height: tall * layers };
    x += box.width + 2;
    return box;
  });
}

const WHOLES = ["encoder", "decoder to encoder", "decoder"];

/** "72 heads: 12 in each of 6 layers"; of an encoder and its decoder which groups there are. */
export function spoken(one) {
  const [[layers, heads]] = one.stacks;
  const groups = `in ${one.stacks.length} groups: ${WHOLES.join(", ")}`;
  return `${headsOf(one)} heads${one.stacks.length > 1 ? ` ${groups}` : `: ${heads} in each of ${layers} layers`}`;
}
