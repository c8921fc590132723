// The lines of the picture: cables, where a dragged one ends, and the way out of the map.

import { svg } from "../../../../attention_view/lab.js";

/** A cable that hangs from one point to another. */
export function curve([x1, y1], [x2, y2], isWide) {
  const [dx, dy] = isWide ? [Math.max(30, (x2 - x1) * 0.45), 0] : [0, Math.max(24, (y2 - y1) * 0.5)];
  return `M${x1} ${y1} C${x1 + dx} ${y1 + dy} ${x2 - dx} ${y2 - dy} ${x2} ${y2}`;
}

/** The way out of the map, up and back to the end of what is written, with a tip. */
export function wayOut([left, low], [x, y]) {
  const far = Math.max(left + 22, x + 44);
  const up = `M${left} ${low}H${far - 10}Q${far} ${low} ${far} ${low - 10}V${y + 10}`;
  return [
    svg("path.cable.out", { d: `${up}Q${far} ${y} ${far - 10} ${y}H${x + 9}` }),
    svg("path.tip.out", { d: `M${x + 11} ${y - 7}L${x} ${y}L${x + 11} ${y + 7}Z` }),
  ];
}

/** Which end a dragged cable is let go at: the nearest of {name: [x, y]}. */
export function nearest([x, y], ends) {
  const far = (name) => Math.hypot(ends[name][0] - x, ends[name][1] - y);
  return Object.keys(ends).reduce((best, name) => (far(name) < far(best) ? name : best));
}
