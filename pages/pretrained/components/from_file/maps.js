// The small maps of all heads on one canvas.

import { put, rgb, strength, theme } from "../../../../attention_view/lab.js";

/** The room between two heads. */
export const gapOf = ({ tall }) => Math.max(1, Math.min(7, tall / 10));

/** What each head looks at, in its own cell: a row per token that looks, the first layer at the bottom. weights: of all
 * heads, in 16 bits; size: of one head and of all. */
export function paintMaps(canvas, { heads, queries, keys }, weights, size) {
  const { wide, tall, width, height } = size;
  const sharp = devicePixelRatio * (canvas.currentCSSZoom ?? 1);
  Object.assign(canvas, { width: width * sharp, height: height * sharp });
  put(canvas, { style: `width:${width}px;height:${height}px` });
  const [pen, steps] = [canvas.getContext("2d"), shades(canvas)];
  const [across, all, gap] = [keys.length, keys.length * queries.length, gapOf(size)];
  const [left, down] = [(wide - gap) / across, (tall - gap) / queries.length];
  pen.scale(sharp, sharp);
  weights.forEach((weight, i) => {
    const [head, query] = [Math.floor(i / all), Math.floor((i % all) / across)];
    const x = wide * (head % heads) + left * (i % across);
    const y = height - tall * (Math.floor(head / heads) + 1) + gap + down * query;
    pen.fillStyle = steps[weight >> 8];
    pen.fillRect(x, y, left + 0.3, down + 0.3);
  });
}

/** The colour of each byte of a weight, from that of the panel to that of attention weights. */
function shades(node) {
  const colour = theme(node);
  const [panel, weight] = [rgb(colour("panel")), rgb(colour("weight"))];
  return Array.from({ length: 256 }, (_, n) => {
    const share = strength(n / 255);
    return `rgb(${[0, 1, 2].map((c) => Math.round(panel[c] + share * (weight[c] - panel[c])))})`;
  });
}
