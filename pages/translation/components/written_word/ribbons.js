// Attention as ribbons that run into one word: side by side they are as wide as all of it, which adds up to 1.

import { svg } from "../../../../attention_view/lab.js";

/** Where ribbons of these weights end, side by side around `middle`: [[j, x, how wide]], those below `least` left out.
 *
 * from: where each begins; they end in that order, so that none crosses another. whole: pixels of a weight of 1 */
export function ends(weights, from, middle, whole, least) {
  const shown = weights.map((weight, j) => [j, weight]).filter(([, weight]) => weight >= least);
  shown.sort(([a], [b]) => from[a].x - from[b].x || from[a].y - from[b].y);
  let left = middle - (whole * shown.reduce((sum, [, weight]) => sum + weight, 0)) / 2;
  return shown.map(([j, weight]) => {
    const wide = whole * weight;
    left += wide;
    return [j, left - wide / 2, wide];
  });
}

/** A ribbon from one place down to another. The further it goes aside, the rounder it turns: it is wide. */
export function ribbon(from, to, wide, weight, props = {}) {
  const tall = to.y - from.y;
  const bend = tall * Math.min(0.85, 0.5 + (0.14 * Math.abs(to.x - from.x)) / Math.max(1, tall));
  return svg("path.ribbon", {
    d: `M${from.x} ${from.y} C${from.x} ${from.y + bend} ${to.x} ${to.y - bend} ${to.x} ${to.y}`,
    "stroke-width": Math.max(1, wide).toFixed(1),
    opacity: (0.35 + 0.45 * weight).toFixed(2),
    ...props,
  });
}

/** Arcs below the words that were written, each as thick as the attention weight that it brings to where the next one
 * is read in, and the tip of them all. */
export function arcs(words, weights, to, tall) {
  const lines = words.map(({ x, y }, n) => {
    const low = Math.max(y, to.y) + tall * (0.45 + (0.55 * (words.length - 1 - n)) / words.length);
    return svg("path.back", {
      d: `M${x} ${y} C${x} ${low} ${to.x} ${low} ${to.x} ${to.y + 9}`,
      ...thickness(weights[n]),
    });
  });
  return [...lines, tip(to)];
}

/** How an arc of a weight is drawn. */
export const thickness = (weight) => ({
  "stroke-width": (1 + 6 * weight).toFixed(1),
});

/** The way up from what was written before, where it stands below the word, as on a phone: no attention weight. */
export const riser = (from, to) => [
  svg("path.rise", { d: `M${from.x} ${from.y} L${to.x} ${to.y + 9}` }),
  tip(to, "path.rise.tip"),
];

const tip = ({ x, y }, name = "path.tip") => svg(name, { d: `M${x - 6} ${y + 10} L${x} ${y} L${x + 6} ${y + 10} Z` });
