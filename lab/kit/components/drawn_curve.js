// A curve that somebody has drawn, place by place: how a stroke becomes values, and how far these are from the truth.

/** What the keys of a point change, as shares of the height. */
export const STEPS = { ArrowUp: 0.02, ArrowDown: -0.02, PageUp: 0.1, PageDown: -0.1 };

/** What a stroke from one point to another leaves at the places that it passes: {place: value}. Points are [x, value],
 * x counted in places; a stroke that passes none counts for the nearest. */
export function stroke([x0, y0], [x1, y1], first, last) {
  const drawn = {};
  const [from, to] = x0 < x1 ? [x0, x1] : [x1, x0];
  for (let n = Math.max(first, Math.ceil(from)); n <= Math.min(last, Math.floor(to)); n++) {
    drawn[n] = x1 === x0 ? y1 : y0 + ((y1 - y0) * (n - x0)) / (x1 - x0);
  }
  const near = Math.min(last, Math.max(first, Math.round(x1)));
  if (Math.abs(near - x1) < 0.5) drawn[near] ??= y1;
  return drawn;
}

/** How far a drawing is from the truth, from the first place that was drawn on: the mean distance, the mean of the
 * signed differences, and the place of the largest distance. */
export function compared(drawn, truth, given) {
  const gaps = truth.map((value, n) => (n < given ? 0 : drawn[n] - value));
  const n = truth.length - given;
  const sizes = gaps.map(Math.abs);
  return {
    mean: sizes.reduce((a, b) => a + b, 0) / n,
    lean: gaps.reduce((a, b) => a + b, 0) / n,
    worst: sizes.indexOf(Math.max(...sizes)),
  };
}

/** The difference in one sentence. write(value) is a value with its unit. */
export function told({ drawn, truth, given, names, ends, write }) {
  const { mean, lean, worst } = compared(drawn, truth, given);
  const reach = ends[1] - ends[0];
  const both = `you drew ${write(drawn[worst])} and it is ${write(truth[worst])}`;
  const most = `the largest gap is at ${names[worst]}, where ${both}`;
  if (mean < 0.03 * reach) return `Very close: ${most}.`;
  const side = Math.abs(lean) < 0.5 * mean ? "now above, now below" : lean > 0 ? "mostly too high" : "mostly too low";
  return `Yours is ${write(mean)} away on average, ${side}; ${most}.`;
}
