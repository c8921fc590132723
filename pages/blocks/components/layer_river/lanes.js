// The lanes of the river: one per token, of which the one that is followed is large, where they are many.

import { svg } from "../../../../attention_view/lab.js";

const LARGE = 0.41, // of the height: the lane that is followed
  ENOUGH = 40, // pixels: lanes of this height need none that is larger
  [LOWEST, TALLEST] = [13, 64]; // pixels of a lane among others

/** Where each of n lanes begins in so many pixels, and where the last one ends; `large` is the one that is followed. */
export function lanesOf(n, height, large) {
  const each = Math.max(LOWEST, Math.min(TALLEST, height / n));
  const isLarge = each < ENOUGH && n > 1;
  const most = LARGE * height;
  const rest = isLarge ? Math.max(LOWEST, (height - most) / (n - 1)) : each;
  const tops = [0];
  for (let lane = 0; lane < n; lane++) tops.push(tops[lane] + (isLarge && lane === large ? most : rest));
  return { tops, large: isLarge ? large : null };
}

/** In which lane a height is; -1 where there is none. */
export const laneAt = (tops, y) => (y < 0 ? -1 : tops.slice(1).findIndex((end) => y < end));

/** The other lane that an arrow key leads to, of n; null where it is none. */
export function laneBeside(key, lane, n) {
  const to = { ArrowUp: lane - 1, ArrowDown: lane + 1, Home: 0, End: n - 1 }[key];
  return to >= 0 && to < n ? to : null;
}

/** What the two roads of the token are called that is followed, where they part. */
export function roads(river) {
  const { large, at, data, zoom } = river;
  if (large === null || data.stations[1].step !== "norm1" || zoom.isIn) return [];
  const x = at[0].x + at[0].width + 6;
  const say = (y, text) => svg("text.road", { x, y }, text);
  return [say(river.within(large, 0.36), "the stream"), say(river.within(large, 0.64), "copy")];
}
