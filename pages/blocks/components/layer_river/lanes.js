// The lanes of the river: one per token. The one that is followed has most of the room, and the others are close lines.

import { brief, shorten, svg } from "../../../../attention_view/lab.js";
import { additions, PIPE } from "./currents.js";

const LARGE = 0.66, // of the height: the lane that is followed
  TALLEST = 30, // pixels of a lane among others
  NAMES = 3, // tokens that are named beside the one that is followed: those that it looks at most
  APART = 18, // pixels between two names
  ROOM = 28; // pixels of a band that has room for its length

/** Where each of n lanes begins in so many pixels, and where the last one ends; `large` is the one that is followed.
 *
 * lowest: pixels of a lane at least; where that is more than there is, all of it is taller */
export function lanesOf(n, height, large, lowest = 0) {
  const rest = n > 1 ? Math.max(lowest, Math.min(TALLEST, ((1 - LARGE) * height) / (n - 1))) : 0;
  const most = Math.max(LARGE * height, height - rest * (n - 1));
  const tops = [0];
  for (let lane = 0; lane < n; lane++) tops.push(tops[lane] + (lane === large ? most : rest));
  return tops;
}

/** In which lane a height is; -1 where there is none. */
export const laneAt = (tops, y) => (y < 0 ? -1 : tops.slice(1).findIndex((end) => y < end));

/** The other lane that an arrow key leads to, of n; null where it is none. */
export function laneBeside(key, lane, n) {
  const to = { ArrowUp: lane - 1, ArrowDown: lane + 1, Home: 0, End: n - 1 }[key];
  return to >= 0 && to < n ? to : null;
}

/** What is named beside the token that is followed: [lane, how far its name goes from the middle of its lane], from
 * above.
 *
 * weights: of the token that is followed; names keep apart, from one another and from its own name */
export function namesOf(tops, weights, large) {
  const most = weights
    .map((weight, lane) => [weight, lane])
    .filter(([weight, lane]) => weight > 0.012 && lane !== large)
    .sort((a, b) => b[0] - a[0])
    .slice(0, NAMES)
    .map(([, lane]) => lane)
    .sort((a, b) => a - b);
  const middle = (lane) => (tops[lane] + tops[lane + 1]) / 2;
  /** From one end on, each as near to its lane as the name before it leaves it. */
  const spread = (lanes, start, by) => {
    let last = start;
    return lanes.map((lane) => {
      last = by > 0 ? Math.max(middle(lane), last + by) : Math.min(middle(lane), last + by);
      return [lane, last - middle(lane)];
    });
  };
  const above = spread(most.filter((lane) => lane < large).reverse(), tops[large] + APART / 2, -APART).reverse();
  return [
    ...above,
    ...spread(
      most.filter((lane) => lane > large),
      tops[large + 1] - APART / 2,
      APART,
    ),
  ];
}

/** What is said at the station that is lit: how long the vectors are that are added, and what the two roads are called
 * where they part; until attention is lit the lines of the other tokens are named together. */
export function signs(river) {
  const { at, chosen, data, large, tops, zoom } = river,
    { step = "", main } = data.stations[chosen] ?? {};
  const say = (kind, x, y, text) => svg(`text.${kind}`, { x, y }, text);
  const texts = step === "attention" || zoom.isIn ? [] : others(tops, large, say);
  if (zoom.isIn) return texts;
  const road = (n) => at[n - 1].x + at[n - 1].width + 8;
  if (step.startsWith("norm") && !main)
    texts.push(
      say("road", road(chosen), river.within(large, PIPE), "the stream"),
      say("road", road(chosen), river.within(large, 0.6), "copy"),
    );
  for (const { n, met, given } of additions(river)) {
    if (n !== chosen) continue;
    const fits = 2 * given.half > ROOM;
    const y = fits ? given.y : given.y - given.half - 11;
    texts.push(say("length.met", met.bend - 8, met.y, `length ${brief(met.length)}`));
    texts.push(say(fits ? "length.given" : "length.above", (given.left + given.right) / 2, y, brief(given.length)));
  }
  return texts;
}

/** The name of the lines of all tokens but the one that is followed, on that side of it that has more of them. */
function others(tops, large, say) {
  const [above, below] = [tops[large], tops.at(-1) - tops[large + 1]];
  const n = tops.length - 2;
  if (Math.max(above, below) < APART) return [];
  const y = above < below ? tops[large + 1] + below / 2 : above / 2;
  return [say("others", 12, y, n === 1 ? "the other token" : `the other ${n} tokens`)];
}

/** A token and the share of the attention weight that it gets, as its name beside the lanes. */
export function nameOf(word, weight, letters) {
  const name = /[\p{L}\p{N}]/u.test(word) ? shorten(word, letters) : `“${word}”`; // a full stop alone is no word
  return `${name} ${Math.round(100 * weight)}%`;
}
